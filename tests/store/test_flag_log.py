from __future__ import annotations

from datetime import timedelta

import pytest

from bot.comment import Action, Flag, Level, Status
from bot.store import Store
from tests.store.samples import POSTED, assessment, comment


def ids(flags: list[Flag] | tuple[Flag, ...]) -> list[str]:
    return [flag.comment.id for flag in flags]


@pytest.fixture
async def filled(store: Store) -> Store:
    add = store.flags.add
    await add(comment(1), assessment(0.7), source="scan")
    await add(comment(2, author_id="501", author_name="Älva"), assessment(0.9), source="scan")
    await add(comment(3), assessment(0.8, target="that Whistledown woman"), source="scan")
    await add(comment(4), assessment(0.6, Level.ABUSIVE), source="scan")
    member = assessment(0.1, Level.NONE, target=None, member_score=0.97, member_flagged=True)
    await add(comment(5), member, source="scan")
    await add(comment(6, guild_id="11"), assessment(), source="scan")
    return store


async def test_orders(filled: Store) -> None:
    assert ids(await filled.flags.list("10")) == ["5", "4", "3", "2", "1"]
    assert ids(await filled.flags.list("10", order="oldest")) == ["1", "2", "3", "4", "5"]
    strongest = await filled.flags.list("10", order="strongest")
    assert ids(strongest) == ["5", "2", "4", "3", "1"]


async def test_an_unsure_grave_level_stands_below_a_sure_hostile_one(store: Store) -> None:
    await store.flags.add(comment(1), assessment(0.22, Level.ABUSIVE), source="scan")
    await store.flags.add(comment(2), assessment(0.98), source="scan")
    await store.flags.add(comment(3), assessment(0.66, Level.ABUSIVE), source="scan")
    await store.flags.add(comment(4), assessment(0.98), source="scan")
    strongest = await store.flags.list("10", order="strongest")
    assert ids(strongest) == ["3", "2", "4", "1"]


async def test_pages(filled: Store) -> None:
    page = await filled.flags.log("10", limit=2, offset=2)
    assert ids(page.flags) == ["3", "2"]
    assert page.total == 5
    assert ids(await filled.flags.list("10", limit=None)) == ["5", "4", "3", "2", "1"]


async def test_every_guild_for_the_operator(filled: Store) -> None:
    assert await filled.flags.count(None) == 6
    assert await filled.flags.guild_ids() == ["10", "11"]


async def test_filter_by_person(filled: Store) -> None:
    assert await filled.flags.count("10", person="mara  VEY") == 4
    assert ids(await filled.flags.list("10", person="That whistledown Woman")) == ["3"]
    assert await filled.flags.count("10", person="Jonas Orr") == 0
    assert await filled.flags.count("10", person="mara") == 4
    assert await filled.flags.count("10", person="VEY") == 4
    assert ids(await filled.flags.list("10", person="whistle")) == ["3"]
    assert (await filled.flags.log("10", person="orr")).total == 0
    assert await filled.flags.count("10", person="maravey") == 0
    assert await filled.flags.count("12", person="mara") == 0
    assert await filled.flags.count(None, person="mara") == 5
    assert await filled.flags.count("10", person="50%") == 0


async def test_filter_by_member(filled: Store) -> None:
    assert ids(await filled.flags.list("10", author_id="501")) == ["2"]
    assert ids(await filled.flags.list("10", author="501")) == ["2"]
    assert ids(await filled.flags.list("10", author="älva")) == ["2"]
    assert await filled.flags.count("10", author_id="älva") == 0


async def test_filter_by_time(filled: Store) -> None:
    since, until = POSTED + timedelta(hours=2), POSTED + timedelta(hours=4)
    assert ids(await filled.flags.list("10", since=since, until=until)) == ["3", "2"]


async def test_filter_by_status(filled: Store) -> None:
    flags = await filled.flags.list("10", order="oldest")
    await filled.flags.claim("10", flags[0].id, "1", "Ann")
    await filled.flags.decide("10", flags[1].id, Action.REMOVE, "1", "Ann")

    assert ids(await filled.flags.list("10", status=Status.CLAIMED)) == ["1"]
    assert ids(await filled.flags.list("10", status=Status.DECIDED)) == ["2"]
    waiting = (Status.OPEN, Status.CLAIMED)
    assert await filled.flags.count("10", status=waiting) == 4
    assert await filled.flags.count("10", status=()) == 0
    assert await filled.flags.count("10", status=None, person=None) == 5
