"""What a model says of messages it has not seen, and the figures that follow from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bot.classifier.training.calibrate import natural_weights
from bot.classifier.training.corpora import Message
from bot.classifier.training.crossval import is_clear, is_hostile
from bot.classifier.training.fairness import DIALECTS, IDENTITY_WORDS, false_alarms_by
from bot.classifier.training.languages import by_language
from bot.classifier.training.measures import (
    auc_by,
    auc_of,
    brier_skill,
    calibration_table,
    flagged_by,
    largest_gap,
    ranking,
    share,
)
from bot.comment import Level

MIX: Final = {"random": 3.0, "mid": 1.0, "top": 0.4}
"""Weights of the strata that make about one real comment in ten hostile."""

ONE_IN_TEN: Final = "real, one in ten hostile"
NATURAL: Final = "real, natural rate"
WRITTEN: Final = "written"
SURE: Final = ", sure labels"

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Scored:
    """Messages, and what each scorer says of those that are measured.

    `scorers` are scores of any scale, by message; `probability` is the answer of the model
    that is measured, flagged from `threshold`; `used` are the messages that it had not seen;
    `languages` the language of each, empty for English.
    """

    messages: Sequence[Message]
    languages: Sequence[str]
    scorers: Mapping[str, Floats]
    probability: Floats
    threshold: float
    used: Bools

    @property
    def hostile(self) -> Bools:
        """The messages that belong in the queue."""
        return np.array([is_hostile(m) for m in self.messages])

    @property
    def flagged(self) -> Bools:
        """The messages that the model flags."""
        flagged: Bools = self.probability >= self.threshold
        return flagged

    @property
    def real(self) -> Bools:
        """The measured comments of real people, without those hostile at a group."""
        real = np.array([m.part == "real" and is_clear(m) for m in self.messages])
        return real & self.used

    @property
    def written(self) -> Bools:
        """The measured messages that were written for this project."""
        return np.array([m.part == "written" for m in self.messages]) & self.used

    def natural(self, rows: Bools) -> Floats:
        """Weights that give real comments `rows` the natural rate; 0 for others."""
        weights = np.zeros(len(self.messages))
        places = np.flatnonzero(rows)
        if len(places):
            messages = [self.messages[i] for i in places.tolist()]
            weights[places] = natural_weights(messages, self.probability[places])
        return weights

    def sets(self) -> dict[str, tuple[Bools, Floats]]:
        """The messages of each set with their weights."""
        sure = np.array([m.sure for m in self.messages])
        random = np.array([m.stratum == "random" for m in self.messages])
        mix = np.array([MIX.get(m.stratum, 1.0) for m in self.messages])
        even = np.ones(len(self.messages))
        real = self.real
        return {
            ONE_IN_TEN: (real, mix),
            ONE_IN_TEN + SURE: (real & sure, mix),
            NATURAL: (real, self.natural(real)),
            NATURAL + SURE: (real & sure, self.natural(real & sure)),
            "real, natural mix": (real & random, even),
            WRITTEN: (self.written, even),
        }

    def figures(self, seed: int) -> dict[str, Any]:
        """Every figure that needs no more than the scores, ready for JSON."""
        hostile, flagged, score = self.hostile, self.flagged, self.probability
        real, written, sets = self.real, self.written, self.sets()
        kinds, levels = self._text("kind"), self._levels()
        fine = real & ~hostile
        texts = [self.messages[i].text for i in np.flatnonzero(fine).tolist()]
        weights = sets[NATURAL][1][fine]
        return {
            "sets": {
                name: {
                    scorer: ranking(hostile[rows], values[rows], w[rows], seed)
                    for scorer, values in self.scorers.items()
                }
                for name, (rows, w) in sets.items()
            },
            "at_threshold": {
                "threshold": self.threshold,
                **{
                    name: {
                        "found": share(flagged, rows & hostile, w),
                        "fine_flagged": share(flagged, rows & ~hostile, w),
                    }
                    for name, (rows, w) in sets.items()
                },
            },
            "auc_by_source": auc_by(self._text("source")[real], hostile[real], score[real]),
            "auc_by_kind": auc_of(kinds[written], hostile[written], score[written]),
            "auc_by_level": auc_of(levels[real], hostile[real], score[real]),
            "flagged_by_kind": flagged_by(kinds[written], flagged[written]),
            "flagged_by_level": flagged_by(levels[real], flagged[real]),
            "flagged_by_target": flagged_by(self._aims()[self._comments], flagged[self._comments]),
            **self._calibration("", *sets[NATURAL]),
            **self._calibration("_sure", *sets[NATURAL + SURE]),
            "false_alarms_by_identity": false_alarms_by(
                IDENTITY_WORDS, texts, flagged[fine], weights
            ),
            "false_alarms_by_dialect": false_alarms_by(DIALECTS, texts, flagged[fine], weights),
            "languages": {
                part: by_language(np.array(self.languages)[rows], hostile[rows], flagged[rows])
                for part, rows in (("real", real), ("written", written))
            },
        }

    def _calibration(self, suffix: str, rows: Bools, weights: Floats) -> dict[str, Any]:
        hostile, score = self.hostile[rows], self.probability[rows]
        table = calibration_table(hostile, score, weights[rows])
        return {
            f"calibration{suffix}": table,
            f"largest_gap{suffix}": largest_gap(table),
            f"brier_skill{suffix}": brier_skill(hostile, score, weights[rows]),
        }

    @property
    def _comments(self) -> Bools:
        return np.array([m.part == "real" for m in self.messages]) & self.used

    def _text(self, name: str) -> NDArray[np.str_]:
        return np.array([getattr(m, name) for m in self.messages])

    def _levels(self) -> NDArray[np.str_]:
        return np.array(
            [
                f"{int(m.level)}"
                if m.level < Level.HOSTILE or is_hostile(m)
                else "2-3, not at a person discussed"
                for m in self.messages
            ]
        )

    def _aims(self) -> NDArray[np.str_]:
        return np.array(
            [
                f"{m.target_type}, level {'2-3' if m.level >= Level.HOSTILE else '0-1'}"
                for m in self.messages
            ]
        )
