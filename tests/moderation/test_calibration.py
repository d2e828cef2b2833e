"""The threshold that decisions speak for."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.moderation.calibration import Ruling, calibrate, lacking, picture_of, rulings_of
from bot.store import Ruled

SCORES = st.lists(st.floats(0.3, 0.99), min_size=1)
SHARES = st.floats(0, 1)


@given(SCORES, SCORES, SHARES, SHARES)
def test_the_lowest_threshold_that_does_both_or_else_the_nearest(
    right: list[float], wrong: list[float], fewer: float, keep: float
) -> None:
    rulings = [Ruling(score, right=True) for score in right]
    rulings += [Ruling(score, right=False) for score in wrong]
    found = calibrate(rulings, 0.3, fewer=fewer, keep=keep)
    best = found.best
    assert best.threshold >= 0.3
    assert best.kept >= keep
    assert best.kept == 1 - sum(score < best.threshold for score in right) / len(right)
    assert best.fewer == sum(score < best.threshold for score in wrong) / len(wrong)
    assert found.reached == (best.fewer >= fewer)
    for one, other in pairwise(found.points):
        assert one.threshold < other.threshold
        assert one.fewer <= other.fewer
        assert one.kept >= other.kept
    rivals = [p for p in found.points if p.kept >= keep and p.threshold < best.threshold]
    assert all(p.fewer < (fewer if found.reached else best.fewer) for p in rivals)


@pytest.mark.parametrize(
    ("right", "wrong", "lacks"), [(20, 10, False), (19, 10, True), (21, 9, True), (9, 30, True)]
)
def test_few_decisions_say_nothing(right: int, wrong: int, lacks: bool) -> None:
    rulings = [Ruling(0.6, right=True)] * right + [Ruling(0.6, right=False)] * wrong
    below = [Ruling(0.1, right=True)] * 50
    assert lacking([*rulings, *below], 0.5) is lacks


def test_what_was_dismissed_left_or_overturned_was_wrongly_queued() -> None:
    ruled = [
        Ruled(0.7, "remove", "decided"),
        Ruled(0.7, "ban", "upheld"),
        Ruled(0.7, "ban", "overturned"),
        Ruled(0.7, "dismiss", "decided"),
        Ruled(0.7, "no_action", "decided"),
    ]
    assert [one.right for one in rulings_of(ruled)] == [True, True, False, False, False]


def test_the_picture_says_the_same_in_words() -> None:
    rulings = [Ruling(0.9, right=True), Ruling(0.5, right=False)]
    picture = picture_of(calibrate(rulings, 0.4, fewer=1.0, keep=1.0), "Fans")
    assert "1 decided flags were acted on, 1 dismissed" in picture.subtitle
    (curves,) = picture.panels
    assert [mark.x for mark in curves.marks] == [0.4, 0.7]
