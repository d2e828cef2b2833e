"""Phrases that are affection in a guild, whatever they say elsewhere ("our clown").

A model is shown one friendly word in the place of each, so the phrase cannot count against
anybody while what is said beside it counts as ever: "our clown should be sacked" is read as
"favourite should be sacked".
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from bot.reading.disguises import as_letters
from bot.reading.normalise import Normal, normalise
from bot.reading.people import Kind, Spot
from bot.reading.spanned import Edit

FAVOURITE: Final = "favourite"
"""What stands in a view where a phrase of affection was."""

Span = tuple[int, int]

_NOTHING = re.compile(r"(?!)")


def affectionate(normal: Normal, phrases: Sequence[str]) -> tuple[Span, ...]:
    """Where in a normal form the phrases stand, as whole words, the longest first."""
    spans: list[Span] = []
    if phrases:
        for text in (normal.text, as_letters(normal.text)):
            for match in _pattern(tuple(phrases)).finditer(text):
                at = bisect_left(spans, match.span())
                clear = at == 0 or spans[at - 1][1] <= match.start()
                if clear and (at == len(spans) or match.end() <= spans[at][0]):
                    spans.insert(at, match.span())
    return tuple(spans)


@lru_cache(maxsize=64)
def _pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    plain = [normalise(phrase).text for phrase in phrases]
    forms = {tuple(form.split()) for text in plain for form in (text, as_letters(text))} - {()}
    if not forms:
        return _NOTHING
    spelled = sorted((r"[\s_-]+".join(map(re.escape, f)) for f in forms), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(spelled)})(?!\w)")


def shown_as_affection(
    normal: Normal, spans: Sequence[Span], names: Sequence[Spot]
) -> Iterator[Edit]:
    """The friendly word for each span, of which names of the roster inside are left out."""
    at = 0
    for first, end in spans:
        while at < len(names) and names[at].end <= first:
            at += 1
        start, inside, word = first, at, FAVOURITE
        while start < end:
            name = names[inside] if inside < len(names) and names[inside].start < end else None
            said = normal.text[start : name.start if name else end]
            if said.strip():
                begin = start + len(said) - len(said.lstrip())
                yield begin, start + len(said.rstrip()), word
                word = ""
            start = name.end if name else end
            inside += 1


def of_roster(spots: Sequence[Spot]) -> list[Spot]:
    """The names of people of the roster among the spots."""
    return [s for s in spots if s.kind is Kind.NAME and any(o[0] == "roster" for o in s.owners)]
