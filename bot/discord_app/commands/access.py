"""Who may use the commands, checked in code beside Discord's own default."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

MODERATORS = discord.Permissions(manage_messages=True)
MANAGERS = discord.Permissions(manage_guild=True)

moderators_only = app_commands.checks.has_permissions(manage_messages=True)
managers_only = app_commands.checks.has_permissions(manage_guild=True)


async def defer(interaction: discord.Interaction[Any]) -> None:
    """Make the first response, seen by the one who asked alone."""
    await interaction.response.defer(ephemeral=True, thinking=True)


async def roster_names(
    interaction: discord.Interaction[FanguardBot], typed: str
) -> list[app_commands.Choice[str]]:
    """Complete a name of the roster, from memory."""
    if not interaction.permissions.manage_messages:
        return []
    names = interaction.client.rosters.matching(interaction.guild_id, typed)
    return [app_commands.Choice(name=name[:100], value=name[:100]) for name in names]
