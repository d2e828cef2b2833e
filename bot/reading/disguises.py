"""Spellings meant to slip past a word list, read as a person reads them.

Spaced and dotted letters (`i d i o t`), hyphens inside a word (`lit-tle`), digits and
symbols for letters (`1d1ot`, `tr@sh`), stars (`sh*t`), stretched letters (`stuuupid`).
What only looks like one is left alone: `2-1`, `4th`, `B2B`, `24k`, `gr8`, `s1e4`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from bot.reading import vocabulary
from bot.reading.spanned import Edit, Spanned

_LEET = str.maketrans("01345678@$!€£", "oieasgtbasiel")
_LEET_L = str.maketrans("01345678@$!€£", "oleasgtbasiel")
_LEET_CHARACTER = re.compile(r"[013457@$!€£]")
_LEET_RUN = re.compile(r"[A-Za-z0-9@$!€£*]+")
_SYMBOL = re.compile(r"[!$€£]")
_INNER = re.compile(r"(?<=[a-z])[013457@$!€£]+(?=[a-z])")
_LETTERLIKE = r"[A-Za-z0134578@$]"
_SPACED = re.compile(
    rf"(?<![\w'@#$.-])[A-Za-z]( {{1,2}}|[._*~·-]){_LETTERLIKE}(?:\1{_LETTERLIKE})+(?![\w'@$])"
)
_SPLIT = re.compile(r"(?<![\w'@#.-])[A-Za-z]{1,8}(?:[-._·][A-Za-z]{1,8}){1,3}(?![\w@-])")
_WORD = re.compile(r"[A-Za-z]+")
_STRETCHED = re.compile(r"([a-z])\1{2,}")
_LAUGH = re.compile(r"\b(?:a?(?:ha){3,}h?|(?:he){3,}h?|(?:ja){3,}j?|(?:xa){3,}x?)\b", re.IGNORECASE)
_RUNS = re.compile(r"([!?])\1{2,}|(\.)\2{3,}|(,)\3+")
_SINGLE_WORDS = frozenset("aiur")
_LONGEST_SPACED = 40
_LONGEST_WORD = 14
_MOST_RUNS = 4
_LONG = 5
_WORTH_IT = 3
_LIKELY = ("fuck", "shit", "bitch")


def unmask(spanned: Spanned) -> Spanned:
    """Undo every disguise of a text that is already in plain characters."""
    spanned = spanned.edit(_spaced(spanned.text))
    spanned = spanned.edit(_split(spanned.text))
    spanned = spanned.sub(_LEET_RUN, _leet)
    spanned = spanned.sub(_LAUGH, lambda m: m.group()[:4])
    spanned = spanned.sub(_WORD, lambda m: _stretched(m.group()))
    return spanned.sub(_RUNS, lambda m: "..." if m[2] else "," if m[3] else m.group()[:2])


def readings(word: str) -> tuple[str, ...]:
    """A lower-case word, and the same with digits and symbols read as letters."""
    if word.isalpha():
        return (word,)
    return tuple(dict.fromkeys((word, word.translate(_LEET), word.translate(_LEET_L))))


def as_letters(text: str) -> str:
    """A lower-case text with every digit and symbol that may be a letter read as one."""
    return text.translate(_LEET)


def squeeze(word: str) -> str:
    """A word with every run of one letter made a single letter."""
    return re.sub(r"(.)\1+", r"\1", word)


def _spaced(text: str) -> Iterator[Edit]:
    for match in _SPACED.finditer(text):
        run, gap = match.group(), len(match[1])
        letters = run[:: gap + 1].lower()
        if sum(c.isalpha() for c in letters) * 2 < len(letters):
            continue
        words = segment(letters.translate(_LEET))
        if max(map(len, words)) < _WORTH_IT:
            continue
        if len(words) == 1 and len(letters) == _WORTH_IT and words[0] not in vocabulary.known():
            continue
        breaks = set()
        place = 0
        for word in words:
            place += len(word)
            breaks.add(place)
        for i in range(1, len(letters)):
            at = match.start() + i * (gap + 1) - gap
            yield at, at + gap, " " if i in breaks else ""


@lru_cache(maxsize=512)
def segment(letters: str) -> tuple[str, ...]:
    """The fewest known words that spell `letters`, with what is no word left in one piece."""
    if len(letters) > _LONGEST_SPACED:
        return (letters,)
    best: list[tuple[float, int]] = [(0.0, 0)]
    for end in range(1, len(letters) + 1):
        starts = range(max(0, end - _LONGEST_WORD), end)
        best.append(min((best[start][0] + _cost(letters[start:end]), start) for start in starts))
    words: list[str] = []
    end = len(letters)
    while end:
        start = best[end][1]
        words.append(letters[start:end])
        end = start
    return tuple(reversed(words))


def is_word(word: str) -> bool:
    """Whether a piece of run-together letters is a word of its own."""
    return word in vocabulary.known() if len(word) > 1 else word in _SINGLE_WORDS


def _cost(word: str) -> float:
    return 1 + 1 / len(word) if is_word(word) else 2 + 0.8 * len(word)


def _split(text: str) -> Iterator[Edit]:
    known = vocabulary.known()
    for match in _SPLIT.finditer(text):
        pieces = re.split(r"[-._·]", match.group().lower())
        whole = "".join(pieces)
        words = all(len(p) > 1 and p in known for p in pieces)
        if whole not in known or words or pieces[0] in vocabulary.grammar("prefixes"):
            continue
        at = match.start()
        for piece in pieces[:-1]:
            at += len(piece) + 1
            yield at - 1, at, ""


def _leet(match: re.Match[str]) -> str | None:
    run = match.group()
    if run.isalpha():
        return None
    if "*" in run:
        return _starred(run)
    core = run.strip("!")
    if not _LEET_CHARACTER.search(core) or not any(c.isalpha() for c in core):
        return None
    plain = _plain(core.lower())
    return run.replace(core, _cased_like(core, plain), 1) if plain else None


def _cased_like(written: str, plain: str) -> str:
    letters = [c for c in written if c.isalpha()]
    if len(letters) > 1 and all(c.isupper() for c in letters):
        return plain.upper()
    return plain.capitalize() if written[0].isupper() else plain


@lru_cache(maxsize=2048)
def _plain(core: str) -> str | None:
    """What a word with digits or symbols in it stands for; None if it is meant as it is."""
    spelled = [core.translate(_LEET), core.translate(_LEET_L)]
    if not spelled[0].isalpha():
        return None
    strong = next((s for s in spelled if s in vocabulary.strong()), None)
    if strong or core[0] == "@":
        return strong
    letters = sum(c.isalpha() for c in core)
    inner = _INNER.sub("", core).isalpha()
    if letters * 2 >= len(core) and (inner or len(core) >= _LONG):
        word = next((s for s in spelled if s in vocabulary.known()), None)
        if word:
            return word
    sure = inner and letters >= _LONG - 1 and letters * 2 > len(core)
    return spelled[0] if sure and not _SYMBOL.search(core) else None


def _starred(run: str) -> str | None:
    word = run.rstrip("!")
    for shape in (word, word.rstrip("*")):
        found = _starred_word(shape.lower())
        if found:
            return _cased_like(shape, found) + run[len(shape) :]
    return None


@lru_cache(maxsize=512)
def _starred_word(shape: str) -> str | None:
    """The one strong word of a shape like `sh*t`, a letter for each star."""
    if "*" not in shape or not shape[0].isalpha():
        return None
    wanted = re.compile(re.escape(shape.translate(_LEET)).replace(r"\*", "[a-z]"))
    found = [w for w in vocabulary.strong() if wanted.fullmatch(w)]
    likely = [w for w in _LIKELY if w in found] or found
    return likely[0] if len(likely) == 1 else None


def _stretched(word: str) -> str | None:
    lower = word.lower()
    if not _STRETCHED.search(lower):
        return None
    shortened = _shorten(lower)
    return shortened.upper() if word.isupper() else word[0] + shortened[1:]


@lru_cache(maxsize=1024)
def _shorten(word: str) -> str:
    """Runs of three or more become two letters, or one where only that is a word."""
    known = vocabulary.known()
    double = _STRETCHED.sub(r"\1\1", word)
    runs = len(_STRETCHED.findall(word))
    if double in known or runs > _MOST_RUNS:
        return double
    options = (_with_runs(word, sizes) for sizes in product((2, 1), repeat=runs))
    return next((o for o in options if o in known and len(o) >= _WORTH_IT), double)


def _with_runs(word: str, sizes: tuple[int, ...]) -> str:
    left = iter(sizes)
    return _STRETCHED.sub(lambda run: run[1] * next(left), word)
