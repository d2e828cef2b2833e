"""Weigh the encoder against the words, on messages that neither was fitted on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from bot.classifier.blend import NETWORK_FILE, TOKENIZER_FILE, Weights
from bot.classifier.encoder import SentenceEncoder
from bot.classifier.estimator import HEADS
from bot.classifier.sentences import Sentences
from bot.classifier.shares import measure_shares
from bot.classifier.storage import Meta
from bot.classifier.training.calibrate import fit_calibration, natural_weights, threshold_for
from bot.classifier.training.crossval import held_out, is_clear, is_hostile
from bot.classifier.training.rows import Table
from bot.reading import read

VERSION = "2026.12"
FALSE_ALARMS = 0.02
MEMBER_FALSE_ALARMS = 0.003

Floats = NDArray[np.float64]
_OF_MESSAGE = {"member", "group", "object", "self"}


@dataclass(frozen=True, slots=True)
class Held:
    """Rows of held-out messages: out-of-fold words, and the encoder, as log-odds by head.

    A row of the table that asks about anyone and a person at once is here twice.
    """

    message: NDArray[np.intp]
    person: list[str | None]
    whole: NDArray[np.bool_]
    labels: Mapping[str, NDArray[np.int8]]
    words: Mapping[str, Floats]
    sentences: Mapping[str, Floats]

    def together(self, head: str, weights: Weights) -> Floats:
        """The log-odds of the two, weighed."""
        return weights[0] * self.words[head] + weights[1] * self.sentences[head] + weights[2]

    def by_message(self, scores: Floats, count: int) -> Floats:
        """The highest score of each of `count` messages, -inf for those not held out."""
        best = np.full(count, -np.inf)
        np.maximum.at(best, self.message, scores)
        return best


def hold(table: Table, words: Mapping[str, Floats], folder: Path) -> Held:
    """Let the encoder in `folder` read every message it was not trained on.

    Args:
        table: the rows of all messages.
        words: calibrated out-of-fold log-odds of every row, by head.
        folder: where network and tokenizer are.
    """
    encoder = SentenceEncoder(folder / NETWORK_FILE, folder / TOKENIZER_FILE)
    rows: dict[int, list[int]] = {}
    for row in np.flatnonzero(table.scored).tolist():
        rows.setdefault(int(table.message[row]), []).append(row)
    used: list[tuple[int, str | None]] = []
    heard: list[dict[str, float]] = []
    for number, message in enumerate(table.messages):
        if message.part == "public" or not held_out(message):
            continue
        reading = read(message.text, message.context, message.people)
        sentences = Sentences(encoder, reading)
        people = {c.name: c for c in reading.candidates}
        for row in rows.get(number, ()):
            asked = [None] if table.whole[row] else []
            for name in [*asked, *filter(None, [table.person[row]])]:
                used.append((row, name))
                heard.append(sentences.hear(people.get(name) if name else None, None))
    chosen = np.array([row for row, _ in used])
    return Held(
        message=table.message[chosen],
        person=[name for _, name in used],
        whole=np.array([name is None for _, name in used]),
        labels={head: table.labels[head][chosen] for head in HEADS},
        words={head: words[head][chosen] for head in HEADS},
        sentences={head: np.array([h[head] for h in heard]) for head in HEADS},
    )


def weigh(held: Held, table: Table, meta: Meta) -> tuple[dict[str, Weights], Meta]:
    """The weights of each head, calibrated to the natural rate, and the thresholds with them.

    Args:
        held: see `hold`.
        table: the rows of all messages.
        meta: that of the words alone; its other particulars are kept.
    """
    messages = table.messages
    real = np.array([messages[i].part == "real" for i in held.message.tolist()])
    sure = np.array([1.0 if messages[i].sure else 0.75 for i in held.message.tolist()])
    weights = {head: _fit(held, head, sure * np.where(real, 1.0, 0.5)) for head in HEADS}

    best = held.by_message(held.together("hostile", weights["hostile"]), len(messages))
    hostile = np.array([is_hostile(m) for m in messages])
    of_real = np.isfinite(best) & np.array([m.part == "real" and is_clear(m) for m in messages])
    natural = np.zeros(len(messages))
    places = np.flatnonzero(of_real)
    natural[places] = natural_weights([messages[i] for i in places.tolist()], best[places])
    weights["hostile"], best = _calibrated(weights["hostile"], best, hostile, natural, of_real)

    whole = held.whole & real
    member = held.labels["member"] == 1
    odds = held.together("member", weights["member"])
    of_row = natural[held.message]
    weights["member"], odds = _calibrated(weights["member"], odds, member, of_row, whole)
    limit = threshold_for(best, of_real & ~hostile, natural, FALSE_ALARMS)
    member_limit = threshold_for(odds, whole & ~member, of_row, MEMBER_FALSE_ALARMS)
    return weights, replace(
        meta,
        version=VERSION,
        threshold=round(limit, 4),
        member_threshold=round(member_limit, 4),
        shares=measure_shares(expit(best[places]), natural[places]),
    )


def _fit(held: Held, head: str, weight: Floats) -> Weights:
    labels = held.labels[head]
    known = labels >= 0
    if head in _OF_MESSAGE:
        known &= held.whole
    both = np.stack([held.words[head], held.sentences[head]], axis=1)
    model = LogisticRegression(C=10.0).fit(both[known], labels[known] == 1, weight[known])
    words, sentence = model.coef_[0]
    return float(words), float(sentence), float(model.intercept_[0])


def _calibrated(
    weights: Weights,
    odds: Floats,
    labels: NDArray[np.bool_],
    natural: Floats,
    used: NDArray[np.bool_],
) -> tuple[Weights, Floats]:
    slope, intercept = fit_calibration(odds[used], labels[used], natural[used])
    words, sentence, before = weights
    after = (words * slope, sentence * slope, before * slope + intercept)
    return (float(after[0]), float(after[1]), float(after[2])), odds * slope + intercept
