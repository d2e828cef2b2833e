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
_INNER = re.compile(r"(?<=[a-z])[013457@$!€£]+(?=[a-z])")
_SPACED = re.compile(
    r"(?<![\w'@#$.-])[A-Za-z]([ ]{1,2}|[._*~·-])[A-Za-z0134578@$](?:\1[A-Za-z0134578@$])+(?![\w'@$])"
)
_SPLIT = re.compile(r"(?<![\w'@#.-])[A-Za-z]{1,8}(?:[-._·][A-Za-z]{1,8}){1,3}(?![\w@-])")
_WORD = re.compile(r"[A-Za-z]+")
_STRETCHED = re.compile(r"([a-z])\1{2,}")
_LAUGH = re.compile(r"\b(?:a?(?:ha){3,}h?|(?:he){3,}h?|(?:ja){3,}j?|(?:xa){3,}x?)\b", re.IGNORECASE)
_RUNS = re.compile(r"([!?])\1{2,}|(\.)\2{3,}|(,)\3+")
_SINGLE_WORDS = frozenset("aiur")
_LONGEST_SPACED = 40


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


def squeeze(word: str) -> str:
    """A word with every run of one letter made a single letter."""
    return re.sub(r"(.)\1+", r"\1", word)


def _spaced(text: str) -> Iterator[Edit]:
    for match in _SPACED.finditer(text):
        run, gap = match.group(), len(match[1])
        letters = run[:: gap + 1].lower()
        if sum(c.isalpha() for c in letters) * 2 < len(letters):
            continue
        words = _segment(letters.translate(_LEET))
        if words is None:
            if len(letters) < 4:
                continue
            words = [letters]
        breaks = set()
        place = 0
        for word in words:
            place += len(word)
            breaks.add(place)
        for i in range(1, len(letters)):
            at = match.start() + i * (gap + 1) - gap
            yield at, at + gap, " " if i in breaks else ""


@lru_cache(maxsize=512)
def _segment(letters: str) -> list[str] | None:
    """The fewest known words that spell `letters`, one of them three letters or longer."""
    if len(letters) > _LONGEST_SPACED:
        return None
    known = vocabulary.known()
    best: list[tuple[float, int] | None] = [(0.0, 0)]
    for end in range(1, len(letters) + 1):
        options = []
        for start in range(max(0, end - 14), end):
            before = best[start]
            word = letters[start:end]
            if before is None or not (word in known if len(word) > 1 else word in _SINGLE_WORDS):
                continue
            options.append((before[0] + 1 / len(word) + 1, start))
        best.append(min(options, default=None))
    if best[-1] is None:
        return None
    words: list[str] = []
    end = len(letters)
    while end:
        step = best[end]
        if step is None:
            return None
        words.append(letters[step[1] : end])
        end = step[1]
    return words[::-1] if max(map(len, words)) > 2 else None  # noqa: PLR2004


def _split(text: str) -> Iterator[Edit]:
    known = vocabulary.known()
    for match in _SPLIT.finditer(text):
        pieces = re.split(r"[-._·]", match.group().lower())
        if "".join(pieces) not in known or all(len(p) > 1 and p in known for p in pieces):
            continue
        at = match.start()
        for piece in pieces[:-1]:
            at += len(piece) + 1
            yield at - 1, at, ""


def _leet(match: re.Match[str]) -> str | None:
    run = match.group()
    if run.isalpha():
        return None
    core = run.strip("!*") if "*" not in run.rstrip("!*") else run.rstrip("!")
    if "*" in run:
        return _starred(run)
    if not _LEET_CHARACTER.search(core) or not any(c.isalpha() for c in core):
        return None
    plain = _plain(core.lower())
    if plain is None:
        return None
    if core.isupper() and len(core) > 1:
        plain = plain.upper()
    elif core[0].isupper():
        plain = plain.capitalize()
    return run.replace(core, plain, 1)


@lru_cache(maxsize=2048)
def _plain(core: str) -> str | None:
    known, strong = vocabulary.known(), vocabulary.strong()
    readings = [core.translate(_LEET), core.translate(_LEET_L)]
    if not readings[0].isalpha():
        return None
    for reading in readings:
        if reading in strong:
            return reading
    if core[0] == "@":
        return None
    letters = sum(c.isalpha() for c in core)
    inner = _INNER.sub("", core).isalpha()
    for reading in readings:
        if reading in known and (inner or len(reading) > 4) and letters * 2 >= len(core):  # noqa: PLR2004
            return reading
    digits = not re.search(r"[!$€£]", core)
    return readings[0] if inner and digits and letters > 3 and letters * 2 > len(core) else None  # noqa: PLR2004


def _starred(run: str) -> str | None:
    word = run.rstrip("!")
    for shape in (word, word.rstrip("*")):
        found = _starred_word(shape.lower())
        if found:
            found = (
                found.upper()
                if len(shape) > 1 and shape[0].isupper() and shape[-1].isupper()
                else found
            )
            return found + run[len(shape) :]
    return None


@lru_cache(maxsize=512)
def _starred_word(shape: str) -> str | None:
    if "*" not in shape or not shape[0].isalpha():
        return None
    wanted = re.compile(re.escape(shape.translate(_LEET)).replace(r"\*", "[a-z]"))
    found = [w for w in sorted(vocabulary.strong()) if len(w) == len(shape) and wanted.fullmatch(w)]
    for likely in ("fuck", "shit", "bitch"):
        if likely in found:
            return likely
    return found[0] if len(found) == 1 else None


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
    if double in known or runs > 4:  # noqa: PLR2004
        return double
    for sizes in product((2, 1), repeat=runs):
        size = iter(sizes)
        option = _STRETCHED.sub(lambda m: m[1] * next(size), word)
        if option in known and len(option) > 2:  # noqa: PLR2004
            return option
    return double
