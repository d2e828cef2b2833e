"""Grouped cross-validation: what the model says of messages it was not fitted on."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from zlib import crc32

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import StratifiedGroupKFold

from bot.classifier.estimator import HEADS, HostilityClassifier
from bot.classifier.training.corpora import Message
from bot.classifier.training.rows import Table
from bot.comment import Level, TargetType

FOLDS = 5
HELD_OUT = 12
"""One group in so many is kept from the encoder."""

_NO_LETTERS = re.compile(r"\W+")

Floats = NDArray[np.float64]
Progress = Callable[[str], None]


def held_out(message: Message) -> bool:
    """Whether a message, with all of its group, is kept from the encoder's training."""
    if message.part == "real":
        key = "r" + _NO_LETTERS.sub(" ", message.text.lower()).strip()[:60]
    else:
        key = "c" + message.group
    return crc32(key.encode()) % HELD_OUT == 0


def is_clear(message: Message) -> bool:
    """Not hostile at a group, which may be a band or a cast."""
    return not (message.level >= Level.HOSTILE and message.target_type is TargetType.GROUP)


def is_hostile(message: Message) -> bool:
    """Whether a message belongs in the queue: level 2 or 3 at a person discussed."""
    return message.level >= Level.HOSTILE and message.target_type is TargetType.PERSON


@dataclass(frozen=True, slots=True)
class OutOfFold:
    """Raw log-odds of every row by a model that saw nothing of its group.

    `fold` is -1 for public rows, which are fitted on and never scored.
    """

    fold: NDArray[np.intp]
    scores: dict[str, Floats]


def folds_of(messages: list[Message], seed: int) -> NDArray[np.intp]:
    """The fold of each message, its group unsplit; -1 for public ones."""
    scored = np.array([i for i, m in enumerate(messages) if m.part != "public"])
    strata = np.array([2 * (messages[i].part == "real") + is_hostile(messages[i]) for i in scored])
    groups = np.array([messages[i].group for i in scored])
    fold = np.full(len(messages), -1, dtype=np.intp)
    splitter = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=seed)
    for number, (_, test) in enumerate(splitter.split(scored, strata, groups)):
        fold[scored[test]] = number
    return fold


def out_of_fold(
    classifier: HostilityClassifier,
    rows: sp.csr_matrix,
    table: Table,
    *,
    seed: int,
    progress: Progress,
) -> OutOfFold:
    """Score every row of `table` out of fold; `rows` are its features.

    The vocabulary is that of all the rows (it is chosen by frequency, without labels);
    every weight is fitted within the fold.
    """
    fold = folds_of(list(table.messages), seed)[table.message]
    scores = {name: np.full(len(table.views), np.nan) for name in HEADS}
    for number in range(FOLDS):
        progress(f"cross-validation, fold {number + 1} of {FOLDS}")
        train, test = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
        fitted = clone(classifier).fit_heads(
            rows[train], table.labels[train], table.weight[train], table.message[train]
        )
        answers = fitted.logits_of_rows(rows[test])
        for name, column in scores.items():
            column[test] = answers[name]
    return OutOfFold(fold, scores)


def by_message(table: Table, scores: Floats) -> Floats:
    """The highest score of each message over its people and the message as a whole."""
    best = np.full(len(table.messages), -np.inf)
    used = table.scored & ~np.isnan(scores)
    np.maximum.at(best, table.message[used], scores[used])
    return best
