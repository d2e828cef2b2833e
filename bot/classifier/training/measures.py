"""The measures: how well a score ranks, how much it finds, how honest it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score, roc_auc_score

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Measure = Callable[[Bools, Floats, Floats], float]

FALSE_ALARM_RATES: Final = (0.01, 0.02, 0.05)
_RESAMPLES: Final = 200
_EDGES: Final = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def found_at(hostile: Bools, scores: Floats, weights: Floats, rate: float) -> float:
    """The share of hostile messages above the score that a share `rate` of the fine ones passes."""
    fine = ~hostile
    order = np.argsort(-scores[fine])
    share = np.cumsum(weights[fine][order]) / weights[fine].sum()
    place = min(int(np.searchsorted(share, rate, side="right")), len(order) - 1)
    above = scores[hostile] > scores[fine][order][place]
    return float(np.average(above, weights=weights[hostile]))


def _found_at(rate: float) -> Measure:
    return lambda hostile, scores, weights: found_at(hostile, scores, weights, rate)


def ranking(hostile: Bools, scores: Floats, weights: Floats, seed: int) -> dict[str, Any]:
    """Average precision, area under the ROC curve and recall at each of FALSE_ALARM_RATES.

    Each with the 95 % interval of a bootstrap over messages.
    """
    measures: dict[str, Measure] = {
        "average_precision": lambda y, s, w: float(average_precision_score(y, s, sample_weight=w)),
        "auc": lambda y, s, w: float(roc_auc_score(y, s, sample_weight=w)),
        **{f"found_at_{rate:.0%}": _found_at(rate) for rate in FALSE_ALARM_RATES},
    }
    random = np.random.default_rng(seed)
    samples: dict[str, list[float]] = {name: [] for name in measures}
    for _ in range(_RESAMPLES):
        drawn = random.integers(0, len(hostile), len(hostile))
        if hostile[drawn].any():
            for name, measure in measures.items():
                samples[name].append(measure(hostile[drawn], scores[drawn], weights[drawn]))
    return {
        "messages": len(hostile),
        "hostile": int(hostile.sum()),
        **{
            name: {
                "value": round(measure(hostile, scores, weights), 4),
                "interval": [
                    round(float(v), 4) for v in np.quantile(samples[name], [0.025, 0.975])
                ],
            }
            for name, measure in measures.items()
        },
    }


def auc_by(
    groups: NDArray[np.str_], hostile: Bools, scores: Floats
) -> dict[str, dict[str, float | int]]:
    """The area under the ROC curve in each group that has both kinds of messages."""
    table: dict[str, dict[str, float | int]] = {}
    for group in sorted(set(groups.tolist())):
        inside = groups == group
        positives = int(hostile[inside].sum())
        if 0 < positives < inside.sum():
            area = float(roc_auc_score(hostile[inside], scores[inside]))
            table[group] = {
                "messages": int(inside.sum()),
                "hostile": positives,
                "auc": round(area, 4),
            }
    return table


def flagged_by(groups: NDArray[np.str_], flagged: Bools) -> dict[str, dict[str, float | int]]:
    """The share flagged in each group."""
    return {
        group: {
            "messages": int((groups == group).sum()),
            "flagged": round(float(flagged[groups == group].mean()), 4),
        }
        for group in sorted(set(groups.tolist()))
    }


def calibration_table(
    hostile: Bools, probability: Floats, weights: Floats
) -> list[dict[str, float | int]]:
    """Mean score against hostile rate in each bin of the score, weighted to the natural mix."""
    table: list[dict[str, float | int]] = []
    place = np.clip(np.digitize(probability, _EDGES) - 1, 0, len(_EDGES) - 2)
    for number in range(len(_EDGES) - 1):
        inside = place == number
        if weights[inside].sum() > 0:
            table.append(
                {
                    "from": _EDGES[number],
                    "to": _EDGES[number + 1],
                    "messages": int(inside.sum()),
                    "mean_score": round(
                        float(np.average(probability[inside], weights=weights[inside])), 4
                    ),
                    "hostile_rate": round(
                        float(np.average(hostile[inside], weights=weights[inside])), 4
                    ),
                }
            )
    return table


def brier_skill(hostile: Bools, probability: Floats, weights: Floats) -> float:
    """1 for a perfect forecast, 0 for one that always says the overall rate."""
    rate = np.average(hostile, weights=weights)
    error = np.average((probability - hostile) ** 2, weights=weights)
    return round(float(1 - error / np.average((rate - hostile) ** 2, weights=weights)), 4)
