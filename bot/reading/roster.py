"""Roster names in a text: full names, parts, aliases, handles, possessives, misspellings.

A part that two people share names neither alone, but still counts as a name. A name
spelled like an everyday word ("Will", "Grace") needs a capital letter and a place where
a name can stand, unless the roster gives it in lower case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bot.comment import Person
from bot.reading import vocabulary
from bot.reading.disguises import decode, squeeze
from bot.reading.normalise import words_of
from bot.reading.tokens import Word, Words

_PIECE = re.compile(r"[^\W_]+")
_GAP = re.compile(r"[ '._-]{0,2}")
_TITLES = vocabulary.grammar("titles")
_NAME_FOLLOWS = vocabulary.grammar("after_a_name")
_NO_NAME_FOLLOWS = vocabulary.grammar("never_after_a_name")
_DETERMINERS = vocabulary.grammar("determiners")
_MISSPELT_FROM = 5
_SHORT = 2


@dataclass(frozen=True, slots=True)
class Form:
    """One way to write a name. `owners` is empty where people share a name part."""

    words: tuple[str, ...]
    owners: frozenset[int]
    claimants: frozenset[int]
    guarded: bool
    part: bool


@dataclass(frozen=True, slots=True)
class Found:
    """A name in a text: word indices `first` to `last` (inclusive), span, owners.

    `plural` is a family or a pair by their shared name ("the Marchettis").
    """

    first: int
    last: int
    start: int
    end: int
    owners: frozenset[int]
    plural: bool = False
    possessive: bool = False


class Roster:
    """The names of some people, made ready for looking up. Use `compile_roster`."""

    def __init__(self, people: Sequence[Person]) -> None:
        """Collect every form of every name and who may claim it."""
        claims: dict[tuple[str, ...], dict[int, int]] = {}
        lower: set[tuple[str, ...]] = set()
        for index, person in enumerate(people):
            for spelled, rank in _forms(person):
                held = claims.setdefault(spelled, {})
                held[index] = min(rank, held.get(index, rank))
            for given in (*person.aliases, *person.handles):
                if given == given.lower():
                    lower.add(_pieces(given))
        parts = {(w,) for p in people for w in _pieces(p.name)}
        self.by_first: dict[str, list[Form]] = {}
        for spelled, held in claims.items():
            shared = len(held) > 1 and (max(held.values()) > 0 or spelled in parts)
            form = Form(
                spelled,
                frozenset() if shared else frozenset(held),
                frozenset(held),
                len(spelled) == 1 and spelled not in lower and _needs_capital(spelled[0]),
                min(held.values()) > 0,
            )
            self.by_first.setdefault(spelled[0], []).append(form)
        for forms in self.by_first.values():
            forms.sort(key=lambda f: -len(f.words))
        self.single = {
            f.words[0]: f for fs in self.by_first.values() for f in fs if len(f.words) == 1
        }
        self.squeezed = {squeeze(w): f for w, f in self.single.items()}
        self.by_initial: dict[str, list[str]] = {}
        for word, form in self.single.items():
            if len(word) >= _MISSPELT_FROM and not form.guarded and form.owners:
                self.by_initial.setdefault(word[0], []).append(word)
        self.pronouns = tuple(_pronouns(p.pronouns) for p in people)
        self.people = tuple(people)

    def find(self, words: Words) -> list[Found]:
        """Every roster name in a text, longest first at each place, in order."""
        if not self.people:
            return []
        found: list[Found] = []
        index = 0
        while index < len(words.words):
            match = self._at(words, index)
            if match is None:
                index += 1
            else:
                found.append(match)
                index = match.last + 1
        return found

    def _at(self, words: Words, index: int) -> Found | None:
        for key in _readings(words.words[index].text):
            for form in self.by_first.get(key, ()):
                last = self._spells(words, index, form)
                if last is not None and _may_be_name(words, index, last, form):
                    return _found(words, index, last, form.owners)
        return self._loosely(words, index)

    def _spells(self, words: Words, index: int, form: Form) -> int | None:
        last = index + len(form.words) - 1
        if last >= len(words.words):
            return None
        for offset in range(1, len(form.words)):
            if form.words[offset] not in _readings(words.words[index + offset].text):
                return None
            if not _GAP.fullmatch(words.gap(index + offset - 1)):
                return None
        return last

    def _loosely(self, words: Words, index: int) -> Found | None:
        """A possessive without its apostrophe, a name split or stretched, a misspelling."""
        word = words.words[index]
        key = word.text
        known = vocabulary.known()
        stem = self.single.get(key[:-1]) if key.endswith("s") and len(key) > _SHORT + 1 else None
        if stem and (key not in known or (word.capital and not word.opens and not words.shouted)):
            if not stem.owners:
                return _found(words, index, index, stem.claimants, plural=True)
            return _found(words, index, index, stem.owners, possessive=True)
        if words.gap(index) in {"-", ".", "_"}:
            joined = self.single.get(key + words.words[index + 1].text)
            if joined and joined.owners and not joined.guarded:
                return _found(words, index, index + 1, joined.owners)
        if key in known or len(key) <= _SHORT:
            return None
        form = self.squeezed.get(squeeze(key))
        if form and form.owners and not form.guarded and len(key) > len(form.words[0]):
            return _found(words, index, index, form.owners)
        near = [
            w
            for w in self.by_initial.get(key[0], ())
            if len(key) >= _MISSPELT_FROM and _one_slip(w, key)
        ]
        owners = {self.single[w].owners for w in near}
        if len(owners) == 1:
            return _found(words, index, index, owners.pop())
        return None


@lru_cache(maxsize=256)
def compile_roster(people: tuple[Person, ...]) -> Roster:
    """The roster made ready; the last ones asked for are kept."""
    return Roster(people)


def _pieces(name: str) -> tuple[str, ...]:
    return tuple(_PIECE.findall(words_of(name)))


def _forms(person: Person) -> Iterator[tuple[tuple[str, ...], int]]:
    full = _pieces(person.name)
    for given in (person.name, *person.aliases, *person.handles):
        words = _pieces(given)
        if words:
            yield words, 0
            if len(words) > 1:
                yield ("".join(words),), 0
    parts = [_pieces(p) for p in person.name.split()]
    telling = [p for p in parts if p and p[0] not in _TITLES and len("".join(p)) > 1]
    for part in telling:
        if part != full:
            yield part, 1
        if len(part) > 1:
            yield ("".join(part),), 1
            for piece in part:
                if len(piece) > _SHORT and piece not in vocabulary.known():
                    yield (piece,), 2
    if len(telling) > _SHORT:
        yield telling[0] + telling[-1], 1


def _pronouns(text: str | None) -> frozenset[str]:
    """The pronoun classes `he`, `she`, `they` a person goes by; all when unknown."""
    given = set(_PIECE.findall((text or "").lower()))
    classes = {
        name
        for name, forms in (
            ("she", {"she", "her", "hers"}),
            ("he", {"he", "him", "his"}),
            ("they", {"they", "them", "their", "theirs"}),
        )
        if given & forms
    }
    return (
        frozenset(classes or {"she", "he", "they"})
        if given - {"any", "all"}
        else frozenset({"she", "he", "they"})
    )


def _needs_capital(word: str) -> bool:
    return word in vocabulary.everyday() or word in vocabulary.chat() or len(word) <= _SHORT


def _readings(word: str) -> tuple[str, ...]:
    decoded = decode(word)
    return (word,) if decoded == word else (word, decoded)


def _may_be_name(words: Words, index: int, last: int, form: Form) -> bool:
    word = words.words[index]
    if index and words.gap(index - 1) == "-" and len(form.words) == 1:
        before = words.words[index - 1]
        if before.capital and word.capital and before.text not in vocabulary.known():
            return False
    if not form.guarded:
        return True
    after, before_word = words.after(last), words.before(index)
    if not word.capital:
        return False
    if words.normal.text[max(0, word.start - 1) : word.start] == "@":
        return True
    if word.opens or words.shouted:
        if after in _NO_NAME_FOLLOWS:
            return after == "you" and before_word == "" and "," in words.gap(last)
        return before_word not in _DETERMINERS and (
            after in _NAME_FOLLOWS or not after or "'" in words.gap(last) or "," in words.gap(last)
            or not words.shouted
        )  # fmt: skip
    return True


def _found(
    words: Words,
    first: int,
    last: int,
    owners: frozenset[int],
    *,
    plural: bool = False,
    possessive: bool = False,
) -> Found:
    start, end = words.words[first].start, words.words[last].end
    if start and words.normal.text[start - 1] == "@":
        start -= 1
    return Found(first, last, start, end, owners, plural, possessive)


def _one_slip(a: str, b: str) -> bool:
    """Whether one letter added, lost, changed or swapped makes `a` into `b`."""
    if a == b or abs(len(a) - len(b)) > 1:
        return a == b
    at = next(
        (i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )
    rest_a, rest_b = a[at:], b[at:]
    if len(a) == len(b):
        swapped = rest_a[1::-1] + rest_a[2:] == rest_b
        return swapped or rest_a[1:] == rest_b[1:]
    return rest_a[1:] == rest_b or rest_a == rest_b[1:]


__all__ = ["Form", "Found", "Roster", "Word", "compile_roster"]
