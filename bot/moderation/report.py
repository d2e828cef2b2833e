"""The figures of a span of days in a place's own time."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final
from zoneinfo import ZoneInfo

from bot.comment import Action, Level
from bot.errors import UserError
from bot.store import FlagFigures, Store
from bot.words import _

AGES: Final = (timedelta(hours=1), timedelta(days=1), timedelta(days=3))
"""The borders of the ages of what waits."""

APPEALED, UPHELD, OVERTURNED = "appealed", "upheld", "overturned"
_DAYS: Final = 7


@dataclass(frozen=True, slots=True)
class Days:
    """Whole days in a time zone, from the first to the last."""

    first: date
    last: date
    zone: tzinfo = UTC

    @property
    def since(self) -> datetime:
        """When they begin."""
        return datetime.combine(self.first, time(), self.zone).astimezone(UTC)

    @property
    def until(self) -> datetime:
        """When they are over."""
        return datetime.combine(self.last + timedelta(1), time(), self.zone).astimezone(UTC)

    def each(self) -> tuple[date, ...]:
        """All of them."""
        return tuple(
            self.first + timedelta(each) for each in range((self.last - self.first).days + 1)
        )


@dataclass(frozen=True, slots=True)
class Report:
    """Flags by day and level, by hour (0 to 23) and weekday (Monday first), and the rest.

    `levels` has for each level the number of flags on each day; `figures` is what the
    database counted.
    """

    days: Days
    levels: dict[Level, tuple[int, ...]]
    hours: tuple[int, ...]
    weekdays: tuple[int, ...]
    figures: FlagFigures

    @property
    def total(self) -> int:
        """How many flags there are."""
        return sum(self.figures.slots.values())

    @property
    def decided(self) -> int:
        """How many of them are decided."""
        return self.figures.decisions.total()

    @property
    def share_dismissed(self) -> float | None:
        """The share of the decided ones that were dismissed, None if none is decided."""
        if not self.decided:
            return None
        return self.figures.decisions[Action.DISMISS.value] / self.decided

    @property
    def empty(self) -> bool:
        """Whether there is nothing to tell."""
        return not self.total


def week(now: datetime, *, back: int = 0, zone: tzinfo = UTC) -> Days:
    """Return seven days in `zone`: those up to today, or as many weeks earlier."""
    last = now.astimezone(zone).date() - timedelta(days=_DAYS * back)
    return Days(last - timedelta(days=_DAYS - 1), last, zone)


def zone_of(name: str | None) -> tzinfo:
    """Return the time zone of a name such as Europe/Berlin; UTC for none.

    Raises:
        UserError: there is none of that name.
    """
    wanted = (name or "UTC").strip()
    if wanted.upper() == "UTC":
        return UTC
    try:
        return ZoneInfo(wanted)
    except (ValueError, OSError, LookupError):
        raise UserError(
            _("I do not know that time zone. Choose one from the list, such as Europe/Berlin.")
        ) from None


async def report(store: Store, guild_id: str, days: Days, now: datetime) -> Report:
    """Count a guild's flags of these days."""
    figures = await store.figures.of(guild_id, days.since, days.until, now=now, ages=AGES)
    by_day: dict[Level, Counter[date]] = {level: Counter() for level in Level}
    hours, weekdays = Counter[int](), Counter[int]()
    for (begins, level), number in figures.slots.items():
        local = begins.astimezone(days.zone)
        by_day[Level(level)][local.date()] += number
        hours[local.hour] += number
        weekdays[local.weekday()] += number
    return Report(
        days=days,
        levels={
            level: tuple(counted[day] for day in days.each()) for level, counted in by_day.items()
        },
        hours=tuple(hours[hour] for hour in range(24)),
        weekdays=tuple(weekdays[day] for day in range(7)),
        figures=figures,
    )
