"""Permission bits and Discord's documented way to compute them."""

from __future__ import annotations

from enum import IntFlag

from tests.discord_server.state import Channel, Guild, Member


class Permission(IntFlag):
    """Discord's permission bits, by their documented names."""

    CREATE_INSTANT_INVITE = 1 << 0
    KICK_MEMBERS = 1 << 1
    BAN_MEMBERS = 1 << 2
    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_AUDIT_LOG = 1 << 7
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    SEND_TTS_MESSAGES = 1 << 12
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    MUTE_MEMBERS = 1 << 22
    CHANGE_NICKNAME = 1 << 26
    MANAGE_NICKNAMES = 1 << 27
    MANAGE_ROLES = 1 << 28
    MANAGE_WEBHOOKS = 1 << 29
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38
    MODERATE_MEMBERS = 1 << 40
    USE_EXTERNAL_APPS = 1 << 50
    PIN_MESSAGES = 1 << 51


ALL = Permission((1 << 53) - 1)

EVERYONE = (
    Permission.CREATE_INSTANT_INVITE
    | Permission.ADD_REACTIONS
    | Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.USE_EXTERNAL_EMOJIS
    | Permission.CHANGE_NICKNAME
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.CREATE_PRIVATE_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
)
"""What the @everyone role of a new guild may do."""

MODERATOR = (
    Permission.MANAGE_MESSAGES
    | Permission.MODERATE_MEMBERS
    | Permission.KICK_MEMBERS
    | Permission.BAN_MEMBERS
    | Permission.MANAGE_THREADS
    | Permission.VIEW_AUDIT_LOG
)

DIRECT_MESSAGE = (
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.ADD_REACTIONS
    | Permission.USE_APPLICATION_COMMANDS
)

_WHILE_TIMED_OUT = Permission.VIEW_CHANNEL | Permission.READ_MESSAGE_HISTORY
_NEED_SEND = (
    Permission.MENTION_EVERYONE
    | Permission.SEND_TTS_MESSAGES
    | Permission.ATTACH_FILES
    | Permission.EMBED_LINKS
)


def is_timed_out(member: Member, now: float) -> bool:
    """Whether the member may not speak at this moment."""
    return member.timed_out_until is not None and member.timed_out_until > now


def base_permissions(guild: Guild, member: Member, now: float) -> Permission:
    """What a member may do in the guild, its channels aside."""
    if guild.owner_id == member.user.id:
        return ALL
    granted = guild.roles[guild.id].permissions
    for role_id in member.role_ids:
        granted |= guild.roles[role_id].permissions
    if granted & Permission.ADMINISTRATOR:
        return ALL
    if is_timed_out(member, now):
        granted &= _WHILE_TIMED_OUT
    return Permission(granted)


def channel_permissions(guild: Guild, member: Member, channel: Channel, now: float) -> Permission:
    """What a member may do in a channel; a thread takes its parent's overwrites."""
    granted = base_permissions(guild, member, now)
    if granted & Permission.ADMINISTRATOR:
        return ALL
    place = channel
    if channel.thread is not None and channel.parent_id is not None:
        place = guild.channels[channel.parent_id]
    overwrites = place.overwrites
    bits = int(granted)
    if everyone := overwrites.get(guild.id):
        bits = bits & ~everyone.deny | everyone.allow
    of_roles = [overwrites[role_id] for role_id in member.role_ids if role_id in overwrites]
    for overwrite in of_roles:
        bits &= ~overwrite.deny
    for overwrite in of_roles:
        bits |= overwrite.allow
    if own := overwrites.get(member.user.id):
        bits = bits & ~own.deny | own.allow
    if not bits & Permission.VIEW_CHANNEL:
        return Permission(0)
    needed = Permission.SEND_MESSAGES_IN_THREADS if channel.thread else Permission.SEND_MESSAGES
    if not bits & needed:
        bits &= ~_NEED_SEND
    if is_timed_out(member, now):
        bits &= _WHILE_TIMED_OUT
    return Permission(bits)


def highest_position(guild: Guild, member: Member) -> int:
    """The position of a member's highest role; @everyone is 0."""
    return max((guild.roles[role_id].position for role_id in member.role_ids), default=0)


def outranks(guild: Guild, actor: Member, target: Member) -> bool:
    """Whether `actor` stands above `target` in the guild's hierarchy."""
    if guild.owner_id == target.user.id:
        return False
    if guild.owner_id == actor.user.id:
        return True
    return highest_position(guild, actor) > highest_position(guild, target)
