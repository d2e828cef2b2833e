"""Measure words and sentence together, on the groups the encoder was not trained on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from bot.classifier.training.blending import Held, hold, weigh
from bot.classifier.training.crossval import is_clear, is_hostile
from bot.classifier.training.evaluate import MIX, share
from bot.classifier.training.measures import (
    brier_skill,
    calibration_table,
    flagged_by,
    ranking,
)
from bot.classifier.training.train import SEED, Prepared, calibrated, calibrated_rows

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


def report_encoder(prepared: Prepared, folder: Path) -> dict[str, Any]:
    """The figures of the encoder in `folder` beside the words, ready for JSON.

    The few numbers that weigh the two (three for each head) are fitted on the same
    messages.
    """
    meta = calibrated(prepared)
    held = hold(prepared.table, calibrated_rows(prepared), folder)
    weights, meta = weigh(held, prepared.table, meta)
    messages = prepared.table.messages
    both = held.by_message(held.together("hostile", weights["hostile"]), len(messages))
    scorers = {
        "words": held.by_message(held.words["hostile"], len(messages)),
        "sentence": held.by_message(held.sentences["hostile"], len(messages)),
        "both": both,
    }
    used = np.isfinite(both)
    score = np.where(used, expit(np.where(used, both, 0.0)), 0.0)
    hostile = np.array([is_hostile(m) for m in messages])
    real = used & np.array([m.part == "real" and is_clear(m) for m in messages])
    written = used & np.array([m.part == "written" for m in messages])
    sure = np.array([m.sure for m in messages])
    natural = real & np.array([m.stratum == "random" for m in messages])
    mix = np.array([MIX.get(m.stratum, 1.0) for m in messages])
    even = np.ones(len(messages))
    sets = {
        "real, one in ten hostile": (real, mix),
        "real, one in ten hostile, sure labels": (real & sure, mix),
        "real, natural mix": (natural, even),
        "written": (written, even),
    }
    flagged = score >= meta.threshold
    return {
        "model": meta.version,
        "method": "one group in 12 held out of the encoder's training, out of fold for the words",
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
        "flagged_by_kind": flagged_by(
            np.array([m.kind for m in messages])[written], flagged[written]
        ),
        "target": _target(held, messages, held.together("hostile", weights["hostile"])),
        "calibration": calibration_table(hostile[natural], score[natural], even[natural]),
        "brier_skill": brier_skill(hostile[natural], score[natural], even[natural]),
    }


def _target(held: Held, messages: Any, odds: Floats) -> dict[str, Any]:  # noqa: ANN401
    """Of the written hostile messages with several candidates: is the right one highest?"""
    rows: dict[int, list[int]] = {}
    for row, person in enumerate(held.person):
        if person is not None:
            rows.setdefault(int(held.message[row]), []).append(row)
    right = []
    for number, people in rows.items():
        message = messages[number]
        names = [held.person[row] for row in people]
        if message.part != "written" or not is_hostile(message) or len(people) < 2:  # noqa: PLR2004
            continue
        if message.target in names:
            right.append(names[int(np.argmax(odds[people]))] == message.target)
    return {
        "messages_with_several_people": len(right),
        "right_person": round(float(np.mean(right)), 4),
    }
