"""/setup: step by step, or in one line with options."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.discord_app.commands.access import MANAGERS, defer, managers_only
from bot.discord_app.items import member_of
from bot.discord_app.setup_overview import setup_embed
from bot.discord_app.setup_steps import FIRST, SETUP_ITEMS, step_screen
from bot.moderation import apart, draft_of, with_moderator_channel
from bot.store import GuildSettings
from bot.words import N_

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

Interaction = discord.Interaction["FanguardBot"]
Watchable = discord.TextChannel | discord.ForumChannel | discord.VoiceChannel


class Setup(commands.Cog):
    """Shows and changes a guild's settings."""

    def __init__(self, bot: FanguardBot) -> None:
        """Serve this bot."""
        self.bot = bot
        bot.add_dynamic_items(*SETUP_ITEMS)

    @app_commands.command(
        name="setup", description=N_("Set Fanguard up, step by step or by options")
    )
    @app_commands.describe(
        moderators=N_("Where cards of flagged messages go"),
        watch=N_("One more channel to watch, its threads included"),
        unwatch=N_("A channel to watch no longer"),
        proxies=N_("Read messages that members send through PluralKit-like proxies"),
        members=N_("Also queue hostility at other members"),
    )
    @app_commands.default_permissions(MANAGERS)
    @app_commands.guild_only()
    @managers_only
    async def setup(
        self,
        interaction: Interaction,
        moderators: discord.TextChannel | None = None,
        watch: Watchable | None = None,
        unwatch: Watchable | None = None,
        proxies: bool | None = None,
        members: bool | None = None,
    ) -> None:
        """Change what was given and show everything; without options, begin with step 1."""
        await defer(interaction)
        member = member_of(interaction)
        if all(each is None for each in (moderators, watch, unwatch, proxies, members)):
            await self._first_step(interaction, member)
            return

        def change(settings: GuildSettings) -> GuildSettings:
            watched = [each for each in settings.watched_channel_ids if each != _id(unwatch)]
            if watch is not None and str(watch.id) not in watched:
                watched.append(str(watch.id))
            changed = replace(
                with_moderator_channel(settings, _id(moderators)),
                watched_channel_ids=tuple(watched),
                proxies=settings.proxies if proxies is None else proxies,
                member_flags=settings.member_flags if members is None else members,
            )
            return apart(changed) if moderators or watch else changed

        changed = await self.bot.change_settings(member.guild, change)
        embed = setup_embed(member.guild, changed, self.bot.pipeline.thresholds)
        await interaction.followup.send(embed=embed, ephemeral=True)

    async def _first_step(self, interaction: Interaction, member: discord.Member) -> None:
        settings = await self.bot.change_settings(member.guild)
        draft = draft_of(settings, datetime.now(UTC))
        await self.bot.store.drafts.put(str(member.guild.id), str(member.id), draft)
        screen = await step_screen(self.bot, member.guild, draft, FIRST)
        view = screen.view or discord.utils.MISSING
        await interaction.followup.send(embed=screen.embed, view=view, ephemeral=True)


def _id(channel: Watchable | None) -> str | None:
    return None if channel is None else str(channel.id)
