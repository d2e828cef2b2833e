"""Measure the model on messages it has not seen: grouped cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from bot import __version__
from bot.classifier.training.baselines import baseline_scores
from bot.classifier.training.calibrate import natural_weights
from bot.classifier.training.corpora import Message
from bot.classifier.training.crossval import FOLDS, by_message, is_clear, is_hostile
from bot.classifier.training.measures import (
    auc_by,
    brier_skill,
    calibration_table,
    flagged_by,
    found_at,
    ranking,
)
from bot.classifier.training.train import SEED, Prepared, calibrated
from bot.comment import Level

MIX: Final = {"random": 3.0, "mid": 1.0, "top": 0.4}
"""Weights of the strata that make about one real comment in ten hostile."""

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


def report(prepared: Prepared, progress: Callable[[str], None]) -> dict[str, Any]:
    """The figures of what `prepare` has made."""
    meta = calibrated(prepared)
    table = prepared.table
    messages = table.messages
    slope, intercept = prepared.classifier.calibration_["hostile"]
    raw = by_message(table, prepared.scores.scores["hostile"])
    score = expit(slope * raw + intercept)
    hostile = np.array([is_hostile(m) for m in messages])
    part = np.array([m.part for m in messages])
    stratum = np.array([m.stratum for m in messages])
    sure = np.array([m.sure for m in messages])
    real = (part == "real") & np.array([is_clear(m) for m in messages])
    natural, written = real & (stratum == "random"), part == "written"
    mix = np.array([MIX.get(s, 1.0) for s in stratum])
    sets = {
        "real, one in ten hostile": (real, mix),
        "real, one in ten hostile, sure labels": (real & sure, mix),
        "real, natural mix": (natural, np.ones(len(messages))),
        "written": (written, np.ones(len(messages))),
    }
    progress("scoring with the baselines")
    scored = np.flatnonzero(part != "public")
    scorers = {f"Fanguard {meta.version}": score}
    for name, values in baseline_scores([messages[i].text for i in scored.tolist()]).items():
        scorers[name] = np.zeros(len(messages))
        scorers[name][scored] = values
    progress("resampling")
    flagged = score >= meta.threshold
    weights = natural_weights(messages, raw)
    return {
        "fanguard": __version__,
        "model": meta.version,
        "method": (
            f"{FOLDS}-fold cross-validation, split by contrast group and near-duplicate text, "
            f"seed {SEED}"
        ),
        "messages": {p: int((part == p).sum()) for p in ("real", "written", "public")},
        "sets": {
            name: {s: ranking(hostile[rows], v[rows], w[rows], SEED) for s, v in scorers.items()}
            for name, (rows, w) in sets.items()
        },
        "at_threshold": {
            "threshold": meta.threshold,
            **{
                name: {
                    "found": share(flagged, rows & hostile, w),
                    "fine_flagged": share(flagged, rows & ~hostile, w),
                }
                for name, (rows, w) in sets.items()
            },
        },
        "auc_by_source": auc_by(_text(messages, "source")[real], hostile[real], score[real]),
        "flagged_by_kind": flagged_by(_text(messages, "kind")[written], flagged[written]),
        "flagged_by_level": flagged_by(_levels(messages)[real], flagged[real]),
        "flagged_by_target": flagged_by(_aims(messages)[part == "real"], flagged[part == "real"]),
        "target": _target_figures(prepared, meta.threshold, slope, intercept),
        "member": _member_figures(prepared),
        "calibration": calibration_table(hostile[real], score[real], weights[real]),
        "brier_skill": brier_skill(hostile[real], score[real], weights[real]),
    }


def share(flagged: Bools, rows: Bools, weights: Floats) -> float:
    """The weighted share of `rows` that is flagged."""
    return round(float(np.average(flagged[rows], weights=weights[rows])), 4)


def _text(messages: Sequence[Message], name: str) -> NDArray[np.str_]:
    return np.array([getattr(m, name) for m in messages])


def _levels(messages: Sequence[Message]) -> NDArray[np.str_]:
    return np.array([str(int(m.level)) for m in messages])


def _aims(messages: Sequence[Message]) -> NDArray[np.str_]:
    return np.array(
        [f"{m.target_type}, level {'2-3' if m.level >= Level.HOSTILE else '0-1'}" for m in messages]
    )


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
        "right_person": round(float(np.mean(right)), 4),
        "spared_people": len(spared),
        "spared_flagged": round(float(np.mean(spared)), 4),
    }


def _member_figures(prepared: Prepared) -> dict[str, Any]:
    table = prepared.table
    whole = table.whole & (table.labels["group"] >= 0)
    labels = table.labels["member"][whole] == 1
    scores = prepared.scores.scores["member"][whole]
    figures = ranking(labels, scores, np.ones(len(labels)), SEED)
    figures["found_at_2%_of_others"] = round(
        found_at(labels, scores, np.ones(len(labels)), 0.02), 4
    )
    return figures
