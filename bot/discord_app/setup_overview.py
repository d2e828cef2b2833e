"""How a guild is set up, at a glance, and what is missing for it to work."""

from __future__ import annotations

from datetime import UTC, datetime

import discord

from bot.discord_app.channels import channel_problems
from bot.moderation import Preset, Strictness, Thresholds, in_shadow, paused_channels
from bot.store import GuildSettings
from bot.words import N_, _

_MOST_CHANNELS = 40
_FIELD = 1000

PRESETS = {
    Preset.RELAXED: N_("relaxed"),
    Preset.STANDARD: N_("standard"),
    Preset.STRICT: N_("strict"),
}


def setup_embed(
    guild: discord.Guild, settings: GuildSettings, thresholds: Thresholds
) -> discord.Embed:
    """The settings of a guild as fields, and a line for each thing that is missing."""
    embed = discord.Embed(title=_("Fanguard in this server"), colour=discord.Colour.blurple())
    moderators = f"<#{settings.mod_channel_id}>" if settings.mod_channel_id else _("none yet")
    team = " ".join(f"<@&{each}>" for each in settings.moderator_role_ids)
    rows = {
        _("Watched"): _channels(settings.watched_channel_ids) or _("none yet"),
        _("Paused"): _("the whole server")
        if settings.paused
        else _channels(paused_channels(settings)),
        _("Cards go to"): moderators,
        _("Who moderates"): team or _("everyone with Manage Messages"),
        _("Strictness"): _strictness(settings, thresholds),
        _("Shadow mode"): _shadow(settings),
    }
    for name, value in rows.items():
        if value:
            embed.add_field(name=name, value=value[:_FIELD], inline=False)
    embed.add_field(
        name=_("Hostility at members"), value=_("queued") if settings.member_flags else _("no")
    )
    embed.add_field(
        name=_("Proxied messages"), value=_("read") if settings.proxies else _("ignored")
    )
    problems = [problem.as_mention() for problem in channel_problems(guild, settings)]
    if problems:
        embed.add_field(name=_("Missing"), value=_lines(problems), inline=False)
        embed.colour = discord.Colour.orange()
    else:
        embed.set_footer(text=_("All set. /people add names whom the channels talk about."))
    return embed


def _lines(lines: list[str]) -> str:
    """As many lines as a field holds, and how many more there are."""
    shown: list[str] = []
    for line in lines:
        if sum(len(each) + 1 for each in (*shown, line)) > _FIELD:
            return "\n".join(
                (*shown, _("… and {count} more").format(count=len(lines) - len(shown)))
            )
        shown.append(line)
    return "\n".join(shown)


def _channels(ids: tuple[str, ...] | frozenset[str]) -> str:
    shown = " ".join(f"<#{each}>" for each in list(ids)[:_MOST_CHANNELS])
    more = len(ids) - _MOST_CHANNELS
    return _("{shown} and {count} more").format(shown=shown, count=more) if more > 0 else shown


def _strictness(settings: GuildSettings, thresholds: Thresholds) -> str:
    now = thresholds.of(settings)
    return _("{preset}, from {threshold:.2f}").format(
        preset=preset_name(now), threshold=now.threshold
    )


def preset_name(now: Strictness) -> str:
    """What a strictness is called."""
    return _(PRESETS[now.preset]) if now.preset else _("a score of your own")


def _shadow(settings: GuildSettings) -> str:
    until = settings.shadow_until
    if until is None or not in_shadow(settings, datetime.now(UTC)):
        return _("off")
    return _("on until {when}: no cards, only the queue").format(
        when=discord.utils.format_dt(until, "f")
    )
