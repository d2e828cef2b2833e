"""When two messages say the same."""

from __future__ import annotations

import re

from bot.reading.normalise import normalise

_NO_LETTERS = re.compile(r"[\W_]+")


def gist_of(text: str) -> str:
    """Return what equal texts have in common, whatever their case, signs, spaces and look-alikes.

    Empty for a text without letters or numbers, which is compared with none.
    """
    return _NO_LETTERS.sub("", normalise(text).text)
