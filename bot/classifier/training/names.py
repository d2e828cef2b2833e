"""Words of the training texts that are names, to be kept out of the vocabulary."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from bot.classifier.features import HIDDEN
from bot.reading.vocabulary import known

_WORD = re.compile(r"[^\W\d_]{2,}")
_SENTENCE_END = re.compile(r"[.!?:\n\"“”]\s*$")
_LEAST_SEEN = 2
_LEAST_CAPITALISED = 0.5


def name_like(texts: Iterable[str]) -> frozenset[str]:
    """Words that stand capitalised within sentences at least half the time.

    Ordinary English words are never among them, nor are words of texts in capitals.
    """
    capital: Counter[str] = Counter()
    small: Counter[str] = Counter()
    ordinary = known()
    for text in texts:
        if text.isupper():
            continue
        for match in _WORD.finditer(text):
            word = match.group()
            if match.start() == 0 or _SENTENCE_END.search(
                text, max(0, match.start() - 3), match.start()
            ):
                continue
            if word[0].isupper() and not word.isupper():
                capital[word.lower()] += 1
            elif word.islower():
                small[word] += 1
    return frozenset(
        word
        for word, n in capital.items()
        if n >= _LEAST_SEEN and word not in ordinary and n >= _LEAST_CAPITALISED * (n + small[word])
    )


def hide(view: str, words: AbstractSet[str]) -> str:
    """A view in which no feature can be made of any of `words`."""
    return _WORD.sub(lambda m: HIDDEN if m.group() in words else m.group(), view)
