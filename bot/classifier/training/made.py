"""Rows made of written messages: the same words, said to a member or of oneself.

They teach what few messages show: that what is hostile of a person discussed is something
else when the reader or the writer is meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from bot.classifier.training.corpora import Message
from bot.classifier.training.row import Row
from bot.reading import roles

_WEIGHT = 0.5
_SPOKEN_OF = re.compile(rf"\b(?:{roles.TARGET}|he|she) (?:is|was|has)\b|\b(?:he|she)'s\b")
_WHO = rf"(?:{roles.TARGET}|he|she)"
_TURN = re.compile(
    rf"\b(?:(?P<was>{_WHO} was)|(?P<be>{_WHO}(?: is|'s(?= )))|(?P<has>{_WHO} has)"
    rf"|(?P<self>himself|herself)|(?P<own>his|{roles.TARGET}'s|her(?= \w))"
    rf"|(?P<object>him|her)|(?P<subject>{_WHO}))\b"
)
_TO_READER = {
    "was": "you were",
    "be": "you are",
    "has": "you have",
    "self": "yourself",
    "own": "your",
    "object": "you",
    "subject": "you",
}
_TO_WRITER = {
    "was": "i was",
    "be": "i am",
    "has": "i have",
    "self": "myself",
    "own": "my",
    "object": "me",
    "subject": "i",
}


def made_turns(
    messages: Sequence[Message], rows: Sequence[Row], owner: Sequence[int]
) -> Iterator[tuple[int, Row]]:
    """Attacks turned to a member ("you are") and, each third, on the writer ("i am")."""
    turn = 0
    for number, row in zip(owner, rows, strict=True):
        attack = row.person is not None and row.labels["hostile"] == 1
        written = messages[number].part == "written"
        if not (attack and written and roles.TARGET in row.view and _SPOKEN_OF.search(row.view)):
            continue
        turn += 1
        nothing = {"hostile": 0, "attitude": 0}
        if turn % 3:
            view = _TURN.sub(_speaker(_TO_READER), row.view)
            yield number, Row(view, {**nothing, "member": 1, "self": 0}, weight=_WEIGHT)
        else:
            view = _TURN.sub(_speaker(_TO_WRITER), row.view)
            yield number, Row(view, {**nothing, "member": 0, "self": 1}, weight=_WEIGHT)


def _speaker(forms: dict[str, str]) -> Callable[[re.Match[str]], str]:
    return lambda match: forms[match.lastgroup or "subject"]
