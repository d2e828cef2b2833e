"""What the bot tells the moderators of itself: its first message, and that shadow mode ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import discord

from bot.comment import Status
from bot.moderation import in_shadow, shadow_is_over
from bot.store import Flags, GuildSettings
from bot.words import _, ngettext

_MOST_CHANNELS = 40


@dataclass(frozen=True, slots=True)
class Announcement:
    """Something to post once. `key` names it, `said` notes in the settings that it was posted."""

    key: str
    embed: discord.Embed
    said: Callable[[GuildSettings], GuildSettings]


async def due(settings: GuildSettings, flags: Flags) -> Announcement | None:
    """Return what a guild's moderators are to be told next, None if there is nothing."""
    now = datetime.now(UTC)
    if settings.greeting_due:
        return _greeting(settings, now)
    if shadow_is_over(settings, now):
        waiting = await flags.count(settings.guild_id, status=(Status.OPEN, Status.CLAIMED))
        return _end_of_shadow(settings, waiting)
    return None


def _greeting(settings: GuildSettings, now: datetime) -> Announcement:
    channel_id = settings.mod_channel_id
    watched = " ".join(f"<#{each}>" for each in settings.watched_channel_ids[:_MOST_CHANNELS])
    embed = discord.Embed(
        title=_("Hello, I am Fanguard"),
        description=_(
            "I read the watched channels and bring you messages that are hostile toward "
            "the people your fans talk about. What happens to them is your decision."
        ),
        colour=discord.Colour.blurple(),
    )
    does = [
        _("Each hostile message becomes one card here, with buttons. `/queue` lists what waits."),
        _("Two of you never decide the same: who takes a card first has it, and all see that."),
        _("Every step is in `/flags log`, with who, when and why."),
    ]
    if settings.shadow_until is not None and in_shadow(settings, now):
        end = discord.utils.format_dt(settings.shadow_until, "R")
        shadow = _("Shadow mode is on: no cards yet, only the queue. It ends {when}.")
        does.insert(0, shadow.format(when=end))
    does_not = [
        _("I delete and punish nothing by myself, and read no channel that you did not choose."),
        _("I read nothing from before I was set up, no direct messages and no pictures."),
        _("Criticism is not hostility: “she was very rude to him” passes."),
        _("I make mistakes."),
        _("I am no help line: I do not look for members who speak of harming themselves."),
        _("Your decisions train nothing."),
    ]
    embed.add_field(name=_("What I do"), value=_bullets(does), inline=False)
    embed.add_field(name=_("What I do not do"), value=_bullets(does_not), inline=False)
    embed.add_field(
        name=_("Watched"), value=watched[:1024] or _("nothing yet: `/setup`"), inline=False
    )
    embed.set_footer(text=_("/people says whom I look after, /setup changes all this."))

    def said(current: GuildSettings) -> GuildSettings:
        same = current.mod_channel_id == channel_id
        return replace(current, greeting_due=False) if same else current

    return Announcement(f"greeting {settings.guild_id}.{channel_id}", embed, said)


def _end_of_shadow(settings: GuildSettings, waiting: int) -> Announcement:
    until = settings.shadow_until
    lines = [
        _("From now on each hostile message gets a card here."),
        ngettext("{count} flag waits in `/queue`.", "{count} flags wait in `/queue`.", waiting)
        if waiting
        else _("Nothing waits in `/queue`."),
        _("Too many or too few? `/strictness` changes that."),
    ]
    embed = discord.Embed(
        title=_("Shadow mode has ended"),
        description=" ".join(lines).format(count=waiting),
        colour=discord.Colour.blurple(),
    )

    def said(current: GuildSettings) -> GuildSettings:
        return replace(current, shadow_until=None) if current.shadow_until == until else current

    return Announcement(f"shadow {settings.guild_id}.{until}", embed, said)


def _bullets(lines: list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)
