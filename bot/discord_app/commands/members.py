"""/member history, and “Flag history” in a member's context menu."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.discord_app.buttons import FlagPicker
from bot.discord_app.cards import DONE, list_embed
from bot.discord_app.commands.access import HELP, MODERATORS, defer, moderators_only
from bot.discord_app.commands.known import KnownMember, MemberOption
from bot.discord_app.pages import Page, clamp, page_line, send_page
from bot.words import N_, _, ngettext

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

KIND = "history"
PAGE_SIZE = 10

Interaction = discord.Interaction["FanguardBot"]


@app_commands.default_permissions(MODERATORS)
@app_commands.guild_only()
class Members(commands.GroupCog, name="member", description=N_("What is known of a member")):
    """Shows the flags of a member and how they ended."""

    def __init__(self, bot: FanguardBot) -> None:
        """Serve this bot."""
        self.bot = bot
        bot.pages[KIND] = self.page
        about = {HELP: N_("Their flags and how they ended")}
        self._menu = app_commands.ContextMenu(
            name=N_("Flag history"), callback=self.of_user, extras=about
        )

    async def cog_load(self) -> None:
        """Put the context menu's entry into the tree."""
        self.bot.tree.add_command(self._menu)

    @app_commands.command(name="history", description=N_("A member's flags and how they ended"))
    @app_commands.describe(member=N_("Who wrote the messages, also someone who has left"))
    @moderators_only
    async def history(
        self, interaction: Interaction, member: app_commands.Transform[KnownMember, MemberOption]
    ) -> None:
        """Show the first page."""
        await self._show(interaction, member.id)

    @app_commands.default_permissions(MODERATORS)
    @app_commands.guild_only()
    @moderators_only
    async def of_user(self, interaction: Interaction, user: discord.User) -> None:
        """Show the first page."""
        await self._show(interaction, str(user.id))

    async def _show(self, interaction: Interaction, member_id: str) -> None:
        await defer(interaction)
        page = await self.page(interaction.guild_id or 0, 0, member_id)
        await send_page(interaction, page, KIND, member_id)

    async def page(self, guild_id: int, number: int, state: str) -> Page:
        """Render a page of the flags of the member whose id is `state`."""
        flags = self.bot.store.flags
        endings = await flags.endings(str(guild_id), state)
        total = sum(endings.values())
        number, count = clamp(number, total, PAGE_SIZE)
        shown = await flags.list(
            str(guild_id), author_id=state, limit=PAGE_SIZE, offset=number * PAGE_SIZE
        )
        title = ngettext("{count} flag", "{count} flags", total).format(count=total)
        embed = list_embed(title, shown, page_line(number, count), with_card=True)
        summary = f"<@{state}> ({state})"
        if endings:
            summary += f": {_in_words(endings)}"
        embed.description = f"{summary}\n{embed.description}"
        return Page(embed, number, count, (FlagPicker(shown),) if shown else ())


def _in_words(endings: Counter[str]) -> str:
    done = {str(action): _(words) for action, words in DONE.items()}
    return ", ".join(
        f"{number} {done.get(ending, ending)}" for ending, number in endings.most_common()
    )
