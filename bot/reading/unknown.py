"""Names of people outside the roster, by their look alone.

A capitalised word that is no English word, place, brand or acronym is taken for a name,
with the capitalised words beside it ("Taylor Swift"). Names in lower case, and names that
are words ("Grace" alone), are left: nothing tells them from words. In a text that is
mostly not English the first word of a sentence is no name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from bot.reading import vocabulary
from bot.reading.tokens import Words

_FUNCTION_WORDS = vocabulary.grammar("function_words")
_GAPS = frozenset({" ", "-", "'", " '"})
_INITIAL = 2
_ENGLISH = 0.5
_ENOUGH = 4


@dataclass(frozen=True, slots=True)
class Unknown:
    """A name outside the roster: its half-open span in the normal form, and its words."""

    start: int
    end: int
    words: tuple[str, ...]


def unknown_names(words: Words, taken: Collection[int]) -> Iterator[Unknown]:
    """Names among the words whose indices are not `taken`, in order."""
    foreign = is_foreign(words, taken)
    taken = set(taken)
    index = 0
    while index < len(words.words):
        opens = words.words[index].opens
        if index in taken or (foreign and opens) or not words.name_like(index):
            index += 1
            continue
        first = last = index
        if (
            first
            and not words.words[first - 1].opens
            and _belongs(words, first - 1, first - 1, taken)
        ):
            first -= 1
        while last + 1 < len(words.words) and _belongs(words, last, last + 1, taken):
            last += 1
        names = words.words[first : last + 1]
        yield Unknown(names[0].start, names[-1].end, tuple(w.text for w in names))
        index = last + 1
        taken.update(range(first, last + 1))


def is_foreign(words: Words, taken: Collection[int]) -> bool:
    """Whether most words that are not `taken` by names are no English ones."""
    known = vocabulary.known()
    small = [w.text for i, w in enumerate(words.words) if i not in taken and not w.capital]
    return len(small) >= _ENOUGH and sum(w in known or len(w) == 1 for w in small) < _ENGLISH * len(
        small
    )


def _belongs(words: Words, gap: int, index: int, taken: Collection[int]) -> bool:
    """Whether the word at `index`, across the gap after word `gap`, is part of a name."""
    word = words.words[index]
    return (
        (words.gap(gap) in _GAPS or (words.gap(gap) == ". " and _is_initial(words, gap)))
        and index not in taken
        and len(word.cased) > 1
        and word.capital
        and not word.cased[1:].isupper()
        and word.cased.isalpha()
        and word.text not in _FUNCTION_WORDS
        and word.text not in vocabulary.not_people()
    )


def _is_initial(words: Words, index: int) -> bool:
    return len(words.words[index].text) <= _INITIAL
