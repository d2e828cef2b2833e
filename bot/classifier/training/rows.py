"""The table a model is fitted on: a row for each person discussed and one for each message."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.classifier.estimator import HEADS, LABELS, UNKNOWN
from bot.classifier.training.corpora import Message
from bot.classifier.training.names import hide
from bot.comment import Level, TargetType
from bot.reading import Candidate, read, roles

NOT_ASKED = -2
"""The `hostile` label of a row that is about the message rather than a person."""

_AIMED_AT = (TargetType.GROUP, TargetType.OBJECT, TargetType.SELF)

_JOINTS = (". ", " but ", ", ", " ", " while ")

PART_WEIGHT = {"real": 1.0, "written": 2.0, "public": 0.25}


@dataclass(frozen=True, slots=True)
class Table:
    """Rows and what they belong to.

    `message` is each row's place in `messages`; `person` the candidate's name in a row that
    asks about one person (or about nobody, where no one is found); `asked` marks those
    rows, the others being the whole message's.
    """

    messages: Sequence[Message]
    views: list[str]
    labels: NDArray[Any]
    message: NDArray[np.intp]
    person: list[str | None]
    asked: NDArray[np.bool_]
    weight: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Row:
    view: str
    person: str | None
    asked: bool
    labels: dict[str, int]


def make_table(messages: Sequence[Message], names: frozenset[str]) -> Table:
    """Read every message; `names` are words that no feature may be made of."""
    rows: list[_Row] = []
    owner: list[int] = []
    for number, message in enumerate(messages):
        for row in _rows(message):
            rows.append(row)
            owner.append(number)
    for number, row in _composites(messages, rows, owner):
        rows.append(row)
        owner.append(number)
    return Table(
        messages,
        [hide(row.view, names) for row in rows],
        np.array(
            [tuple(row.labels.get(head, UNKNOWN) for head in HEADS) for row in rows], dtype=LABELS
        ),
        np.array(owner, dtype=np.intp),
        [row.person for row in rows],
        np.array([row.asked for row in rows]),
        np.array([PART_WEIGHT[messages[i].part] for i in owner]),
    )


def _rows(message: Message) -> Iterator[_Row]:
    if message.part == "public":
        hostile = int(message.level >= Level.HOSTILE)
        view = read(message.text).view(None).text
        yield _Row(view, None, True, {"hostile": hostile})
        return
    reading = read(message.text, message.context, message.people)
    whole = {kind.value: int(message.target_type is kind) for kind in _AIMED_AT}
    member = message.level >= Level.HOSTILE and message.target_type is TargetType.MEMBER
    whole |= {"hostile": NOT_ASKED, "member": int(member)}
    yield _Row(reading.view(None).text, None, False, whole)
    candidates: Sequence[Candidate | None] = reading.candidates or (None,)
    named = any(c is not None and c.name == message.target for c in reading.candidates)
    for candidate in candidates:
        meant = _is_meant(message, candidate, named, len(candidates))
        hostile = meant if message.level >= Level.HOSTILE else 0
        attitude = meant if message.level >= Level.CRITICAL else 0
        labels = {"hostile": hostile, "attitude": attitude}
        if hostile:
            labels["abusive"] = int(message.level is Level.ABUSIVE)
        yield _Row(
            reading.view(candidate).text, candidate.name if candidate else None, True, labels
        )


def _is_meant(message: Message, candidate: Candidate | None, named: bool, among: int) -> int:
    """Whether the message's label is about this candidate: 1, 0, or UNKNOWN among several."""
    if message.target_type is not TargetType.PERSON:
        return 0
    if named:
        return int(candidate is not None and candidate.name == message.target)
    if candidate is not None and candidate.in_roster and message.target:
        return 0
    return 1 if among == 1 else UNKNOWN


def _composites(
    messages: Sequence[Message], rows: Sequence[_Row], owner: Sequence[int]
) -> Iterator[tuple[int, _Row]]:
    """Two written messages of one contrast group in one view: one person attacked, one spared.

    Asked about the attacked person the view is hostile, asked about the other it is not.
    """
    attacks: dict[str, list[tuple[int, _Row]]] = {}
    others: dict[str, list[_Row]] = {}
    for number, row in zip(owner, rows, strict=True):
        message = messages[number]
        if message.part != "written" or not row.asked or roles.TARGET not in row.view:
            continue
        if row.labels["hostile"] == 1:
            attacks.setdefault(message.group, []).append((number, row))
        elif message.level <= Level.CRITICAL:
            others.setdefault(message.group, []).append(row)
    for group in sorted(attacks.keys() & others.keys()):
        partners = cycle(others[group])
        for turn, (number, attack) in enumerate(attacks[group]):
            other = next(partners)
            joint = _JOINTS[turn % len(_JOINTS)]
            attacked = [attack.view, other.view.replace(roles.TARGET, roles.PERSON)]
            spared = [attack.view.replace(roles.TARGET, roles.PERSON), other.view]
            if turn % 2:
                attacked.reverse()
                spared.reverse()
            labels = {**attack.labels, "attitude": 1}
            yield number, _Row(joint.join(attacked), None, False, labels)
            attitude = other.labels["attitude"]
            yield (
                number,
                _Row(joint.join(spared), None, False, {"hostile": 0, "attitude": attitude}),
            )
