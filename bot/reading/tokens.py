"""Words of a normal form, with their places."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from bot.reading import vocabulary
from bot.reading.normalise import Normal

_PIECE = re.compile(r"[^\W_]+(?:[@$][^\W_]+)*")
_TOKEN = re.compile(rf":\w+:|{_PIECE.pattern}")
_SENTENCE_END = re.compile("[.!?\n\ue000\ue001\ue002\ue003:;]|\\s-\\s")
_MOSTLY = 0.6
_SHORT = 2
_ACRONYM = 6


@dataclass(frozen=True, slots=True)
class Word:
    """One word: its half-open span in the normal form, lower case and as written."""

    start: int
    end: int
    text: str
    cased: str
    opens: bool

    @property
    def capital(self) -> bool:
        """Whether it begins with a capital letter."""
        return self.cased[0].isupper()


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a normal form; emoji names are not words.

    `shouted` says that capitals tell nothing, because nearly everything is in capitals.
    """

    normal: Normal
    words: tuple[Word, ...]
    shouted: bool

    def beside(self, taken: Collection[int]) -> Words:
        """The same words, `shouted` judged without those taken, which are names."""
        rest = (w for i, w in enumerate(self.words) if i not in taken)
        return replace(self, shouted=_is_shouted(rest))

    def is_spread(self, index: int) -> bool:
        """Whether a word was written in spaced letters, or is a single letter."""
        start, end = self.words[index].start, self.words[index].end
        first, last = self.normal.spanned.origin(start, end)
        return last - first >= 2 * (end - start) - 1

    def is_glued(self, index: int) -> bool:
        """Whether the original has nothing between a word and the next."""
        if index + 1 >= len(self.words):
            return False
        spanned = self.normal.spanned
        return (
            spanned.ends[self.words[index].end - 1] == spanned.starts[self.words[index + 1].start]
        )

    def name_like(self, index: int) -> bool:
        """Whether a word is capitalised and no word, place, brand or acronym is spelled so."""
        word = self.words[index]
        if (
            self.shouted
            or not word.capital
            or not word.cased.isalpha()
            or len(word.cased) <= _SHORT
        ):
            return False
        if word.cased.isupper() and len(word.cased) <= _ACRONYM:
            return False
        spellings = {word.text, word.text[:-1]} if word.text.endswith("s") else {word.text}
        return not any(s in vocabulary.known() or s in vocabulary.not_people() for s in spellings)

    def gap(self, index: int) -> str:
        """What stands between word `index` and the next; a mark where there is none."""
        if index + 1 >= len(self.words):
            return "\n"
        return self.normal.text[self.words[index].end : self.words[index + 1].start]

    def after(self, index: int) -> str:
        """The word after `index` in the same sentence, or nothing."""
        if index + 1 >= len(self.words) or _SENTENCE_END.search(self.gap(index)):
            return ""
        return self.words[index + 1].text

    def before(self, index: int) -> str:
        """The word before `index` in the same sentence, or nothing."""
        if index <= 0 or _SENTENCE_END.search(self.gap(index - 1)):
            return ""
        return self.words[index - 1].text


def pieces(text: str) -> tuple[str, ...]:
    """The words of a plain text, without their places."""
    return tuple(_PIECE.findall(text))


def words_in(normal: Normal) -> Words:
    """Split a normal form into words."""
    words: list[Word] = []
    done = 0
    opens = True
    for match in _TOKEN.finditer(normal.text):
        if match.group()[0] == ":":
            continue
        start, end = match.span()
        opens = not words or bool(_SENTENCE_END.search(normal.text, done, start))
        words.append(Word(start, end, match.group(), normal.cased[start:end], opens))
        done = end
    return Words(normal, tuple(words), _is_shouted(words))


def _is_shouted(words: Iterable[Word]) -> bool:
    long = [w.cased for w in words if len(w.cased) > 1 and w.cased.isalpha()]
    return len(long) > 1 and sum(w.isupper() for w in long) > _MOSTLY * len(long)
