"""Taking a chat export apart, so that each message is read by itself.

A JSON reader of the whole stops at the first flaw, and builds whatever it finds: numbers
of a million digits, lists without end. Here `json` reads one message after the other; for
one that it does not take, only brackets and strings are looked at to find its end, and
what is nested deeper than any field that is read is emptied.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.sources.fields import problem_of

MAX_PART_CHARACTERS: Final = 256 * 1024
MESSAGES: Final = "messages"
MESSAGE: Final = "messages[]"

_DEEPEST_READ: Final = 2
"""A message is an object (1), its author another one in it (2)."""

_SPACE: Final = re.compile(r"[ \t\n\r]*")
_OPENING: Final = re.compile(r"[\[{]{1,4096}")
_PLAIN: Final = re.compile(r'[^"\[\]{}]*')
_SCALAR: Final = re.compile(r'[^\s,:"\[\]{}]*')
_IN_STRING: Final = re.compile(r'[^"\\\n]*(?:\\[\s\S][^"\\\n]*)*')

_decode = json.JSONDecoder().raw_decode


class BrokenJsonError(Exception):
    """What comes next cannot be part of JSON."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A value that is no JSON, or too long: what is wrong, and as much of it as was kept."""

    problem: str
    text: str = ""


class Members:
    """The members of the object that a text is, in its order. To be gone through once."""

    def __init__(self, chunks: Iterator[str]) -> None:
        """Read `chunks` only as far as is asked for."""
        self._chunks = chunks
        self._text = ""
        self._at = 0

    def __iter__(self) -> Iterator[tuple[str, object]]:
        """Give the name and value of each member.

        A list named `messages` is given as an empty list, and then each of its elements
        under the name `MESSAGE`.

        Raises:
            EOFError: the text ends before the object does.
            BrokenJsonError: something else comes where a member or the end should.
        """
        self._expect("{")
        first = True
        while not self._passes("}"):
            if not first:
                self._expect(",")
            first = False
            name = self._value()
            if not isinstance(name, str):
                raise BrokenJsonError
            self._expect(":")
            if name == MESSAGES and self._passes("["):
                yield MESSAGES, []
                yield from self._elements()
            else:
                yield name, self._value()
        if not self._is_over():
            raise BrokenJsonError

    def _elements(self) -> Iterator[tuple[str, object]]:
        first = True
        while not self._passes("]"):
            if not first:
                self._expect(",")
            first = False
            yield MESSAGE, self._value()

    def _value(self) -> object:
        if self._next() in "]},:":
            raise BrokenJsonError
        while True:
            try:
                value, end = _decode(self._text, self._at)
            except (ValueError, RecursionError):
                end = len(self._text)
            if end < len(self._text):
                self._at = end
                return value
            if not self._read_on(MAX_PART_CHARACTERS):
                return _parsed(self._outline())

    def _outline(self) -> str | None:
        """The next value without what is nested deep in it; None when it is too long still."""
        kept: list[str] = []
        room, depth, emptied = MAX_PART_CHARACTERS, 0, 0
        while True:
            char = self._peek()
            shown = not emptied
            if char in "[{" and emptied:
                found = _OPENING.match(self._text, self._at)
                piece = self._take(len(found[0]) if found else 1)
                depth += len(piece)
            elif char in "[{":
                depth += 1
                if depth > (1 if char == "[" else _DEEPEST_READ):
                    emptied = depth
                piece = self._take(1)
            elif char in "]}":
                shown = not emptied or emptied == depth
                emptied = emptied if emptied < depth else 0
                depth -= 1
                piece = self._take(1)
            elif char == '"':
                piece = self._take(1) + self._run(_IN_STRING) + self._take(1)
            else:
                piece = self._run(_PLAIN if depth else _SCALAR)
            if shown and room >= 0:
                kept.append(piece)
                room -= len(piece)
            if depth == 0:
                return "".join(kept) if room >= 0 else None

    def _run(self, what: re.Pattern[str]) -> str:
        """What matches from here on; of a very long one, only more than is of use."""
        kept: list[str] = []
        room = MAX_PART_CHARACTERS
        while True:
            found = what.match(self._text, self._at)
            if found and room >= 0:
                kept.append(found[0])
                room -= len(found[0])
            self._at = found.end() if found else self._at
            left = self._text[self._at : self._at + 2]
            if left and left != "\\":
                return "".join(kept)
            if not self._read_on(len(left) + 1):
                raise EOFError

    def _next(self) -> str:
        while True:
            found = _SPACE.match(self._text, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            self._peek()

    def _peek(self) -> str:
        if self._at == len(self._text) and not self._read_on(1):
            raise EOFError
        return self._text[self._at]

    def _take(self, count: int) -> str:
        self._at += count
        return self._text[self._at - count : self._at]

    def _passes(self, char: str) -> bool:
        if self._next() != char:
            return False
        self._at += 1
        return True

    def _expect(self, char: str) -> None:
        if not self._passes(char):
            raise BrokenJsonError

    def _is_over(self) -> bool:
        try:
            self._next()
        except EOFError:
            return True
        return False

    def _read_on(self, wanted: int) -> bool:
        """Read until `wanted` characters are ahead; false when there were or nothing came."""
        ahead = [self._text[self._at :]]
        before = length = len(ahead[0])
        while length < wanted and (chunk := next(self._chunks, "")):
            ahead.append(chunk)
            length += len(chunk)
        if length > before:
            self._text, self._at = "".join(ahead), 0
        return length > before


def _parsed(text: str | None) -> object:
    if text is None:
        return Unreadable(f"it is longer than {MAX_PART_CHARACTERS:,} characters")
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return Unreadable("it is not valid JSON", text)
    except (ValueError, RecursionError) as error:
        return Unreadable(problem_of(error), text)
