"""The JSON of messages and interactions, as each bot may see them."""

from __future__ import annotations

from tests.discord_server.clock import iso
from tests.discord_server.intents import Intent
from tests.discord_server.payloads import ATTACHMENT_SIZE_LIMIT, channel, member, snowflake, user
from tests.discord_server.permissions import DIRECT_MESSAGE, channel_permissions
from tests.discord_server.state import (
    Attachment,
    Bot,
    Interaction,
    InteractionType,
    Json,
    Message,
    MessageFlag,
    MessageType,
)
from tests.discord_server.world import World


def attachment(world: World, one: Attachment, channel_id: int, *, ephemeral: bool) -> Json:
    """An attachment object; its address is on this very server."""
    url = f"{world.origin}/attachments/{channel_id}/{one.id}/{one.filename}"
    body: Json = {
        "id": str(one.id),
        "filename": one.filename,
        "size": len(one.content),
        "url": url,
        "proxy_url": url,
        "content_type": one.content_type,
    }
    if one.description is not None:
        body["description"] = one.description
    if ephemeral:
        body["ephemeral"] = True
    return body


def message(world: World, one: Message, *, nested: bool = False) -> Json:
    """A message object, in full. A webhook's author is no known account."""
    known = one.author.id in world.users
    body: Json = {
        "id": str(one.id),
        "channel_id": str(one.channel_id),
        "type": int(one.type),
        "content": one.content,
        "author": user(one.author) | ({} if known else {"discriminator": "0000"}),
        "timestamp": iso(one.created_at),
        "edited_timestamp": None if one.edited_at is None else iso(one.edited_at),
        "tts": one.tts,
        "flags": int(one.flags),
        "mention_everyone": one.pings.everyone,
        "mentions": [user(world.users[each]) for each in one.pings.users],
        "mention_roles": [str(each) for each in one.pings.roles],
        "attachments": [
            attachment(
                world, each, one.channel_id, ephemeral=bool(one.flags & MessageFlag.EPHEMERAL)
            )
            for each in one.attachments
        ],
        "embeds": one.embeds,
        "components": one.components,
        "pinned": False,
    }
    optional = {
        "nonce": one.nonce,
        "webhook_id": snowflake(one.webhook_id),
        "application_id": snowflake(one.application_id),
        "interaction_metadata": one.interaction_metadata,
        "message_reference": one.reference,
        "message_snapshots": one.snapshots or None,
        "poll": one.poll,
    }
    body |= {key: value for key, value in optional.items() if value is not None}
    if one.thread_id is not None and one.thread_id in world.channels:
        body["thread"] = channel(world.channels[one.thread_id])
    if one.type in (MessageType.REPLY, MessageType.THREAD_STARTER) and not nested:
        referenced = world.referenced(one)
        body["referenced_message"] = referenced and message(world, referenced, nested=True)
    return body


def snapshot(body: Json) -> Json:
    """What a forward holds of a message: not who wrote it."""
    kept = ("type", "content", "embeds", "attachments", "timestamp", "edited_timestamp", "flags")
    lists = {"mentions": [], "mention_roles": [], "components": [], "sticker_items": []}
    return {"message": {key: body[key] for key in kept} | lists}


def poll(question: str, answers: list[str]) -> Json:
    """A poll object that runs for a day."""
    return {
        "question": {"text": question},
        "answers": [
            {"answer_id": number, "poll_media": {"text": answer}}
            for number, answer in enumerate(answers, start=1)
        ],
        "expiry": "2099-01-01T00:00:00+00:00",
        "allow_multiselect": False,
        "layout_type": 1,
        "results": {"is_finalized": False, "answer_counts": []},
    }


def without_content(body: Json) -> Json:
    """A message as a bot without the Message Content intent sees it."""
    bare = {**body, "content": "", "embeds": [], "attachments": [], "components": []}
    bare.pop("poll", None)
    if "message_snapshots" in bare:
        bare["message_snapshots"] = [
            {"message": each["message"] | {"content": "", "embeds": [], "attachments": []}}
            for each in bare["message_snapshots"]
        ]
    return bare


def message_for(world: World, one: Message, bot: Bot, intents: int) -> Json:
    """A message as `bot` may see it, given its intents."""
    body = message(world, one)
    return _veil(world, body, bot, intents)


def _veil(world: World, body: Json, bot: Bot, intents: int) -> Json:
    referenced = body.get("referenced_message")
    if referenced:
        body["referenced_message"] = _veil(world, referenced, bot, intents)
    own = str(bot.id)
    seen = (
        intents & Intent.MESSAGE_CONTENT
        or body["author"]["id"] == own
        or body.get("application_id") == own
        or world.channels[int(body["channel_id"])].guild_id is None
        or any(each["id"] == own for each in body["mentions"])
    )
    return body if seen else without_content(body)


def message_event(world: World, one: Message, bot: Bot, intents: int) -> Json:
    """A message as MESSAGE_CREATE and MESSAGE_UPDATE carry it."""
    body = message_for(world, one, bot, intents)
    place = world.channels[one.channel_id]
    if place.guild_id is None or one.ephemeral_to is not None:
        return body
    body["channel_type"] = place.type
    members = world.guilds[place.guild_id].members
    body["guild_id"] = str(place.guild_id)
    if one.author.id in members:
        body["member"] = member(members[one.author.id], with_user=False)
    for each in body["mentions"]:
        if (known := members.get(int(each["id"]))) is not None:
            each["member"] = member(known, with_user=False)
    return body


def interaction(world: World, one: Interaction, intents: int) -> Json:
    """What INTERACTION_CREATE carries."""
    place = one.channel
    body: Json = {
        "id": str(one.id),
        "application_id": str(one.bot.id),
        "type": one.type,
        "token": one.token,
        "version": 1,
        "data": one.data,
        "channel_id": str(place.id),
        "channel": channel(place, viewer=one.bot.id),
        "locale": one.user.locale,
        "entitlements": [],
        "entitlement_sku_ids": [],
        "attachment_size_limit": ATTACHMENT_SIZE_LIMIT,
        "context": 1 if place.guild_id is None else 0,
    }
    if one.message is not None and one.type != InteractionType.COMMAND:
        body["message"] = message_for(world, one.message, one.bot, intents)
    if place.guild_id is None:
        body["user"] = user(one.user)
        body["app_permissions"] = str(int(DIRECT_MESSAGE))
        body["authorizing_integration_owners"] = {"0": "0"}
        return body
    home = world.guilds[place.guild_id]
    now = world.clock.now()
    acting = home.members[one.user.id]
    allowed = channel_permissions(home, acting, place, now)
    of_app = channel_permissions(home, home.members[one.bot.id], place, now)
    body["channel"]["permissions"] = str(int(allowed))
    return body | {
        "guild_id": str(home.id),
        "guild": {"id": str(home.id), "locale": home.preferred_locale, "features": []},
        "guild_locale": home.preferred_locale,
        "member": member(acting) | {"permissions": str(int(allowed))},
        "app_permissions": str(int(of_app)),
        "authorizing_integration_owners": {"0": str(home.id)},
    }
