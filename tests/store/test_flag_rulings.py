from __future__ import annotations

import asyncio

import pytest

from bot.comment import Action, Status
from bot.store import EventKind, Store, UnknownFlagError, open_store
from tests.store.conftest import Clock
from tests.store.samples import assessment, comment


@pytest.fixture
async def flag_id(store: Store) -> int:
    flag = (await store.flags.add(comment(), assessment(), source="gateway")).flag
    assert flag is not None
    return flag.id


async def test_a_claim_keeps_others_away(store: Store, flag_id: int) -> None:
    won = await store.flags.claim("10", flag_id, "1", "Ann")
    lost = await store.flags.claim("10", flag_id, "2", "Bo")

    assert won.won
    assert won.flag.status is Status.CLAIMED
    assert not lost.won
    assert lost.flag.claimed_by_name == "Ann"
    decided = await store.flags.decide("10", flag_id, Action.REMOVE, "2", "Bo")
    assert not decided.won
    assert decided.flag.status is Status.CLAIMED


@pytest.mark.parametrize("unknown", [99, 2**63, -(10**30)])
async def test_an_id_that_no_flag_has_is_told_whatever_its_size(
    store: Store, flag_id: int, unknown: int
) -> None:
    assert flag_id
    assert await store.flags.get("10", unknown) is None
    for ruling in (
        store.flags.claim("10", unknown, "1", "Ann"),
        store.flags.release("10", unknown, "1"),
        store.flags.decide("10", unknown, Action.REMOVE, "1", "Ann"),
        store.flags.reopen("10", unknown, "1", "Ann"),
        store.flags.note("10", unknown, "a note"),
    ):
        with pytest.raises(UnknownFlagError, match=f"no flag {unknown}"):
            await ruling


async def test_claiming_twice_is_one_step_of_the_story(store: Store, flag_id: int) -> None:
    assert (await store.flags.claim("10", flag_id, "1", "Ann")).won
    assert (await store.flags.claim("10", flag_id, "1", "Ann")).won

    kinds = [event.kind for event in await store.flags.story("10", flag_id)]
    assert kinds == [EventKind.FLAGGED, EventKind.CLAIMED]


async def test_a_claim_lapses(store: Store, flag_id: int, clock: Clock) -> None:
    await store.flags.claim("10", flag_id, "1", "Ann")
    clock.pass_time(minutes=9)
    assert await store.flags.count("10", status=Status.OPEN) == 0
    assert await store.flags.count("10", status=Status.CLAIMED) == 1

    clock.pass_time(minutes=2)
    assert await store.flags.count("10", status=Status.OPEN) == 1
    assert await store.flags.count("10", status=Status.CLAIMED) == 0
    flag = await store.flags.get("10", flag_id)
    assert flag is not None
    assert flag.status is Status.OPEN
    assert flag.claimed_by_name is None
    assert (await store.flags.decide("10", flag_id, Action.DISMISS, "2", "Bo")).won


async def test_only_the_owner_releases_unless_forced(store: Store, flag_id: int) -> None:
    await store.flags.claim("10", flag_id, "1", "Ann")
    assert not (await store.flags.release("10", flag_id, "2", "Bo")).won
    assert (await store.flags.release("10", flag_id, "2", "Bo", force=True)).won
    assert not (await store.flags.release("10", flag_id, "1", "Ann")).won
    assert (await store.flags.claim("10", flag_id, "2", "Bo")).won


async def test_the_second_decision_learns_of_the_first(store: Store, flag_id: int) -> None:
    first = await store.flags.decide("10", flag_id, Action.TIMEOUT, "1", "Ann", reason="again")
    second = await store.flags.decide("10", flag_id, Action.DISMISS, "2", "Bo")

    assert first.won
    assert not second.won
    assert second.flag.decision is not None
    assert second.flag.decision.moderator_name == "Ann"
    assert second.flag.decision.action is Action.TIMEOUT
    assert second.flag.decision.reason == "again"
    assert not (await store.flags.claim("10", flag_id, "2", "Bo")).won


@pytest.mark.parametrize("kind", ["claim", "decide"])
async def test_of_many_connections_at_once_one_wins(
    kind: str, store: Store, url: str, key: str, clock: Clock, flag_id: int
) -> None:
    async with open_store(url, key=key, now=clock) as other:

        async def attempt(number: int) -> bool:
            flags = (store, other)[number % 2].flags
            if kind == "claim":
                return (await flags.claim("10", flag_id, str(number), f"Mod {number}")).won
            action = Action.REMOVE
            return (await flags.decide("10", flag_id, action, str(number), f"Mod {number}")).won

        outcomes = await asyncio.gather(*(attempt(number) for number in range(20)))
        winner = outcomes.index(True)

        assert outcomes.count(True) == 1
        flag = await other.flags.get("10", flag_id)
        assert flag is not None
        if kind == "claim":
            assert flag.claimed_by_name == f"Mod {winner}"
        else:
            assert flag.decision is not None
            assert flag.decision.moderator_id == str(winner)
        assert len(await store.flags.story("10", flag_id)) == 2


async def test_another_guild_can_touch_nothing(store: Store, flag_id: int) -> None:
    with pytest.raises(UnknownFlagError):
        await store.flags.claim("11", flag_id, "1", "Ann")
    with pytest.raises(UnknownFlagError):
        await store.flags.decide("11", flag_id, Action.BAN, "1", "Ann")
    with pytest.raises(UnknownFlagError):
        await store.flags.release("11", flag_id, "1", "Ann", force=True)
    with pytest.raises(UnknownFlagError):
        await store.flags.reopen("11", flag_id, "1", "Ann")
    with pytest.raises(UnknownFlagError):
        await store.flags.note("11", flag_id, "hello")
    assert await store.flags.story("11", flag_id) == []
    assert await store.flags.revisions("11", flag_id) == []
    flag = await store.flags.get("10", flag_id)
    assert flag is not None
    assert flag.status is Status.OPEN


async def test_the_whole_story_is_kept(store: Store, flag_id: int, clock: Clock) -> None:
    await store.flags.claim("10", flag_id, "1", "Ann")
    clock.pass_time(seconds=5)
    await store.flags.release("10", flag_id, "1")
    await store.flags.decide("10", flag_id, Action.REMOVE, "2", "Bo", reason="rule 3")
    await store.flags.note("10", flag_id, "the message was gone already")
    flag = await store.flags.reopen("10", flag_id, "2", "Bo", note="not permitted")
    assert flag.status is Status.OPEN
    assert flag.decision is None

    story = await store.flags.story("10", flag_id)
    assert [(event.kind, event.by_name, event.action, event.note) for event in story] == [
        (EventKind.FLAGGED, "", None, ""),
        (EventKind.CLAIMED, "Ann", None, ""),
        (EventKind.RELEASED, "Ann", None, ""),
        (EventKind.DECIDED, "Bo", Action.REMOVE, "rule 3"),
        (EventKind.NOTED, "", None, "the message was gone already"),
        (EventKind.REOPENED, "Bo", None, "not permitted"),
    ]
    assert story[2].at > story[1].at
    assert (await store.flags.decide("10", flag_id, Action.BAN, "2", "Bo")).won
