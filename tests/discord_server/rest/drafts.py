"""Turns a request's body into a new message, or into the edit of one."""

from __future__ import annotations

from typing import Any

from tests.discord_server.clock import iso, parse_iso
from tests.discord_server.components import with_ids
from tests.discord_server.errors import ApiError, form_error
from tests.discord_server.payloads import ATTACHMENT_SIZE_LIMIT
from tests.discord_server.rest.call import Call, Upload
from tests.discord_server.state import Attachment, Json, Message, MessageFlag, User
from tests.discord_server.validation import require_something, validate_message
from tests.discord_server.world import Draft

MAX_FILES = 10


def read_draft(call: Call, form: Json, author: User, base: tuple[str, ...] = ()) -> Draft:
    """A new message out of a body, or of the part of it that stands at `base`.

    Raises:
        ApiError: 50035 or 50006.
    """
    flags = form.get("flags") or 0
    validate_message(form, flags=flags, base=base)
    draft = Draft(
        author=author,
        content=(form.get("content") or "").strip(),
        embeds=[_stored_embed(each) for each in form.get("embeds") or []],
        components=with_ids(form.get("components") or []),
        attachments=_uploads(call, form.get("attachments")),
        flags=flags,
        tts=bool(form.get("tts")),
        nonce=form.get("nonce"),
        allowed_mentions=form.get("allowed_mentions"),
    )
    require_something(
        content=draft.content,
        embeds=draft.embeds,
        components=draft.components,
        attachments=len(draft.attachments),
    )
    return draft


def apply_edit(call: Call, form: Json, message: Message, base: tuple[str, ...] = ()) -> None:
    """Change a message as a body says; fields that are absent stay, and bots are told.

    Raises:
        ApiError: 50035 or 50006; nothing was changed then.
    """
    asked = form.get("flags")
    flags = message.flags
    if asked is not None:
        changeable = MessageFlag.SUPPRESS_EMBEDS
        flags = flags & ~changeable | asked & (changeable | MessageFlag.IS_COMPONENTS_V2)
    content = (form["content"] or "" if "content" in form else message.content).strip()
    embeds: list[Json] = form["embeds"] or [] if "embeds" in form else message.embeds
    components: list[Json] = (
        form["components"] or [] if "components" in form else message.components
    )
    after = {"content": content, "embeds": embeds, "components": components}
    validate_message({**form, **after}, flags=flags & ~MessageFlag.LOADING, base=base)
    attachments = message.attachments
    if form.get("attachments") is not None or call.files:
        attachments = _kept(form, message) + _uploads(call, form.get("attachments"))
    require_something(
        content=content, embeds=embeds, components=components, attachments=len(attachments)
    )
    embeds = [_stored_embed(each) for each in embeds]
    before = message.content
    message.content = content
    message.embeds = embeds
    message.components = with_ids(components)
    message.attachments = attachments
    message.flags = flags & ~MessageFlag.LOADING
    if "allowed_mentions" in form:
        message.allowed_mentions = form["allowed_mentions"]
    if not flags & MessageFlag.LOADING:
        call.world.edited(message, before=before)
        return
    draft = Draft(message.author, content, components=components)
    draft.allowed_mentions = message.allowed_mentions
    message.pings = call.world.pings(draft, call.world.channels[message.channel_id])
    call.world.edited(message)


def _uploads(call: Call, described: list[Json] | None) -> list[Attachment]:
    if len(call.files) > MAX_FILES:
        message = f"Must be {MAX_FILES} or fewer in length."
        raise form_error(["attachments"], "BASE_TYPE_MAX_LENGTH", message)
    if sum(len(each.content) for each in call.files.values()) > ATTACHMENT_SIZE_LIMIT:
        raise ApiError(413, 40005, "Request entity too large")
    details: dict[int, Json] = {
        int(each["id"]): each for each in described or [] if int(each.get("id", -1)) in call.files
    }
    return [
        _attachment(call, upload, details.get(index, {})) for index, upload in call.files.items()
    ]


def _attachment(call: Call, upload: Upload, details: Json) -> Attachment:
    description = details.get("description")
    if description is not None and len(description) > 1024:
        raise form_error(
            ["attachments", 0, "description"],
            "BASE_TYPE_MAX_LENGTH",
            "Must be 1024 or fewer in length.",
        )
    return Attachment(
        id=call.world.ids.next(),
        filename=details.get("filename") or upload.filename,
        content=upload.content,
        content_type=upload.content_type,
        description=description,
    )


def _kept(form: Json, message: Message) -> list[Attachment]:
    if "attachments" not in form:
        return list(message.attachments)
    wanted = {int(each["id"]) for each in form["attachments"] or []}
    return [each for each in message.attachments if each.id in wanted]


def _stored_embed(embed: Json) -> Json:
    """An embed as Discord gives it back.

    Raises:
        ApiError: its timestamp is none.
    """
    stored: dict[str, Any] = {"type": "rich", **embed}
    if stamp := stored.get("timestamp"):
        try:
            stored["timestamp"] = iso(parse_iso(stamp))
        except ValueError:
            raise _bad_timestamp(stamp) from None
    return stored


def _bad_timestamp(stamp: str) -> ApiError:
    message = f"Could not parse {stamp}. Should be ISO8601."
    return form_error(["embeds", 0, "timestamp"], "DATE_TIME_TYPE_PARSE", message)
