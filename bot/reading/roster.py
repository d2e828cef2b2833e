"""Roster names in a text: full names, parts, aliases, handles, possessives, misspellings.

What the names are is in `forms`; where one that is also a word can stand, in `places`.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from threading import Lock

from bot.comment import Person
from bot.reading import vocabulary
from bot.reading.disguises import is_word, readings, segment, squeeze
from bot.reading.forms import MOST_OWNERS, Form, forms_of, pieces_of
from bot.reading.places import may_be_name
from bot.reading.spanned import Edit
from bot.reading.tokens import Words, words_in

_GAP = re.compile(r"[ '._-]{0,2}")
_LOOSE_GAP = re.compile(r"(?:[^\w\n]|:\w+:){0,8}")
_ENDINGS = re.compile(r"(?:ie|ey|ee|y)$")
_SHORT = 2
_MISSPELT_FROM = 5
_LONGEST_SPREAD = 14
_LONGEST_TAG = 40
_MOST_NAMES = 4000

_CLASSES = {
    "she": frozenset({"she", "her", "hers"}),
    "he": frozenset({"he", "him", "his"}),
    "they": frozenset({"they", "them", "their", "theirs"}),
}


@dataclass(frozen=True, slots=True)
class Found:
    """A name in a text: word indices `first` to `last` (inclusive), span, owners.

    `possessive` is one without its apostrophe ("Marens face").
    """

    first: int
    last: int
    start: int
    end: int
    owners: frozenset[int]
    possessive: bool = False


class Roster:
    """The names of some people, made ready for looking up. Use `compile_roster`."""

    def __init__(self, people: Sequence[Person]) -> None:
        """Collect every form of every name and who may claim it."""
        self.people = tuple(people)
        self.size = 1 + sum(1 + len(p.aliases) + len(p.handles) for p in people)
        self.pronouns = tuple(_classes(p.pronouns) for p in people)
        self.theys = tuple(i for i, p in enumerate(people) if _given(p.pronouns) & _CLASSES["they"])
        self._going_by = {
            c: tuple(i for i, own in enumerate(self.pronouns) if c in own) for c in _CLASSES
        }
        forms = forms_of(people)
        self._by_first: dict[str, list[Form]] = {}
        for form in sorted(forms, key=lambda f: -len(f.words)):
            self._by_first.setdefault(form.words[0], []).append(form)
        self._single = {f.words[0]: f for f in forms if len(f.words) == 1}
        self._longest = max(map(len, self._single), default=0)
        self._beginnings = {w[:end] for w in self._single for end in range(1, len(w) + 1)}
        self._sounds: dict[str, set[str]] = {}
        self._by_shape: dict[tuple[str, int], list[str]] = {}
        for word, form in self._single.items():
            if form.owners and not form.guarded:
                self._sounds.setdefault(_sound(word), set()).add(word)
                if len(word) >= _MISSPELT_FROM:
                    self._by_shape.setdefault((word[0], len(word)), []).append(word)
        self._surnames = [frozenset(pieces_of(p.name)[1:]) for p in people]

    def going_by(self, pronoun: str | None) -> Sequence[int]:
        """The people whom a pronoun class may mean; "they" and None may mean anybody."""
        if pronoun is None or pronoun == "they":
            return range(len(self.people))
        return self._going_by[pronoun]

    def find(self, words: Words) -> list[Found]:
        """Every roster name in a text, longest first at each place, in order."""
        found: list[Found] = []
        index = 0
        while self.people and index < len(words.words):
            match = self._at(words, index)
            if match is None:
                index += 1
            else:
                found.append(match)
                index = match.last + 1
        return found

    def part_tags(self, words: Words) -> Words:
        """The words, with hashtags in one piece taken apart at a name ("#teammaren")."""
        normal = words.normal
        edits: list[Edit] = []
        for index, word in enumerate(words.words if normal.tagged and self.people else ()):
            tagged = normal.spanned.starts[word.start] in normal.tagged
            if tagged and not self._spread(words, index):
                at = word.start
                for piece in self._pieces_of_tag(word.text)[:-1]:
                    at += len(piece)
                    edits.append((at, at, " "))
        return words_in(normal.edit(edits)) if edits else words

    def _pieces_of_tag(self, tag: str) -> tuple[str, ...]:
        """A name and the words around it, or the hashtag itself."""
        whole = tag in self._single or tag.removesuffix("s") in self._single
        if whole or not _SHORT < len(tag) <= _LONGEST_TAG or tag in vocabulary.known():
            return (tag,)
        for size in range(min(len(tag) - 1, self._longest), _SHORT, -1):
            for start in (len(tag) - size, *range(len(tag) - size)):
                form = self._single.get(tag[start : start + size])
                if form is None:
                    continue
                around = [p for p in (tag[:start], tag[start + size :]) if p]
                spelled = all(map(is_word, chain.from_iterable(map(segment, around))))
                rest_of_it = len(around) == 1 and size >= _MISSPELT_FROM and not form.guarded
                if spelled or rest_of_it:
                    before = segment(tag[:start]) if start else ()
                    after = segment(tag[start + size :]) if start + size < len(tag) else ()
                    return (*before, tag[start : start + size], *after)
        return (tag,)

    def _at(self, words: Words, index: int) -> Found | None:
        refused = False
        for key in readings(words.words[index].text):
            for form in self._by_first.get(key, ()):
                last = _spells(words, index, form)
                if last is not None and may_be_name(
                    words, index, last, guarded=form.guarded, is_name=partial(self._is_name, words)
                ):
                    return self._with_surname(words, index, last, form)
                refused = refused or last is not None
        if refused:
            return None
        return (
            self._spread(words, index) or self._run_on(words, index) or self._misspelt(words, index)
        )

    def _with_surname(self, words: Words, index: int, last: int, form: Form) -> Found | None:
        """Take the surname in; a first name with a stranger's surname is somebody else."""
        following = words.words[last + 1] if last + 1 < len(words.words) else None
        if (
            len(form.words) > 1
            or len(form.owners) != 1
            or following is None
            or words.gap(last) != " "
        ):
            return _found(words, index, last, form.owners)
        surnames = self._surnames[next(iter(form.owners))]
        if following.text.endswith("s") and following.text[:-1] in surnames:
            return _found(words, index, last + 1, form.owners, possessive=True)
        if any(
            s == following.text or _one_slip(s, following.text) for s in surnames - {form.words[0]}
        ):
            return _found(words, index, last + 1, form.owners)
        own = following.text in self._by_first or not words.name_like(last + 1)
        if own or not words.words[index].capital:
            return _found(words, index, last, form.owners)
        return None if surnames else _found(words, index, last + 1, form.owners)

    def _is_name(self, words: Words, index: int) -> bool:
        if index >= len(words.words):
            return False
        forms = self._by_first.get(words.words[index].text, ())
        return any(
            f.owners and not f.guarded and _spells(words, index, f) is not None for f in forms
        )

    def _spread(self, words: Words, index: int) -> Found | None:
        """A name in spaced letters, or in one piece in a hashtag, both of which come in parts."""
        spelled, best = "", None
        for last in range(index, min(len(words.words), index + _LONGEST_SPREAD)):
            spelled += words.words[last].text
            if spelled not in self._beginnings:
                break
            form = self._single.get(spelled)
            if form and form.owners and len(spelled) > _SHORT and last > index:
                best = _found(words, index, last, form.owners)
            spread = words.is_spread(last) and words.gap(last) in {" ", ".", "-", "_"}
            if not spread and not words.is_glued(last):
                break
        return best

    def _run_on(self, words: Words, index: int) -> Found | None:
        """A possessive or plural without its apostrophe, and a name split in two."""
        word = words.words[index]
        stem = self._single.get(word.text[:-1]) if word.text.endswith("s") else None
        capital = word.capital and not word.opens and not words.shouted
        if (
            stem
            and len(word.text) > _SHORT + 1
            and (capital or word.text not in vocabulary.known())
        ):
            them = stem.claimants if len(stem.claimants) <= MOST_OWNERS else frozenset[int]()
            return _found(words, index, index, stem.owners or them, possessive=bool(stem.owners))
        gap = words.gap(index)
        if gap in {"-", ".", "_", "!"} and index + 1 < len(words.words):
            following = words.words[index + 1].text
            joined = self._single.get(word.text + ("i" if gap == "!" else "") + following)
            if joined and joined.owners and not joined.guarded:
                return _found(words, index, index + 1, joined.owners)
        return None

    def _misspelt(self, words: Words, index: int) -> Found | None:
        """A name that is stretched, or one slip of the pen away, and no word."""
        key = words.words[index].text
        if key in vocabulary.known() or len(key) <= _SHORT:
            return None
        near = {
            w
            for w in self._sounds.get(_sound(key), ())
            if len(key) > len(w) and squeeze(key) == squeeze(w)
        }
        if len(key) >= _MISSPELT_FROM:
            near |= self._sounds.get(_sound(key), set())
            alike = (
                self._by_shape.get((key[0], size), ()) for size in range(len(key) - 1, len(key) + 2)
            )
            near |= {w for w in chain.from_iterable(alike) if _one_slip(w, key)}
        owners = {self._single[w].owners for w in near}
        return _found(words, index, index, owners.pop()) if len(owners) == 1 else None


class _Rosters:
    """Rosters made ready, the last ones asked for: as many as have so many names in all."""

    def __init__(self, most_names: int) -> None:
        self._most_names = most_names
        self._names = 0
        self._kept: OrderedDict[tuple[Person, ...], Roster] = OrderedDict()
        self._last: Roster | None = None
        self._lock = Lock()

    def get(self, people: tuple[Person, ...]) -> Roster:
        last = self._last
        if last is not None and last.people is people:
            return last
        with self._lock:
            roster = self._kept.get(people)
        if roster is None:
            roster = Roster(people)
        with self._lock:
            if people not in self._kept:
                self._kept[people] = roster
                self._names += roster.size
            self._kept.move_to_end(people)
            while self._names > self._most_names and len(self._kept) > 1:
                self._names -= self._kept.popitem(last=False)[1].size
            self._last = roster
        return roster

    def __len__(self) -> int:
        return len(self._kept)


_rosters = _Rosters(_MOST_NAMES)


def compile_roster(people: tuple[Person, ...]) -> Roster:
    """The roster made ready; the last ones asked for are kept."""
    return _rosters.get(people)


def kept_rosters() -> int:
    """How many rosters are kept made ready."""
    return len(_rosters)


def _classes(pronouns: str | None) -> frozenset[str]:
    """The pronoun classes `he`, `she`, `they` a person goes by; all when not known."""
    given = _given(pronouns)
    classes = frozenset(name for name, forms in _CLASSES.items() if given & forms)
    return frozenset(_CLASSES) if not classes or given & {"any", "all"} else classes


def _given(pronouns: str | None) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z]+", (pronouns or "").lower()))


def _sound(word: str) -> str:
    return _ENDINGS.sub("i", squeeze(word)).replace("ph", "f").replace("z", "s").replace("ck", "k")


def _spells(words: Words, index: int, form: Form) -> int | None:
    last = index + len(form.words) - 1
    if last >= len(words.words):
        return None
    for offset in range(1, len(form.words)):
        if form.words[offset] not in readings(words.words[index + offset].text):
            return None
        between = _LOOSE_GAP if form.loose else _GAP
        if not between.fullmatch(words.gap(index + offset - 1)):
            return None
    return last


def _found(
    words: Words, first: int, last: int, owners: frozenset[int], *, possessive: bool = False
) -> Found:
    start, end = words.words[first].start, words.words[last].end
    if start and words.normal.text[start - 1] == "@":
        start -= 1
    return Found(first, last, start, end, owners, possessive)


def _one_slip(a: str, b: str) -> bool:
    """Whether one letter added, lost, changed or swapped makes one long word the other."""
    if abs(len(a) - len(b)) > 1 or min(len(a), len(b)) < _MISSPELT_FROM - 1 or a[0] != b[0]:
        return False
    same = next(
        (i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )
    rest_a, rest_b = a[same:], b[same:]
    if len(a) != len(b):
        return rest_a[1:] == rest_b or rest_a == rest_b[1:]
    swapped = rest_a[1::-1] + rest_a[2:]
    return rest_b in (swapped, rest_a) or rest_a[1:] == rest_b[1:]
