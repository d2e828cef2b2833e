"""Which flags a list shows: the options of `/flags log`, `search` and `export`."""

from __future__ import annotations

import string
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Self

import discord
from discord import app_commands

from bot.comment import Level, Status
from bot.discord_app.cards import LEVELS
from bot.discord_app.quoting import short
from bot.errors import UserError
from bot.moderation import parse_day
from bot.words import N_, _, ngettext

PERSON_LENGTH = 25
_FIRST, _LAST = date(2000, 1, 1), date(2099, 12, 31)
_STATUSES = tuple(Status)
_STATUS_WORDS = {
    Status.OPEN: N_("open"),
    Status.CLAIMED: N_("claimed"),
    Status.DECIDED: N_("decided"),
    Status.APPEALED: N_("appealed"),
    Status.UPHELD: N_("upheld"),
    Status.OVERTURNED: N_("overturned"),
}
_DIGITS = string.digits + string.ascii_lowercase

STATUS_CHOICES: list[app_commands.Choice[str | int | float]] = [
    app_commands.Choice(name=each.replace("_", " "), value=str(each)) for each in Status
]
LEVEL_CHOICES: list[app_commands.Choice[str | int | float]] = [
    app_commands.Choice(name=LEVELS[each], value=int(each)) for each in Level
]


@dataclass(frozen=True, slots=True)
class LogFilter:
    """Which flags to show. `until` is a day that is still shown, in UTC.

    `member` wrote the message, `moderator` has taken the flag or decided on it; both are ids.
    """

    status: Status | None = None
    member: str | None = None
    since: date | None = None
    until: date | None = None
    person: str | None = None
    level: Level | None = None
    moderator: str | None = None

    def encode(self) -> str:
        """Write the filter into at most 65 characters; a longer name is cut."""
        parts = (
            "" if self.status is None else str(_STATUSES.index(self.status)),
            "" if self.level is None else str(int(self.level)),
            *(_packed(int(each)) if each else "" for each in (self.member, self.moderator)),
            *(_packed((day - _FIRST).days + 1) if day else "" for day in (self.since, self.until)),
            (self.person or "")[:PERSON_LENGTH],
        )
        return ",".join(parts)

    @classmethod
    def decode(cls, text: str) -> Self:
        """Read a filter back."""
        status, level, member, moderator, since, until, person = text.split(",", maxsplit=6)
        return cls(
            status=_STATUSES[int(status)] if status else None,
            level=Level(int(level)) if level else None,
            member=str(_unpacked(member)) if member else None,
            moderator=str(_unpacked(moderator)) if moderator else None,
            since=_day(since),
            until=_day(until),
            person=person or None,
        )

    def conditions(self) -> dict[str, Any]:
        """The filter as keyword arguments of the store."""
        after = None if self.until is None else self.until + timedelta(days=1)
        return {
            "status": self.status,
            "author_id": self.member,
            "person": self.person,
            "level": self.level,
            "moderator_id": self.moderator,
            "since": _midnight(self.since),
            "until": _midnight(after),
        }

    def describe(self) -> str:
        """The filter in words."""
        parts = (
            "" if self.status is None else _(_STATUS_WORDS[self.status]),
            "" if self.level is None else _("level {level}").format(level=_(LEVELS[self.level])),
            _("about {person}").format(person=short(self.person, 60)) if self.person else "",
            _("by {who}").format(who=self.member) if self.member else "",
            _("handled by {who}").format(who=self.moderator) if self.moderator else "",
            _("since {day}").format(day=self.since) if self.since else "",
            _("until {day}").format(day=self.until) if self.until else "",
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
            raise UserError(
                _("The log has days from {first} to {last} only. Choose one of them.").format(
                    first=_FIRST, last=_LAST
                )
            )
        return day

    async def autocomplete(
        self, interaction: discord.Interaction[Any], value: float | str, /
    ) -> list[app_commands.Choice[int | float | str]]:
        """Offer the usual days, from memory."""
        today = interaction.created_at.date()
        usual = {_("today"): 0, _("yesterday"): 1}
        usual |= {
            ngettext("{count} day ago", "{count} days ago", count).format(count=count): count
            for count in (7, 30, 90)
        }
        return [
            app_commands.Choice(name=f"{words} ({today - timedelta(days)})", value=f"{days}d")
            for words, days in usual.items()
            if str(value).casefold().strip() in f"{words} {today - timedelta(days)}"
        ]


def _packed(number: int) -> str:
    """A number in few characters: 13 for a snowflake of 20 digits, 3 for a day."""
    text = ""
    while number:
        number, digit = divmod(number, len(_DIGITS))
        text = _DIGITS[digit] + text
    return text


def _unpacked(text: str) -> int:
    return int(text, len(_DIGITS))


def _midnight(day: date | None) -> datetime | None:
    return None if day is None else datetime.combine(day, time(), UTC)


def _day(text: str) -> date | None:
    return _FIRST + timedelta(days=_unpacked(text) - 1) if text else None
