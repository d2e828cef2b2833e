"""/desk: what Fanguard may do before a moderator has looked. All of it is off at first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.discord_app.commands.access import MANAGERS, defer, managers_only
from bot.discord_app.errors import RefusedError
from bot.discord_app.items import member_of
from bot.store import GuildSettings
from bot.words import N_, _

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

Interaction = discord.Interaction["FanguardBot"]


@app_commands.default_permissions(MANAGERS)
@app_commands.guild_only()
class Desk(
    commands.GroupCog, name="desk", description=N_("What happens before anybody has looked")
):
    """Changes what is removed at once and who is pinged."""

    def __init__(self, bot: FanguardBot) -> None:
        """Serve this bot."""
        self.bot = bot

    @app_commands.command(name="show", description=N_("Show what is on"))
    @managers_only
    async def show(self, interaction: Interaction) -> None:
        """Show both settings."""
        await defer(interaction)
        guild = member_of(interaction).guild
        line = desk_line(guild, await self.bot.guild_settings(guild.id))
        await interaction.followup.send(line, ephemeral=True)

    @app_commands.command(
        name="remove",
        description=N_("Remove abusive messages at once from a score on; off without it"),
    )
    @app_commands.describe(
        score=N_("From 0.50 to 1.00, such as 0.97. Leave it out to switch this off")
    )
    @managers_only
    async def remove(
        self, interaction: Interaction, score: app_commands.Range[float, 0.5, 1.0] | None = None
    ) -> None:
        """Set the score from which level 3 is removed at once."""
        await defer(interaction)
        guild = member_of(interaction).guild

        def change(settings: GuildSettings) -> GuildSettings:
            return replace(settings, remove_above=score)

        line = desk_line(guild, await self.bot.change_settings(guild, change))
        await interaction.followup.send(line, ephemeral=True)

    @app_commands.command(
        name="ping", description=N_("Ping a role for threats, doxxing and calls to pile on")
    )
    @app_commands.describe(role=N_("Whom to ping. Leave it out to switch this off"))
    @managers_only
    async def ping(self, interaction: Interaction, role: discord.Role | None = None) -> None:
        """Set the role that is pinged for what may not wait."""
        await defer(interaction)
        guild = member_of(interaction).guild
        if role is not None and role.is_default():
            raise RefusedError(_("Not everyone, please: choose the role of your moderators."))

        def change(settings: GuildSettings) -> GuildSettings:
            return replace(settings, ping_role_id=None if role is None else str(role.id))

        line = desk_line(guild, await self.bot.change_settings(guild, change))
        await interaction.followup.send(line, ephemeral=True)


def desk_line(guild: discord.Guild, settings: GuildSettings) -> str:
    """Both settings in words, and what keeps them from working."""
    if settings.remove_above is None:
        removing = _("Nothing is removed before one of you has decided.")
    else:
        removing = _(
            "Abusive messages (level 3) that score {score:.2f} or more are removed at "
            "once. Their text stays on the card, which waits for you."
        ).format(score=settings.remove_above)
    return f"{removing}\n{_ping_line(guild, settings)}"


def _ping_line(guild: discord.Guild, settings: GuildSettings) -> str:
    if settings.ping_role_id is None:
        return _("Nobody is pinged.")
    role = guild.get_role(int(settings.ping_role_id))
    if role is None:
        return _("The role to ping is gone: choose another with /desk ping.")
    line = _("{role} is pinged for threats, doxxing and calls to pile on (level 3).").format(
        role=role.mention
    )
    if not (role.mentionable or guild.me.guild_permissions.mention_everyone):
        line += " " + _("For that, let anyone mention the role: Server Settings, Roles.")
    return line
