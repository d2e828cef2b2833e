"""What the classifier sees of a view: named features, each with the spans that make it.

A view (`bot.reading`) is a lower-case text in which the upper-case tokens of
`bot.reading.roles` stand for people and markup. Three families of features are taken
from it: words, characters, and stance. Each knows the spans of the view that it comes
from, so that a score can be traced back to words.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from bot.classifier.stance import stance_features
from bot.classifier.tokens import tokenize
from bot.reading import roles

Occurrence = tuple[str, int, int]
"""A feature's name and the half-open span of the view it comes from."""

HIDDEN: Final = "\ue1ff"
"""Stands in a training text for a word that no feature may be made of."""

_SYMBOL: Final = {
    token: chr(0xE100 + i) for i, token in enumerate(sorted(roles.ROLES | roles.MARKS))
}
_CHUNK = re.compile(r"\S+")
_ROLE = re.compile("|".join(sorted(_SYMBOL, key=len, reverse=True)))


def word_ngrams(text: str, low: int, high: int) -> Iterator[Occurrence]:
    """Runs of `low` to `high` tokens, joined by spaces."""
    tokens = tokenize(text)
    for size in range(low, high + 1):
        for i in range(len(tokens) - size + 1):
            run = tokens[i : i + size]
            yield " ".join([t.text for t in run]), run[0].start, run[-1].end


def char_ngrams(text: str, low: int, high: int) -> Iterator[Occurrence]:
    """Runs of `low` to `high` characters within a word, which a space opens and closes.

    A role token counts as one character, so no part of it looks like a word.
    """
    for chunk in _CHUNK.finditer(text):
        letters, starts, ends = [" "], [chunk.start()], [chunk.start()]
        at = chunk.start()
        for role in _ROLE.finditer(text, chunk.start(), chunk.end()):
            letters += text[at : role.start()]
            starts += range(at, role.start())
            ends += range(at + 1, role.start() + 1)
            letters.append(_SYMBOL[role.group()])
            starts.append(role.start())
            ends.append(role.end())
            at = role.end()
        letters += text[at : chunk.end()]
        starts += range(at, chunk.end())
        ends += range(at + 1, chunk.end() + 1)
        letters.append(" ")
        starts.append(chunk.end())
        ends.append(chunk.end())
        word = "".join(letters)
        length = len(word)
        for size in range(low, min(high, length) + 1):
            for i in range(length - size + 1):
                yield word[i : i + size], starts[i], ends[i + size - 1]


Analyser = Callable[[str, int, int], Iterable[Occurrence]]

_ANALYSERS: Final[dict[str, Analyser]] = {
    "word": word_ngrams,
    "char": char_ngrams,
    "stance": lambda text, _low, _high: stance_features(tokenize(text)),
}


@dataclass(frozen=True, slots=True)
class Trace:
    """One occurrence of a known feature: its column, its share of the value, its span."""

    column: int
    value: float
    start: int
    end: int


class SpanVectorizer(TransformerMixin, BaseEstimator):
    """TF-IDF over one family of features, able to say where each feature stands.

    The vocabulary is kept as one array of UTF-8 bytes, so that a stored model holds
    plain arrays alone. Rows are L2-normalised, term frequencies sublinear.

    Args:
        kind: `word`, `char` or `stance`.
        low: The shortest n-gram.
        high: The longest n-gram.
        min_df: Features found in fewer texts are left out.
        weight: What every row is multiplied by after normalising.
    """

    def __init__(
        self, kind: str = "word", low: int = 1, high: int = 2, min_df: int = 2, weight: float = 1.0
    ) -> None:
        self.kind = kind
        self.low = low
        self.high = high
        self.min_df = min_df
        self.weight = weight

    def analyse(self, text: str) -> Iterable[Occurrence]:
        """Every occurrence of every feature of a view, known or not."""
        return _ANALYSERS[self.kind](text, self.low, self.high)

    def fit(self, texts: Sequence[str], y: object = None) -> Self:
        """Learn the vocabulary and the document frequencies."""
        self.fit_transform(texts, y)
        return self

    def fit_transform(self, texts: Sequence[str], y: object = None) -> sp.csr_matrix:  # noqa: ARG002
        """`fit`, and the rows of the same texts."""
        seen: dict[str, int] = {}
        columns, counts, ends = array("i"), array("i"), array("q", [0])
        for text in texts:
            row: dict[str, int] = {}
            for feature, _, _ in self.analyse(text):
                row[feature] = row.get(feature, 0) + 1
            for feature, count in row.items():
                columns.append(seen.setdefault(feature, len(seen)))
                counts.append(count)
            ends.append(len(columns))
        cols = np.frombuffer(columns, dtype=np.int32)
        frequency = np.bincount(cols, minlength=len(seen))
        kept = sorted(f for f, i in seen.items() if frequency[i] >= self.min_df and HIDDEN not in f)
        places = np.array([seen[f] for f in kept], dtype=np.intp)
        idf = np.log((1 + len(texts)) / (1 + frequency[places])) + 1
        self._set(kept, idf.astype(np.float32))
        matrix = sp.csr_matrix(
            (np.frombuffer(counts, dtype=np.int32), cols, np.frombuffer(ends, dtype=np.int64)),
            shape=(len(texts), len(seen)),
        )
        return self._weighted(matrix[:, places])

    def _set(self, vocabulary: Sequence[str], idf: NDArray[np.float32]) -> Self:
        self.vocabulary_bytes_ = np.frombuffer("\n".join(vocabulary).encode(), dtype=np.uint8)
        self.idf_ = idf
        self._index: dict[str, int] | None = None
        return self

    def keep(self, columns: NDArray[np.intp]) -> Self:
        """Forget every feature but those of `columns` (ascending)."""
        names = self.get_feature_names_out()
        return self._set([names[i] for i in columns], self.idf_[columns])

    def get_feature_names_out(self, input_features: object = None) -> list[str]:  # noqa: ARG002
        """The features in the order of the columns."""
        return self.vocabulary_bytes_.tobytes().decode().split("\n") if len(self.idf_) else []

    @property
    def index(self) -> dict[str, int]:
        """The column of each feature."""
        if self.__dict__.get("_index") is None:
            self._index = {name: i for i, name in enumerate(self.get_feature_names_out())}
        index = self._index
        assert index is not None  # noqa: S101
        return index

    def __getstate__(self) -> dict[str, object]:
        return {k: v for k, v in super().__getstate__().items() if k != "_index"}

    def transform(self, texts: Sequence[str]) -> sp.csr_matrix:
        """The TF-IDF rows of `texts`, shape (n_texts, n_features), float32."""
        index = self.index
        columns: list[int] = []
        counts: list[int] = []
        ends = [0]
        for text in texts:
            row: dict[int, int] = {}
            for feature, _, _ in self.analyse(text):
                column = index.get(feature)
                if column is not None:
                    row[column] = row.get(column, 0) + 1
            for column in sorted(row):
                columns.append(column)
                counts.append(row[column])
            ends.append(len(columns))
        shape = (len(texts), len(self.idf_))
        return self._weighted(sp.csr_matrix((counts, columns, ends), shape=shape, dtype=np.int32))

    def _weighted(self, counts: sp.csr_matrix) -> sp.csr_matrix:
        counts.sort_indices()
        values = (1 + np.log(counts.data.astype(np.float32))) * self.idf_[counts.indices]
        sizes = np.diff(counts.indptr)
        squares = np.concatenate([[0.0], np.cumsum(values.astype(np.float64) ** 2)])
        lengths = np.sqrt(squares[counts.indptr[1:]] - squares[counts.indptr[:-1]])
        lengths[sizes == 0] = 1.0
        data = (self.weight * values / np.repeat(lengths, sizes)).astype(np.float32)
        indices = counts.indices.astype(np.int32)
        return sp.csr_matrix((data, indices, counts.indptr.astype(np.int32)), shape=counts.shape)

    def trace(self, text: str) -> list[Trace]:
        """Every occurrence of the known features, its value shared among occurrences."""
        row = self.transform([text])
        value = dict(zip(row.indices.tolist(), row.data.tolist(), strict=True))
        found = [
            (column, start, end)
            for feature, start, end in self.analyse(text)
            if (column := self.index.get(feature)) is not None
        ]
        count: dict[int, int] = {}
        for column, _, _ in found:
            count[column] = count.get(column, 0) + 1
        return [Trace(c, value[c] / count[c], start, end) for c, start, end in found]
