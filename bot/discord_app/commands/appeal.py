"""/appeal: a member asks for another moderator's word on what was decided about them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.comment import Status
from bot.discord_app.appeal_offers import FileButton
from bot.discord_app.appeals import AppealButton, AppealPicker
from bot.moderation.appeals import APPEALABLE
from bot.words import N_, _

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

APPEAL_DAYS = 30


class Appeals(commands.Cog):
    """Offers a member their own decisions of the last days."""

    def __init__(self, bot: FanguardBot) -> None:
        """Serve this bot."""
        self.bot = bot
        bot.add_dynamic_items(AppealButton, AppealPicker, FileButton)

    @app_commands.command(
        name="appeal", description=N_("Ask another moderator to look at a decision about you")
    )
    @app_commands.guild_only()
    async def appeal(self, interaction: discord.Interaction[Any]) -> None:
        """Show what can be appealed against."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        decided = await self.bot.store.flags.list(
            str(interaction.guild_id), status=Status.DECIDED, author_id=str(interaction.user.id)
        )
        first = datetime.now(UTC) - timedelta(days=APPEAL_DAYS)
        own = [
            flag
            for flag in decided
            if flag.decision is not None
            and flag.decision.action in APPEALABLE
            and flag.decision.decided_at >= first
        ]
        if not own:
            line = _("Nothing was decided about you here in the last {days} days.")
            await interaction.followup.send(line.format(days=APPEAL_DAYS), ephemeral=True)
            return
        view = discord.ui.View(timeout=None)
        view.add_item(AppealPicker(own))
        line = _("Which decision? Another moderator than the first will read what you write.")
        await interaction.followup.send(line, view=view, ephemeral=True)
