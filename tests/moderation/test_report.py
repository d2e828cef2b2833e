"""A week's figures: counted right, in a place's own time, and fast."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from cryptography.fernet import Fernet

from bot.comment import Action, Level, PersonAssessment
from bot.drawing import alt_text
from bot.errors import UserError
from bot.moderation.report import Days, report, week, zone_of
from bot.moderation.report_picture import picture_of
from bot.store import Store, open_store
from tests.store.conftest import Clock
from tests.store.samples import assessment, comment

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 3, 30, 12, tzinfo=UTC)


@pytest.fixture
def clock() -> Clock:
    made = Clock()
    made.moment = NOW
    return made


@pytest.fixture
async def store(tmp_path: Path, clock: Clock) -> AsyncIterator[Store]:
    url = f"sqlite+aiosqlite:///{tmp_path}/fanguard.db"
    async with open_store(url, key=Fernet.generate_key(), now=clock) as opened:
        yield opened


async def add(
    store: Store,
    number: int,
    posted: datetime,
    *,
    level: Level = Level.HOSTILE,
    person: str | None = "Mara Vey",
    target: str | None = "Mara Vey",
    guild_id: str = "10",
    member: bool = False,
) -> int:
    people = () if person is None else (PersonAssessment(person, 0.9, level, flagged=True),)
    made = assessment(level=level, target=target, member_flagged=member)
    what = replace(comment(number, guild_id=guild_id), created_at=posted)
    result = await store.flags.add(what, replace(made, people=people), source="test")
    return result.flag.id


async def test_figures_are_counted_and_other_guilds_are_left_out(
    store: Store, clock: Clock
) -> None:
    first = await add(store, 1, NOW)
    second = await add(store, 2, NOW, level=Level.ABUSIVE, person="Bo Finch")
    third = await add(store, 3, NOW, person=None, target="that singer")
    await add(store, 4, NOW, level=Level.NONE, person=None, target=None, member=True)
    await add(store, 5, NOW - timedelta(days=7))
    await add(store, 6, NOW, guild_id="11", person="Someone Else")
    for minutes, flag_id, action in (
        (1, first, Action.REMOVE),
        (9, second, Action.DISMISS),
        (50, third, Action.DISMISS),
    ):
        clock.moment = NOW + timedelta(minutes=minutes)
        await store.flags.decide("10", flag_id, action, "7", "Mo")
    found = await report(store, "10", week(NOW), NOW + timedelta(hours=2))
    assert found.total == 4
    assert found.levels[Level.HOSTILE] == (0, 0, 0, 0, 0, 0, 3)
    assert found.levels[Level.ABUSIVE] == (0, 0, 0, 0, 0, 0, 1)
    assert found.levels[Level.NONE] == (0,) * 7
    assert set(found.figures.people) == {("Mara Vey", 1), ("Bo Finch", 1), ("that singer", 1)}
    assert (found.figures.others, found.figures.members) == (0, 1)
    assert found.figures.decisions == {"remove": 1, "dismiss": 2}
    assert found.figures.times == (9 * 60, 50 * 60)
    assert found.share_dismissed == pytest.approx(2 / 3)
    assert found.figures.waiting == (0, 2, 0, 0)
    told = alt_text(picture_of(found, "Fan club"))
    assert "67% of 3 decided; 9 min half within; 50 min nine in ten within" in told
    assert "Someone Else" not in told
    assert (await report(store, "10", week(NOW, back=1), NOW)).total == 1
    assert (await report(store, "12", week(NOW), NOW)).empty


async def test_people_beyond_the_first_ten_are_others(store: Store) -> None:
    for number in range(13):
        await add(store, number + 1, NOW, person=f"Person {number}", target=None)
    await add(store, 20, NOW, person="Person 12", target=None)
    figures = (await report(store, "10", week(NOW), NOW)).figures
    assert figures.people[0] == ("Person 12", 2)
    assert (len(figures.people), figures.others) == (10, 3)


@pytest.mark.parametrize(
    ("posted", "zone", "day", "hour"),
    [
        (datetime(2026, 3, 29, 0, 30, tzinfo=UTC), "Europe/Berlin", 29, 1),
        (datetime(2026, 3, 29, 1, 30, tzinfo=UTC), "Europe/Berlin", 29, 3),
        (datetime(2026, 3, 28, 23, 30, tzinfo=UTC), "Europe/Berlin", 29, 0),
        (datetime(2026, 3, 29, 22, 0, tzinfo=UTC), "Europe/Berlin", 30, 0),
        (datetime(2026, 3, 28, 18, 30, tzinfo=UTC), "Asia/Kolkata", 29, 0),
        (datetime(2026, 3, 28, 18, 14, tzinfo=UTC), "Asia/Kathmandu", 28, 23),
        (datetime(2026, 3, 28, 18, 15, tzinfo=UTC), "Asia/Kathmandu", 29, 0),
    ],
)
async def test_days_and_hours_are_those_of_the_place(
    store: Store, posted: datetime, zone: str, day: int, hour: int
) -> None:
    await add(store, 1, posted)
    found = await report(store, "10", week(NOW, zone=zone_of(zone)), NOW)
    where = found.levels[Level.HOSTILE].index(1)
    assert found.days.each()[where].day == day
    assert found.hours.index(1) == hour
    assert found.weekdays.index(1) == found.days.each()[where].weekday()


def test_a_day_with_a_change_of_clocks_has_its_real_length() -> None:
    spring = Days(date(2026, 3, 29), date(2026, 3, 29), BERLIN)
    autumn = Days(date(2026, 10, 25), date(2026, 10, 25), BERLIN)
    assert spring.until - spring.since == timedelta(hours=23)
    assert autumn.until - autumn.since == timedelta(hours=25)


@pytest.mark.parametrize("name", ["Mars/Olympus", "../etc/passwd", "/etc/passwd", "a\0b", "Europe"])
def test_what_is_no_time_zone_is_refused(name: str) -> None:
    with pytest.raises(UserError, match="do not know that time zone"):
        zone_of(name)


async def test_a_status_of_any_name_is_counted(store: Store) -> None:
    flag_id = await add(store, 1, NOW)
    await add(store, 2, NOW)
    with sqlite3.connect(str(store.place)) as other:
        other.execute("UPDATE flags SET status = 'overturned' WHERE id = ?", (flag_id,))
    other.close()
    found = await report(store, "10", week(NOW), NOW)
    assert found.figures.statuses == {"overturned": 1, "open": 1}
    assert "1 overturned" in alt_text(picture_of(found, "Fan club"))


async def test_a_hundred_thousand_flags_are_counted_quickly(store: Store) -> None:
    await add(store, 1, NOW)
    with sqlite3.connect(str(store.place)) as other:
        names = [row[1] for row in other.execute("PRAGMA table_info(flags)") if row[1] != "id"]
        kept = ", ".join(f'"{name}"' for name in names if name not in ("message_id", "created_at"))
        other.execute(
            f"WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) "
            f"INSERT INTO flags (message_id, created_at, {kept}) "
            f"SELECT 'm' || i, datetime('2026-03-30 11:00:00', '-' || (i % 500000) || ' minutes')"
            f" || '.000000', {kept} FROM flags, n WHERE flags.id = 1"
        )
    other.close()
    begun = time.process_time()
    found = await report(store, "10", week(NOW), NOW)
    assert time.process_time() - begun < 1.0
    assert 9000 < found.total < 10100
    assert sum(found.figures.waiting) == 100_000
