"""What share of ordinary messages a threshold queues: what a guild keeps over a new model.

A threshold means nothing to another model, the share of messages that it queues does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

Shares = tuple[tuple[float, float], ...]
"""Thresholds, rising, each with the share of ordinary messages that score at least as much."""

_THRESHOLDS: Final = (
    *(0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3),
    *(0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99),
)
_LEAST: Final = 1e-6


def measure_shares(scores: NDArray[np.float64], weights: NDArray[np.float64]) -> Shares:
    """The shares of weighted messages with these scores (probabilities)."""
    total = weights.sum()
    return tuple(
        (threshold, round(float(weights[scores >= threshold].sum() / total), 6))
        for threshold in _THRESHOLDS
    )


def share_at(shares: Shares, threshold: float) -> float:
    """The share of ordinary messages that a threshold queues."""
    at, logs = _points(shares)
    return float(np.exp(np.interp(_log_odds(threshold), at, logs)))


def threshold_at(shares: Shares, share: float) -> float:
    """The threshold that queues a share of ordinary messages, the nearest if none does."""
    at, logs = _points(shares)
    odds = float(np.interp(np.log(max(share, _LEAST)), logs[::-1], at[::-1]))
    return round(float(1.0 / (1.0 + np.exp(-odds))), 4)


def _points(shares: Shares) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    at = np.array([_log_odds(threshold) for threshold, _ in shares])
    falling = np.minimum.accumulate([max(share, _LEAST) for _, share in shares])
    return at, np.log(falling)


def _log_odds(probability: float) -> float:
    return float(np.log(probability / (1.0 - probability)))


def is_shares(found: object) -> bool:
    """Whether what a file holds can be `Shares`."""
    return isinstance(found, Sequence) and all(
        isinstance(pair, Sequence)
        and len(pair) == 2  # noqa: PLR2004
        and all(type(each) in {int, float} and 0.0 <= each <= 1.0 for each in pair)
        for pair in found
    )
