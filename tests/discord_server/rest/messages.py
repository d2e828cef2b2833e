"""Messages of channels: post, read, edit, delete."""

from __future__ import annotations

from tests.discord_server import message_payloads
from tests.discord_server.clock import DISCORD_EPOCH_MS
from tests.discord_server.errors import (
    ApiError,
    archived_thread,
    cannot_message_user,
    form_error,
    missing_access,
    missing_permissions,
    not_the_author,
    wrong_channel_type,
)
from tests.discord_server.permissions import Permission
from tests.discord_server.rest.call import NO_CONTENT, Answer, Call, Handler, snowflake
from tests.discord_server.rest.drafts import apply_edit, read_draft
from tests.discord_server.state import Channel, ChannelType, Json, Message, MessageFlag
from tests.discord_server.world import Draft

NONCE_SECONDS = 300.0
BULK_DELETE_DAYS = 14
_NO_MESSAGES = (ChannelType.CATEGORY, ChannelType.FORUM)


def routes() -> dict[tuple[str, str], Handler]:
    """Method and path of each route."""
    one = "/channels/{channel_id}/messages/{message_id}"
    return {
        ("GET", "/channels/{channel_id}/messages"): history,
        ("POST", "/channels/{channel_id}/messages"): create,
        ("POST", "/channels/{channel_id}/messages/bulk-delete"): bulk_delete,
        ("GET", one): get,
        ("PATCH", one): edit,
        ("DELETE", one): delete,
        ("POST", "/channels/{channel_id}/typing"): typing,
    }


def answer(call: Call, message: Message) -> Answer:
    """A message as the calling bot may see it."""
    intents = call.bot.privileged
    return Answer(message_payloads.message_for(call.world, message, call.bot, intents))


async def create(call: Call) -> Answer:
    """Post a message."""
    channel = call.channel()
    _check_may_send(call, channel)
    form = call.form
    draft = read_draft(call, form, call.bot.user)
    if draft.flags & MessageFlag.EPHEMERAL:
        raise form_error(["flags"], "MESSAGE_FLAGS_INVALID", "Message flags are invalid")
    needed = Permission(0)
    if draft.embeds:
        needed |= Permission.EMBED_LINKS
    if draft.attachments:
        needed |= Permission.ATTACH_FILES
    if draft.tts:
        needed |= Permission.SEND_TTS_MESSAGES
    call.demand(channel, needed)
    draft.reply_to = _replied_to(call, channel, form.get("message_reference"))
    if earlier := _same_nonce(call, draft, enforce=bool(form.get("enforce_nonce"))):
        return answer(call, earlier)
    message = call.world.create_message(channel, draft)
    if draft.nonce is not None:
        key = (call.bot.id, str(draft.nonce))
        call.world.nonces[key] = (message.created_at, message)
    return answer(call, message)


def _check_may_send(call: Call, channel: Channel) -> None:
    if channel.type in _NO_MESSAGES:
        raise wrong_channel_type()
    if channel.type == ChannelType.DM:
        _check_direct(call, channel)
        return
    needed = Permission.SEND_MESSAGES_IN_THREADS if channel.thread else Permission.SEND_MESSAGES
    call.demand(channel, needed)
    if channel.thread is not None and channel.thread.locked:
        granted = call.world.permissions(call.bot.user, channel)
        if not granted & Permission.MANAGE_THREADS:
            raise ApiError(400, 160005, "Thread is locked")


def _check_direct(call: Call, channel: Channel) -> None:
    other = next(each for each in channel.recipients if each is not call.bot.user)
    shared = any(
        call.bot.id in guild.members and other.id in guild.members
        for guild in call.world.guilds.values()
    )
    if other.bot or not other.dms_open or not shared:
        raise cannot_message_user()


def _replied_to(call: Call, channel: Channel, reference: Json | None) -> Message | None:
    if reference is None:
        return None
    message_id = snowflake(reference.get("message_id"), "message_id")
    found = channel.messages.get(message_id)
    if found is None:
        if not reference.get("fail_if_not_exists", True):
            return None
        raise form_error(["message_reference"], "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
    granted = call.world.permissions(call.bot.user, channel)
    if not granted & Permission.READ_MESSAGE_HISTORY:
        raise form_error(
            ["message_reference"],
            "REPLIES_CANNOT_REPLY_WITHOUT_READ_MESSAGE_HISTORY",
            "Cannot reply without permission to read message history",
        )
    return found


def _same_nonce(call: Call, draft: Draft, *, enforce: bool) -> Message | None:
    if not enforce or draft.nonce is None:
        return None
    found = call.world.nonces.get((call.bot.id, str(draft.nonce)))
    if found is None or found[0] < call.world.clock.now() - NONCE_SECONDS:
        return None
    return found[1]


async def history(call: Call) -> Answer:
    """Messages of a channel, newest first."""
    channel = call.channel()
    limit = call.limit(50, 100)
    granted = call.world.permissions(call.bot.user, channel)
    if not granted & Permission.READ_MESSAGE_HISTORY:
        return Answer([])
    ids = sorted(channel.messages)
    query = call.query
    if "around" in query:
        middle = snowflake(query["around"], "around")
        below = [each for each in ids if each < middle]
        above = [each for each in ids if each >= middle]
        half = limit // 2
        chosen = below[-half:] + above[: limit - half]
    elif "after" in query:
        lowest = snowflake(query["after"], "after")
        chosen = [each for each in ids if each > lowest][:limit]
    else:
        highest = snowflake(query["before"], "before") if "before" in query else None
        chosen = [each for each in ids if highest is None or each < highest][-limit:]
    return Answer([answer(call, channel.messages[each]).body for each in reversed(chosen)])


async def get(call: Call) -> Answer:
    """One message."""
    channel = call.channel(Permission.READ_MESSAGE_HISTORY)
    return answer(call, call.world.message(channel.id, call.number("message_id")))


async def edit(call: Call) -> Answer:
    """Change a message of the bot's own, or hide the embeds of another's."""
    channel = call.channel()
    message = call.world.message(channel.id, call.number("message_id"))
    if channel.thread is not None and channel.thread.archived:
        raise archived_thread()
    form = call.form
    if message.author is not call.bot.user or message.webhook_id not in (None, call.bot.id):
        if set(form) - {"flags", "tts", "allowed_mentions"}:
            raise not_the_author()
        call.demand(channel, Permission.MANAGE_MESSAGES)
    apply_edit(call, form, message)
    return answer(call, message)


async def delete(call: Call) -> Answer:
    """Delete a message; another's needs Manage Messages."""
    channel = call.channel()
    message = call.world.message(channel.id, call.number("message_id"))
    own = message.author is call.bot.user
    if not own:
        if channel.type == ChannelType.DM:
            raise ApiError(403, 50003, "Cannot execute action on a DM channel")
        call.demand(channel, Permission.MANAGE_MESSAGES)
    if channel.thread is not None and channel.thread.archived:
        raise archived_thread()
    call.world.delete_message(message)
    guild = call.world.guild_of(channel)
    if guild is not None and not own:
        options = {"channel_id": str(channel.id), "count": "1"}
        call.world.audit(guild, call.bot.user, 72, message.author.id, call.reason, options)
    return NO_CONTENT


async def bulk_delete(call: Call) -> Answer:
    """Delete 2 to 100 messages, none older than two weeks."""
    channel = call.channel(Permission.MANAGE_MESSAGES)
    guild = call.world.guild_of(channel)
    if guild is None:
        raise missing_access()
    ids = {snowflake(each, "messages") for each in call.form.get("messages") or []}
    if not 2 <= len(ids) <= 100:
        message = "Must be between 2 and 100 in length."
        raise form_error(["messages"], "BASE_TYPE_BAD_LENGTH", message)
    oldest = call.world.clock.now() - BULK_DELETE_DAYS * 86400
    if any((each >> 22) + DISCORD_EPOCH_MS < oldest * 1000 for each in ids):
        message = "A message provided was too old to bulk delete"
        raise ApiError(400, 50034, message)
    gone = [channel.messages[each] for each in ids if each in channel.messages]
    call.world.delete_messages(channel, gone)
    options = {"count": str(len(gone))}
    call.world.audit(guild, call.bot.user, 73, channel.id, call.reason, options)
    return NO_CONTENT


async def typing(call: Call) -> Answer:
    """Show that the bot is typing."""
    channel = call.channel()
    if channel.guild_id is not None:
        granted = call.world.permissions(call.bot.user, channel)
        if not granted & (Permission.SEND_MESSAGES | Permission.SEND_MESSAGES_IN_THREADS):
            raise missing_permissions()
    return NO_CONTENT
