"""Who a word is said of, and how: features that tell an insult from a mention of one.

Each word is given to the nearest person (the one asked about, another, a member, the
reader, the writer), where a boundary between clauses counts as distance. Strong words
also appear as a class, with whether they are quoted or negated, so that what is learnt
of one insult holds for all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from bot.classifier.tokens import Token
from bot.reading import roles
from bot.reading.vocabulary import strong

_SELF: Final = frozenset("i i'm im i've ive i'd i'll ill me my mine myself".split())
_READER: Final = frozenset(
    "you you're youre you've you'd you'll ur u your yours yourself yourselves y'all yall".split()
)
_THING: Final = frozenset("this that it it's its these those".split())
_BREAK: Final = frozenset(
    [*".!?;:…—–()", "but", "while", "whereas", "though", "although", "because", "cause", "and"]
    + [roles.QUOTE, roles.UNQUOTE]
)
_NEGATION: Final = frozenset(
    "not no never isn't isnt aren't arent wasn't wasnt weren't ain't aint don't dont doesn't "
    "doesnt didn't didnt can't cant couldn't wouldn't won't hardly nobody without neither "
    "nor stop quit".split()
)
_OWNER_OF_ROLE: Final = {roles.TARGET: "T", roles.PERSON: "P", roles.MEMBER: "M"}
_BREAK_COST: Final = 6
_COMMA_COST: Final = 2
_BEFORE_COST: Final = 1.5
_REACH: Final = 12.0


def _owner_of(token: str) -> str | None:
    if token in _OWNER_OF_ROLE:
        return _OWNER_OF_ROLE[token]
    if token in _SELF:
        return "I"
    if token in _READER:
        return "Y"
    if token in _THING:
        return "O"
    return None


def owners(tokens: Sequence[Token]) -> list[str]:
    """For each token, whom it is said of.

    `T` the person asked about, `P` another person, `M` a member, `Y` the reader, `I` the
    writer, `O` a thing, `N` nobody near.
    """
    cost = [0.0]
    for token in tokens:
        step = _BREAK_COST if token.text in _BREAK else _COMMA_COST if token.text == "," else 1
        cost.append(cost[-1] + step)
    people = [(i, o) for i, t in enumerate(tokens) if (o := _owner_of(t.text)) is not None]
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


def stance_features(tokens: Sequence[Token]) -> Iterator[tuple[str, int, int]]:
    """The stance features of a view with the spans they come from."""
    insults = strong()
    whose = owners(tokens)
    quoted = False
    negated_until = -1
    marks: set[str] = set()
    for i, (token, owner) in enumerate(zip(tokens, whose, strict=True)):
        text = token.text
        if text == roles.QUOTE:
            quoted = True
        elif text == roles.UNQUOTE:
            quoted = False
        elif text in _NEGATION:
            negated_until = i + 4
        elif text in _BREAK:
            negated_until = -1
        mark = _owner_of(text) or (text if text in roles.MARKS else None)
        if mark is not None:
            marks.add(mark)
        if mark is not None or not (text[0].isalnum() or text[0] == ":") or len(text) < 2:  # noqa: PLR2004
            continue
        how = ("q" if quoted else "") + ("n" if i <= negated_until else "")
        yield f"{owner}{how}:{text}", token.start, token.end
        if text in insults:
            yield f"{owner}:STRONG", token.start, token.end
            if how:
                yield f"{how}:STRONG", token.start, token.end
            yield f"{owner}{how}:STRONG", token.start, token.end
    for (first, mine), (second, other) in pairwise(zip(tokens, whose, strict=True)):
        if mine == other == "T" and first.text[0].isalnum() and second.text[0].isalnum():
            yield f"T:{first.text} {second.text}", first.start, second.end
    for mark in sorted(marks):
        yield f"has:{mark}", 0, 0
