"""/flags: the log of all flags, and one flag with its story."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, Literal, Self

import discord
from discord import app_commands
from discord.ext import commands

from bot.comment import Status
from bot.discord_app.buttons import send_card
from bot.discord_app.cards import list_embed
from bot.discord_app.commands.access import MODERATORS, defer, moderators_only, roster_names
from bot.discord_app.items import member_of
from bot.discord_app.pages import Page, clamp, send_page
from bot.discord_app.quoting import short
from bot.errors import UserError
from bot.moderation import parse_day

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

KIND = "log"
PAGE_SIZE = 10
_PERSON_LENGTH = 22
_FIRST, _LAST = date(2000, 1, 1), date(2099, 12, 31)

Interaction = discord.Interaction["FanguardBot"]
StatusName = Literal["open", "claimed", "decided"]


@dataclass(frozen=True, slots=True)
class LogFilter:
    """Which flags to show. `until` is a day that is still shown, in UTC."""

    status: Status | None = None
    member: str | None = None
    since: date | None = None
    until: date | None = None
    person: str | None = None

    def encode(self) -> str:
        """Write the filter into at most 65 characters; a longer name is cut."""
        days = (f"{day:%y%m%d}" if day else "" for day in (self.since, self.until))
        parts = (self.status or "", self.member or "", *days)
        return ",".join((*parts, (self.person or "")[:_PERSON_LENGTH]))

    @classmethod
    def decode(cls, text: str) -> Self:
        """Read a filter back."""
        status, member, since, until, person = text.split(",", maxsplit=4)
        return cls(
            status=Status(status) if status else None,
            member=member or None,
            since=_short_day(since),
            until=_short_day(until),
            person=person or None,
        )

    def conditions(self) -> dict[str, Any]:
        """The filter as keyword arguments of the store."""
        after = None if self.until is None else self.until + timedelta(days=1)
        return {
            "status": self.status,
            "author_id": self.member,
            "person": self.person,
            "since": _midnight(self.since),
            "until": _midnight(after),
        }

    def describe(self) -> str:
        """The filter in words."""
        parts = (
            self.status,
            f"about {short(self.person, 60)}" if self.person else "",
            f"by {self.member}" if self.member else "",
            f"since {self.since}" if self.since else "",
            f"until {self.until}" if self.until else "",
        )
        return ", ".join(part for part in parts if part)


class Day(app_commands.Transformer):
    """A day as moderators write it: 2025-03-01, today, yesterday, 7d, 2 weeks ago."""

    async def transform(self, interaction: discord.Interaction[Any], value: str, /) -> date:
        """Read a day.

        Raises:
            UserError: it is none, with the forms there are; or not of this century.
        """
        day = parse_day(value, interaction.created_at.date())
        if not _FIRST <= day <= _LAST:
            raise UserError(f"The log has days from {_FIRST} to {_LAST} only. Choose one of them.")
        return day

    async def autocomplete(
        self, interaction: discord.Interaction[Any], value: float | str, /
    ) -> list[app_commands.Choice[int | float | str]]:
        """Offer the usual days, from memory."""
        today = interaction.created_at.date()
        usual = {"today": 0, "yesterday": 1, "7 days ago": 7, "30 days ago": 30, "90 days ago": 90}
        return [
            app_commands.Choice(name=f"{words} ({today - timedelta(days)})", value=f"{days}d")
            for words, days in usual.items()
            if str(value).casefold().strip() in f"{words} {today - timedelta(days)}"
        ]


@app_commands.default_permissions(MODERATORS)
@app_commands.guild_only()
class Flags(commands.GroupCog, name="flags", description="The log of flagged messages"):
    """Shows flags whatever their status."""

    def __init__(self, bot: FanguardBot) -> None:
        """Serve this bot."""
        self.bot = bot
        bot.pages[KIND] = self.page

    @app_commands.command(name="log", description="All flags, the newest first")
    @app_commands.describe(
        status="How a flag stands",
        person="Whom the messages were aimed at",
        member="Who wrote them",
        since="From this day on, such as 2025-03-01, yesterday or 7d (UTC)",
        until="Up to this day (UTC)",
    )
    @app_commands.autocomplete(person=roster_names)
    @moderators_only
    async def log(
        self,
        interaction: Interaction,
        status: StatusName | None = None,
        person: app_commands.Range[str, 1, 100] | None = None,
        member: discord.User | None = None,
        since: app_commands.Transform[date, Day] | None = None,
        until: app_commands.Transform[date, Day] | None = None,
    ) -> None:
        """Show the first page of the flags that match."""
        await defer(interaction)
        wanted = LogFilter(
            status=Status(status) if status else None,
            member=str(member.id) if member else None,
            since=since,
            until=until,
            person=person.strip() if person else None,
        )
        page = await self._page(interaction.guild_id or 0, 0, wanted)
        await send_page(interaction, page, KIND, wanted.encode())

    @app_commands.command(name="show", description="One flag with its story")
    @app_commands.describe(flag="The number of the flag")
    @moderators_only
    async def show(self, interaction: Interaction, flag: app_commands.Range[int, 1]) -> None:
        """Show a flag's card and what happened to it."""
        await defer(interaction)
        found = await self.bot.actions.look(member_of(interaction), flag)
        story = await self.bot.store.flags.story(str(interaction.guild_id), flag)
        await send_card(interaction, found, story)

    async def page(self, guild_id: int, number: int, state: str) -> Page:
        """Render a page of the log; `state` is a filter as `LogFilter.encode` writes it."""
        wanted = LogFilter.decode(state)
        if wanted.person and len(wanted.person) == _PERSON_LENGTH:
            whole = self.bot.rosters.starting_with(guild_id, wanted.person)
            wanted = LogFilter(
                wanted.status, wanted.member, wanted.since, wanted.until, whole or wanted.person
            )
        return await self._page(guild_id, number, wanted)

    async def _page(self, guild_id: int, number: int, wanted: LogFilter) -> Page:
        flags, conditions = self.bot.store.flags, wanted.conditions()
        total = await flags.count(str(guild_id), **conditions)
        number, count = clamp(number, total, PAGE_SIZE)
        found = await flags.list(
            str(guild_id), **conditions, limit=PAGE_SIZE, offset=number * PAGE_SIZE
        )
        described = wanted.describe()
        title = f"{total} flag{'' if total == 1 else 's'}" + (f": {described}" if described else "")
        note = f"Page {number + 1} of {count} · /flags show opens one"
        return Page(list_embed(short(title, 250), found, note), number, count)


def _midnight(day: date | None) -> datetime | None:
    return None if day is None else datetime.combine(day, time(), UTC)


def _short_day(text: str) -> date | None:
    return date.fromisoformat(f"20{text}") if text else None
