"""How far two readers of the same comment agree: Cohen's kappa of `labels.csv`."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import cohen_kappa_score

from bot.classifier.training.corpora import LABELS
from bot.comment import Level, TargetType
from bot.errors import UserError

_RESAMPLES: Final = 200
_SEED: Final = 1
_AIMS: Final = [kind.value for kind in TargetType]


def agreement(own: Path) -> dict[str, dict[str, Any]]:
    """Kappa of first and second readings, over all and for each pair of readers.

    On hostile or not (level 2 or 3), on the level (quadratic weights) and on the target
    type; over all with the 95 % interval of a bootstrap over comments. None where both
    readers gave every comment the same label.

    Raises:
        UserError: There are no labels, no comment was read twice, or a label is unknown.
    """
    readings = _readings(own / LABELS)
    pairs = [
        (first, second)
        for first, second in ((of.get("1"), of.get("2")) for of in readings.values())
        if first is not None and second is not None
    ]
    if not pairs:
        raise UserError(f"{own / LABELS} has no comment with a reading 1 and a reading 2.")
    by_readers: dict[str, list[int]] = {}
    for number, (first, second) in enumerate(pairs):
        name = " and ".join(sorted((first["reader"], second["reader"])))
        by_readers.setdefault(name, []).append(number)
    labels = _labels(pairs)
    everything = np.arange(len(pairs))
    return {
        "all": _kappas(labels, everything) | {"interval": _intervals(labels)},
        **{name: _kappas(labels, np.array(by_readers[name])) for name in sorted(by_readers)},
    }


def _readings(path: Path) -> dict[str, dict[str, dict[str, str]]]:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            readings: dict[str, dict[str, dict[str, str]]] = {}
            for row in csv.DictReader(file):
                readings.setdefault(row["id"], {})[row["reading"]] = row
            return readings
    except OSError as error:
        raise UserError(f"{path} cannot be read ({error.strerror}).") from error
    except (KeyError, UnicodeDecodeError, csv.Error) as error:
        raise UserError(f"{path} is not a table of labels with id, reading, level …") from error


def _labels(
    pairs: Sequence[tuple[dict[str, str], dict[str, str]]],
) -> dict[str, tuple[NDArray[np.intp], NDArray[np.intp]]]:
    try:
        level = np.array([[int(Level(int(r["level"]))) for r in pair] for pair in pairs]).T
        aim = np.array([[_AIMS.index(r["target_type"]) for r in pair] for pair in pairs]).T
    except (KeyError, ValueError) as error:
        raise UserError(f"{LABELS} has a level or target type that is unknown ({error}).") from None
    hostile = (level >= Level.HOSTILE).astype(np.intp)
    return {
        "hostile": (hostile[0], hostile[1]),
        "level": (level[0], level[1]),
        "target_type": (aim[0], aim[1]),
    }


def _kappas(
    labels: dict[str, tuple[NDArray[np.intp], NDArray[np.intp]]], rows: NDArray[np.intp]
) -> dict[str, Any]:
    return {
        "comments": len(rows),
        **{name: _kappa(name, one[rows], two[rows]) for name, (one, two) in labels.items()},
    }


def _kappa(name: str, one: NDArray[np.intp], two: NDArray[np.intp]) -> float | None:
    if len(set(one.tolist()) | set(two.tolist())) == 1:
        return None
    weights = "quadratic" if name == "level" else None
    return round(float(cohen_kappa_score(one, two, weights=weights)), 4)


def _intervals(
    labels: dict[str, tuple[NDArray[np.intp], NDArray[np.intp]]],
) -> dict[str, list[float]]:
    random = np.random.default_rng(_SEED)
    count = len(labels["level"][0])
    draws = [random.integers(0, count, count) for _ in range(_RESAMPLES)]
    intervals = {}
    for name, (one, two) in labels.items():
        found = [k for rows in draws if (k := _kappa(name, one[rows], two[rows])) is not None]
        intervals[name] = [round(float(v), 4) for v in np.quantile(found or [1.0], [0.025, 0.975])]
    return intervals
