from __future__ import annotations

from dataclasses import replace

import pytest

from bot.comment import Action, Level, PersonAssessment, Status
from bot.store import EventKind, Intake, Store, flag_intake, records
from tests.store.samples import assessment, comment


async def test_a_flag_comes_back_as_it_went_in(store: Store) -> None:
    result = await store.flags.add(comment(), assessment(), source="gateway")

    assert result.created
    assert result.flag is not None
    assert result.flag.comment == comment()
    assert result.flag.assessment == assessment()
    assert result.flag.status is Status.OPEN
    assert await store.flags.get("10", result.flag.id) == result.flag
    assert await store.flags.get_by_message("10", "1") == result.flag


async def test_the_same_message_twice_is_one_flag(store: Store) -> None:
    first = await store.flags.add(comment(), assessment(), source="gateway")
    again = await store.flags.add(comment(), assessment(), source="scan")

    assert again.flag == first.flag
    assert not again.created
    assert not again.updated
    assert await store.flags.count("10") == 1


async def test_the_same_message_id_in_two_guilds_is_two_flags(store: Store) -> None:
    await store.flags.add(comment(), assessment(), source="gateway")
    other = await store.flags.add(comment(guild_id="11"), assessment(), source="gateway")

    assert other.created
    assert await store.flags.count("10") == 1
    assert await store.flags.count("11") == 1
    assert other.flag is not None
    assert await store.flags.get("10", other.flag.id) is None


async def test_a_worse_edit_becomes_the_face_of_the_flag(store: Store) -> None:
    await store.flags.add(comment(), assessment(), source="gateway")
    worse = assessment(0.99, Level.ABUSIVE)
    result = await store.flags.add(comment(text="far worse", edits=1), worse, source="gateway")

    assert result.updated
    assert not result.created
    assert result.flag is not None
    assert result.flag.comment.text == "far worse"
    assert result.flag.assessment == worse
    assert result.flag.revisions == 2
    wordings = await store.flags.revisions("10", result.flag.id)
    assert [wording.text for wording in wordings] == [comment().text, "far worse"]
    assert [wording.assessment.level for wording in wordings] == [Level.HOSTILE, Level.ABUSIVE]


async def test_toning_a_message_down_does_not_hide_what_was_said(store: Store) -> None:
    await store.flags.add(comment(), assessment(), source="gateway")
    result = await store.flags.add(
        comment(text="sorry", edits=1),
        assessment(0.0, Level.NONE),
        source="gateway",
        hostile=False,
    )

    assert result.updated
    assert result.flag is not None
    assert result.flag.comment == comment()
    assert result.flag.assessment == assessment()
    wordings = await store.flags.revisions("10", result.flag.id)
    assert [wording.text for wording in wordings] == [comment().text, "sorry"]


async def test_a_harmless_message_leaves_no_trace(store: Store) -> None:
    for edits in (0, 1):
        result = await store.flags.add(
            comment(edits=edits), assessment(0.1, Level.NONE), source="gateway", hostile=False
        )
        assert result.flag is None
    assert await store.flags.count("10") == 0


async def test_an_edit_that_is_worse_by_a_level_reopens_a_decided_flag(store: Store) -> None:
    flag = (await store.flags.add(comment(), assessment(), source="gateway")).flag
    assert flag is not None
    await store.flags.decide("10", flag.id, Action.DISMISS, "1", "Ann")

    mild = await store.flags.add(comment(edits=1), assessment(0.95), source="gateway")
    assert not mild.reopened
    assert mild.flag is not None
    assert mild.flag.status is Status.DECIDED

    worse = assessment(0.96, Level.ABUSIVE)
    result = await store.flags.add(comment(edits=2), worse, source="gateway")
    assert result.reopened
    assert result.flag is not None
    assert result.flag.status is Status.OPEN
    assert result.flag.decision is None
    kinds = [event.kind for event in await store.flags.story("10", flag.id)]
    assert kinds == [
        EventKind.FLAGGED,
        EventKind.DECIDED,
        EventKind.REVISED,
        EventKind.REVISED,
        EventKind.REOPENED,
    ]


async def test_many_at_once_with_repeats_and_edits(store: Store) -> None:
    items = [Intake(comment(number), assessment()) for number in range(1, 1001)]
    items.insert(500, Intake(comment(3), assessment()))
    items.insert(700, Intake(comment(4, "edited", edits=1), assessment(0.95)))
    items.append(Intake(comment(2000), assessment(0.0, Level.NONE), hostile=False))

    results = await store.flags.add_many(items, source="scan")

    assert sum(result.created for result in results) == 1000
    assert [position for position, result in enumerate(results) if result.updated] == [700]
    assert results[-1].flag is None
    assert results[500].flag is not None
    assert results[500].flag.comment.id == "3"
    assert await store.flags.count("10") == 1000
    again = await store.flags.add_many(items, source="scan")
    assert not any(result.created or result.updated for result in again)


async def test_assessing_again_renews_what_is_not_decided(store: Store) -> None:
    items = [Intake(comment(number), assessment()) for number in range(1, 5)]
    before = await store.flags.add_many(items, source="scan")
    decided, unchanged, changed, milder = (result.flag for result in before if result.flag)
    await store.flags.decide("10", decided.id, Action.DISMISS, "1", "Ann")
    people = (PersonAssessment("Calla Brennick", 0.99, Level.ABUSIVE, True),)
    new = replace(
        assessment(0.99, Level.ABUSIVE, target="Calla Brennick"), people=people, model="test-2"
    )
    again = [
        Intake(comment(1), new),
        Intake(comment(2), assessment()),
        Intake(replace(comment(3), reply_to=None), new),
        Intake(comment(4), assessment(0.2, Level.NONE), hostile=False),
    ]

    unasked = await store.flags.add_many(again, source="scan")
    assert not any(result.reassessed for result in unasked)
    assert await store.flags.get("10", changed.id) == changed

    results = await store.flags.add_many(again, source="scan", again=True)
    assert [result.reassessed for result in results] == [False, False, True, False]
    assert not any(result.created or result.updated for result in results)
    assert results[2].flag == replace(changed, assessment=new)
    assert (await store.flags.revisions("10", changed.id))[0].assessment == new
    assert await store.flags.get("10", unchanged.id) == unchanged
    assert await store.flags.get("10", milder.id) == milder
    kept = await store.flags.get("10", decided.id)
    assert kept is not None
    assert kept.assessment == assessment()
    assert await store.flags.count("10", person="calla") == 1
    kinds = [event.kind for event in await store.flags.story("10", changed.id)]
    assert kinds == [EventKind.FLAGGED, EventKind.REASSESSED]


async def test_assessing_again_leaves_the_worst_wording_the_face(store: Store) -> None:
    await store.flags.add(comment(), assessment(), source="scan")
    await store.flags.add(comment(text="worse", edits=1), assessment(0.97), source="scan")
    item = Intake(comment(), assessment(0.6))
    (result,) = await store.flags.add_many([item], source="scan", again=True)
    assert not result.reassessed
    assert result.flag is not None
    assert result.flag.comment.text == "worse"
    scores = [one.assessment.score for one in await store.flags.revisions("10", result.flag.id)]
    assert scores == [0.6, 0.97]


async def test_a_batch_that_fails_leaves_nothing_behind(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = records.revision_values

    def fails_late(flag_id: int, *rest: object) -> object:
        if flag_id == 450:
            raise RuntimeError("the process dies here")
        return real(flag_id, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(flag_intake, "revision_values", fails_late)
    items = [Intake(comment(number), assessment()) for number in range(1, 601)]
    with pytest.raises(RuntimeError):
        await store.flags.add_many(items, source="scan")
    assert await store.flags.count("10") == 0

    monkeypatch.undo()
    await store.flags.add_many(items, source="scan")
    assert await store.flags.count("10") == 600


async def test_what_else_a_reading_says_is_kept(store: Store) -> None:
    scored = replace(assessment(), ambiguous=True, foreign=True)
    flag = (await store.flags.add(comment(), scored, source="gateway")).flag
    assert flag is not None
    assert flag.assessment == scored
    assert (await store.flags.revisions("10", flag.id))[0].assessment == scored
    plain = [Intake(comment(), replace(scored, foreign=False))]
    (again,) = await store.flags.add_many(plain, source="scan", again=True)
    assert again.reassessed
    assert again.flag is not None
    assert (again.flag.assessment.ambiguous, again.flag.assessment.foreign) == (True, False)
