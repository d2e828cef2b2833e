"""The table a model is fitted on: a row for each person discussed and one for each message."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.classifier.estimator import HEADS, LABELS, UNKNOWN
from bot.classifier.stance import speaks_to_reader_alone
from bot.classifier.training.corpora import Message
from bot.classifier.training.made import made_empty, made_turns
from bot.classifier.training.names import hide
from bot.classifier.training.row import Row
from bot.classifier.views import whole_view
from bot.comment import Level, TargetType
from bot.reading import Candidate, read

_AIMED_AT = (TargetType.GROUP, TargetType.OBJECT, TargetType.SELF)

PART_WEIGHT = {"real": 1.0, "written": 2.0, "public": 0.25}


@dataclass(frozen=True, slots=True)
class Table:
    """Rows and what they belong to.

    `message` is each row's place in `messages`. A `whole` row asks about anyone, one with a
    `person` about that candidate; where there is one candidate alone, one row may do both.
    The others are made of messages to teach a difference and are never scored.
    """

    messages: Sequence[Message]
    views: list[str]
    labels: NDArray[Any]
    message: NDArray[np.intp]
    person: list[str | None]
    whole: NDArray[np.bool_]
    weight: NDArray[np.float64]

    @property
    def scored(self) -> NDArray[np.bool_]:
        """The rows that a message's score is taken from."""
        personal = np.array([person is not None for person in self.person])
        scored: NDArray[np.bool_] = self.whole | personal
        return scored


def make_table(messages: Sequence[Message], hidden: frozenset[str]) -> Table:
    """Read every message; `hidden` are words that no feature may be made of."""
    rows: list[Row] = []
    owner: list[int] = []
    for number, message in enumerate(messages):
        for row in _rows(message):
            rows.append(row)
            owner.append(number)
    made = [*made_turns(messages, rows, owner), *made_empty(rows, owner)]
    for number, row in made:
        rows.append(row)
        owner.append(number)
    return Table(
        messages,
        [hide(row.view, hidden) for row in rows],
        np.array(
            [tuple(row.labels.get(head, UNKNOWN) for head in HEADS) for row in rows], dtype=LABELS
        ),
        np.array(owner, dtype=np.intp),
        [row.person for row in rows],
        np.array([row.whole for row in rows]),
        np.array(
            [PART_WEIGHT[messages[i].part] * row.weight for i, row in zip(owner, rows, strict=True)]
        ),
    )


def _rows(message: Message) -> Iterator[Row]:
    if message.part == "public":
        view = whole_view(read(message.text).view(None))
        labels = {"hostile": int(message.level >= Level.HOSTILE)}
        if speaks_to_reader_alone(view):
            labels["member"] = labels["hostile"]
        yield Row(view, labels, whole=True)
        return
    reading = read(message.text, message.context, message.people)
    personal = message.target_type is TargetType.PERSON
    whole = {kind.value: int(message.target_type is kind) for kind in _AIMED_AT}
    member = message.level >= Level.HOSTILE and message.target_type is TargetType.MEMBER
    whole |= {"member": int(member), **_labels(message, int(personal))}
    view = whole_view(reading.view(None))
    named = any(c.name == message.target for c in reading.candidates)
    merged = False
    for candidate in reading.candidates:
        meant = is_meant(message, candidate, named, len(reading.candidates))
        row = Row(reading.view(candidate).text, _labels(message, meant), candidate.name)
        if row.view == view and row.labels.items() <= whole.items() and not merged:
            merged = True
            yield replace(row, labels=whole, whole=True)
        else:
            yield row
    if not merged:
        yield Row(view, whole, whole=True)


def _labels(message: Message, meant: int) -> dict[str, int]:
    """The labels of a row about a person who is meant (1), is not (0) or may be (UNKNOWN)."""
    hostile = meant if message.level >= Level.HOSTILE else 0
    labels = {"hostile": hostile, "attitude": meant if message.level >= Level.CRITICAL else 0}
    if hostile:
        labels["abusive"] = int(message.level is Level.ABUSIVE)
    return labels


def is_meant(message: Message, candidate: Candidate, named: bool, among: int) -> int:
    """Whether the message's label is about this candidate: 1, 0, or UNKNOWN among several.

    Someone who may as well be meant, as far as the words tell, is read in the same view as
    the one who is.
    """
    if message.target_type is not TargetType.PERSON:
        return 0
    if candidate.ambiguous and candidate.name != message.target:
        return UNKNOWN
    if candidate.name in message.spared:
        return 0
    if named:
        return int(candidate.name == message.target)
    if candidate.in_roster and message.target:
        return 0
    return 1 if among == 1 else UNKNOWN
