"""/calibrate: what this server's own decisions say of its threshold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Self

import discord
from discord import app_commands
from discord.ext import commands

from bot.discord_app.commands.access import MODERATORS, defer, moderators_only
from bot.discord_app.errors import RefusedError
from bot.discord_app.items import LastingItem, member_of
from bot.discord_app.pictures import Ground, attachment_of
from bot.moderation.calibration import (
    FEWEST,
    FEWEST_OF_A_KIND,
    Calibration,
    calibrate,
    lacking,
    picture_of,
    rulings_of,
)
from bot.store import GuildSettings
from bot.words import N_, _

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

Interaction = discord.Interaction["FanguardBot"]
Percent = app_commands.Range[int, 1, 100]
_PLACES = 4


class UseThreshold(
    LastingItem[discord.ui.Button[discord.ui.View], str],
    template=r"fanguard:calibrate:(?P<old>0\.[0-9]{4}):(?P<new>0\.[0-9]{4})",
):
    """Takes the proposed threshold, if the present one is still the same."""

    permission = "manage_guild"
    team = False

    def __init__(self, old: float, new: float) -> None:
        """Lead from one threshold to another, both between 0 and 1."""
        self.old, self.new = old, new
        super().__init__(
            discord.ui.Button(
                label=_("Use {threshold:.2f}").format(threshold=new),
                style=discord.ButtonStyle.primary,
                custom_id=f"fanguard:calibrate:{old:.4f}:{new:.4f}",
            )
        )

    @classmethod
    def read(cls, match: re.Match[str]) -> Self:
        """Make the item from its custom id."""
        return cls(float(match["old"]), float(match["new"]))

    async def act(self, interaction: discord.Interaction[Any], member: discord.Member) -> str:
        """Set the threshold, as /strictness does."""
        bot: FanguardBot = interaction.client
        thresholds = bot.pipeline.thresholds

        def change(settings: GuildSettings) -> GuildSettings:
            now = round(thresholds.of(settings).threshold, _PLACES)
            if now != self.old:
                raise RefusedError(
                    _(
                        "The threshold is {threshold:.2f} by now, so nothing was changed. "
                        "Run /calibrate again."
                    ).format(threshold=now)
                )
            return thresholds.with_threshold(settings, self.new)

        await bot.change_settings(member.guild, change)
        return _(
            "From now on messages that score {threshold:.2f} or more are queued. "
            "/strictness changes it back."
        ).format(threshold=self.new)

    def doing(self, interaction: discord.Interaction[Any]) -> str:
        """Name the guild."""
        return f"calibrating guild {interaction.guild_id}"


class Calibrate(commands.Cog):
    """Weighs a guild's threshold by its own decisions."""

    def __init__(self, bot: FanguardBot) -> None:
        """Serve this bot."""
        self.bot = bot
        bot.add_dynamic_items(UseThreshold)

    @app_commands.command(
        name="calibrate",
        description=N_("The threshold that this server's own decisions speak for"),
    )
    @app_commands.describe(
        fewer=N_("How many percent of the dismissed flags should not have been queued"),
        keep=N_("How many percent of the rightly queued flags must still be"),
        colours=N_("Dark or light ground"),
    )
    @app_commands.default_permissions(MODERATORS)
    @app_commands.guild_only()
    @moderators_only
    async def calibrate(
        self,
        interaction: Interaction,
        fewer: Percent = 50,
        keep: Percent = 95,
        colours: Ground = "dark",
    ) -> None:
        """Send the trade-off as a picture, and a button that takes the proposal."""
        await defer(interaction)
        guild = member_of(interaction).guild
        settings = await self.bot.guild_settings(guild.id)
        now = round(self.bot.pipeline.thresholds.of(settings).threshold, _PLACES)
        model = self.bot.pipeline.thresholds.model
        rulings = rulings_of(await self.bot.store.figures.ruled(str(guild.id), model))
        if lacking(rulings, now):
            line = _(
                "Too few decisions yet: I need {fewest} of flags that this model scored at or "
                "above the threshold, with {of_a_kind} acted on and {of_a_kind} dismissed among "
                "them."
            )
            line = line.format(fewest=FEWEST, of_a_kind=FEWEST_OF_A_KIND)
            await interaction.followup.send(line, ephemeral=True)
            return
        found = calibrate(rulings, now, fewer=fewer / 100, keep=keep / 100)
        picture = picture_of(found, guild.name)
        file = await attachment_of(self.bot, picture, colours, "calibration.png")
        view = discord.ui.View(timeout=None)
        if found.best.threshold > now:
            view.add_item(UseThreshold(now, found.best.threshold))
        await interaction.followup.send(
            in_words(found, fewer, keep), file=file, view=view, ephemeral=True
        )


def in_words(found: Calibration, fewer: int, keep: int) -> str:
    """The proposal, and what it rests on."""
    best, now = found.best, found.points[0]
    if best == now:
        lines = [
            _("No higher threshold keeps {keep} % of what was acted on: {threshold:.2f} can stay.")
        ]
    elif found.reached:
        lines = [
            _(
                "From {threshold:.2f} instead of {now:.2f}, {spared:.0%} of the dismissed flags "
                "would not have been queued, and {kept:.0%} of those acted on still would."
            )
        ]
    else:
        lines = [
            _(
                "{fewer} % fewer dismissed flags cannot be had while keeping {keep} % of those "
                "acted on. The nearest: from {threshold:.2f} instead of {now:.2f}, {spared:.0%} "
                "fewer, keeping {kept:.0%}."
            )
        ]
    lines.append(
        _(
            "This rests on {right} flags acted on and {wrong} dismissed. What scored below the "
            "present threshold was never queued, so nothing can be said of a lower one. It changes "
            "a number and trains nothing."
        )
    )
    return "\n".join(lines).format(
        threshold=best.threshold,
        now=now.threshold,
        spared=best.fewer,
        kept=best.kept,
        fewer=fewer,
        keep=keep,
        right=found.right,
        wrong=found.wrong,
    )
