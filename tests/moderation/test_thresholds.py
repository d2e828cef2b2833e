from __future__ import annotations

from dataclasses import replace

import pytest

from bot.comment import Assessment, Level, PersonAssessment, TargetType
from bot.errors import UserError
from bot.moderation import Pipeline, Preset, Strictness, Thresholds, others_meant
from bot.store import GuildSettings, Store
from tests.moderation.conftest import WordAssessor
from tests.scale import SquareScale
from tests.store.samples import comment

OWN = GuildSettings("10", threshold=0.4, threshold_share=0.0288, threshold_model="words-0")


@pytest.fixture
def scale() -> SquareScale:
    return SquareScale()


@pytest.fixture
def thresholds(store: Store, scale: SquareScale) -> Thresholds:
    return Thresholds(store, scale)


def test_presets_queue_half_and_twice_the_standard_share(thresholds: Thresholds) -> None:
    relaxed, standard, strict = thresholds.presets()
    assert standard == Strictness(0.5, 0.02, Preset.STANDARD)
    assert relaxed == Strictness(0.6464, 0.01, Preset.RELAXED)
    assert strict == Strictness(0.2929, 0.04, Preset.STRICT)
    chosen = thresholds.with_preset(GuildSettings("10"), Preset.RELAXED)
    assert thresholds.of(chosen).preset is Preset.RELAXED
    assert thresholds.with_preset(chosen, Preset.STANDARD) == GuildSettings("10")


def test_presets_stand_beside_the_operators_threshold(store: Store, scale: SquareScale) -> None:
    thresholds = Thresholds(store, scale, 0.75)
    assert thresholds.of(GuildSettings("10")) == Strictness(0.75, 0.005, Preset.STANDARD)
    assert [one.share for one in thresholds.presets()] == [0.0025, 0.005, 0.01]


@pytest.mark.parametrize("score", [0.0, 1.0, -0.5, 7.0])
def test_a_score_is_between_0_and_1(thresholds: Thresholds, score: float) -> None:
    with pytest.raises(UserError, match="between 0 and 1"):
        thresholds.with_threshold(GuildSettings("10"), score)


def test_a_threshold_keeps_its_share_under_another_model(
    thresholds: Thresholds, scale: SquareScale
) -> None:
    scale.most = 0.32
    moved = thresholds.moved(OWN)
    assert moved == replace(OWN, threshold=0.7, threshold_model="words-1")
    assert thresholds.moved(moved) == moved
    assert thresholds.of(OWN).threshold == 0.7


@pytest.mark.parametrize(
    ("settings", "most"),
    [
        (GuildSettings("10"), 0.32),
        (replace(OWN, threshold_model="words-1"), 0.32),
        (replace(OWN, threshold_share=None), 0.32),
        (OWN, None),
    ],
)
async def test_what_cannot_be_moved_stays(
    store: Store, thresholds: Thresholds, scale: SquareScale, settings: GuildSettings, most: float
) -> None:
    scale.most = most
    await store.guilds.put(settings)
    assert await thresholds.move(settings) == settings
    assert await store.guilds.get("10") == settings
    assert await thresholds.notice("10") is None


async def test_a_threshold_of_no_known_model_is_one_of_this_model(
    store: Store, thresholds: Thresholds
) -> None:
    settings = GuildSettings("10", threshold=0.5)
    await store.guilds.put(settings)
    moved = await thresholds.move(settings)
    assert moved == GuildSettings(
        "10", threshold=0.5, threshold_share=0.02, threshold_model="words-1"
    )
    assert await store.guilds.get("10") == moved
    assert await thresholds.notice("10") is None


async def test_moving_loses_to_a_choice_made_meanwhile(
    store: Store, thresholds: Thresholds
) -> None:
    chosen = thresholds.with_threshold(OWN, 0.9)
    await store.guilds.put(chosen)
    assert await thresholds.move(OWN) == chosen
    assert await thresholds.notice("10") is None


async def test_a_notice_is_void_once_another_threshold_is_chosen(
    store: Store, thresholds: Thresholds
) -> None:
    await store.guilds.put(OWN)
    moved = await thresholds.move(OWN)
    notice = await thresholds.notice("10")
    assert notice is not None
    assert (notice.model, notice.before, notice.after) == ("words-1", 0.4, moved.threshold)
    await store.guilds.put(thresholds.with_preset(moved, Preset.STANDARD))
    assert await thresholds.notice("10") is None
    assert await store.notices.pending("10") is None


async def test_messages_are_scored_with_the_moved_threshold_and_the_phrases(
    pipeline: Pipeline, store: Store, model: WordAssessor
) -> None:
    model.most = 0.32
    await store.guilds.put(OWN)
    await store.phrases.add("10", "our clown")
    await pipeline.take(comment(), source="gateway")
    assert model.calls[-1][3] == 0.7
    assert model.affection == ("our clown",)
    await store.phrases.remove("10", "our clown")
    await pipeline.take(comment(2), source="gateway")
    assert model.affection == ()
    assert await store.guilds.get("10") == OWN


def test_others_meant_are_those_scored_alike() -> None:
    scores = {"Mara": 0.9, "Jonas": 0.75, "Calla": 0.5, "Ines": 0.88, "Rook": 0.0}
    assessed = Assessment(
        score=0.9,
        level=Level.HOSTILE,
        flagged=True,
        threshold=0.5,
        target="Mara",
        target_type=TargetType.PERSON,
        people=tuple(
            PersonAssessment(name, score, Level.HOSTILE, True) for name, score in scores.items()
        ),
        member_score=0.0,
        member_flagged=False,
        why=(),
        model="m",
        ambiguous=True,
    )
    assert others_meant(assessed) == ("Ines", "Jonas")
    assert others_meant(replace(assessed, ambiguous=False)) == ()
