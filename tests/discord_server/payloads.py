"""The JSON that Discord documents, made from the server's state."""

from __future__ import annotations

from tests.discord_server.clock import iso
from tests.discord_server.intents import Intent
from tests.discord_server.permissions import (
    Permission,
    base_permissions,
    channel_permissions,
)
from tests.discord_server.state import (
    AuditEntry,
    Bot,
    Channel,
    ChannelType,
    Guild,
    Json,
    Member,
    MessageType,
    Overwrite,
    Role,
    User,
    Webhook,
)
from tests.discord_server.world import World

ATTACHMENT_SIZE_LIMIT = 10 * 1024 * 1024


def user(one: User) -> Json:
    """A user object."""
    return {
        "id": str(one.id),
        "username": one.username,
        "global_name": one.global_name,
        "discriminator": "4242" if one.bot else "0",
        "avatar": None,
        "bot": one.bot,
        "system": False,
        "public_flags": 0,
        "avatar_decoration_data": None,
        "collectibles": None,
        "primary_guild": None,
    }


def member(one: Member, *, with_user: bool = True) -> Json:
    """A guild member object."""
    until = one.timed_out_until
    body: Json = {
        "nick": one.nick,
        "avatar": None,
        "banner": None,
        "roles": [str(role_id) for role_id in one.role_ids],
        "joined_at": iso(one.joined_at),
        "premium_since": None,
        "deaf": False,
        "mute": False,
        "flags": 0,
        "pending": False,
        "communication_disabled_until": None if until is None else iso(until),
    }
    if with_user:
        body["user"] = user(one.user)
    return body


def role(one: Role) -> Json:
    """A role object."""
    body: Json = {
        "id": str(one.id),
        "name": one.name,
        "permissions": str(int(one.permissions)),
        "position": one.position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "icon": None,
        "unicode_emoji": None,
        "managed": one.managed_by is not None,
        "mentionable": one.mentionable,
        "flags": 0,
    }
    if one.managed_by is not None:
        body["tags"] = {"bot_id": str(one.managed_by)}
    return body


def overwrite(one: Overwrite) -> Json:
    """A permission overwrite object."""
    return {
        "id": str(one.id),
        "type": one.kind,
        "allow": str(int(one.allow)),
        "deny": str(int(one.deny)),
    }


def snowflake(value: int | None) -> str | None:
    """An id as Discord writes it."""
    return None if value is None else str(value)


def channel(one: Channel, *, viewer: int | None = None) -> Json:
    """A channel object: a guild's channel, a thread or a direct message."""
    body: Json = {
        "id": str(one.id),
        "type": one.type,
        "last_message_id": snowflake(one.last_message_id),
        "flags": 0,
    }
    if one.type == ChannelType.DM:
        body["recipients"] = [user(other) for other in one.recipients if other.id != viewer]
        return body
    body |= {
        "guild_id": str(one.guild_id),
        "name": one.name,
        "parent_id": snowflake(one.parent_id),
        "rate_limit_per_user": 0,
    }
    if one.thread is None:
        body |= {
            "position": one.position,
            "topic": one.topic,
            "nsfw": False,
            "permission_overwrites": [overwrite(each) for each in one.overwrites.values()],
        }
        if one.type in (ChannelType.VOICE, ChannelType.STAGE):
            body |= {"bitrate": 64000, "user_limit": 0, "rtc_region": None}
        return body
    info = one.thread
    body |= {
        "owner_id": str(info.owner_id),
        "message_count": _spoken(one),
        "total_message_sent": _spoken(one),
        "member_count": len(info.members),
        "thread_metadata": {
            "archived": info.archived,
            "locked": info.locked,
            "auto_archive_duration": info.auto_archive_minutes,
            "archive_timestamp": iso(info.archive_timestamp),
            "create_timestamp": iso(info.created_at),
        },
    }
    if one.type == ChannelType.PRIVATE_THREAD:
        body["thread_metadata"]["invitable"] = True
    if viewer in info.members:
        body["member"] = thread_member(one, viewer)
    return body


def _spoken(thread: Channel) -> int:
    """The messages of a thread, not counting the one that points to its start."""
    return sum(each.type != MessageType.THREAD_STARTER for each in thread.messages.values())


def thread_member(thread: Channel, user_id: int) -> Json:
    """A thread member object."""
    joined_at = thread.thread.members[user_id] if thread.thread else 0.0
    return {
        "id": str(thread.id),
        "user_id": str(user_id),
        "join_timestamp": iso(joined_at),
        "flags": 0,
    }


def guild(one: Guild) -> Json:
    """A guild object, as REST answers it."""
    return {
        "id": str(one.id),
        "name": one.name,
        "icon": None,
        "splash": None,
        "discovery_splash": None,
        "banner": None,
        "description": None,
        "owner_id": str(one.owner_id),
        "afk_channel_id": None,
        "afk_timeout": 300,
        "verification_level": 0,
        "default_message_notifications": 1,
        "explicit_content_filter": 0,
        "roles": [role(each) for each in one.roles.values()],
        "emojis": [],
        "stickers": [],
        "features": [],
        "mfa_level": 0,
        "application_id": None,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "rules_channel_id": None,
        "public_updates_channel_id": None,
        "safety_alerts_channel_id": None,
        "max_members": 500_000,
        "vanity_url_code": None,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "premium_progress_bar_enabled": False,
        "preferred_locale": one.preferred_locale,
        "nsfw_level": 0,
        "region": "deprecated",
    }


def guild_create(world: World, one: Guild, bot: Bot, intents: int) -> Json:
    """What GUILD_CREATE carries to `bot`; without the members intent only itself is in it."""
    own = one.members[bot.id]
    everyone = intents & Intent.GUILD_PRESENCES and len(one.members) <= 250
    now = world.clock.now()
    threads = [
        each
        for each in one.channels.values()
        if each.thread is not None
        and not each.thread.archived
        and channel_permissions(one, own, each, now) & Permission.VIEW_CHANNEL
        and (each.type != ChannelType.PRIVATE_THREAD or bot.id in each.thread.members)
    ]
    return guild(one) | {
        "joined_at": iso(own.joined_at),
        "large": len(one.members) > 250,
        "unavailable": False,
        "member_count": len(one.members),
        "voice_states": [],
        "members": [member(each) for each in (one.members.values() if everyone else [own])],
        "channels": [channel(each) for each in one.channels.values() if each.thread is None],
        "threads": [channel(each, viewer=bot.id) for each in threads],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def application(one: Bot) -> Json:
    """An application object, as /applications/@me and /oauth2/applications/@me answer it."""
    return {
        "id": str(one.id),
        "name": one.user.username,
        "icon": None,
        "description": "",
        "bot_public": True,
        "bot_require_code_grant": False,
        "owner": user(one.owner),
        "team": None,
        "verify_key": "0" * 64,
        "flags": application_flags(one),
        "approximate_guild_count": 1,
        "integration_types_config": {"0": {}},
    }


def application_flags(one: Bot) -> int:
    """The flags of an unverified application: its privileged intents are the "limited" ones."""
    limited = {
        Intent.GUILD_PRESENCES: 1 << 13,
        Intent.GUILD_MEMBERS: 1 << 15,
        Intent.MESSAGE_CONTENT: 1 << 19,
    }
    return sum(flag for intent, flag in limited.items() if one.privileged & intent)


def audit_entry(one: AuditEntry) -> Json:
    """An audit log entry object."""
    body: Json = {
        "id": str(one.id),
        "action_type": one.action,
        "user_id": str(one.user_id),
        "target_id": snowflake(one.target_id),
        "changes": [],
    }
    if one.reason is not None:
        body["reason"] = one.reason
    if one.options is not None:
        body["options"] = one.options
    return body


def webhook(world: World, one: Webhook) -> Json:
    """A webhook object."""
    return {
        "id": str(one.id),
        "type": 1,
        "guild_id": snowflake(world.channels[one.channel_id].guild_id),
        "channel_id": str(one.channel_id),
        "name": one.name,
        "avatar": None,
        "token": one.token,
        "application_id": snowflake(one.application_id),
    }


def resolved_member(home: Guild, one: Member, place: Channel, now: float) -> tuple[Json, Json]:
    """The user and the partial member of an interaction's resolved data."""
    partial = member(one, with_user=False)
    partial.pop("deaf")
    partial.pop("mute")
    partial["permissions"] = str(int(channel_permissions(home, one, place, now)))
    return user(one.user), partial


def resolved_channel(home: Guild, one: Channel, acting: Member, now: float) -> Json:
    """The partial channel of an interaction's resolved data."""
    allowed = channel_permissions(home, acting, one, now)
    return channel(one) | {"permissions": str(int(allowed))}


def guild_permissions(home: Guild, one: Member, now: float) -> str:
    """A member's guild-wide permissions as Discord writes them."""
    return str(int(base_permissions(home, one, now)))
