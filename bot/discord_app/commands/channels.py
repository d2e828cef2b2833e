"""/channels: which channels are watched, and what each sets for itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.discord_app.commands.access import MANAGERS, defer, managers_only
from bot.discord_app.errors import RefusedError
from bot.discord_app.items import member_of
from bot.discord_app.quoting import label
from bot.moderation import apart, pause, resume
from bot.moderation.channel_rules import (
    EVERYONE,
    FOLLOWS_SERVER,
    parse_followed,
    parse_strictness,
)
from bot.store import ChannelSettings, GuildSettings
from bot.words import N_, _

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

_LINES_LIMIT = 3900
_CHOICE_LENGTH = 100
_SCORES = ("0.3", "0.5", "0.7", "0.9")

Interaction = discord.Interaction["FanguardBot"]
Watchable = discord.TextChannel | discord.ForumChannel | discord.VoiceChannel


@app_commands.default_permissions(MANAGERS)
@app_commands.guild_only()
class Channels(commands.GroupCog, name="channels", description=N_("The channels that are watched")):
    """Lists, adds and removes watched channels, and sets what is different in one."""

    def __init__(self, bot: FanguardBot) -> None:
        """Serve this bot."""
        self.bot = bot

    @app_commands.command(
        name="list", description=N_("The watched channels and what is special there")
    )
    @managers_only
    async def show(self, interaction: Interaction) -> None:
        """Show every watched channel in a line."""
        await defer(interaction)
        settings = await self.bot.guild_settings(member_of(interaction).guild.id)
        own = await self.bot.store.channels.all(settings.guild_id)
        lines = [channel_line(each, settings, own) for each in settings.watched_channel_ids]
        await interaction.followup.send(embed=_list_embed(lines), ephemeral=True)

    @app_commands.command(name="add", description=N_("Watch a channel, from now on"))
    @app_commands.describe(channel=N_("The channel, its threads included"))
    @managers_only
    async def add(self, interaction: Interaction, channel: Watchable) -> None:
        """Watch one more channel."""
        await defer(interaction)
        channel_id = str(channel.id)

        def change(settings: GuildSettings) -> GuildSettings:
            watched = settings.watched_channel_ids
            if channel_id in watched:
                raise RefusedError(
                    _("{channel} is watched already.").format(channel=f"<#{channel_id}>")
                )
            return apart(replace(settings, watched_channel_ids=(*watched, channel_id)))

        await self.bot.change_settings(member_of(interaction).guild, change)
        line = _("{channel} is watched from now on. /setup says if I lack a permission there.")
        await interaction.followup.send(line.format(channel=channel.mention), ephemeral=True)

    @app_commands.command(name="remove", description=N_("Watch a channel no longer"))
    @app_commands.describe(channel=N_("A watched channel; what it set for itself is forgotten"))
    @managers_only
    async def remove(self, interaction: Interaction, channel: Watchable) -> None:
        """Watch a channel no longer."""
        await defer(interaction)
        channel_id = str(channel.id)

        def change(settings: GuildSettings) -> GuildSettings:
            _require_watched(settings, channel_id)
            kept = (each for each in settings.watched_channel_ids if each != channel_id)
            return replace(settings, watched_channel_ids=tuple(kept))

        settings = await self.bot.change_settings(member_of(interaction).guild, change)
        await self.bot.store.channels.remove(settings.guild_id, channel_id)
        line = _("{channel} is watched no longer. Its flags stay in the queue and the log.")
        await interaction.followup.send(line.format(channel=channel.mention), ephemeral=True)

    @app_commands.command(name="set", description=N_("What is different in one watched channel"))
    @app_commands.describe(
        channel=N_("A watched channel"),
        strictness=N_("“server”, or from which score messages are queued here: 0.01 to 0.99"),
        people=N_("Whom it follows, with commas, or “all”; attacks on others are not queued here"),
        off=N_("Read nothing here for now; what is posted meanwhile is skipped"),
    )
    @managers_only
    async def configure(
        self,
        interaction: Interaction,
        channel: Watchable,
        strictness: app_commands.Range[str, 1, 20] | None = None,
        people: app_commands.Range[str, 1, 1000] | None = None,
        off: bool | None = None,
    ) -> None:
        """Change what was given, and show the channel."""
        await defer(interaction)
        guild = member_of(interaction).guild
        guild_id, channel_id = str(guild.id), str(channel.id)
        settings = await self.bot.guild_settings(guild.id)
        _require_watched(settings, channel_id)
        own = await self.bot.store.channels.all(guild_id)
        now = own.get(channel_id, ChannelSettings(guild_id, channel_id))
        if strictness is not None:
            threshold = parse_strictness(strictness)
            now = self.bot.pipeline.thresholds.for_channel(now, threshold)
        if people is not None:
            roster = await self.bot.store.roster.people(guild_id)
            now = replace(now, people=parse_followed(people, roster))
        if now != own.get(channel_id):
            await self.bot.store.channels.put(now)
        if off is not None:
            await self._switch(guild, channel_id, off=off)
        settings = await self.bot.guild_settings(guild.id)
        line = channel_line(channel_id, settings, {channel_id: now})
        await interaction.followup.send(embed=_list_embed([line]), ephemeral=True)

    @configure.autocomplete("strictness")
    async def complete_strictness(
        self, interaction: Interaction, typed: str
    ) -> list[app_commands.Choice[str]]:
        """Offer the server's strictness and a few scores."""
        del interaction
        usual = (FOLLOWS_SERVER, *_SCORES)
        return [app_commands.Choice(name=each, value=each) for each in usual if typed in each]

    @configure.autocomplete("people")
    async def complete_people(
        self, interaction: Interaction, typed: str
    ) -> list[app_commands.Choice[str]]:
        """Complete the last name of a list, from memory."""
        if not interaction.permissions.manage_guild:
            return []
        *before, last = typed.split(",")
        found = interaction.client.rosters.matching(interaction.guild_id, last)
        names = [", ".join([*(each.strip() for each in before), name]) for name in found]
        names += [EVERYONE] if not before and last.strip() in EVERYONE else []
        return [
            app_commands.Choice(name=name, value=name)
            for name in names[-25:]
            if len(name) <= _CHOICE_LENGTH
        ]

    async def _switch(self, guild: discord.Guild, channel_id: str, *, off: bool) -> None:
        settings = await self.bot.guild_settings(guild.id)
        if off == (channel_id in settings.paused_channel_ids):
            return
        if not off:
            await self.bot.catch_up.start_afresh(guild, int(channel_id))
        change = pause if off else resume
        await self.bot.change_settings(guild, lambda before: change(before, channel_id))


def channel_line(
    channel_id: str, settings: GuildSettings, own: Mapping[str, ChannelSettings]
) -> str:
    """A watched channel with what is special there, in one line."""
    special = own.get(channel_id, ChannelSettings(settings.guild_id, channel_id))
    parts = []
    if channel_id in settings.paused_channel_ids or settings.paused:
        parts.append(_("off"))
    if special.threshold is not None:
        parts.append(_("queued from {threshold:.2f}").format(threshold=special.threshold))
    if special.people:
        names = label(", ".join(special.people), 300)
        parts.append(_("follows {names}").format(names=names))
    return f"<#{channel_id}>: {', '.join(parts) or _('as the server')}"


def _require_watched(settings: GuildSettings, channel_id: str) -> None:
    if channel_id not in settings.watched_channel_ids:
        raise RefusedError(
            _("{channel} is not watched. /channels add does that.").format(
                channel=f"<#{channel_id}>"
            )
        )


def _list_embed(lines: Sequence[str]) -> discord.Embed:
    shown: list[str] = []
    for line in lines:
        if sum(map(len, shown)) + len(shown) + len(line) > _LINES_LIMIT:
            break
        shown.append(line)
    embed = discord.Embed(
        title=_("Watched channels"),
        description="\n".join(shown) or _("None yet: /channels add"),
        colour=discord.Colour.blurple(),
    )
    if len(shown) < len(lines):
        embed.set_footer(text=_("and {count} more").format(count=len(lines) - len(shown)))
    return embed
