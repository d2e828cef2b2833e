"""What is wrong with the channels that a guild has chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import discord

from bot.discord_app.permissions import MODERATOR_CHANNEL, NAMES, WATCHED_CHANNEL, missing
from bot.store import GuildSettings
from bot.words import N_, _, speaking


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that keeps Fanguard from working: a text, and what stands in it.

    `lacking` are permissions by their English names.
    """

    text: str
    channel_id: str = ""
    lacking: tuple[str, ...] = ()

    def say(self, channel: str) -> str:
        """In the language of this task, with what the channel is to be called."""
        return _(self.text).format(channel=channel, names=", ".join(map(_, self.lacking)))

    def as_mention(self) -> str:
        """For Discord."""
        return self.say(f"<#{self.channel_id}>")

    def as_log(self) -> str:
        """For the log, in English."""
        with speaking("en"):
            return self.say(f"channel {self.channel_id}")


_WITHOUT = {
    "moderate_members": N_("Timeout will not work: give my role {names}."),
    "kick_members": N_("Kick will not work: give my role {names}."),
    "ban_members": N_("Ban will not work: give my role {names}."),
    "view_audit_log": N_("I cannot say who deleted a flagged message: give my role {names}."),
}

FindChannel = Callable[[int], discord.abc.GuildChannel | None]


def channel_problems(guild: discord.Guild, settings: GuildSettings) -> list[Problem]:
    """Everything that is missing: a channel, or a permission of the bot's in one."""
    return problems_of(guild.me, guild.get_channel, settings)


def problems_of(me: discord.Member, find: FindChannel, settings: GuildSettings) -> list[Problem]:
    """What `channel_problems` says, for a guild that is not kept in memory.

    Args:
        me: the bot's own member there.
        find: gives a channel of the guild, None if there is none of this id.
        settings: the guild's.
    """
    return [
        *_moderator_channel(me, find, settings),
        *_watched_channels(me, find, settings),
        *_whole_guild(me),
    ]


def _moderator_channel(
    me: discord.Member, find: FindChannel, settings: GuildSettings
) -> Iterator[Problem]:
    channel_id = settings.mod_channel_id
    if channel_id is None:
        yield Problem(N_("No moderator channel is chosen: cards have nowhere to go (/setup)."))
        return
    channel = find(int(channel_id))
    if channel is None:
        yield Problem(
            N_("The moderator {channel} is gone: choose another with /setup."), channel_id
        )
        return
    lacking = missing(channel, MODERATOR_CHANNEL, me)
    if lacking:
        yield Problem(
            N_("I cannot post cards in {channel}: give me {names} there."), channel_id, lacking
        )


def _watched_channels(
    me: discord.Member, find: FindChannel, settings: GuildSettings
) -> Iterator[Problem]:
    if not settings.watched_channel_ids:
        yield Problem(N_("No channel is watched yet (/setup)."))
    for channel_id in settings.watched_channel_ids:
        channel = find(int(channel_id))
        if channel is None:
            yield Problem(N_("The watched {channel} is gone: take it out with /setup."), channel_id)
            continue
        if channel_id == settings.mod_channel_id:
            yield Problem(
                N_("Cards go to {channel} and it is watched too: choose another."), channel_id
            )
        lacking = missing(channel, WATCHED_CHANNEL, me)
        if lacking:
            yield Problem(
                N_("I cannot watch {channel}: give me {names} there."), channel_id, lacking
            )
        elif lacking := missing(channel, ("manage_messages",), me):
            yield Problem(
                N_("Remove will not work in {channel}: give me {names} there."), channel_id, lacking
            )


def _whole_guild(me: discord.Member) -> Iterator[Problem]:
    for permission, trouble in _WITHOUT.items():
        if not getattr(me.guild_permissions, permission):
            yield Problem(trouble, lacking=(NAMES[permission],))
