"""/setup: where cards go and which channels are watched."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import discord
from discord import app_commands
from discord.ext import commands

from bot.discord_app.channels import channel_problems
from bot.discord_app.commands.access import MANAGERS, defer, managers_only
from bot.discord_app.errors import RefusedError
from bot.discord_app.items import LastingItem
from bot.store import GuildSettings

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

MOST_WATCHED = 25
MODERATORS, WATCHED = "moderators", "watched"

WATCHABLE = [
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.forum,
    discord.ChannelType.voice,
]

Interaction = discord.Interaction["FanguardBot"]
Watchable = discord.TextChannel | discord.ForumChannel | discord.VoiceChannel


class Setup(commands.Cog):
    """Shows and changes a guild's settings."""

    def __init__(self, bot: FanguardBot) -> None:
        """Serve this bot."""
        self.bot = bot
        bot.add_dynamic_items(ChannelMenu)

    @app_commands.command(name="setup", description="Choose the moderator and watched channels")
    @app_commands.describe(
        moderators="Where cards of flagged messages go",
        watch="One more channel to watch, its threads included",
        unwatch="A channel to watch no longer",
        proxies="Read messages that members send through PluralKit-like proxies",
        members="Also queue hostility at other members",
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
        """Change what was given, and show everything."""
        await defer(interaction)
        guild = _guild(interaction)

        def change(settings: GuildSettings) -> GuildSettings:
            watched = [each for each in settings.watched_channel_ids if each != _id(unwatch)]
            if watch is not None and str(watch.id) not in watched:
                watched.append(str(watch.id))
            changed = replace(
                settings,
                mod_channel_id=_id(moderators) or settings.mod_channel_id,
                watched_channel_ids=tuple(watched),
                proxies=settings.proxies if proxies is None else proxies,
                member_flags=settings.member_flags if members is None else members,
            )
            return apart(changed) if moderators or watch else changed

        changed = await self.bot.change_settings(guild, change)
        await interaction.followup.send(
            embed=setup_embed(guild, changed), view=setup_view(changed), ephemeral=True
        )


class ChannelMenu(
    LastingItem[discord.ui.ChannelSelect[discord.ui.View], GuildSettings],
    template=r"fanguard:setup:(?P<what>moderators|watched)",
):
    """A menu of channels: the moderators' one, or all that are watched."""

    permission = "manage_guild"

    def __init__(self, what: str, chosen: tuple[str, ...] = ()) -> None:
        """Make the menu with the channels chosen so far."""
        self.what = what
        only_one = what == MODERATORS
        select: discord.ui.ChannelSelect[discord.ui.View] = discord.ui.ChannelSelect(
            custom_id=f"fanguard:setup:{what}",
            placeholder="Moderator channel…" if only_one else "Watched channels…",
            channel_types=[discord.ChannelType.text] if only_one else WATCHABLE,
            min_values=1 if only_one else 0,
            max_values=1 if only_one else MOST_WATCHED,
            default_values=[
                discord.SelectDefaultValue(
                    id=int(each), type=discord.SelectDefaultValueType.channel
                )
                for each in chosen
            ],
        )
        super().__init__(select)

    @classmethod
    def read(cls, match: re.Match[str]) -> Self:
        """Make the item from its custom id."""
        return cls(match["what"])

    async def act(
        self, interaction: discord.Interaction[Any], member: discord.Member
    ) -> GuildSettings:
        """Write what was chosen."""
        bot: FanguardBot = interaction.client
        chosen = tuple(str(channel.id) for channel in self.item.values)

        def change(settings: GuildSettings) -> GuildSettings:
            if self.what == MODERATORS:
                return apart(replace(settings, mod_channel_id=chosen[0]))
            return apart(replace(settings, watched_channel_ids=chosen))

        return await bot.change_settings(member.guild, change)

    async def show(self, interaction: discord.Interaction[Any], result: GuildSettings) -> None:
        """Show everything."""
        await interaction.edit_original_response(
            embed=setup_embed(_guild(interaction), result), view=setup_view(result)
        )

    def doing(self, interaction: discord.Interaction[Any]) -> str:
        """Name the guild."""
        return f"setup of guild {interaction.guild_id}"


def apart(settings: GuildSettings) -> GuildSettings:
    """Return the settings, unless they would have the cards themselves watched.

    Raises:
        RefusedError: the moderators' channel is among the watched ones.
    """
    if settings.mod_channel_id in settings.watched_channel_ids:
        raise RefusedError(
            f"<#{settings.mod_channel_id}> cannot be both watched and the moderators' channel. "
            "Please choose another for one of the two."
        )
    return settings


def setup_embed(guild: discord.Guild, settings: GuildSettings) -> discord.Embed:
    """How the guild is set up, and what is missing for it to work."""
    embed = discord.Embed(title="Fanguard in this server", colour=discord.Colour.blurple())
    moderators = f"<#{settings.mod_channel_id}>" if settings.mod_channel_id else "none yet"
    watched = " ".join(f"<#{each}>" for each in settings.watched_channel_ids[:40]) or "none yet"
    embed.add_field(name="Cards go to", value=moderators, inline=False)
    embed.add_field(name="Watched", value=watched, inline=False)
    embed.add_field(name="Hostility at members", value="queued" if settings.member_flags else "no")
    embed.add_field(name="Proxied messages", value="read" if settings.proxies else "ignored")
    problems = [problem.as_mention() for problem in channel_problems(guild, settings)]
    if problems:
        embed.add_field(name="Missing", value="\n".join(problems)[:1000], inline=False)
        embed.colour = discord.Colour.orange()
    else:
        embed.set_footer(text="All set. /people add names whom the channels talk about.")
    return embed


def setup_view(settings: GuildSettings) -> discord.ui.View:
    """The menus below the settings; the watched ones only while one menu can hold them."""
    view = discord.ui.View(timeout=None)
    chosen = (settings.mod_channel_id,) if settings.mod_channel_id else ()
    view.add_item(ChannelMenu(MODERATORS, chosen))
    if len(settings.watched_channel_ids) <= MOST_WATCHED:
        view.add_item(ChannelMenu(WATCHED, settings.watched_channel_ids))
    return view


def _guild(interaction: discord.Interaction[Any]) -> discord.Guild:
    if interaction.guild is None:
        raise RefusedError("This works inside a server only.")
    return interaction.guild


def _id(channel: Watchable | None) -> str | None:
    return None if channel is None else str(channel.id)
