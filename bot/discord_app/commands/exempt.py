"""/exempt: roles whose members' messages are not read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.discord_app.commands.access import MANAGERS, defer, managers_only
from bot.discord_app.errors import RefusedError
from bot.discord_app.items import member_of
from bot.words import N_, _

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

MOST_ROLES = 50

Interaction = discord.Interaction["FanguardBot"]


@app_commands.default_permissions(MANAGERS)
@app_commands.guild_only()
class Exempt(commands.GroupCog, name="exempt", description=N_("Roles whose messages are not read")):
    """Adds, removes and lists exempt roles."""

    def __init__(self, bot: FanguardBot) -> None:
        """Serve this bot."""
        self.bot = bot

    @app_commands.command(
        name="add", description=N_("Read the messages of a role's members no longer")
    )
    @app_commands.describe(role=N_("The role; members can still be reported"))
    @managers_only
    async def add(self, interaction: Interaction, role: discord.Role) -> None:
        """Exempt a role."""
        await defer(interaction)
        guild = member_of(interaction).guild
        if role.is_default():
            raise RefusedError(_("Everyone has that role, so nothing would be read: use /pause."))
        if len(await self.bot.store.exempt_roles.of(str(guild.id))) >= MOST_ROLES:
            raise RefusedError(
                _("{count} roles are exempt, which is the most.").format(count=MOST_ROLES)
            )
        if not await self.bot.store.exempt_roles.add(str(guild.id), str(role.id)):
            raise RefusedError(_("{role} is exempt already.").format(role=role.mention))
        line = _(
            "Messages of {role} are not read from now on. Members can still report them."
        ).format(role=role.mention)
        await interaction.followup.send(line, ephemeral=True)

    @app_commands.command(
        name="remove", description=N_("Read the messages of a role's members again")
    )
    @app_commands.describe(role=N_("An exempt role"))
    @managers_only
    async def remove(self, interaction: Interaction, role: discord.Role) -> None:
        """Exempt a role no longer."""
        await defer(interaction)
        guild = member_of(interaction).guild
        if not await self.bot.store.exempt_roles.remove(str(guild.id), str(role.id)):
            raise RefusedError(
                _("{role} is not exempt. /exempt list shows which are.").format(role=role.mention)
            )
        line = _("Messages of {role} are read from now on.").format(role=role.mention)
        await interaction.followup.send(line, ephemeral=True)

    @app_commands.command(name="list", description=N_("The roles whose messages are not read"))
    @managers_only
    async def list(self, interaction: Interaction) -> None:
        """List the exempt roles."""
        await defer(interaction)
        roles = await self.bot.store.exempt_roles.of(str(interaction.guild_id))
        shown = "\n".join(f"<@&{each}>" for each in sorted(roles))
        embed = discord.Embed(
            title=_("Exempt roles"),
            description=shown or _("None: everyone's messages are read."),
            colour=discord.Colour.blurple(),
        )
        await interaction.followup.send(embed=embed, ephemeral=True)
