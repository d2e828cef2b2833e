"""Parts of a long view, so that padding cannot water an insult down.

A short view is read whole. A longer one is read as every run of up to four of its
sentences (or of pieces of a sentence without end), and the worst run counts: what is
flagged alone is flagged wherever it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bot.reading import roles

_WHOLE: Final = 110
"""Views of up to so many words are read whole: the model has learnt from such."""
_PIECE: Final = 40
_RUN: Final = 4
_RUN_WORDS: Final = 110
_WORD: Final = re.compile(r"\S+")
_SENTENCE_END: Final = re.compile(rf"[.!?…]['\")*_~]*$|{roles.UNQUOTE}$")

Span = tuple[int, int]


def windows(view: str) -> list[Span]:
    """The half-open spans of `view` to be read one by one; the whole of a short view."""
    words = [match.span() for match in _WORD.finditer(view)]
    if len(words) <= _WHOLE:
        return [(0, len(view))]
    pieces = list(_pieces(view, words))
    spans: dict[Span, None] = {}
    for first in range(len(pieces)):
        for last in range(first, min(first + _RUN, len(pieces))):
            if last > first and sum(n for _, n in pieces[first : last + 1]) > _RUN_WORDS:
                break
            spans[pieces[first][0][0], pieces[last][0][1]] = None
    return list(spans)


def _pieces(view: str, words: list[Span]) -> Iterator[tuple[Span, int]]:
    begin = 0
    for i, (start, end) in enumerate(words):
        full = i - begin + 1 >= _PIECE
        if full or i == len(words) - 1 or _SENTENCE_END.search(view[start:end]):
            yield (words[begin][0], end), i - begin + 1
            begin = i + 1
