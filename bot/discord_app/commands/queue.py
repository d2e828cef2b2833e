"""/queue: the flags that wait for a decision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.comment import Status
from bot.discord_app.buttons import FlagPicker
from bot.discord_app.cards import list_embed
from bot.discord_app.commands.access import MODERATORS, defer, moderators_only
from bot.discord_app.pages import Page, clamp, send_page

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

KIND = "queue"
PAGE_SIZE = 10
WAITING = (Status.OPEN, Status.CLAIMED)

Interaction = discord.Interaction["FanguardBot"]
QueueOrder = Literal["strongest", "oldest"]
_WORDS: dict[QueueOrder, str] = {"strongest": "gravest", "oldest": "oldest"}


class Queue(commands.Cog):
    """Shows what is open, page by page, and opens one flag with its buttons."""

    def __init__(self, bot: FanguardBot) -> None:
        """Serve this bot."""
        self.bot = bot
        bot.pages[KIND] = self.page

    @app_commands.command(name="queue", description="Flags that wait for a decision")
    @app_commands.describe(order="The gravest first, or the oldest first")
    @app_commands.rename(order="first")
    @app_commands.default_permissions(MODERATORS)
    @app_commands.guild_only()
    @moderators_only
    async def queue(self, interaction: Interaction, order: QueueOrder = "strongest") -> None:
        """Show the first page."""
        await defer(interaction)
        page = await self.page(interaction.guild_id or 0, 0, order)
        await send_page(interaction, page, KIND, order)

    async def page(self, guild_id: int, number: int, state: str) -> Page:
        """Render a page of the queue; `state` is the order."""
        order: QueueOrder = "oldest" if state == "oldest" else "strongest"
        flags = self.bot.store.flags
        total = await flags.count(str(guild_id), status=WAITING)
        number, count = clamp(number, total, PAGE_SIZE)
        shown = await flags.list(
            str(guild_id), status=WAITING, order=order, limit=PAGE_SIZE, offset=number * PAGE_SIZE
        )
        embed = list_embed(
            f"{total} to decide, the {_WORDS[order]} first" if total else "The queue is empty",
            shown,
            f"Page {number + 1} of {count}" if count > 1 else "",
            with_card=True,
        )
        return Page(embed, number, count, (FlagPicker(shown),) if shown else ())
