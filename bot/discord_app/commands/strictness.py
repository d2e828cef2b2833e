"""/strictness: from which score messages are queued here, and how many that makes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.discord_app.commands.access import MODERATORS, defer, moderators_only
from bot.discord_app.errors import RefusedError
from bot.discord_app.items import member_of
from bot.discord_app.notices import percent
from bot.discord_app.permissions import require_here
from bot.discord_app.quoting import label
from bot.discord_app.setup_overview import PRESETS, preset_name
from bot.moderation import Preset, Strictness, Thresholds
from bot.store import GuildSettings
from bot.words import N_, _

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

Interaction = discord.Interaction["FanguardBot"]
PresetName = Literal["relaxed", "standard", "strict"]
Score = app_commands.Range[float, 0.01, 0.99]

_IN_WORDS = {
    Preset.RELAXED: N_("half as many messages as standard: from {threshold:.2f}"),
    Preset.STANDARD: N_("what comes with the model: from {threshold:.2f}"),
    Preset.STRICT: N_("twice as many messages as standard: from {threshold:.2f}"),
}


class Strict(commands.Cog):
    """Shows and changes a guild's threshold."""

    def __init__(self, bot: FanguardBot) -> None:
        """Serve this bot."""
        self.bot = bot

    @app_commands.command(name="strictness", description=N_("How strict Fanguard is here"))
    @app_commands.describe(
        preset=N_("Relaxed queues half as many messages as standard, strict twice as many"),
        score=N_("A score of your own, from which messages are queued: 0.01 to 0.99"),
    )
    @app_commands.default_permissions(MODERATORS)
    @app_commands.guild_only()
    @moderators_only
    async def strictness(
        self, interaction: Interaction, preset: PresetName | None = None, score: Score | None = None
    ) -> None:
        """Change what was given, and show what is so now."""
        await defer(interaction)
        thresholds = self.bot.pipeline.thresholds
        if preset is not None and score is not None:
            raise RefusedError(_("Give a preset or a score of your own, not both."))
        if preset is not None or score is not None:
            require_here(interaction, "manage_guild")

        def change(settings: GuildSettings) -> GuildSettings:
            if preset is not None:
                return thresholds.with_preset(settings, Preset(preset))
            return settings if score is None else thresholds.with_threshold(settings, score)

        settings = await self.bot.change_settings(member_of(interaction).guild, change)
        embed = strictness_embed(thresholds, settings)
        await interaction.followup.send(embed=embed, ephemeral=True)


def strictness_embed(thresholds: Thresholds, settings: GuildSettings) -> discord.Embed:
    """How strict a guild is, and what else it could choose."""
    now = thresholds.of(settings)
    embed = discord.Embed(
        title=_("Strictness: {preset}").format(preset=preset_name(now)),
        description=_how_many(now),
        colour=discord.Colour.blurple(),
    )
    for each in thresholds.presets():
        if each.preset is not None:
            line = _(_IN_WORDS[each.preset]).format(threshold=each.threshold)
            line += "" if each.share is None else f", {percent(each.share)}"
            name = _(PRESETS[each.preset])
            embed.add_field(name=name[:1].upper() + name[1:], value=line, inline=False)
    embed.set_footer(text=_("With Manage Server: /strictness preset or score changes it."))
    return embed


def _how_many(now: Strictness) -> str:
    if now.set_for is not None:
        return _(
            "Messages about people that score {threshold:.2f} or more are queued: that was set for "
            "the model {model}, and how many it queues now is not known. Please set it again."
        ).format(threshold=now.threshold, model=label(now.set_for, 100))
    if now.share is None:
        return _(
            "Messages about people that score {threshold:.2f} or more are queued: how many that "
            "are, this model does not say."
        ).format(threshold=now.threshold)
    if now.share <= 0:
        return _(
            "Messages about people that score {threshold:.2f} or more are queued: about {share} of "
            "ordinary messages."
        ).format(threshold=now.threshold, share=percent(now.share))
    return _(
        "Messages about people that score {threshold:.2f} or more are queued: about {share} of "
        "ordinary messages, 1 in {one_in}."
    ).format(threshold=now.threshold, share=percent(now.share), one_in=max(1, round(1 / now.share)))
