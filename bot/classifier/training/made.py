"""Rows made of messages: the same words, said to a member or of oneself; and none of them.

They teach what few messages show: that what is hostile of a person discussed is something
else when the reader or the writer is meant, and that it is in the words that say it, not
in the names and function words around them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from bot.classifier.lexicon import words
from bot.classifier.training.corpora import Message
from bot.classifier.training.row import Row
from bot.comment import Level
from bot.reading import roles

_WEIGHT = 0.5
_FUNCTION = words("function")
_NOTHING = {"hostile": 0, "attitude": 0, "member": 0}
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
    """What is said of a person, turned to a member ("you are") and each third to oneself.

    Attacks become attacks on a member or on oneself, kind words stay kind.
    """
    turn = 0
    for number, row in zip(owner, rows, strict=True):
        message = messages[number]
        written = message.part == "written"
        kind = message.part == "real" and message.level is Level.NONE
        spoken_of = roles.TARGET in row.view and _SPOKEN_OF.search(row.view)
        if row.person is None or not spoken_of or not (written or kind):
            continue
        turn += 1
        attack = int(row.labels["hostile"] == 1)
        labels = {"hostile": 0, "attitude": 0} if written else {}
        forms, aim = (_TO_READER, "member") if turn % 3 else (_TO_WRITER, "self")
        view = _TURN.sub(_speaker(forms), row.view)
        yield number, Row(view, {**labels, "member": 0, "self": 0, aim: attack}, weight=_WEIGHT)


def made_empty(rows: Sequence[Row], owner: Sequence[int]) -> Iterator[tuple[int, Row]]:
    """Hostile rows of which only names and function words are left: harmless."""
    for number, row in zip(owner, rows, strict=True):
        if row.labels.get("hostile") == 1 and roles.TARGET in row.view:
            yield number, Row(emptied(row.view), dict(_NOTHING), weight=_WEIGHT)


def emptied(view: str) -> str:
    """The names and function words of a view."""
    kept = (
        word
        for word in view.split()
        if word.removesuffix("'s") in roles.ROLES or word.strip(".,!?'\"") in _FUNCTION
    )
    return " ".join(kept)


def _speaker(forms: dict[str, str]) -> Callable[[re.Match[str]], str]:
    return lambda match: forms[match.lastgroup or "subject"]
