"""What is wrong with the channels that a guild has chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import discord

from bot.discord_app.permissions import MODERATOR_CHANNEL, NAMES, WATCHED_CHANNEL, missing
from bot.store import GuildSettings


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that keeps Fanguard from working. `{}` in `text` stands for the channel."""

    text: str
    channel_id: str = ""

    def as_mention(self) -> str:
        """For Discord."""
        return self.text.format(f"<#{self.channel_id}>")

    def as_log(self) -> str:
        """For the log."""
        return self.text.format(f"channel {self.channel_id}")


_WITHOUT = {
    "moderate_members": "Timeout will not work",
    "kick_members": "Kick will not work",
    "ban_members": "Ban will not work",
    "view_audit_log": "I cannot say who deleted a flagged message",
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
        yield Problem("No moderator channel is chosen: cards have nowhere to go (/setup).")
        return
    channel = find(int(channel_id))
    if channel is None:
        yield Problem("The moderator {} is gone: choose another with /setup.", channel_id)
        return
    lacking = missing(channel, MODERATOR_CHANNEL, me)
    if lacking:
        yield Problem(f"I cannot post cards in {{}}: give me {_all(lacking)} there.", channel_id)


def _watched_channels(
    me: discord.Member, find: FindChannel, settings: GuildSettings
) -> Iterator[Problem]:
    if not settings.watched_channel_ids:
        yield Problem("No channel is watched yet (/setup).")
    for channel_id in settings.watched_channel_ids:
        channel = find(int(channel_id))
        if channel is None:
            yield Problem("The watched {} is gone: take it out with /setup.", channel_id)
            continue
        if channel_id == settings.mod_channel_id:
            yield Problem("Cards go to {} and it is watched too: choose another.", channel_id)
        lacking = missing(channel, WATCHED_CHANNEL, me)
        if lacking:
            yield Problem(f"I cannot watch {{}}: give me {_all(lacking)} there.", channel_id)
        elif missing(channel, ("manage_messages",), me):
            name = NAMES["manage_messages"]
            yield Problem(f"Remove will not work in {{}}: give me {name} there.", channel_id)


def _whole_guild(me: discord.Member) -> Iterator[Problem]:
    for permission, trouble in _WITHOUT.items():
        if not getattr(me.guild_permissions, permission):
            yield Problem(f"{trouble}: give my role {NAMES[permission]}.")


def _all(names: tuple[str, ...]) -> str:
    return ", ".join(names)
