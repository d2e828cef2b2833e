from __future__ import annotations

import asyncio

import pytest

from bot.comment import Action, Status
from bot.errors import UserError
from bot.moderation import (
    REQUIRED_PERMISSION,
    Moderator,
    NotAllowedError,
    Queue,
    decide,
    explain_loss,
    parse_action,
)
from bot.store import Store, UnknownFlagError
from tests.store.samples import assessment, comment

ANN = Moderator("1", "Ann", frozenset({"manage_messages", "moderate_members"}))
BO = Moderator("2", "Bo", frozenset({"administrator"}))
VISITOR = Moderator("3", "Visitor", frozenset({"send_messages"}))
OPERATOR = Moderator("cli:op", "Op")


async def add(store: Store, number: int = 1, score: float = 0.9) -> int:
    flag = (await store.flags.add(comment(number), assessment(score), source="gateway")).flag
    assert flag is not None
    return flag.id


@pytest.mark.parametrize(
    ("word", "action"),
    [
        ("remove", Action.REMOVE),
        ("  BAN ", Action.BAN),
        ("No action", Action.NO_ACTION),
        ("no-action", Action.NO_ACTION),
        ("no_action", Action.NO_ACTION),
    ],
)
def test_words_for_actions(word: str, action: Action) -> None:
    assert parse_action(word) is action


@pytest.mark.parametrize("word", ["", "remov", "delete"])
def test_unknown_words_list_the_known_ones(word: str) -> None:
    with pytest.raises(UserError, match="There are: remove, dismiss, timeout") as caught:
        parse_action(word)
    assert ("Did you mean “remove”?" in str(caught.value)) == (word == "remov")


@pytest.mark.parametrize("action", list(Action))
async def test_who_decides_needs_the_permission_for_that_action(
    store: Store, action: Action
) -> None:
    flag_id = await add(store)
    with pytest.raises(NotAllowedError):
        await decide(store, "10", flag_id, action, VISITOR)
    needed = REQUIRED_PERMISSION[action]
    others = set(REQUIRED_PERMISSION.values()) - {needed}
    with pytest.raises(NotAllowedError):
        await decide(store, "10", flag_id, action, Moderator("4", "Al", frozenset(others)))
    flag = await store.flags.get("10", flag_id)
    assert flag is not None
    assert flag.status is Status.OPEN
    holder = Moderator("5", "Cy", frozenset({needed}))
    result = await decide(store, "10", flag_id, action, holder, reason=" why ")
    assert result.won
    assert result.flag.decision is not None
    assert result.flag.decision.reason == "why"


@pytest.mark.parametrize("moderator", [BO, OPERATOR])
async def test_administrators_and_the_operator_may_all(store: Store, moderator: Moderator) -> None:
    assert (await decide(store, "10", await add(store), Action.BAN, moderator)).won


async def test_the_loser_is_told_who_won(store: Store) -> None:
    flag_id = await add(store)
    won = await decide(store, "10", flag_id, Action.NO_ACTION, ANN)
    lost = await decide(store, "10", flag_id, Action.BAN, BO)
    assert not lost.won
    when = won.flag.decision.decided_at if won.flag.decision else None
    assert when is not None
    expected = f"already decided by Ann: no action, {when:%Y-%m-%d %H:%M} UTC"
    assert expected in explain_loss(lost.flag)

    other = await add(store, 2)
    await Queue(store).claim("10", other, ANN)
    taken = await decide(store, "10", other, Action.BAN, BO)
    assert "handled by Ann" in explain_loss(taken.flag)


async def test_the_next_flag_is_the_strongest_and_goes_to_one(store: Store) -> None:
    for number, score in ((1, 0.6), (2, 0.9), (3, 0.7)):
        await add(store, number, score)
    queue = Queue(store)
    assert [flag.comment.id for flag in await queue.waiting("10")] == ["2", "3", "1"]
    everyone = [Moderator(str(number), f"Mod {number}") for number in range(4)]
    taken = await asyncio.gather(*(queue.next("10", one) for one in everyone))
    got = [flag.comment.id for flag in taken if flag is not None]
    assert sorted(got) == ["1", "2", "3"]
    assert taken.count(None) == 1
    assert await queue.next("11", ANN) is None
    with pytest.raises(NotAllowedError):
        await queue.next("10", VISITOR)


async def test_a_manager_frees_anothers_claim(store: Store) -> None:
    flag_id = await add(store)
    queue = Queue(store)
    await queue.claim("10", flag_id, BO)
    assert not (await queue.release("10", flag_id, ANN)).won
    manager = Moderator("9", "Di", frozenset({"manage_messages", "manage_guild"}))
    assert (await queue.release("10", flag_id, manager)).won
    with pytest.raises(NotAllowedError):
        await queue.claim("10", flag_id, VISITOR)
    with pytest.raises(UnknownFlagError):
        await queue.claim("11", flag_id, ANN)
