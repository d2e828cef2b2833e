"""Who may use the commands, checked in code beside Discord's own default."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.discord_app.items import member_of
from bot.discord_app.permissions import require_team

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

MODERATORS = discord.Permissions(manage_messages=True)
MANAGERS = discord.Permissions(manage_guild=True)
HELP = "help"
"""Where the entry of a context menu, which has no description, keeps its line for `/help`."""

managers_only = app_commands.checks.has_permissions(manage_guild=True)


def _moderates(interaction: discord.Interaction[Any]) -> bool:
    if not interaction.permissions.manage_messages:
        raise app_commands.MissingPermissions(["manage_messages"])
    return True


moderators_only = app_commands.check(_moderates)


async def defer(interaction: discord.Interaction[Any]) -> None:
    """Make the first response, seen by the one who asked alone.

    Raises:
        RefusedError: the command is for moderators, and the server chose other roles for that.
    """
    await interaction.response.defer(ephemeral=True, thinking=True)
    command = interaction.command
    if command is not None and _moderates in command.checks:
        member = member_of(interaction)
        settings = await interaction.client.guild_settings(member.guild.id)
        require_team(member, settings.moderator_role_ids)


async def roster_names(
    interaction: discord.Interaction[FanguardBot], typed: str
) -> list[app_commands.Choice[str]]:
    """Complete a name of the roster, from memory."""
    if not interaction.permissions.manage_messages:
        return []
    names = interaction.client.rosters.matching(interaction.guild_id, typed)
    return [app_commands.Choice(name=name[:100], value=name[:100]) for name in names]
