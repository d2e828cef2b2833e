"""The tokens of a view."""

from __future__ import annotations

import re
from typing import NamedTuple

from bot.reading import roles

_TOKEN = re.compile(
    rf"(?:{'|'.join(sorted(roles.ROLES | roles.MARKS))})(?![^\W_])"
    r"|:[a-z0-9_]{2,}:|\w+(?:['\u2019]\w+)*|['\u2019]s\b|[^\w\s]"
)


class Token(NamedTuple):
    """A word, an emoji's name, a role or a mark, with its half-open span in the view."""

    text: str
    start: int
    end: int


def tokenize(text: str) -> list[Token]:
    """Split a view into words, `:emoji_names:` and single punctuation marks."""
    found = _TOKEN.finditer(text)
    return [Token(m.group().replace("\u2019", "'"), m.start(), m.end()) for m in found]
