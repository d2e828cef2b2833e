"""Who may do what: the bot lends nobody its powers, and says which it lacks itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import discord

from bot.comment import Action
from bot.discord_app.errors import RefusedError
from bot.moderation import REQUIRED_PERMISSION, Moderator, may
from bot.words import N_, _

Channel = discord.abc.GuildChannel | discord.Thread

NAMES = {
    "view_channel": N_("View Channel"),
    "send_messages": N_("Send Messages"),
    "embed_links": N_("Embed Links"),
    "read_message_history": N_("Read Message History"),
    "manage_messages": N_("Manage Messages"),
    "moderate_members": N_("Timeout Members"),
    "manage_guild": N_("Manage Server"),
    "kick_members": N_("Kick Members"),
    "ban_members": N_("Ban Members"),
    "view_audit_log": N_("View Audit Log"),
}

MODERATOR_CHANNEL = ("view_channel", "send_messages", "embed_links", "read_message_history")
WATCHED_CHANNEL = ("view_channel", "read_message_history")
REQUIRED_TO_ACT = (
    "manage_messages",
    "moderate_members",
    "kick_members",
    "ban_members",
    "view_audit_log",
)
LOOK = "manage_messages"

_OWNER = {
    Action.TIMEOUT: N_("Nobody can time out the server's owner. Remove or Dismiss still work."),
    Action.WARN: N_("Nobody can warn the server's owner. Remove or Dismiss still work."),
    Action.KICK: N_("Nobody can kick the server's owner. Remove or Dismiss still work."),
    Action.BAN: N_("Nobody can ban the server's owner. Remove or Dismiss still work."),
}
_BELOW = {
    Action.TIMEOUT: N_("Your highest role is not above theirs, so you cannot time out them."),
    Action.WARN: N_("Your highest role is not above theirs, so you cannot warn them."),
    Action.KICK: N_("Your highest role is not above theirs, so you cannot kick them."),
    Action.BAN: N_("Your highest role is not above theirs, so you cannot ban them."),
}


def name_of(permission: str) -> str:
    """A permission by the name that Discord shows."""
    return _(NAMES.get(permission, permission.replace("_", " ").title()))


def missing(
    channel: Channel, wanted: Iterable[str], me: discord.Member | None = None
) -> tuple[str, ...]:
    """The permissions, by their English names, that the bot lacks in a channel.

    `me` is the bot's own member, by default the one that the guild knows.
    """
    held = channel.permissions_for(me or channel.guild.me)
    return tuple(NAMES[name] for name in wanted if not getattr(held, name))


def moderator_of(member: discord.Member, channel: Channel | None) -> Moderator:
    """A member as a moderator, with the permissions they hold in a channel.

    `channel` is where the flagged message is, not where the card is; None if it is gone,
    when the member's permissions in the whole server count.
    """
    held = member.guild_permissions if channel is None else channel.permissions_for(member)
    names = frozenset(name for name, granted in held if granted)
    return Moderator(str(member.id), member.display_name, names)


def require(moderator: Moderator, action: Action | None, channel: Channel | None) -> None:
    """Check that a moderator holds Discord's own permission for an action.

    Args:
        moderator: from `moderator_of` for the same channel.
        action: what for; None for taking a flag or looking at it.
        channel: where the flagged message is; None if it is gone.

    Raises:
        RefusedError: they do not.
    """
    needed = LOOK if action is None else REQUIRED_PERMISSION[action]
    if not may(moderator, needed):
        name = name_of(needed)
        raise RefusedError(
            _("You need the permission {name} in this server for that.").format(name=name)
            if channel is None
            else _("You need the permission {name} in <#{channel}> for that.").format(
                name=name, channel=channel.id
            )
        )


def require_here(interaction: discord.Interaction[Any], name: str) -> None:
    """Check that who pressed holds a permission in the channel they pressed in.

    Raises:
        RefusedError: they do not.
    """
    if not getattr(interaction.permissions, name):
        line = _("You need the permission {names} for that.")
        raise RefusedError(line.format(names=name_of(name)))


def require_team(member: discord.Member, role_ids: Iterable[str]) -> None:
    """Check that a member has a role that may moderate, where the server chose some.

    Those who manage the server need none.

    Raises:
        RefusedError: they have none.
    """
    wanted = set(role_ids)
    held = {str(role.id) for role in member.roles}
    if wanted and not wanted & held and not member.guild_permissions.manage_guild:
        names = " ".join(f"<@&{each}>" for each in sorted(wanted))
        raise RefusedError(
            _("Here only members with one of these roles moderate: {names}.").format(names=names)
        )


def require_own(guild: discord.Guild, name: str) -> None:
    """Check that the bot holds a permission in the whole server.

    Raises:
        RefusedError: it does not.
    """
    if not getattr(guild.me.guild_permissions, name):
        raise RefusedError(
            _("I lack {names}. Give it to my role, then press again.").format(names=name_of(name))
        )


def require_rank(
    member: discord.Member, target: discord.Member, action: Action = Action.TIMEOUT
) -> None:
    """Check that the moderator, and for all but a warning the bot, stand above a member.

    Raises:
        RefusedError: one of them does not.
    """
    guild = member.guild
    if target.id == member.id:
        raise RefusedError(_("That is you. Let another moderator decide on your own message."))
    if target.id == guild.owner_id:
        raise RefusedError(_(_OWNER[action]))
    if action is Action.TIMEOUT and target.guild_permissions.administrator:
        raise RefusedError(_("Discord lets nobody time out the owner or an administrator."))
    if member.id != guild.owner_id and member.top_role <= target.top_role:
        raise RefusedError(_(_BELOW[action]))
    if action is not Action.WARN and guild.me.top_role <= target.top_role:
        raise RefusedError(
            _("My highest role is not above theirs. Drag my role higher in Server Settings, Roles.")
        )
