"""Every way to write the names of a roster, and whose name each is.

A part that two people share names neither alone, unless it is the whole name of one. A
name spelled like an everyday word is guarded: `places` tells where it is the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bot.comment import Person
from bot.reading import vocabulary
from bot.reading.normalise import name_forms
from bot.reading.tokens import pieces

_PUNCTUATED = re.compile(r"[^\w\s'._-]")
_TITLES = vocabulary.grammar("titles")
_OFFICES = vocabulary.grammar("offices")
_WORDS_FIRST = vocabulary.grammar("words_first")
_SHORT = 2
MOST_OWNERS: Final = 24
"""A name that more people bear names nobody."""
_WHOLE, _GIVEN, _PART, _HALF = range(4)


@dataclass(frozen=True, slots=True)
class Form:
    """One way to write a name.

    `owners` is empty where a name part is shared; `claimants` are all who bear it. `loose`
    is a name with punctuation or emoji of its own between its words.
    """

    words: tuple[str, ...]
    owners: frozenset[int]
    claimants: frozenset[int]
    guarded: bool
    loose: bool


def pieces_of(name: str) -> tuple[str, ...]:
    """The words of a name in its plainest form."""
    return pieces(next(iter(name_forms(name))))


def forms_of(people: Sequence[Person]) -> list[Form]:
    """Every form of every name and who may claim it."""
    claims: dict[tuple[str, ...], dict[int, int]] = {}
    lower: set[tuple[str, ...]] = set()
    loose: set[tuple[str, ...]] = set()
    for index, person in enumerate(people):
        for spelled, rank in _forms(person):
            held = claims.setdefault(spelled, {})
            held[index] = min(rank, held.get(index, rank))
        given = (person.name, *person.aliases, *person.handles)
        loose |= {pieces(f) for a in given if _PUNCTUATED.search(a) for f in name_forms(a)}
        lower |= {pieces_of(a) for a in given[1:] if a == a.lower()}
    parts = {(w,) for p in people for w in pieces_of(p.name)}
    forms = []
    for spelled, held in claims.items():
        whole = [index for index, rank in held.items() if rank == _WHOLE]
        owners = frozenset(whole if len(whole) == 1 else held)
        shared = len(owners) > MOST_OWNERS or (
            len(owners) > 1 and (max(held.values()) > _GIVEN or spelled in parts)
        )
        guarded = len(spelled) == 1 and spelled not in lower and _is_word(spelled[0])
        forms.append(
            Form(
                spelled,
                frozenset() if shared else owners,
                owners,
                guarded,
                spelled in loose,
            )
        )
    return forms


def _forms(person: Person) -> Iterator[tuple[tuple[str, ...], int]]:
    """Every way to write a person's name, with how it was come by."""
    for given in (person.name, *person.aliases, *person.handles):
        rank = _WHOLE if given == person.name else _GIVEN
        for form in name_forms(given):
            words = pieces(form)
            if words:
                yield words, rank
                yield ("".join(words),), rank
    for name in name_forms(person.name):
        parts = [p for p in map(pieces, name.split()) if p]
        telling = [p for p in parts if p[0] not in _TITLES and len("".join(p)) > 1]
        if len(parts) > len(telling):
            yield from ((("the", *p), _PART) for p in parts if p[0] in _OFFICES)
        for part in telling:
            yield part, _PART
            yield ("".join(part),), _PART
            if len(part) > 1:
                known = vocabulary.known()
                yield from (((w,), _HALF) for w in part if len(w) > _SHORT and w not in known)
        for start in range(1, len(parts) - 1):
            yield tuple(w for part in parts[start:] for w in part), _PART
        if len(telling) > 1:
            yield telling[0] + telling[-1], _PART


def _is_word(word: str) -> bool:
    return (
        word in vocabulary.commonest()
        or word in vocabulary.everyday()
        or word in vocabulary.chat()
        or word in _WORDS_FIRST
        or len(word) <= _SHORT
    )
