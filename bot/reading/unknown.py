"""Names of people outside the roster, by their look alone.

A capitalised word that is no English word, place, brand or acronym is taken for a name,
with the capitalised words that follow it ("Taylor Swift"). Names in lower case, and names
that are words ("Grace" alone), are left: nothing tells them from words.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from bot.reading import vocabulary
from bot.reading.tokens import Word, Words

_FUNCTION = vocabulary.grammar("function_words")
_ACRONYM = 4
_NAME_GAPS = frozenset({" ", "-", "'", ". ", " '"})


@dataclass(frozen=True, slots=True)
class Unknown:
    """A name outside the roster: word indices `first` to `last` (inclusive) and its words."""

    first: int
    last: int
    start: int
    end: int
    words: tuple[str, ...]


def unknown_names(words: Words, taken: Collection[int]) -> list[Unknown]:
    """Names among the words whose indices are not `taken`, in order."""
    if words.shouted:
        return []
    found: list[Unknown] = []
    index = 0
    while index < len(words.words):
        if index in taken or not _looks_like_name(words.words[index]):
            index += 1
            continue
        first = last = index
        if first and _joins(words, first - 1, taken) and not words.words[first - 1].opens:
            first -= 1
        while last + 1 < len(words.words) and _joins(words, last, taken, forward=True):
            last += 1
        names = words.words[first : last + 1]
        found.append(
            Unknown(first, last, names[0].start, names[-1].end, tuple(w.text for w in names))
        )
        index = last + 1
    return _without_contained(found)


def _looks_like_name(word: Word) -> bool:
    cased = word.cased
    if len(cased) < 3 or not cased[0].isupper() or not cased.isalpha():  # noqa: PLR2004
        return False
    if cased.isupper() and len(cased) <= _ACRONYM:
        return False
    if word.text in vocabulary.known() or word.text in vocabulary.not_people():
        return False
    stem = word.text[:-1]
    return not (
        word.text.endswith("s") and (stem in vocabulary.known() or stem in vocabulary.not_people())
    )


def _joins(words: Words, index: int, taken: Collection[int], *, forward: bool = False) -> bool:
    neighbour = words.words[index + 1] if forward else words.words[index]
    place = index + 1 if forward else index
    return (
        words.gap(index) in _NAME_GAPS
        and place not in taken
        and len(neighbour.cased) > 1
        and neighbour.cased[0].isupper()
        and not neighbour.cased[1:].isupper()
        and neighbour.cased.isalpha()
        and neighbour.text not in _FUNCTION
        and neighbour.text not in vocabulary.not_people()
    )


def _without_contained(found: Sequence[Unknown]) -> list[Unknown]:
    kept: list[Unknown] = []
    for name in found:
        if not kept or name.first > kept[-1].last:
            kept.append(name)
    return kept
