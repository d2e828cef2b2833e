"""What the classifier sees of a view: named features, each with the spans that make it.

A view (`bot.reading`) is a lower-case text in which the upper-case tokens of
`bot.reading.roles` stand for people and markup. Three families of features are taken
from it: words, characters, and stance. Each knows the spans of the view that it comes
from, so that a score can be traced back to words.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Final, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from bot.classifier.stance import Voice, stance_features, voices
from bot.classifier.tokens import Token, tokenize
from bot.reading import roles

Occurrence = tuple[str, int, int]
"""A feature's name and the half-open span of the view it comes from."""

HIDDEN: Final = "\ue1ff"
"""Stands in a training text for a word that no feature may be made of."""

_SYMBOL: Final = {
    token: chr(0xE100 + i) for i, token in enumerate(sorted(roles.ROLES | roles.MARKS))
}
_REMEMBERED: Final = 8192

_CHUNK = re.compile(r"\S+")
_ROLE = re.compile("|".join(sorted(_SYMBOL, key=len, reverse=True)))


@lru_cache(maxsize=64)
def parse(text: str) -> tuple[list[Token], list[Voice]]:
    """The tokens of a view and how each is said."""
    tokens = tokenize(text)
    return tokens, voices(tokens)


def word_ngrams(text: str, low: int, high: int) -> Iterator[Occurrence]:
    """Runs of `low` to `high` tokens, joined by spaces; words not the writer's own are marked."""
    tokens, said = parse(text)
    words = [voice + token.text for token, voice in zip(tokens, said, strict=True)]
    for size in range(low, high + 1):
        for i in range(len(tokens) - size + 1):
            yield " ".join(words[i : i + size]), tokens[i].start, tokens[i + size - 1].end


def char_ngrams(text: str, low: int, high: int) -> Iterator[Occurrence]:
    """Runs of `low` to `high` characters within a word of the writer's own.

    A space opens and closes each word. A role token counts as one character, so no part
    of it looks like a word.
    """
    for start, end in own_words(text):
        yield from _grams_of_word(text, start, end, low, high)


def own_words(text: str) -> list[tuple[int, int]]:
    """The spans between spaces in which the writer speaks for themselves."""
    tokens, said = parse(text)
    others = {t.start for t, voice in zip(tokens, said, strict=True) if voice is not Voice.OWN}
    spans = (chunk.span() for chunk in _CHUNK.finditer(text))
    if not others:
        return list(spans)
    return [(a, b) for a, b in spans if others.isdisjoint(range(a, b))]


def _grams_of_word(text: str, begin: int, stop: int, low: int, high: int) -> Iterator[Occurrence]:
    letters, starts, ends = [" "], [begin], [begin]
    at = begin
    for role in _ROLE.finditer(text, begin, stop):
        letters += text[at : role.start()]
        starts += range(at, role.start())
        ends += range(at + 1, role.start() + 1)
        letters.append(_SYMBOL[role.group()])
        starts.append(role.start())
        ends.append(role.end())
        at = role.end()
    letters += text[at:stop]
    starts += range(at, stop)
    ends += range(at + 1, stop + 1)
    letters.append(" ")
    starts.append(stop)
    ends.append(stop)
    word = "".join(letters)
    length = len(word)
    for size in range(low, min(high, length) + 1):
        for i in range(length - size + 1):
            yield word[i : i + size], starts[i], ends[i + size - 1]


Analyser = Callable[[str, int, int], Iterable[Occurrence]]

_ANALYSERS: Final[dict[str, Analyser]] = {
    "word": word_ngrams,
    "char": char_ngrams,
    "stance": lambda text, _low, _high: stance_features(*parse(text)),
}


@dataclass(frozen=True, slots=True)
class Trace:
    """One occurrence of a known feature: its column, its share of the value, its span."""

    column: int
    value: float
    start: int
    end: int


class Index:
    """The column of each feature, found by a 64-bit hash of its name.

    A dictionary of a hundred thousand names would take ten times the memory.
    """

    def __init__(self, names: Sequence[str]) -> None:
        """Remember `names` in the order of their columns."""
        hashes = np.fromiter(map(_hash, names), dtype=np.uint64, count=len(names))
        self._columns = np.argsort(hashes, kind="stable").astype(np.int32)
        self._hashes = hashes[self._columns]

    def get(self, name: str) -> int | None:
        """The column of a feature, None if it is not known."""
        wanted = _hash(name)
        place = int(self._hashes.searchsorted(np.uint64(wanted)))
        if place < len(self._hashes) and int(self._hashes[place]) == wanted:
            return int(self._columns[place])
        return None


def _hash(name: str) -> int:
    digest = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


class SpanVectorizer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
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
        """Keep the parameters, as scikit-learn expects."""
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
        self.__dict__.pop("_index", None)
        self.__dict__.pop("_words", None)
        return self

    def keep(self, columns: NDArray[np.intp]) -> Self:
        """Forget every feature but those of `columns` (ascending)."""
        names = self.get_feature_names_out()
        return self._set([names[i] for i in columns], self.idf_[columns])

    def get_feature_names_out(self, input_features: object = None) -> list[str]:  # noqa: ARG002
        """The features in the order of the columns."""
        return self.vocabulary_bytes_.tobytes().decode().split("\n") if len(self.idf_) else []

    @property
    def index(self) -> Index:
        """The column of each feature."""
        found: Index | None = self.__dict__.get("_index")
        if found is None:
            found = Index(self.get_feature_names_out())
            self._index = found
        return found

    @property
    def _columns_of_word(self) -> Callable[[str], tuple[int, ...]]:
        """The columns of a word's character n-grams; the latest words are remembered."""
        found: Callable[[str], tuple[int, ...]] | None = self.__dict__.get("_words")
        if found is None:
            index = self.index
            low, high = self.low, self.high

            def columns(word: str) -> tuple[int, ...]:
                grams = (index.get(g) for g, _, _ in _grams_of_word(word, 0, len(word), low, high))
                return tuple(column for column in grams if column is not None)

            found = lru_cache(maxsize=_REMEMBERED)(columns)
            self._words = found
        return found

    def __getstate__(self) -> dict[str, object]:
        """The state without the dictionaries that the vocabulary gives again."""
        return {k: v for k, v in super().__getstate__().items() if k not in {"_index", "_words"}}

    def counts(self, text: str) -> dict[int, int]:
        """How often each known feature occurs in a view, by column."""
        found: dict[int, int] = {}
        if self.kind == "char":
            of_word = self._columns_of_word
            for start, end in own_words(text):
                for column in of_word(text[start:end]):
                    found[column] = found.get(column, 0) + 1
            return found
        index = self.index
        for feature, _, _ in self.analyse(text):
            known = index.get(feature)
            if known is not None:
                found[known] = found.get(known, 0) + 1
        return found

    def row(self, text: str) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """The columns and values of one view, as a row of `transform` has them."""
        counts = self.counts(text)
        columns = np.array(sorted(counts), dtype=np.intp)
        if not len(columns):
            return columns, np.zeros(0)
        times = np.array([counts[c] for c in columns.tolist()], dtype=np.float64)
        values: NDArray[np.float64] = (1 + np.log(times)) * self.idf_[columns]
        return columns, values * (self.weight / math.sqrt(float(values @ values)))

    def transform(self, texts: Sequence[str]) -> sp.csr_matrix:
        """The TF-IDF rows of `texts`, shape (n_texts, n_features), float32."""
        rows = [self.row(text) for text in texts]
        ends = np.concatenate([[0], np.cumsum([len(columns) for columns, _ in rows])])
        columns = np.concatenate([columns for columns, _ in rows]) if rows else np.zeros(0, np.intp)
        values = np.concatenate([values for _, values in rows]) if rows else np.zeros(0)
        shape = (len(texts), len(self.idf_))
        return sp.csr_matrix((values.astype(np.float32), columns, ends), shape=shape)

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
        columns, values = self.row(text)
        value = dict(zip(columns.tolist(), values.tolist(), strict=True))
        found = [
            (column, start, end)
            for feature, start, end in self.analyse(text)
            if (column := self.index.get(feature)) is not None
        ]
        count: dict[int, int] = {}
        for column, _, _ in found:
            count[column] = count.get(column, 0) + 1
        return [Trace(c, value[c] / count[c], start, end) for c, start, end in found]
