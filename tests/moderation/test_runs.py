"""What one member sends as several messages is read together, with the shipped model."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.classifier import HostilityModel
from bot.comment import Comment, Flag, Person
from bot.moderation import Pipeline
from bot.store import Store

MOMENT = datetime(2026, 3, 1, 12, tzinfo=UTC)
MODEL = Path(__file__).parents[2] / "models" / "hostility"


@pytest.fixture(scope="module")
def model() -> HostilityModel:
    return HostilityModel.load(MODEL)


def posted(texts: Sequence[str], *, seconds: float = 5.0) -> list[Comment]:
    return [
        Comment(str(100 + n), "1", "2", "3", text, MOMENT + timedelta(seconds=seconds * n))
        for n, text in enumerate(texts)
    ]


async def taken(
    store: Store, model: HostilityModel, comments: Sequence[Comment], *, one_by_one: bool
) -> list[Flag]:
    await store.roster.add("1", Person("Maren Voss", aliases=("Maren",), pronouns="she/her"))
    async with Pipeline(store, model) as pipeline:
        for batch in [[each] for each in comments] if one_by_one else [comments]:
            await pipeline.take_many(batch, source="scan")
    return await store.flags.list("1")


@pytest.mark.parametrize("one_by_one", [True, False])
async def test_a_split_attack_is_one_flag(
    store: Store, model: HostilityModel, *, one_by_one: bool
) -> None:
    comments = posted(["she is", "such a", "talentless", "cow"])
    found = await taken(store, model, comments, one_by_one=one_by_one)
    assert [flag.comment.text for flag in found] == ["she is such a talentless cow"]
    assert found[0].comment.message_ids == ("100", "101", "102", "103")
    assert found[0].assessment.why


@pytest.mark.parametrize(
    "texts",
    [
        ["omg", "she is", "so good", "live", "crying"],
        ["maren", "i love her", "that dress", "wow"],
        ["not me", "at 3 am", "watching this", "again"],
    ],
)
async def test_harmless_short_messages_make_no_flag(
    store: Store, model: HostilityModel, texts: list[str]
) -> None:
    assert await taken(store, model, posted(texts), one_by_one=True) == []


async def test_a_pause_ends_a_run(store: Store, model: HostilityModel) -> None:
    comments = posted(["Maren Voss", "is a", "washed up", "nobody"], seconds=61.0)
    found = await taken(store, model, comments, one_by_one=True)
    assert all(not flag.comment.parts for flag in found)
