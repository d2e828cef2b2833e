"""Webhooks: their own posts, and the paths that interactions share with them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from tests.discord_server import message_payloads, payloads
from tests.discord_server.errors import form_error, invalid_webhook_token, unknown
from tests.discord_server.permissions import Permission
from tests.discord_server.rest import interactions
from tests.discord_server.rest.call import NO_CONTENT, Answer, Call, Handler
from tests.discord_server.rest.drafts import read_draft
from tests.discord_server.state import Interaction

OfInteraction = Callable[[Call, Interaction], Awaitable[Answer]]


def routes() -> dict[tuple[str, str], Handler]:
    """Method and path of each route."""
    executed = "/webhooks/{webhook_id}/{webhook_token}"
    message = executed + "/messages/{message_id}"
    return {
        ("POST", executed): execute,
        ("GET", message): _only_interactions(interactions.get_message),
        ("PATCH", message): _only_interactions(interactions.edit_message),
        ("DELETE", message): _only_interactions(interactions.delete_message),
        ("GET", "/channels/{channel_id}/webhooks"): of_channel,
        ("POST", "/channels/{channel_id}/webhooks"): create,
        ("GET", "/webhooks/{webhook_id}"): get,
    }


def _only_interactions(handler: OfInteraction) -> Handler:
    async def handle(call: Call) -> Answer:
        token = call.request.match_info["webhook_token"]
        found = interactions.by_token(call, call.number("webhook_id"), token)
        if found is None:
            raise unknown("Webhook")
        return await handler(call, found)

    return handle


async def execute(call: Call) -> Answer:
    """Post through a webhook, or follow up on an interaction."""
    token = call.request.match_info["webhook_token"]
    webhook_id = call.number("webhook_id")
    found = interactions.by_token(call, webhook_id, token)
    if found is not None:
        return await interactions.follow_up(call, found)
    webhook = call.world.webhooks.get(webhook_id)
    if webhook is None:
        raise unknown("Webhook")
    if webhook.token != token:
        raise invalid_webhook_token()
    form = call.form
    draft = read_draft(call, form, webhook.user(form.get("username")))
    draft.webhook = webhook
    message = call.world.create_message(call.world.channels[webhook.channel_id], draft)
    if call.query.get("wait") not in ("1", "true"):
        return NO_CONTENT
    return Answer(message_payloads.message(call.world, message))


async def of_channel(call: Call) -> Answer:
    """The webhooks of a channel."""
    channel = call.channel(Permission.MANAGE_WEBHOOKS)
    found = [each for each in call.world.webhooks.values() if each.channel_id == channel.id]
    return Answer([payloads.webhook(call.world, each) for each in found])


async def create(call: Call) -> Answer:
    """Make a webhook that belongs to the calling application."""
    channel = call.channel(Permission.MANAGE_WEBHOOKS)
    name = call.form.get("name")
    if not isinstance(name, str) or not 1 <= len(name) <= 80:
        raise form_error(["name"], "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 80 in length.")
    made = call.world.create_webhook(channel, name, application_id=call.bot.id)
    return Answer(payloads.webhook(call.world, made))


async def get(call: Call) -> Answer:
    """One webhook."""
    found = call.world.webhooks.get(call.number("webhook_id"))
    if found is None:
        raise unknown("Webhook")
    call.demand(call.world.channels[found.channel_id], Permission.MANAGE_WEBHOOKS)
    return Answer(payloads.webhook(call.world, found))
