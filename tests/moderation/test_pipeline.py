from __future__ import annotations

import asyncio
import threading
import time

import pytest

from bot.comment import Comment, Person, Status
from bot.moderation import Pipeline
from bot.store import GuildSettings, Store
from tests.moderation.conftest import WordAssessor
from tests.store.samples import REPLY_TEXT, comment


def said(text: str, number: int = 1, **options: object) -> Comment:
    return comment(number, text, **options)  # type: ignore[arg-type]


async def test_a_hostile_message_is_in_the_queue_when_take_returns(
    pipeline: Pipeline, store: Store
) -> None:
    result = await pipeline.take(said("she is trash"), source="gateway")

    assert result.created
    assert result.flag is not None
    assert result.flag.assessment == result.assessment
    assert await store.flags.get_by_message("10", "1") == result.flag
    assert result.flag.status is Status.OPEN
    assert await store.flags.pending_cards("10") == [result.flag]


async def test_a_fair_message_passes(pipeline: Pipeline, store: Store) -> None:
    result = await pipeline.take(said("she sang well"), source="gateway")
    assert result.flag is None
    assert not result.created
    assert result.assessment.score == 0.1
    assert await store.flags.count(None) == 0


async def test_member_hostility_is_the_guilds_choice(pipeline: Pipeline, store: Store) -> None:
    await store.guilds.put(GuildSettings("10", member_flags=False))
    assert (await pipeline.take(said("you idiot"), source="gateway")).flag is None
    await store.guilds.put(GuildSettings("10", member_flags=True))
    flag = (await pipeline.take(said("you idiot", 2), source="gateway")).flag
    assert flag is not None
    assert not flag.assessment.flagged
    assert flag.assessment.member_flagged


async def test_what_the_model_is_given(
    pipeline: Pipeline, store: Store, model: WordAssessor
) -> None:
    await store.guilds.put(GuildSettings("10", threshold=0.9))
    await store.roster.add("10", Person("Everywhere"))
    await store.roster.add("10", Person("In the parent", channels=("19",)))
    await store.roster.add("10", Person("Here", channels=("99", "20")))
    await store.roster.add("10", Person("Elsewhere", channels=("99",)))

    result = await pipeline.take(said("she is trash"), source="gateway")
    await pipeline.take(said("she is trash", guild_id="11"), source="gateway")

    assert result.flag is None
    assert model.calls == [
        ("she is trash", REPLY_TEXT, ("Everywhere", "In the parent", "Here"), 0.9),
        ("she is trash", REPLY_TEXT, (), None),
    ]


async def test_defaults_of_the_settings_file(store: Store, model: WordAssessor) -> None:
    await store.guilds.put(GuildSettings("11"))
    await store.guilds.put(GuildSettings("12", threshold=0.6))
    async with Pipeline(store, model, threshold=0.85, member_flags=False) as pipeline:
        assert await pipeline.settings("10") == GuildSettings(
            "10", threshold=0.85, member_flags=False
        )
        assert (await pipeline.settings("11")).threshold == 0.85
        assert (await pipeline.settings("11")).member_flags
        assert (await pipeline.settings("12")).threshold == 0.6


async def test_roster_and_settings_are_kept_until_they_change(
    pipeline: Pipeline, store: Store, model: WordAssessor, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = []
    real = store.roster.people

    async def counted(guild_id: str) -> tuple[Person, ...]:
        reads.append(guild_id)
        return await real(guild_id)

    monkeypatch.setattr(store.roster, "people", counted)
    for number in range(5):
        await pipeline.take(said("hello", number), source="gateway")
    assert reads == ["10"]
    await store.roster.add("10", Person("Mara Vey"))
    await pipeline.take(said("hello", 6), source="gateway")
    assert reads == ["10", "10"]
    assert model.calls[-1][2] == ("Mara Vey",)


async def test_a_change_while_the_roster_is_read_is_not_missed(
    pipeline: Pipeline, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = store.roster.people

    async def overtaken(guild_id: str) -> tuple[Person, ...]:
        people = await real(guild_id)
        monkeypatch.undo()
        await store.roster.add("10", Person("Mara Vey"))
        return people

    monkeypatch.setattr(store.roster, "people", overtaken)
    await pipeline.people("10")
    assert [one.name for one in await pipeline.people("10")] == ["Mara Vey"]


async def test_edits(pipeline: Pipeline, store: Store) -> None:
    await pipeline.take(said("fine"), source="gateway")
    hostile = await pipeline.take(said("trash", edits=1), source="gateway")
    assert hostile.created
    softened = await pipeline.take(said("fine again", edits=2), source="gateway")
    assert softened.updated
    assert softened.flag is not None
    assert softened.flag.comment.text == "trash"
    assert softened.flag.revisions == 2
    assert await store.flags.count(None) == 1


async def test_many_at_once_post_no_cards(
    pipeline: Pipeline, store: Store, model: WordAssessor
) -> None:
    comments = [said("trash" if n % 10 == 0 else "fine", n) for n in range(300)]
    results = await pipeline.take_many(comments, source="scan")

    assert [result.comment for result in results] == comments
    assert [result.created for result in results] == [n % 10 == 0 for n in range(300)]
    assert len(model.calls) == 300
    assert await store.flags.pending_cards() == []
    again = await pipeline.take_many(comments, source="scan")
    assert not any(result.created for result in again)
    assert all((result.flag is not None) == (n % 10 == 0) for n, result in enumerate(again))
    assert await pipeline.take_many([], source="scan") == []


async def test_assess_keeps_nothing(pipeline: Pipeline, store: Store) -> None:
    assert (await pipeline.assess(said("trash"))).flagged
    assert await store.flags.count(None) == 0


async def test_scoring_is_off_the_event_loop_in_one_thread(
    store: Store, model: WordAssessor, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = model.assess

    def slow(text: str, **options: object) -> object:
        time.sleep(0.05)
        return real(text, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(model, "assess", slow)
    async with Pipeline(store, model) as pipeline:
        beats = 0
        work = asyncio.gather(
            *(pipeline.take(said("fine", number), source="gateway") for number in range(6))
        )
        while not work.done():
            await asyncio.sleep(0.005)
            beats += 1
        await work
    assert beats > 20
    assert len(model.threads) == 1
    assert threading.current_thread().name not in model.threads


async def test_a_message_the_model_cannot_score_stores_nothing(
    pipeline: Pipeline, store: Store, model: WordAssessor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: object, **__: object) -> None:
        raise RuntimeError("the model broke")

    with monkeypatch.context() as patch:
        patch.setattr(model, "assess", breaks)
        with pytest.raises(RuntimeError):
            await pipeline.take_many([said("trash"), said("trash", 2)], source="scan")
    assert await store.flags.count(None) == 0
    assert (await pipeline.take(said("trash"), source="scan")).created
