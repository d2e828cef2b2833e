"""Channels and threads, direct messages, and what concerns the bot itself."""

from __future__ import annotations

from tests.discord_server import payloads
from tests.discord_server.clock import parse_iso
from tests.discord_server.errors import (
    ApiError,
    archived_thread,
    form_error,
    missing_permissions,
    unknown,
    wrong_channel_type,
)
from tests.discord_server.permissions import Permission
from tests.discord_server.rest.call import NO_CONTENT, Answer, Call, Handler, snowflake
from tests.discord_server.state import Channel, ChannelType, Json, Message, ThreadInfo

_ARCHIVE_MINUTES = (60, 1440, 4320, 10080)


def routes() -> dict[tuple[str, str], Handler]:
    """Method and path of each route."""
    one = "/channels/{channel_id}"
    return {
        ("GET", "/users/@me"): me,
        ("GET", "/users/@me/guilds"): my_guilds,
        ("POST", "/users/@me/channels"): open_direct,
        ("GET", "/users/{user_id}"): get_user,
        ("GET", "/applications/@me"): application,
        ("GET", "/oauth2/applications/@me"): application,
        ("GET", one): get,
        ("PATCH", one): edit,
        ("DELETE", one): delete,
        ("POST", one + "/threads"): start_thread,
        ("POST", one + "/messages/{message_id}/threads"): start_thread_from_message,
        ("PUT", one + "/thread-members/@me"): join_thread,
        ("DELETE", one + "/thread-members/@me"): leave_thread,
        ("GET", one + "/thread-members"): thread_members,
        ("GET", one + "/threads/archived/public"): archived_public,
        ("GET", one + "/threads/archived/private"): archived_private,
        ("GET", "/guilds/{guild_id}/threads/active"): active_threads,
    }


async def me(call: Call) -> Answer:
    """The bot's own user."""
    return Answer(payloads.user(call.bot.user) | {"verified": True, "mfa_enabled": True})


async def my_guilds(call: Call) -> Answer:
    """The guilds the bot is in."""
    now = call.world.clock.now()
    return Answer(
        [
            {
                "id": str(each.id),
                "name": each.name,
                "icon": None,
                "owner": each.owner_id == call.bot.id,
                "permissions": payloads.guild_permissions(each, each.members[call.bot.id], now),
                "features": [],
            }
            for each in call.world.guilds.values()
            if call.bot.id in each.members
        ]
    )


async def open_direct(call: Call) -> Answer:
    """The direct-message channel with a user; whether it may be used shows on posting."""
    user_id = snowflake(call.form.get("recipient_id"), "recipient_id")
    other = call.world.users.get(user_id)
    if other is None:
        raise unknown("User")
    if other is call.bot.user:
        raise ApiError(400, 50033, "Invalid Recipient(s)")
    channel = call.world.direct_channel(call.bot.user, other)
    return Answer(payloads.channel(channel, viewer=call.bot.id))


async def get_user(call: Call) -> Answer:
    """One user."""
    call.bot  # noqa: B018 - any bot may ask, but it must be one
    found = call.world.users.get(call.number("user_id"))
    if found is None:
        raise unknown("User")
    return Answer(payloads.user(found))


async def application(call: Call) -> Answer:
    """The bot's application."""
    return Answer(payloads.application(call.bot))


async def get(call: Call) -> Answer:
    """One channel or thread."""
    return Answer(payloads.channel(call.channel(), viewer=call.bot.id))


async def edit(call: Call) -> Answer:
    """Rename a channel, or archive and lock a thread."""
    channel = call.channel()
    form = call.form
    if channel.type == ChannelType.DM:
        raise wrong_channel_type()
    name = form.get("name")
    if name is not None and not 1 <= len(name) <= 100:
        raise form_error(["name"], "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")
    if channel.thread is not None:
        _edit_thread(call, channel, channel.thread, form)
        return Answer(payloads.channel(channel, viewer=call.bot.id))
    call.demand(channel, Permission.MANAGE_CHANNELS)
    channel.name = name or channel.name
    channel.topic = form.get("topic", channel.topic)
    call.world.channel_changed(channel)
    return Answer(payloads.channel(channel, viewer=call.bot.id))


def _edit_thread(call: Call, channel: Channel, info: ThreadInfo, form: Json) -> None:
    granted = call.world.permissions(call.bot.user, channel)
    manages = bool(granted & Permission.MANAGE_THREADS)
    if not manages and (info.owner_id != call.bot.id or "locked" in form):
        raise missing_permissions()
    if info.archived and form.get("archived", True):
        raise archived_thread()
    minutes = form.get("auto_archive_duration", info.auto_archive_minutes)
    if minutes not in _ARCHIVE_MINUTES:
        message = f"Value must be one of {set(_ARCHIVE_MINUTES)}."
        raise form_error(["auto_archive_duration"], "BASE_TYPE_CHOICES", message)
    was_archived = info.archived
    info.auto_archive_minutes = minutes
    info.archived = form.get("archived", info.archived)
    info.locked = form.get("locked", info.locked)
    if info.archived != was_archived:
        info.archive_timestamp = call.world.clock.now()
    channel.name = form.get("name") or channel.name
    call.world.events.thread("THREAD_UPDATE", channel)
    call.world.changed()


async def delete(call: Call) -> Answer:
    """Remove a channel or thread."""
    channel = call.channel()
    if channel.type == ChannelType.DM:
        return Answer(payloads.channel(channel, viewer=call.bot.id))
    needed = Permission.MANAGE_THREADS if channel.thread else Permission.MANAGE_CHANNELS
    call.demand(channel, needed)
    body = payloads.channel(channel, viewer=call.bot.id)
    call.world.delete_channel(channel)
    return Answer(body)


async def start_thread(call: Call) -> Answer:
    """Open a thread without a message."""
    channel = call.channel(Permission.SEND_MESSAGES)
    kind = call.form.get("type", ChannelType.PRIVATE_THREAD)
    needed = (
        Permission.CREATE_PUBLIC_THREADS
        if kind == ChannelType.PUBLIC_THREAD
        else Permission.CREATE_PRIVATE_THREADS
    )
    if kind not in (ChannelType.PUBLIC_THREAD, ChannelType.PRIVATE_THREAD):
        raise form_error(["type"], "BASE_TYPE_CHOICES", "Value must be one of {10, 11, 12}.")
    call.demand(channel, needed)
    return _open_thread(call, channel, kind, None)


async def start_thread_from_message(call: Call) -> Answer:
    """Open a thread from a message."""
    channel = call.channel(Permission.CREATE_PUBLIC_THREADS | Permission.READ_MESSAGE_HISTORY)
    message = call.world.message(channel.id, call.number("message_id"))
    if message.thread_id is not None:
        raise ApiError(400, 160004, "A thread has already been created for this message")
    return _open_thread(call, channel, ChannelType.PUBLIC_THREAD, message)


def _open_thread(call: Call, channel: Channel, kind: int, starter: Message | None) -> Answer:
    if channel.type not in (ChannelType.TEXT, ChannelType.NEWS):
        raise wrong_channel_type()
    form = call.form
    name = form.get("name")
    if not isinstance(name, str) or not 1 <= len(name) <= 100:
        raise form_error(["name"], "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")
    thread = call.world.create_thread(
        channel,
        call.bot.user,
        name,
        kind=kind,
        starter=starter,
        auto_archive_minutes=form.get("auto_archive_duration") or 1440,
    )
    return Answer(payloads.channel(thread, viewer=call.bot.id), 201)


def _thread(call: Call) -> tuple[Channel, ThreadInfo]:
    channel = call.channel()
    if channel.thread is None:
        raise wrong_channel_type()
    return channel, channel.thread


async def join_thread(call: Call) -> Answer:
    """Join a thread."""
    channel, info = _thread(call)
    if info.archived:
        raise archived_thread()
    call.world.join_thread(channel, info, call.bot.user)
    return NO_CONTENT


async def leave_thread(call: Call) -> Answer:
    """Leave a thread."""
    channel, info = _thread(call)
    if info.archived:
        raise archived_thread()
    call.world.leave_thread(channel, info, call.bot.user)
    return NO_CONTENT


async def thread_members(call: Call) -> Answer:
    """The members of a thread."""
    channel, info = _thread(call)
    return Answer([payloads.thread_member(channel, each) for each in info.members])


def _listing(call: Call, threads: list[Channel], *, has_more: bool = False) -> Answer:
    own = [each for each in threads if each.thread and call.bot.id in each.thread.members]
    return Answer(
        {
            "threads": [payloads.channel(each, viewer=call.bot.id) for each in threads],
            "members": [payloads.thread_member(each, call.bot.id) for each in own],
            "has_more": has_more,
        }
    )


async def archived_public(call: Call) -> Answer:
    """The archived public threads of a channel, the latest archived first."""
    return _archived(call, ChannelType.PUBLIC_THREAD)


async def archived_private(call: Call) -> Answer:
    """The archived private threads of a channel, the latest archived first."""
    call.channel(Permission.MANAGE_THREADS)
    return _archived(call, ChannelType.PRIVATE_THREAD)


def _archived(call: Call, kind: int) -> Answer:
    parent = call.channel(Permission.READ_MESSAGE_HISTORY)
    guild = call.world.guilds[parent.guild_id or 0]
    found = [
        (each.thread.archive_timestamp, each.id, each)
        for each in guild.channels.values()
        if each.parent_id == parent.id
        and each.type == kind
        and each.thread is not None
        and each.thread.archived
    ]
    if before := call.query.get("before"):
        latest = parse_iso(before)
        found = [each for each in found if each[0] < latest]
    limit = call.limit(50, 100)
    chosen = [each for _, _, each in sorted(found, reverse=True)]
    return _listing(call, chosen[:limit], has_more=len(chosen) > limit)


async def active_threads(call: Call) -> Answer:
    """All threads of a guild that are not archived, the newest first."""
    guild = call.guild()
    found = [
        each
        for each in guild.channels.values()
        if each.thread is not None
        and not each.thread.archived
        and call.world.permissions(call.bot.user, each) & Permission.VIEW_CHANNEL
    ]
    return _listing(call, sorted(found, key=lambda each: each.id, reverse=True))
