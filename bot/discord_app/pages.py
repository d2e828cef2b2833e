"""Lists in pages. What a page shows is in its buttons' custom ids, so they outlive a restart."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import discord

from bot.discord_app.items import LastingItem
from bot.words import N_, _

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

BACK, NEXT = "back", "next"
_LABELS = {BACK: N_("Previous"), NEXT: N_("Next")}


@dataclass(frozen=True, slots=True)
class Page:
    """One page: what it shows, what stands below, its number from 0, and of how many."""

    embed: discord.Embed
    number: int
    count: int
    items: tuple[discord.ui.Item[Any], ...] = ()


Renderer = Callable[[int, int, str], Awaitable[Page]]
"""Makes a page from the guild's id, the page's number, and the list's state."""


class PageButton(
    LastingItem[discord.ui.Button[discord.ui.View], Page],
    template=r"fanguard:page:(?P<to>back|next):(?P<kind>[a-z]+):(?P<number>[0-9]{1,6}):(?P<state>.*)",
):
    """Leads to another page of a list."""

    permission = "manage_messages"

    def __init__(
        self, to: str, kind: str, number: int, state: str, *, disabled: bool = False
    ) -> None:
        """Make a button to page `number` of the list `kind` in a state of at most 65 characters."""
        self.kind, self.number, self.state = kind, number, state
        super().__init__(
            discord.ui.Button(
                label=_(_LABELS[to]),
                custom_id=f"fanguard:page:{to}:{kind}:{number}:{state}",
                disabled=disabled,
            )
        )

    @classmethod
    def read(cls, match: re.Match[str]) -> Self:
        """Make the item from its custom id."""
        return cls(match["to"], match["kind"], int(match["number"]), match["state"])

    async def act(self, interaction: discord.Interaction[Any], member: discord.Member) -> Page:
        """Render the page."""
        bot: FanguardBot = interaction.client
        return await bot.pages[self.kind](member.guild.id, self.number, self.state)

    async def show(self, interaction: discord.Interaction[Any], result: Page) -> None:
        """Turn to the page."""
        view = page_view(result, self.kind, self.state)
        await interaction.edit_original_response(embed=result.embed, view=view)

    def doing(self, interaction: discord.Interaction[Any]) -> str:
        """Name the page."""
        del interaction
        return f"page {self.number} of {self.kind}"


def page_view(page: Page, kind: str, state: str) -> discord.ui.View | None:
    """What stands below a page, None if nothing does."""
    view = discord.ui.View(timeout=None)
    for item in page.items:
        view.add_item(item)
    if page.count > 1:
        back, on = page.number - 1, page.number + 1
        view.add_item(PageButton(BACK, kind, max(back, 0), state, disabled=back < 0))
        view.add_item(PageButton(NEXT, kind, on, state, disabled=on >= page.count))
    return view if view.children else None


async def send_page(
    interaction: discord.Interaction[Any], page: Page, kind: str, state: str
) -> None:
    """Show a page to the one who asked, after a deferred response."""
    view = page_view(page, kind, state)
    if view is None:
        await interaction.followup.send(embed=page.embed, ephemeral=True)
    else:
        await interaction.followup.send(embed=page.embed, view=view, ephemeral=True)


def lines_page(lines: Sequence[str], number: int, size: int, *, title: str, empty: str) -> Page:
    """The page of a list whose entries are lines, `size` to a page; `empty` if it has none."""
    number, count = clamp(number, len(lines), size)
    embed = discord.Embed(
        title=title, description="\n".join(lines[number * size :][:size]) or empty
    )
    embed.set_footer(text=page_line(number, count))
    return Page(embed, number, count)


def page_line(number: int, count: int) -> str:
    """Which page this is, its number from 0, and of how many."""
    return _("Page {number} of {count}").format(number=number + 1, count=count)


def clamp(number: int, total: int, size: int) -> tuple[int, int]:
    """The nearest page that exists, and how many there are, at least one."""
    count = max(1, -(-total // size))
    return min(max(number, 0), count - 1), count
