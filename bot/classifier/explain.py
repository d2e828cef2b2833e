"""Which words of a message raise its score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.pipeline import FeatureUnion

from bot.classifier.lexicon import words
from bot.classifier.tokens import tokenize
from bot.comment import Why
from bot.reading import View

Span = tuple[int, int]

MOST_WORDS = 6
MOST_TRIED = 20
MOST_TAKEN_OUT = 12
_FUNCTION = words("function")
_LEAST_SHARE = 0.12
_LEAST_WEIGHT = 0.0001


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a view and what it adds to the log-odds."""

    start: int
    end: int
    weight: float

    def moved(self, offset: int) -> Word:
        """The same word in a text that begins `offset` characters earlier."""
        return Word(self.start + offset, self.end + offset, self.weight)


def contributions(features: FeatureUnion, coefficients: np.ndarray, view: str) -> list[Word]:
    """What each token of a view adds to the log-odds, in the order of the view.

    What a feature adds is shared equally among the characters of its span, spaces left out.
    """
    density = np.zeros(len(view) + 1)
    filled = np.array([not c.isspace() for c in view] + [False])
    before = np.concatenate([[0], np.cumsum(filled)])
    first = 0
    for _, block in features.transformer_list:
        for trace in block.trace(view):
            size = before[trace.end] - before[trace.start]
            if size:
                added = trace.value * float(coefficients[first + trace.column])
                density[trace.start : trace.end] += added / size
        first += len(block.idf_)
    density *= filled
    return [
        Word(token.start, token.end, float(density[token.start : token.end].sum()))
        for token in tokenize(view)
    ]


def tried_words(
    text: str,
    view: View,
    words: Sequence[Word],
    score: float,
    score_without: Callable[[Sequence[Span]], float],
    passes: Callable[[str], bool],
) -> tuple[Why, ...]:
    """As `telling_words`, for a model that reads sentences and has no weight for a word.

    Each of the `MOST_TRIED` words that the words' own weights put first is taken out by
    itself; then they go one after another, the most telling first, until the rest of the
    message would pass, and those that turn out not to be needed come back.

    Args:
        text: The message as given.
        view: What the model saw of it.
        words: The contributions to explain.
        score: The log-odds of the view.
        score_without: The same when the given spans of it are taken out.
        passes: Whether a text, read in place of the message, would not be flagged.
    """
    pool = sorted((w for w in words if _is_word(text, view, w)), key=lambda w: -w.weight)
    alone = {w: score - score_without([(w.start, w.end)]) for w in pool[:MOST_TRIED]}

    def pass_without(chosen: Sequence[Word]) -> bool:
        left = text
        spans = {_whole_word(text, *view.origin(w.start, w.end)) for w in chosen}
        for start, end in sorted(spans, reverse=True):
            left = left[:start] + left[end:]
        return passes(left)

    ranked = sorted(alone, key=lambda w: (-alone[w], w.start))
    enough = next(
        (n for n in range(1, min(len(ranked), MOST_TAKEN_OUT) + 1) if pass_without(ranked[:n])),
        None,
    )
    chosen = ranked[: enough or MOST_WORDS]
    for word in chosen[-2::-1] if enough else ():
        fewer = [w for w in chosen if w is not word]
        if pass_without(fewer):
            chosen = fewer
    weighed = [Word(w.start, w.end, max(alone[w], _LEAST_WEIGHT)) for w in chosen]
    return _marks(text, view, weighed)


def _spans(words: Sequence[Word]) -> list[Span]:
    return [(word.start, word.end) for word in words]


def telling_words(
    text: str,
    view: View,
    words: Sequence[Word],
    score_without: Callable[[Sequence[Span]], float],
    threshold: float,
) -> tuple[Why, ...]:
    """The words to mark in `text`, in its order: the heaviest until the score falls.

    Args:
        text: The message as given.
        view: What the model saw of it.
        words: The contributions to explain.
        score_without: The log-odds of the view when the given spans are blanked out.
        threshold: The log-odds under which the message would pass.
    """
    ranked = sorted(
        (w for w in words if w.weight > 0 and _is_word(text, view, w)),
        key=lambda w: (-w.weight, w.start),
    )
    chosen: list[Word] = []
    for word in ranked[:MOST_WORDS]:
        if chosen and word.weight < _LEAST_SHARE * chosen[0].weight:
            break
        chosen.append(word)
        if score_without(_spans(chosen)) < threshold:
            break
    return _marks(text, view, chosen)


def _marks(text: str, view: View, chosen: Sequence[Word]) -> tuple[Why, ...]:
    """The words chosen as spans of the text, whole words, in its order."""
    marked: dict[Span, float] = {}
    for word in chosen:
        span = _whole_word(text, *view.origin(word.start, word.end))
        marked[span] = marked.get(span, 0.0) + word.weight
    return tuple(
        Why(start, end, text[start:end], round(weight, 4))
        for (start, end), weight in _merged(sorted(marked.items()))
    )


def _is_word(text: str, view: View, word: Word) -> bool:
    if view.is_name(word.start, word.end) or view.text[word.start : word.end] in _FUNCTION:
        return False
    start, end = view.origin(word.start, word.end)
    return any(not c.isspace() and (c.isalnum() or ord(c) > 0x2000) for c in text[start:end])  # noqa: PLR2004


def _whole_word(text: str, start: int, end: int) -> Span:
    """The span grown to whole words and freed of the space around it."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while start > 0 and text[start].isalnum() and text[start - 1].isalnum():
        start -= 1
    while end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    return start, end


def _merged(spans: Sequence[tuple[Span, float]]) -> list[tuple[Span, float]]:
    merged: list[tuple[Span, float]] = []
    for (start, end), weight in spans:
        if merged and start < merged[-1][0][1]:
            (first, last), sofar = merged[-1]
            merged[-1] = ((first, max(last, end)), sofar + weight)
        else:
            merged.append(((start, end), weight))
    return merged
