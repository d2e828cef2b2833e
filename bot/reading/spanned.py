"""Text that remembers which original code points each of its characters came from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

Edit = tuple[int, int, str]
"""Replace the half-open span `start, end` by a text."""


@dataclass(frozen=True, slots=True)
class Spanned:
    """A text with the original half-open span of each character.

    `starts` and `ends` have one entry for each character of `text`, in code points of
    the original, and neither ever falls from one character to the next.
    """

    text: str
    starts: list[int]
    ends: list[int]

    @classmethod
    def of(cls, text: str) -> Spanned:
        """The original itself: every character comes from its own place."""
        return cls(text, list(range(len(text))), list(range(1, len(text) + 1)))

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """The original half-open span that the characters `start` to `end` came from."""
        size = len(self.text)
        start, end = max(0, min(start, size)), max(0, min(end, size))
        if start < end:
            return self.starts[start], self.ends[end - 1]
        if start < size:
            return self.starts[start], self.starts[start]
        point = self.ends[-1] if size else 0
        return point, point

    def edit(self, edits: Iterable[Edit]) -> Spanned:
        """Replace spans, given in order and not overlapping.

        A replacement as long as what it replaces maps character by character;
        otherwise each of its characters maps to the whole span replaced.
        """
        texts: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        done = 0
        for start, end, replacement in edits:
            texts.append(self.text[done:start])
            starts += self.starts[done:start]
            ends += self.ends[done:start]
            texts.append(replacement)
            if len(replacement) == end - start:
                starts += self.starts[start:end]
                ends += self.ends[start:end]
            elif replacement:
                first, last = self.origin(start, end)
                starts += [first] * len(replacement)
                ends += [last] * len(replacement)
            done = end
        if not texts:
            return self
        texts.append(self.text[done:])
        starts += self.starts[done:]
        ends += self.ends[done:]
        return Spanned("".join(texts), starts, ends)

    def sub(
        self, pattern: re.Pattern[str], replace: Callable[[re.Match[str]], str | None]
    ) -> Spanned:
        """Replace every match for which `replace` gives a text; None leaves it as it is."""
        edits = []
        for match in pattern.finditer(self.text):
            replacement = replace(match)
            if replacement is not None:
                edits.append((match.start(), match.end(), replacement))
        return self.edit(edits)
