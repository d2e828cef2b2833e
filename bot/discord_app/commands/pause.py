"""/pause and /resume: nothing is read meanwhile, and what was posted is read or skipped."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Self

import discord
from discord import app_commands
from discord.ext import commands

from bot.discord_app.commands.access import MANAGERS, defer, managers_only
from bot.discord_app.items import LastingItem, member_of
from bot.moderation import pause, paused_channels, resume
from bot.words import N_, _, ngettext

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

READ, SKIP, EVERYTHING = "read", "skip", "all"
_LABELS = {READ: N_("Read what was posted"), SKIP: N_("Skip it")}

Interaction = discord.Interaction["FanguardBot"]
Watchable = discord.TextChannel | discord.ForumChannel | discord.VoiceChannel


class Pause(commands.Cog):
    """Stops reading for a while, in the whole server or in one channel."""

    def __init__(self, bot: FanguardBot) -> None:
        """Serve this bot."""
        self.bot = bot
        bot.add_dynamic_items(ResumeButton)

    @app_commands.command(name="pause", description=N_("Stop reading here until /resume"))
    @app_commands.describe(channel=N_("Only this channel; the whole server if left out"))
    @app_commands.default_permissions(MANAGERS)
    @app_commands.guild_only()
    @managers_only
    async def pause(self, interaction: Interaction, channel: Watchable | None = None) -> None:
        """Pause a channel or the server."""
        await defer(interaction)
        channel_id = None if channel is None else str(channel.id)
        await self.bot.change_settings(
            member_of(interaction).guild, lambda settings: pause(settings, channel_id)
        )
        place = _("The whole server") if channel is None else channel.mention
        await interaction.followup.send(
            _(
                "{place} is paused: nothing is read there. The queue and its buttons still work. "
                "/resume goes on, and asks whether to read what was posted meanwhile."
            ).format(place=place),
            ephemeral=True,
        )

    @app_commands.command(name="resume", description=N_("Go on reading after /pause"))
    @app_commands.describe(channel=N_("Only this channel; everything that is paused if left out"))
    @app_commands.default_permissions(MANAGERS)
    @app_commands.guild_only()
    @managers_only
    async def resume(self, interaction: Interaction, channel: Watchable | None = None) -> None:
        """Ask what to do with what was posted meanwhile."""
        await defer(interaction)
        channel_id = None if channel is None else str(channel.id)
        settings = await self.bot.guild_settings(member_of(interaction).guild.id)
        resume(settings, channel_id)
        hours = self.bot.settings.watch.catch_up_hours
        view = discord.ui.View(timeout=None)
        for how in (READ, SKIP):
            view.add_item(ResumeButton(how, channel_id))
        line = ngettext(
            "Shall I read what was posted in the pause? I can go back {count} hour at most. "
            "It stays paused until you choose.",
            "Shall I read what was posted in the pause? I can go back {count} hours at most. "
            "It stays paused until you choose.",
            hours,
        )
        await interaction.followup.send(line.format(count=hours), view=view, ephemeral=True)


class ResumeButton(
    LastingItem[discord.ui.Button[discord.ui.View], str],
    template=r"fanguard:resume:(?P<how>read|skip):(?P<where>all|[0-9]{1,20})",
):
    """Ends a pause, and has what was posted in it read or skipped."""

    permission = "manage_guild"
    team = False

    def __init__(self, how: str, channel_id: str | None) -> None:
        """Make the button for a channel, or with None for all that is paused."""
        self.how, self.channel_id = how, channel_id
        style = discord.ButtonStyle.primary if how == READ else discord.ButtonStyle.secondary
        custom_id = f"fanguard:resume:{how}:{channel_id or EVERYTHING}"
        super().__init__(discord.ui.Button(label=_(_LABELS[how]), style=style, custom_id=custom_id))

    @classmethod
    def read(cls, match: re.Match[str]) -> Self:
        """Make the item from its custom id."""
        return cls(match["how"], None if match["where"] == EVERYTHING else match["where"])

    async def act(self, interaction: discord.Interaction[Any], member: discord.Member) -> str:
        """End the pause; checkpoints that are to skip it move while it still lasts."""
        bot: FanguardBot = interaction.client
        settings = await bot.guild_settings(member.guild.id)
        ended = paused_channels(settings) - paused_channels(resume(settings, self.channel_id))
        if self.how == SKIP:
            for channel_id in ended:
                await bot.catch_up.start_afresh(member.guild, int(channel_id))
        await bot.change_settings(member.guild, lambda now: resume(now, self.channel_id))
        if self.how == SKIP:
            return _("I am reading again, from now on.")
        return _("I am reading again, first what was posted in the pause.")

    async def show(self, interaction: discord.Interaction[Any], result: str) -> None:
        """Say so in place of the question."""
        await interaction.edit_original_response(content=result, view=None)

    def doing(self, interaction: discord.Interaction[Any]) -> str:
        """Name the guild."""
        return f"resume in guild {interaction.guild_id}"
