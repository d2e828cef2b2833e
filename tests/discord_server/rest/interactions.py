"""Answers to interactions: the first response, the original message, follow-ups."""

from __future__ import annotations

from tests.discord_server import message_payloads, payloads
from tests.discord_server.components import validate_modal
from tests.discord_server.errors import (
    FormErrors,
    already_acknowledged,
    form_error,
    invalid_webhook_token,
    unknown,
)
from tests.discord_server.rest.call import NO_CONTENT, Answer, Call, Handler, snowflake
from tests.discord_server.rest.drafts import apply_edit, read_draft
from tests.discord_server.state import (
    CallbackType,
    Interaction,
    InteractionType,
    Json,
    Message,
    MessageFlag,
    MessageType,
)
from tests.discord_server.world import Draft

FIRST_RESPONSE_SECONDS = 3.0
TOKEN_SECONDS = 900.0
_MESSAGE_CALLBACKS = (CallbackType.MESSAGE, CallbackType.DEFERRED_MESSAGE)
_UPDATE_CALLBACKS = (CallbackType.DEFERRED_UPDATE, CallbackType.UPDATE)


def routes() -> dict[tuple[str, str], Handler]:
    """Method and path of each route. The webhook ones are shared: see `rest.webhooks`."""
    return {("POST", "/interactions/{interaction_id}/{interaction_token}/callback"): respond}


def by_token(call: Call, application_id: int, token: str) -> Interaction | None:
    """The interaction whose token stands in a webhook path.

    Raises:
        ApiError: 50027 after fifteen minutes, 10015 before the first response.
    """
    for found in call.world.interactions.values():
        if found.token == token and found.bot.id == application_id:
            break
    else:
        return None
    if call.world.clock.now() > found.created_at + TOKEN_SECONDS:
        raise invalid_webhook_token()
    if found.callback is None:
        raise unknown("Webhook")
    call.caller = found.bot
    return found


async def respond(call: Call) -> Answer:
    """The first response."""
    found = call.world.interactions.get(call.number("interaction_id"))
    if found is None or found.token != call.request.match_info["interaction_token"]:
        raise unknown("Interaction")
    call.caller = found.bot
    if found.callback is not None:
        raise already_acknowledged()
    if call.world.clock.now() > found.created_at + FIRST_RESPONSE_SECONDS:
        raise unknown("Interaction")
    form = call.form
    kind = _kind(found, form.get("type"))
    _apply(call, found, kind, form.get("data") or {})
    found.callback = kind
    found.answered_at = call.world.clock.now()
    call.world.changed()
    if call.query.get("with_response", "").lower() not in ("1", "true"):
        return NO_CONTENT
    return Answer(_callback_body(call, found, kind))


def _kind(found: Interaction, kind: object) -> int:
    allowed: tuple[int, ...] = (*_MESSAGE_CALLBACKS, CallbackType.MODAL)
    if found.type == InteractionType.AUTOCOMPLETE:
        allowed = (CallbackType.AUTOCOMPLETE,)
    elif found.type == InteractionType.MODAL_SUBMIT:
        allowed = _MESSAGE_CALLBACKS
    if found.type != InteractionType.AUTOCOMPLETE and found.message is not None:
        allowed += _UPDATE_CALLBACKS
    if kind not in allowed or not isinstance(kind, int):
        names = ", ".join(str(int(each)) for each in allowed)
        message = f"Value must be one of {{{names}}}."
        raise form_error(["type"], "BASE_TYPE_CHOICES", message)
    return kind


def _apply(call: Call, found: Interaction, kind: int, data: Json) -> None:
    if kind == CallbackType.MESSAGE:
        draft = read_draft(call, data, found.bot.user, ("data",))
        found.original = _post(call, found, draft)
    elif kind == CallbackType.DEFERRED_MESSAGE:
        flags = (data.get("flags") or 0) & MessageFlag.EPHEMERAL | MessageFlag.LOADING
        found.original = _post(call, found, Draft(found.bot.user, flags=flags))
    elif kind in _UPDATE_CALLBACKS:
        message = found.message
        if message is None or message.deleted:
            raise unknown("Message")
        if kind == CallbackType.UPDATE:
            apply_edit(call, data, message, ("data",))
        found.original = message
    elif kind == CallbackType.AUTOCOMPLETE:
        found.choices = _choices(data)
    else:
        errors = FormErrors()
        validate_modal(data, errors)
        errors.check()
        found.modal = data


def _choices(data: Json) -> list[Json]:
    choices = data.get("choices") or []
    errors = FormErrors()
    path = ["data", "choices"]
    errors.length(path, choices, 0, 25)
    for index, choice in enumerate(choices):
        errors.length([*path, index, "name"], choice.get("name"), 1, 100, needed=True)
        if isinstance(choice.get("value"), str):
            errors.length([*path, index, "value"], choice["value"], 1, 100)
    errors.check()
    return list(choices)


def _post(call: Call, found: Interaction, draft: Draft) -> Message:
    draft.application_id = found.bot.id
    if draft.flags & MessageFlag.EPHEMERAL:
        draft.ephemeral_to = found.user.id
    if found.type == InteractionType.COMMAND:
        slash = found.data.get("type", 1) == 1
        draft.type = MessageType.CHAT_INPUT_COMMAND if slash else MessageType.CONTEXT_MENU_COMMAND
    elif found.message is not None and found.message.ephemeral_to is None:
        draft.reply_to = found.message
        draft.silent_reply = True
    draft.interaction_metadata = _metadata(found)
    return call.world.create_message(found.channel, draft)


def _metadata(found: Interaction) -> Json:
    body: Json = {
        "id": str(found.id),
        "type": found.type,
        "user": payloads.user(found.user),
        "authorizing_integration_owners": {"0": str(found.channel.guild_id or 0)},
    }
    if found.type == InteractionType.COMMAND:
        body |= {"name": found.data["name"], "command_type": found.data.get("type", 1)}
    if found.type == InteractionType.COMPONENT and found.message is not None:
        body["interacted_message_id"] = str(found.message.id)
    if found.type == InteractionType.MODAL_SUBMIT and found.parent is not None:
        body["triggering_interaction_metadata"] = _metadata(found.parent)
    return body


def _callback_body(call: Call, found: Interaction, kind: int) -> Json:
    about: Json = {"id": str(found.id), "type": found.type}
    body: Json = {"interaction": about}
    message = found.original
    if message is not None:
        about |= {
            "response_message_id": str(message.id),
            "response_message_loading": bool(message.flags & MessageFlag.LOADING),
            "response_message_ephemeral": bool(message.flags & MessageFlag.EPHEMERAL),
        }
    if kind in (*_MESSAGE_CALLBACKS, CallbackType.UPDATE) and message is not None:
        body["resource"] = {"type": kind, "message": message_payloads.message(call.world, message)}
    return body


async def follow_up(call: Call, found: Interaction) -> Answer:
    """A further message; after a deferral the first one takes the place of "thinking"."""
    form = call.form
    waiting = found.original
    if waiting is not None and waiting.flags & MessageFlag.LOADING:
        apply_edit(call, form, waiting)
        return Answer(message_payloads.message(call.world, waiting))
    draft = read_draft(call, form, found.bot.user)
    message = _post(call, found, draft)
    found.followups.append(message)
    return Answer(message_payloads.message(call.world, message))


def message_of(call: Call, found: Interaction) -> Message:
    """The path's message: "@original", or one that this interaction made.

    Raises:
        ApiError: 10008.
    """
    name = call.request.match_info["message_id"]
    if name == "@original":
        message = found.original
    else:
        message_id = snowflake(name, "message_id")
        made = [*found.followups, *([found.original] if found.original else [])]
        message = next((each for each in made if each.id == message_id), None)
    if message is None or message.deleted:
        raise unknown("Message")
    return message


async def get_message(call: Call, found: Interaction) -> Answer:
    """Read a message of an interaction."""
    return Answer(message_payloads.message(call.world, message_of(call, found)))


async def edit_message(call: Call, found: Interaction) -> Answer:
    """Edit a message of an interaction."""
    message = message_of(call, found)
    apply_edit(call, call.form, message)
    return Answer(message_payloads.message(call.world, message))


async def delete_message(call: Call, found: Interaction) -> Answer:
    """Delete a message of an interaction."""
    message = message_of(call, found)
    call.world.delete_message(message)
    return NO_CONTENT
