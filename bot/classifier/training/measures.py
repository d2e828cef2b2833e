"""The measures: how well a score ranks, how much it finds, how honest it is."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

FALSE_ALARM_RATES: Final = (0.01, 0.02, 0.05)
_RESAMPLES: Final = 200
_EDGES: Final = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
_FEW: Final = 50
_HIGH: Final = 0.3


class Ranks:
    """Messages in order of their scores, sorted once for the many weightings of a bootstrap."""

    def __init__(self, hostile: Bools, scores: Floats) -> None:
        """Sort; equal scores share a place."""
        self._order = np.argsort(-scores, kind="stable")
        self._scores = scores[self._order]
        self._hostile = hostile[self._order]
        self._ends = np.append(np.flatnonzero(np.diff(self._scores)), len(scores) - 1)

    def average_precision(self, weights: Floats) -> float:
        """The mean precision at each hostile message."""
        found, wrong = self._passed(weights)
        passed = found + wrong
        precision = np.divide(found, passed, out=np.zeros_like(found), where=passed > 0)
        return float(np.diff(found, prepend=0.0) @ precision / found[-1])

    def auc(self, weights: Floats) -> float:
        """The area under the ROC curve: how often a hostile message outscores a fine one."""
        found, wrong = self._passed(weights)
        middle = found - np.diff(found, prepend=0.0) / 2
        return float(np.diff(wrong, prepend=0.0) @ middle / (found[-1] * wrong[-1]))

    def found_at(self, rate: float, weights: Floats) -> float:
        """The share of hostile ones above the score that a share `rate` of the fine ones passes."""
        weights = weights[self._order]
        fine = np.flatnonzero(~self._hostile)
        share = np.cumsum(weights[fine]) / weights[fine].sum()
        place = min(int(np.searchsorted(share, rate, side="right")), len(fine) - 1)
        above = int(np.searchsorted(-self._scores, -self._scores[fine[place]]))
        of_hostile = weights * self._hostile
        return float(of_hostile[:above].sum() / of_hostile.sum())

    def _passed(self, weights: Floats) -> tuple[Floats, Floats]:
        """Weights of the hostile and of the fine messages down to each score."""
        weights = weights[self._order]
        found = np.cumsum(weights * self._hostile)[self._ends]
        wrong = np.cumsum(weights * ~self._hostile)[self._ends]
        return found, wrong


def ranking(hostile: Bools, scores: Floats, weights: Floats, seed: int) -> dict[str, Any]:
    """Average precision, area under the ROC curve and recall at each of FALSE_ALARM_RATES.

    Each with the 95 % interval of a bootstrap over messages; None where there are not both
    hostile and fine messages of some weight.
    """
    counts = {"messages": len(hostile), "hostile": int(hostile.sum())}
    if not (weights[hostile].any() and weights[~hostile].any()):
        return counts | dict.fromkeys(_names())
    ranks = Ranks(hostile, scores)
    random = np.random.default_rng(seed)
    samples: list[list[float]] = []
    for _ in range(_RESAMPLES):
        drawn = random.integers(0, len(hostile), len(hostile))
        times = weights * np.bincount(drawn, minlength=len(hostile))
        if times[hostile].any() and times[~hostile].any():
            samples.append(_measured(ranks, times))
    values = _measured(ranks, weights)
    low, high = np.quantile(np.array(samples or [values]), [0.025, 0.975], axis=0)
    return counts | {
        name: {
            "value": round(value, 4),
            "interval": [round(float(low[i]), 4), round(float(high[i]), 4)],
        }
        for i, (name, value) in enumerate(zip(_names(), values, strict=True))
    }


def _names() -> list[str]:
    return ["average_precision", "auc", *(f"found_at_{rate:.0%}" for rate in FALSE_ALARM_RATES)]


def _measured(ranks: Ranks, weights: Floats) -> list[float]:
    found = [ranks.found_at(rate, weights) for rate in FALSE_ALARM_RATES]
    return [ranks.average_precision(weights), ranks.auc(weights), *found]


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


def auc_of(
    groups: NDArray[np.str_], hostile: Bools, scores: Floats
) -> dict[str, dict[str, float | int | None]]:
    """How well each group's messages are told from all of the other sort.

    `hostile_auc` sets the hostile messages of a group against every fine one, `fine_auc`
    its fine messages against every hostile one; None where there are none.
    """
    table: dict[str, dict[str, float | int | None]] = {}
    for group in sorted(set(groups.tolist())):
        inside = groups == group
        row: dict[str, float | int | None] = {"messages": int(inside.sum())}
        for name, own, others in (
            ("hostile_auc", inside & hostile, ~hostile),
            ("fine_auc", inside & ~hostile, hostile),
        ):
            both = own | others
            row[name] = (
                round(float(roc_auc_score(hostile[both], scores[both])), 4)
                if own.any() and others.any()
                else None
            )
        table[group] = row
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
                    "hostile": int(hostile[inside].sum()),
                    "mean_score": round(
                        float(np.average(probability[inside], weights=weights[inside])), 4
                    ),
                    "hostile_rate": round(
                        float(np.average(hostile[inside], weights=weights[inside])), 4
                    ),
                }
            )
    return table


def largest_gap(table: list[dict[str, float | int]]) -> float | None:
    """The largest gap of mean score and hostile rate, of bins above 0.3 with 50 messages."""
    gaps = [
        abs(row["mean_score"] - row["hostile_rate"])
        for row in table
        if row["from"] >= _HIGH and row["messages"] >= _FEW
    ]
    return round(max(gaps), 4) if gaps else None


def brier_skill(hostile: Bools, probability: Floats, weights: Floats) -> float | None:
    """1 for a perfect forecast, 0 for one that always says the overall rate.

    None where there are not both hostile and fine messages of some weight.
    """
    if not (weights[hostile].any() and weights[~hostile].any()):
        return None
    rate = np.average(hostile, weights=weights)
    error = np.average((probability - hostile) ** 2, weights=weights)
    return round(float(1 - error / np.average((rate - hostile) ** 2, weights=weights)), 4)


def share(flagged: Bools, rows: Bools, weights: Floats) -> float | None:
    """The weighted share of `rows` that is flagged; None where there are none."""
    total = weights[rows].sum()
    return round(float((weights * flagged)[rows].sum() / total), 4) if total > 0 else None
