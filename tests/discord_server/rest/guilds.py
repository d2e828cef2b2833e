"""Guilds and their members: read, time out, kick, ban, audit log."""

from __future__ import annotations

from typing import Any

from tests.discord_server import payloads
from tests.discord_server.clock import DISCORD_EPOCH_MS, parse_iso
from tests.discord_server.errors import (
    form_error,
    missing_access,
    missing_permissions,
    unknown,
)
from tests.discord_server.permissions import (
    Permission,
    base_permissions,
    highest_position,
    outranks,
)
from tests.discord_server.rest.call import NO_CONTENT, Answer, Call, Handler, snowflake
from tests.discord_server.state import Guild, Member, User

MAX_TIMEOUT_DAYS = 28
MAX_DELETE_SECONDS = 7 * 86400
KICK, BAN, UNBAN, MEMBER_UPDATE, MEMBER_ROLES = 20, 22, 23, 24, 25


def routes() -> dict[tuple[str, str], Handler]:
    """Method and path of each route."""
    home = "/guilds/{guild_id}"
    return {
        ("GET", home): get,
        ("GET", home + "/channels"): channels,
        ("GET", home + "/roles"): roles,
        ("GET", home + "/members"): members,
        ("GET", home + "/members/search"): search,
        ("GET", home + "/members/{user_id}"): get_member,
        ("PATCH", home + "/members/{user_id}"): edit_member,
        ("DELETE", home + "/members/{user_id}"): kick,
        ("PUT", home + "/members/{user_id}/roles/{role_id}"): add_role,
        ("DELETE", home + "/members/{user_id}/roles/{role_id}"): remove_role,
        ("GET", home + "/bans"): bans,
        ("GET", home + "/bans/{user_id}"): get_ban,
        ("PUT", home + "/bans/{user_id}"): ban,
        ("DELETE", home + "/bans/{user_id}"): unban,
        ("GET", home + "/audit-logs"): audit_log,
    }


async def get(call: Call) -> Answer:
    """One guild."""
    guild = call.guild()
    body = payloads.guild(guild)
    if call.query.get("with_counts", "").lower() in ("1", "true"):
        body |= {
            "approximate_member_count": len(guild.members),
            "approximate_presence_count": 0,
        }
    return Answer(body)


async def channels(call: Call) -> Answer:
    """The channels of a guild, its threads aside."""
    found = [each for each in call.guild().channels.values() if each.thread is None]
    return Answer([payloads.channel(each) for each in found])


async def roles(call: Call) -> Answer:
    """The roles of a guild."""
    return Answer([payloads.role(each) for each in call.guild().roles.values()])


async def members(call: Call) -> Answer:
    """Members in order of their ids."""
    guild = call.guild()
    limit = call.limit(1, 1000)
    after = snowflake(call.query.get("after", "0"), "after")
    ids = sorted(each for each in guild.members if each > after)[:limit]
    return Answer([payloads.member(guild.members[each]) for each in ids])


async def search(call: Call) -> Answer:
    """Members whose name or nickname begins with the query."""
    guild = call.guild()
    text = call.query.get("query", "").lower()
    found = [
        each
        for each in guild.members.values()
        if each.user.username.lower().startswith(text) or (each.nick or "").lower().startswith(text)
    ]
    return Answer([payloads.member(each) for each in found[: call.limit(1, 1000)]])


async def get_member(call: Call) -> Answer:
    """One member."""
    return Answer(payloads.member(call.member(call.guild())))


async def edit_member(call: Call) -> Answer:
    """Time a member out, or change nickname and roles."""
    guild = call.guild()
    own = call.request.match_info["user_id"] == "@me"
    member = call.own(guild) if own else call.member(guild)
    form = call.form
    if "communication_disabled_until" in form:
        _time_out(call, guild, member, form["communication_disabled_until"])
    if "nick" in form:
        _rename(call, guild, member, form["nick"])
    if "roles" in form:
        wanted = [snowflake(each, "roles") for each in form["roles"]]
        for role_id in set(wanted) ^ set(member.role_ids):
            _check_role(call, guild, role_id)
        member.role_ids = wanted
    action = MEMBER_ROLES if "roles" in form else MEMBER_UPDATE
    call.world.audit(guild, call.bot.user, action, member.user.id, call.reason)
    call.world.member_changed(guild, member)
    return Answer(payloads.member(member))


def _time_out(call: Call, guild: Guild, member: Member, until: str | None) -> None:
    _demand_over(call, guild, member, Permission.MODERATE_MEMBERS)
    now = call.world.clock.now()
    if base_permissions(guild, member, now) & Permission.ADMINISTRATOR and until is not None:
        raise missing_permissions()
    if until is None:
        member.timed_out_until = None
        return
    path = ["communication_disabled_until"]
    try:
        moment = parse_iso(until)
    except ValueError:
        message = f"Could not parse {until}. Should be ISO8601."
        raise form_error(path, "DATE_TIME_TYPE_PARSE", message) from None
    if moment > now + MAX_TIMEOUT_DAYS * 86400:
        message = "Communication can only be disabled for up to 28 days."
        raise form_error(path, "INVALID_COMMUNICATION_DISABLED_TIMESTAMP", message)
    member.timed_out_until = moment


def _rename(call: Call, guild: Guild, member: Member, nick: str | None) -> None:
    if member is call.own(guild):
        call.guild(Permission.CHANGE_NICKNAME)
    else:
        _demand_over(call, guild, member, Permission.MANAGE_NICKNAMES)
    if nick is not None and len(nick) > 32:
        raise form_error(["nick"], "BASE_TYPE_MAX_LENGTH", "Must be 32 or fewer in length.")
    member.nick = nick or None


def _demand_over(call: Call, guild: Guild, member: Member, needed: Permission) -> None:
    """Ask for a permission and a higher rank.

    Raises:
        ApiError: 50013.
    """
    call.guild(needed)
    if not outranks(guild, call.own(guild), member):
        raise missing_permissions()


def _check_role(call: Call, guild: Guild, role_id: int) -> None:
    call.guild(Permission.MANAGE_ROLES)
    role = guild.roles.get(role_id)
    if role is None:
        raise unknown("Role")
    own = call.own(guild)
    above = guild.owner_id == own.user.id or highest_position(guild, own) > role.position
    if not above or role.managed_by is not None:
        raise missing_permissions()


async def add_role(call: Call) -> Answer:
    """Give a member a role."""
    return _change_role(call, given=True)


async def remove_role(call: Call) -> Answer:
    """Take a role from a member."""
    return _change_role(call, given=False)


def _change_role(call: Call, *, given: bool) -> Answer:
    guild = call.guild()
    member = call.member(guild)
    role_id = call.number("role_id")
    _check_role(call, guild, role_id)
    kept = [each for each in member.role_ids if each != role_id]
    member.role_ids = [*kept, role_id] if given else kept
    call.world.audit(guild, call.bot.user, MEMBER_ROLES, member.user.id, call.reason)
    call.world.member_changed(guild, member)
    return NO_CONTENT


async def kick(call: Call) -> Answer:
    """Remove a member."""
    guild = call.guild()
    member = call.member(guild)
    _demand_over(call, guild, member, Permission.KICK_MEMBERS)
    call.world.audit(guild, call.bot.user, KICK, member.user.id, call.reason)
    call.world.remove_member(guild, member.user)
    return NO_CONTENT


def _ban_body(user: User, reason: str | None) -> dict[str, Any]:
    return {"user": payloads.user(user), "reason": reason}


async def bans(call: Call) -> Answer:
    """The bans of a guild, in order of the users' ids."""
    guild = call.guild(Permission.BAN_MEMBERS)
    limit = call.limit(1000, 1000)
    after = snowflake(call.query.get("after", "0"), "after")
    ids = sorted(each for each in guild.bans if each > after)[:limit]
    return Answer([_ban_body(*guild.bans[each]) for each in ids])


async def get_ban(call: Call) -> Answer:
    """One ban."""
    guild = call.guild(Permission.BAN_MEMBERS)
    user_id = call.number("user_id")
    if user_id not in guild.bans:
        raise unknown("Ban")
    return Answer(_ban_body(*guild.bans[user_id]))


async def ban(call: Call) -> Answer:
    """Ban a user, a member or not, and delete their recent messages if asked to."""
    guild = call.guild(Permission.BAN_MEMBERS)
    user = call.world.users.get(call.number("user_id"))
    if user is None:
        raise unknown("User")
    member = guild.members.get(user.id)
    if member is not None and not outranks(guild, call.own(guild), member):
        raise missing_permissions()
    asked = {**call.query, **(call.body or {})}
    seconds = int(asked.get("delete_message_seconds") or 0)
    if not 0 <= seconds <= MAX_DELETE_SECONDS:
        message = f"int value should be between 0 and {MAX_DELETE_SECONDS}."
        raise form_error(["delete_message_seconds"], "NUMBER_TYPE_MAX", message)
    call.world.ban(guild, user, call.reason)
    call.world.audit(guild, call.bot.user, BAN, user.id, call.reason)
    if seconds:
        _delete_recent(call, guild, user, seconds)
    return NO_CONTENT


def _delete_recent(call: Call, guild: Guild, user: User, seconds: int) -> None:
    oldest = (call.world.clock.now() - seconds) * 1000 - DISCORD_EPOCH_MS
    for channel in guild.channels.values():
        gone = [
            each
            for each in channel.messages.values()
            if each.author is user and each.id >> 22 >= oldest
        ]
        if gone:
            call.world.delete_messages(channel, gone)


async def unban(call: Call) -> Answer:
    """Lift a ban."""
    guild = call.guild(Permission.BAN_MEMBERS)
    user_id = call.number("user_id")
    if user_id not in guild.bans:
        raise unknown("Ban")
    call.world.unban(guild, user_id)
    call.world.audit(guild, call.bot.user, UNBAN, user_id, call.reason)
    return NO_CONTENT


async def audit_log(call: Call) -> Answer:
    """The audit log, newest first."""
    guild = call.guild()
    granted = base_permissions(guild, call.own(guild), call.world.clock.now())
    if not granted & Permission.VIEW_AUDIT_LOG:
        raise missing_access()
    entries = list(reversed(guild.audit_log))
    if "action_type" in call.query:
        entries = [each for each in entries if str(each.action) == call.query["action_type"]]
    if "user_id" in call.query:
        entries = [each for each in entries if str(each.user_id) == call.query["user_id"]]
    chosen = entries[: call.limit(50, 100)]
    ids = {each.user_id for each in chosen} | {each.target_id for each in chosen}
    return Answer(
        {
            "audit_log_entries": [payloads.audit_entry(each) for each in chosen],
            "users": [payloads.user(call.world.users[i]) for i in ids if i in call.world.users],
            "webhooks": [],
            "threads": [],
            "integrations": [],
            "application_commands": [],
            "auto_moderation_rules": [],
            "guild_scheduled_events": [],
        }
    )
