"""Appeals: one for each decision, answered once, by somebody else."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.comment import Action, Status
from bot.errors import UserError
from bot.moderation import Moderator, NotAllowedError, reopen
from bot.moderation.appeals import answer, appeal
from bot.moderation.privacy import stored_of
from bot.store import EventKind, Store, check, migrate, open_store
from bot.store.engine import parse_url
from tests.store.conftest import Clock
from tests.store.samples import assessment, comment

FIRST, SECOND = Moderator("1", "Ann"), Moderator("2", "Bo")
THIRD = Moderator("3", "Cy", frozenset({"manage_messages"}))
WORDS = "It was a joke among friends"


@pytest.fixture
async def flag_id(store: Store) -> int:
    flag = (await store.flags.add(comment(), assessment(), source="gateway")).flag
    assert flag is not None
    await store.flags.decide("10", flag.id, Action.BAN, FIRST.id, FIRST.name)
    return flag.id


def author() -> str:
    return comment().author_id


async def test_a_decision_is_appealed_once_and_only_by_whom_it_is_about(
    store: Store, flag_id: int
) -> None:
    for guild, flag, member in (("10", flag_id, "4"), ("11", flag_id, author()), ("10", 9, "1")):
        with pytest.raises(UserError, match="no decision here"):
            await appeal(store, guild, flag, member, WORDS)
    with pytest.raises(UserError, match="empty"):
        await appeal(store, "10", flag_id, author(), "  ")
    assert (await appeal(store, "10", flag_id, author(), WORDS)).text == WORDS
    with pytest.raises(UserError, match="already"):
        await appeal(store, "10", flag_id, author(), WORDS)
    flag = await store.flags.get("10", flag_id)
    assert flag is not None
    assert flag.status is Status.APPEALED
    assert flag.decision is not None
    assert [each.flag_id for each in await store.appeals.waiting("10")] == [flag_id]


async def test_what_harms_nobody_cannot_be_appealed(store: Store) -> None:
    flag = (await store.flags.add(comment(), assessment(), source="gateway")).flag
    assert flag is not None
    with pytest.raises(UserError, match="no decision here"):
        await appeal(store, "10", flag.id, author(), WORDS)
    await store.flags.decide("10", flag.id, Action.DISMISS, FIRST.id, FIRST.name)
    with pytest.raises(UserError, match="no decision here"):
        await appeal(store, "10", flag.id, author(), WORDS)


async def test_of_two_answers_at_once_one_stands_and_the_other_is_told_whose(
    store: Store, flag_id: int
) -> None:
    await appeal(store, "10", flag_id, author(), WORDS)
    with pytest.raises(NotAllowedError, match="Somebody else"):
        await answer(store, "10", flag_id, Status.UPHELD, FIRST)
    with pytest.raises(NotAllowedError, match="your own"):
        await answer(store, "10", flag_id, Status.OVERTURNED, Moderator(author(), "Me"))
    with pytest.raises(NotAllowedError, match="manage messages"):
        await answer(store, "10", flag_id, Status.UPHELD, Moderator("8", "X", frozenset()))
    results = await asyncio.gather(
        answer(store, "10", flag_id, Status.OVERTURNED, SECOND, reason="a joke"),
        answer(store, "10", flag_id, Status.UPHELD, THIRD),
        return_exceptions=True,
    )
    (won,) = [each for each in results if not isinstance(each, BaseException)]
    (lost,) = [each for each in results if isinstance(each, BaseException)]
    assert isinstance(lost, UserError)
    assert f"{won.answered_by_name} was first" in str(lost)
    flag = await store.flags.get("10", flag_id)
    assert flag is not None
    assert flag.status is won.outcome
    kinds = [event.kind for event in await store.flags.story("10", flag_id)]
    assert kinds[-2:] == [EventKind.APPEALED, EventKind(str(won.outcome))]
    assert await store.appeals.waiting("10") == []


async def test_a_flag_opened_again_can_be_appealed_anew(
    store: Store, flag_id: int, clock: Clock
) -> None:
    await appeal(store, "10", flag_id, author(), WORDS)
    with pytest.raises(UserError, match="answer the appeal"):
        await reopen(store, "10", flag_id, SECOND)
    await answer(store, "10", flag_id, Status.OVERTURNED, SECOND)
    await reopen(store, "10", flag_id, SECOND)
    clock.pass_time(minutes=1)
    await store.flags.decide("10", flag_id, Action.WARN, SECOND.id, SECOND.name)
    assert (await appeal(store, "10", flag_id, author(), "again")).outcome is None


async def test_an_appealed_flag_is_an_open_case_for_erasure_and_privacy(
    store: Store, flag_id: int
) -> None:
    await appeal(store, "10", flag_id, author(), WORDS)
    asked = await store.erasure.erase("10", author(), "2", "Bo")
    assert (asked.closed, asked.open) == (0, 1)
    stored = await stored_of(store, "10", author())
    assert WORDS in stored.as_json().decode()
    await answer(store, "10", flag_id, Status.UPHELD, SECOND, reason="it was not")
    await store.erasure.finish("10")
    (left,) = await store.appeals.by("10", author())
    assert (left.text, left.reason, left.outcome) == ("", "", Status.UPHELD)


@pytest.mark.parametrize("status", [Status.APPEALED, Status.DECIDED])
async def test_the_log_finds_flags_by_where_their_appeal_stands(
    store: Store, flag_id: int, status: Status
) -> None:
    if status is Status.APPEALED:
        await appeal(store, "10", flag_id, author(), WORDS)
    assert [each.id for each in await store.flags.list("10", status=status)] == [flag_id]
    assert (await store.flags.claim("10", flag_id, "2", "Bo")).won is False


async def test_a_database_from_before_gains_appeals(url: str, key: str, path: Path) -> None:
    await asyncio.to_thread(path.touch)
    await migrate.upgrade(parse_url(url), "0012")
    async with open_store(url, key=key) as store:
        flag = (await store.flags.add(comment(), assessment(), source="gateway")).flag
        assert flag is not None
        await store.flags.decide("10", flag.id, Action.WARN, "1", "Ann")
        assert (await appeal(store, "10", flag.id, author(), WORDS)).flag_id == flag.id
    assert (await check(url)).problems == ()
