"""What thresholds queue, and what keeps that over a new model."""

from __future__ import annotations

import numpy as np
import pytest

from bot.classifier.shares import is_shares, measure_shares, share_at, threshold_at

CHANCE = np.random.default_rng(5)
SCORES = CHANCE.beta(0.3, 6.0, 20_000)
OTHER = SCORES**1.7
EVEN = np.ones(len(SCORES))


@pytest.mark.parametrize("threshold", [0.05, 0.17, 0.3, 0.42])
def test_a_threshold_queues_the_share_it_is_said_to(threshold: float) -> None:
    said = share_at(measure_shares(SCORES, EVEN), threshold)
    assert said == pytest.approx((threshold <= SCORES).mean(), rel=0.1)


@pytest.mark.parametrize("threshold", [0.05, 0.17, 0.3])
def test_another_model_gets_the_threshold_that_queues_as_much(threshold: float) -> None:
    share = share_at(measure_shares(SCORES, EVEN), threshold)
    there = threshold_at(measure_shares(OTHER, EVEN), share)
    assert there != pytest.approx(threshold, abs=0.01)
    assert (there <= OTHER).mean() == pytest.approx(share, rel=0.15)


def test_weights_count() -> None:
    heavy = np.where(SCORES > 0.3, 3.0, 1.0)
    assert share_at(measure_shares(SCORES, heavy), 0.3) > share_at(
        measure_shares(SCORES, EVEN), 0.3
    )


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_shares_nothing_reaches_give_the_nearest_threshold(share: float) -> None:
    assert 0.0 < threshold_at(measure_shares(SCORES, EVEN), share) < 1.0


@pytest.mark.parametrize("found", ["x", [[0.1]], [[0.1, 2.0]], [[0.1, "a"]], 5, None])
def test_what_are_no_shares(found: object) -> None:
    assert not is_shares(found)
