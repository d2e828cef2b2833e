"""/scan: read a channel's history through the same pipeline as what is posted now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.discord_app.commands.access import MANAGERS, defer, managers_only
from bot.discord_app.errors import RefusedError
from bot.discord_app.items import member_of
from bot.discord_app.permissions import MODERATOR_CHANNEL, WATCHED_CHANNEL, missing
from bot.discord_app.scans import CancelScan, Place
from bot.moderation.days import parse_moment
from bot.words import N_, _

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

Interaction = discord.Interaction["FanguardBot"]


class Scan(commands.Cog):
    """Begins a scan."""

    def __init__(self, bot: FanguardBot) -> None:
        """Serve this bot."""
        self.bot = bot
        bot.add_dynamic_items(CancelScan)

    @app_commands.command(
        name="scan", description=N_("Read a channel's history; what is hostile waits in /queue")
    )
    @app_commands.describe(
        channel=N_("The channel, forum or thread"),
        since=N_("From when on: 2025-03-01, yesterday, 7d, 12 hours"),
    )
    @app_commands.default_permissions(MANAGERS)
    @app_commands.guild_only()
    @managers_only
    async def scan(
        self,
        interaction: Interaction,
        channel: app_commands.AppCommandChannel | app_commands.AppCommandThread,
        since: app_commands.Range[str, 1, 40],
    ) -> None:
        """Begin to read, and say where to watch it."""
        await defer(interaction)
        member = member_of(interaction)
        moment = parse_moment(since, interaction.created_at)
        settings = await self.bot.guild_settings(member.guild.id)
        if str(channel.id) == settings.mod_channel_id:
            raise RefusedError(_("That is the moderators' channel: its cards are no chat to read."))
        place = await _seen(channel)
        if lacking := missing(place, WATCHED_CHANNEL):
            raise RefusedError(
                _("I need {permissions} in {channel} to read it.").format(
                    permissions=", ".join(map(_, lacking)), channel=place.mention
                )
            )
        shown = await self.bot.scans.begin(
            place, moment, member, self._moderator_channel(member.guild, settings.mod_channel_id)
        )
        line = _("I am reading {channel}. How far I am: {link}")
        await interaction.followup.send(
            line.format(channel=place.mention, link=shown.jump_url), ephemeral=True
        )

    def _moderator_channel(
        self, guild: discord.Guild, channel_id: str | None
    ) -> discord.TextChannel:
        channel = guild.get_channel(int(channel_id)) if channel_id else None
        if not isinstance(channel, discord.TextChannel):
            raise RefusedError(_("Choose a moderator channel with /setup first."))
        if lacking := missing(channel, MODERATOR_CHANNEL):
            raise RefusedError(
                _("I need {permissions} in {channel} to show how far I am.").format(
                    permissions=", ".join(map(_, lacking)), channel=channel.mention
                )
            )
        return channel


async def _seen(channel: app_commands.AppCommandChannel | app_commands.AppCommandThread) -> Place:
    """The channel itself, fetched if it is an archived thread.

    Raises:
        RefusedError: nobody can write there, or the bot does not see it.
    """
    try:
        place = channel.resolve() or await channel.fetch()
    except (discord.Forbidden, discord.NotFound):
        place = None
    if not isinstance(place, Place):
        raise RefusedError(
            _("I can read channels, forums and threads that I see. Give me View Channel there.")
        )
    return place
