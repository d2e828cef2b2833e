"""From raw log-odds to probabilities at the natural rate, and the thresholds on them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from bot.classifier.training.corpora import Message

Floats = NDArray[np.float64]

_BINS = 12


def natural_weights(messages: Sequence[Message], scores: Floats) -> Floats:
    """Weights that give real comments the natural mix; 0 for messages that are not real.

    Only the random stratum is a natural sample; the others were chosen for their early
    score. Within each bin of the present score all strata count, but the bin as a whole
    weighs what the random stratum says.
    """
    real = np.array([m.part == "real" for m in messages])
    random = np.array([m.stratum == "random" for m in messages]) & real
    weights = np.zeros(len(messages))
    edges = np.quantile(scores[real], np.linspace(0, 1, _BINS + 1)[1:-1])
    place = np.digitize(scores, edges)
    for number in range(_BINS):
        inside = place == number
        share = (inside & random).sum() / max(1, random.sum())
        count = (inside & real).sum()
        if count:
            weights[inside & real] = share / count
    natural: Floats = weights * real.sum()
    return natural


def fit_calibration(
    scores: Floats, hostile: NDArray[np.bool_], weights: Floats
) -> NDArray[np.float64]:
    """Slope and intercept (Platt) that turn raw log-odds into those of a probability."""
    used = weights > 0
    model = LogisticRegression(C=1e6).fit(scores[used, None], hostile[used], weights[used])
    return np.array([float(model.coef_[0, 0]), float(model.intercept_[0])])


def threshold_for(scores: Floats, fine: NDArray[np.bool_], weights: Floats, rate: float) -> float:
    """The probability that a share `rate` of the fine messages reaches, weighted."""
    order = np.argsort(-scores[fine])
    share = np.cumsum(weights[fine][order]) / weights[fine].sum()
    place = int(np.searchsorted(share, rate, side="right"))
    return float(expit(scores[fine][order][min(place, len(order) - 1)]))
