"""Measure the words on messages they have not seen: grouped cross-validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from bot import __version__
from bot.classifier.training.crossval import FOLDS, by_message, is_hostile
from bot.classifier.training.measures import ranking
from bot.classifier.training.scored import Scored
from bot.classifier.training.train import SEED, Prepared, calibrated

Floats = NDArray[np.float64]


def report(
    prepared: Prepared, others: Mapping[str, Floats], languages: Sequence[str]
) -> tuple[Scored, dict[str, Any]]:
    """The scores of the words alone out of fold, and their figures, ready for JSON.

    Args:
        prepared: what `prepare` has made.
        others: scores of other tools by message.
        languages: the language of each message.
    """
    meta = calibrated(prepared)
    table = prepared.table
    messages = table.messages
    slope, intercept = prepared.classifier.calibration_["hostile"]
    score = expit(slope * by_message(table, prepared.scores.scores["hostile"]) + intercept)
    part = np.array([m.part for m in messages])
    scored = Scored(
        messages,
        languages,
        {f"Fanguard {meta.version}": score, **others},
        score,
        meta.threshold,
        part != "public",
    )
    return scored, {
        "fanguard": __version__,
        "model": meta.version,
        "method": (
            f"{FOLDS}-fold cross-validation, split by contrast group and near-duplicate text, "
            f"seed {SEED}"
        ),
        "messages": {p: int((part == p).sum()) for p in ("real", "written", "public")},
        **scored.figures(SEED),
        "target": _target_figures(prepared, meta.threshold, slope, intercept),
        "member": _member_figures(prepared),
    }


def _target_figures(
    prepared: Prepared, threshold: float, slope: float, intercept: float
) -> dict[str, Any]:
    """Of the written messages: is the one attacked named, and are the others spared?"""
    table = prepared.table
    score = expit(slope * prepared.scores.scores["hostile"] + intercept)
    rows: dict[int, list[int]] = {}
    for row, person in enumerate(table.person):
        if person is not None:
            rows.setdefault(int(table.message[row]), []).append(row)
    right: list[bool] = []
    spared: list[bool] = []
    for number, people in rows.items():
        message = table.messages[number]
        if message.part != "written" or not is_hostile(message):
            continue
        names = [table.person[row] for row in people]
        if message.target in names and len(people) > 1:
            right.append(names[int(np.argmax(score[people]))] == message.target)
        spared += [
            bool(score[row] >= threshold)
            for row, name in zip(people, names, strict=True)
            if name in message.spared
        ]
    return {
        "messages_with_several_people": len(right),
        "right_person": round(float(np.mean(right)), 4) if right else None,
        "spared_people": len(spared),
        "spared_flagged": round(float(np.mean(spared)), 4) if spared else None,
    }


def _member_figures(prepared: Prepared) -> dict[str, Any]:
    table = prepared.table
    whole = table.whole & (table.labels["group"] >= 0)
    labels = table.labels["member"][whole] == 1
    return ranking(labels, prepared.scores.scores["member"][whole], np.ones(len(labels)), SEED)
