"""/queue: the flags that wait for a decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Self

import discord
from discord import app_commands
from discord.ext import commands

from bot.comment import Status
from bot.discord_app.buttons import FlagPicker, send_card
from bot.discord_app.cards import list_embed
from bot.discord_app.commands.access import MODERATORS, defer, moderators_only, roster_names
from bot.discord_app.items import member_of
from bot.discord_app.pages import Page, clamp, page_line, send_page
from bot.discord_app.quoting import short
from bot.words import N_, _

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

KIND = "queue"
PAGE_SIZE = 10
WAITING = (Status.OPEN, Status.CLAIMED)
_PERSON_LENGTH = 30

Interaction = discord.Interaction["FanguardBot"]
QueueOrder = Literal["strongest", "oldest"]
Show = Literal["all", "open", "mine", "next"]
_TITLES = {
    ("all", "strongest"): N_("{count} to decide, the gravest first"),
    ("all", "oldest"): N_("{count} to decide, the oldest first"),
    ("open", "strongest"): N_("{count} open, the gravest first"),
    ("open", "oldest"): N_("{count} open, the oldest first"),
    ("mine", "strongest"): N_("{count} taken by you, the gravest first"),
    ("mine", "oldest"): N_("{count} taken by you, the oldest first"),
}
_TITLES_ABOUT = {
    ("all", "strongest"): N_("{count} to decide about {person}, the gravest first"),
    ("all", "oldest"): N_("{count} to decide about {person}, the oldest first"),
    ("open", "strongest"): N_("{count} open about {person}, the gravest first"),
    ("open", "oldest"): N_("{count} open about {person}, the oldest first"),
    ("mine", "strongest"): N_("{count} taken by you about {person}, the gravest first"),
    ("mine", "oldest"): N_("{count} taken by you about {person}, the oldest first"),
}


@dataclass(frozen=True, slots=True)
class QueueFilter:
    """What of the queue to show; `mine` is the id of the moderator who has taken it."""

    order: QueueOrder = "strongest"
    show: str = "all"
    mine: str = ""
    person: str = ""

    def encode(self) -> str:
        """Write the filter into at most 65 characters; a longer name is cut."""
        return ",".join((self.order, self.show, self.mine, self.person[:_PERSON_LENGTH]))

    @classmethod
    def decode(cls, text: str) -> Self:
        """Read a filter back."""
        order, show, mine, person = (*text.split(",", maxsplit=3), "", "", "")[:4]
        return cls("oldest" if order == "oldest" else "strongest", show or "all", mine, person)

    def conditions(self) -> dict[str, Any]:
        """The filter as keyword arguments of the store."""
        return {
            "status": Status.OPEN if self.show == "open" else WAITING,
            "claimed_by_id": self.mine if self.show == "mine" else None,
            "person": self.person or None,
        }

    def title(self, total: int) -> str:
        """How many there are, in words."""
        if not total:
            plain = self == QueueFilter(self.order)
            return _("The queue is empty") if plain else _("Nothing of that")
        titles = _TITLES_ABOUT if self.person else _TITLES
        title = titles.get((self.show, self.order), titles["all", self.order])
        return _(title).format(count=total, person=short(self.person, 60))


class Queue(commands.Cog):
    """Shows what is open, page by page, and opens one flag with its buttons."""

    def __init__(self, bot: FanguardBot) -> None:
        """Serve this bot."""
        self.bot = bot
        bot.pages[KIND] = self.page

    @app_commands.command(name="queue", description=N_("Flags that wait for a decision"))
    @app_commands.describe(
        order=N_("The gravest first, or the oldest first"),
        show=N_("All; open ones; mine, which I have taken; or next: take the oldest and open it"),
        person=N_("Only those aimed at them"),
    )
    @app_commands.rename(order="first")
    @app_commands.autocomplete(person=roster_names)
    @app_commands.default_permissions(MODERATORS)
    @app_commands.guild_only()
    @moderators_only
    async def queue(
        self,
        interaction: Interaction,
        order: QueueOrder = "strongest",
        show: Show = "all",
        person: app_commands.Range[str, 1, 100] | None = None,
    ) -> None:
        """Show the first page, or the next flag."""
        await defer(interaction)
        about = person.strip() if person else ""
        if show == "next":
            await self._open_next(interaction, about)
            return
        mine = str(interaction.user.id) if show == "mine" else ""
        wanted = QueueFilter(order, show, mine, about)
        page = await self._page(interaction.guild_id or 0, 0, wanted)
        await send_page(interaction, page, KIND, wanted.encode())

    async def page(self, guild_id: int, number: int, state: str) -> Page:
        """Render a page of the queue; `state` is a filter as `QueueFilter.encode` writes it."""
        return await self._page(guild_id, number, QueueFilter.decode(state))

    async def _page(self, guild_id: int, number: int, wanted: QueueFilter) -> Page:
        flags, conditions = self.bot.store.flags, wanted.conditions()
        total = await flags.count(str(guild_id), **conditions)
        number, count = clamp(number, total, PAGE_SIZE)
        shown = await flags.list(
            str(guild_id),
            **conditions,
            order=wanted.order,
            limit=PAGE_SIZE,
            offset=number * PAGE_SIZE,
        )
        embed = list_embed(
            wanted.title(total),
            shown,
            page_line(number, count) if count > 1 else "",
            with_card=True,
        )
        return Page(embed, number, count, (FlagPicker(shown),) if shown else ())

    async def _open_next(self, interaction: Interaction, person: str) -> None:
        member = member_of(interaction)
        flag = await self.bot.actions.take_next(member, person=person or None)
        if flag is None:
            mine = await self.bot.store.flags.count(
                str(interaction.guild_id), claimed_by_id=str(member.id)
            )
            line = (
                _("Nothing more is open. You have taken {count}: /queue show:mine.")
                if mine
                else _("Nothing more is open.")
            ).format(count=mine)
            await interaction.followup.send(line, ephemeral=True)
            return
        await send_card(interaction, flag)
