"""Emoji as words: `🐍` becomes ` :snake: `, whatever its skin tone or gender."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache

import emoji

from bot.reading.spanned import Edit, Spanned

_TONE = re.compile(r"_(?:medium-)?(?:light|dark|medium)_skin_tone")
_GENDER = re.compile(r"^(?:woman|man|person)_(?=\w+ing$)")
_INDICATORS = re.compile("[\U0001f1e6-\U0001f1ff]+")
_BOXED_LETTERS = re.compile("[\U0001f130-\U0001f189]")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_REPEATS = 2
_LETTER_EMOJI = frozenset("\U0001f170\U0001f171\U0001f17e\U0001f17f")


@cache
def _lengths() -> dict[str, tuple[int, ...]]:
    """The lengths, longest first, of the emoji that begin with a character."""
    lengths: dict[str, set[int]] = {}
    for sequence in emoji.EMOJI_DATA:
        lengths.setdefault(sequence[0], set()).add(len(sequence))
    return {first: tuple(sorted(found, reverse=True)) for first, found in lengths.items()}


def name_emoji(spanned: Spanned) -> Spanned:
    """Write every emoji by name, each at most twice in an unbroken run.

    Boxed letters and regional indicators that spell something stay letters.
    """
    return spanned.edit(_edits(spanned.text))


def _edits(text: str) -> Iterator[Edit]:
    run: Counter[str] = Counter()
    done = 0
    for start, end in _places(text):
        if text[done:start].strip():
            run.clear()
        name = _name(text[start:end])
        run[name] += 1
        yield start, end, name if run[name] <= _REPEATS else " "
        done = end


def _places(text: str) -> Iterator[tuple[int, int]]:
    letters = {
        i for run in _INDICATORS.finditer(text) if len(run.group()) % 2 for i in range(*run.span())
    }
    spelled = any(c not in _LETTER_EMOJI for c in _BOXED_LETTERS.findall(text))
    lengths = _lengths()
    done = 0
    for found in _NOT_ASCII.finditer(text):
        start, first = found.start(), found.group()
        plain = start in letters or (spelled and first in _LETTER_EMOJI)
        if start < done or plain or first not in lengths:
            continue
        for length in lengths[first]:
            if text[start : start + length] in emoji.EMOJI_DATA:
                done = start + length
                yield start, done
                break


@lru_cache(maxsize=1024)
def _name(character: str) -> str:
    name = emoji.demojize(character, delimiters=("", ""))
    name = _GENDER.sub("", _TONE.sub("", name)).lower()
    return f" :{re.sub(r'[^a-z0-9_]+', '_', name).strip('_')}: "
