"""Who a word is said of, and how: what tells an insult from a mention of one.

Each word of a view gets a voice (the writer's own, quoted, denied, reported) and an owner
(the person asked about, another, a member, the reader, the writer, a thing). Words that
are not the writer's own never look like those that are: they make features of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Final

from bot.classifier.lexicon import words
from bot.classifier.tokens import Token, tokenize
from bot.reading import roles
from bot.reading.vocabulary import strong


class Voice(StrEnum):
    """How a word is said; the value marks it in the names of features."""

    OWN = ""
    QUOTED = "„"
    DENIED = "¬"
    REPORTED = "«"


_SELF: Final = words("self")
_READER: Final = words("reader")
_OWNER_OF_ROLE: Final = {roles.TARGET: "T", roles.PERSON: "P", roles.MEMBER: "M"}
_OWNER_OF_WORD: Final = {
    **dict.fromkeys(_SELF, "I"),
    **dict.fromkeys(_READER, "Y"),
    **dict.fromkeys(words("third_person"), "T"),
    **dict.fromkeys(words("thing"), "O"),
    **_OWNER_OF_ROLE,
}
_TURN: Final = words("turns") | {*".!?;:()\u2026\u2014\u2013", roles.QUOTE, roles.UNQUOTE}
_BREAK: Final = _TURN | words("joins")
_DENIES: Final = words("denies")
_NOT_DENIED: Final = words("not_denied")
_SKIPPED: Final = words("skipped")
_REPORTS: Final = words("reports")
_WRITER_REPORTS: Final = _SELF | _READER | words("writer_reports")
_DENIED_WORDS: Final = 2
_REPORTED_REACH: Final = 9
_BREAK_COST: Final = 6
_COMMA_COST: Final = 2
_BEFORE_COST: Final = 0.5
_REACH: Final = 12.0


def is_word(token: Token) -> bool:
    """Whether a token is a word or an emoji, rather than punctuation or a single letter."""
    return len(token.text) > 1 and (token.text[0].isalnum() or token.text[0] == ":")


def voices(tokens: Sequence[Token]) -> list[Voice]:
    """How each token is said.

    Denied is what a "not" is about ("isn't fake", "not a liar"); reported, what somebody
    else is said to say or write ("they keep calling him trash").
    """
    found = [Voice.OWN] * len(tokens)
    quoted = False
    denied = 0
    reported_until = -1
    for i, token in enumerate(tokens):
        text = token.text
        if text in {roles.QUOTE, roles.UNQUOTE}:
            quoted = text == roles.QUOTE
        if quoted:
            found[i] = Voice.QUOTED
        elif text in _TURN:
            denied, reported_until = 0, -1
        elif text in _DENIES:
            follows = tokens[i + 1].text if i + 1 < len(tokens) else ""
            denied = 0 if follows in _NOT_DENIED else _DENIED_WORDS
        elif text in _REPORTS and not _writer_reports(tokens, i):
            reported_until = i + _REPORTED_REACH
        elif is_word(token):
            if denied and text not in _SKIPPED:
                found[i] = Voice.DENIED
                denied -= 1
            elif i <= reported_until:
                found[i] = Voice.REPORTED
    return [
        Voice.OWN if token.text in _OWNER_OF_WORD else voice
        for token, voice in zip(tokens, found, strict=True)
    ]


def _writer_reports(tokens: Sequence[Token], i: int) -> bool:
    """Words such as "i call" or "let's say": what follows is the writer's own after all."""
    return any(t.text in _WRITER_REPORTS for t in tokens[max(0, i - 3) : i])


def owners(tokens: Sequence[Token]) -> list[str]:
    """For each token, whom it is said of: the nearest person, where clauses set apart.

    `T` the person asked about, `P` another person, `M` a member, `Y` the reader, `I` the
    writer, `O` a thing, `N` nobody near.
    """
    cost = [0.0]
    for token in tokens:
        step = _BREAK_COST if token.text in _BREAK else _COMMA_COST if token.text == "," else 1
        cost.append(cost[-1] + step)
    people = [(i, o) for i, t in enumerate(tokens) if (o := _OWNER_OF_WORD.get(t.text)) is not None]
    found = []
    before = -1
    for i in range(len(tokens)):
        while before + 1 < len(people) and people[before + 1][0] <= i:
            before += 1
        best, owner = _REACH, "N"
        if before >= 0 and (distance := cost[i] - cost[people[before][0]]) < best:
            best, owner = distance, people[before][1]
        if before + 1 < len(people):
            distance = cost[people[before + 1][0]] - cost[i] + _BEFORE_COST
            if distance < best:
                owner = people[before + 1][1]
        found.append(owner)
    return found


def speaks_to_reader_alone(view: str) -> bool:
    """Whether a view has a "you" and nobody in the third person."""
    found = {_OWNER_OF_WORD.get(token.text) for token in tokenize(view)}
    return "Y" in found and not found & {"T", "P"}


def stance_features(
    tokens: Sequence[Token], said: Sequence[Voice]
) -> Iterator[tuple[str, int, int]]:
    """The stance features of a view with the spans they come from."""
    insults = strong()
    whose = owners(tokens)
    marks: set[str] = set()
    for token, owner, voice in zip(tokens, whose, said, strict=True):
        text = token.text
        mark = _OWNER_OF_WORD.get(text) or (text if text in roles.MARKS else None)
        if mark is not None:
            marks.add(mark)
        elif is_word(token):
            yield f"{owner}{voice}:{text}", token.start, token.end
            if text in insults:
                yield f"{owner}{voice}:STRONG", token.start, token.end
                yield f"{voice}STRONG", token.start, token.end
                marks.add(f"{voice}STRONG")
    for (first, mine, how), (second, other, _) in pairwise(zip(tokens, whose, said, strict=True)):
        if mine == other == "T" and first.text[0].isalnum() and second.text[0].isalnum():
            yield f"T{how}:{first.text} {second.text}", first.start, second.end
    if "Y" in marks and not marks & {"T", "P"}:
        marks.add("reader alone, STRONG" if "STRONG" in marks else "reader alone")
    for mark in sorted(marks | set(_places(tokens))):
        yield f"has:{mark}", 0, 0


def _places(tokens: Sequence[Token]) -> Iterator[str]:
    """Where the person asked about stands among the people named: mostly, doers come first."""
    people = [i for i, token in enumerate(tokens) if token.text in {roles.TARGET, roles.PERSON}]
    asked = [i for i in people if tokens[i].text == roles.TARGET]
    if not asked or len(asked) == len(people):
        return
    if asked[0] == people[0]:
        yield "first"
    if asked[-1] == people[-1]:
        yield "last"
    if any(i == 0 or tokens[i - 1].text in _BREAK or tokens[i - 1].text == "," for i in asked):
        yield "opens"
