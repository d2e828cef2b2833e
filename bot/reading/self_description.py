"""Who the author says to be ("as a Muslim fan, I …"), which must not move a score.

What a member is has no bearing on what the member says of somebody else, so words of
identity are left out where the author introduces oneself. Only there: said of another
person they stay, for there they can be the insult.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.reading import vocabulary
from bot.reading.spanned import Edit

_IDENTITIES = sorted(vocabulary.grammar("identities"), key=len, reverse=True)
_SELVES = sorted(vocabulary.grammar("selves"), key=len, reverse=True)
_IDENTITY = rf"(?:{'|'.join(map(re.escape, _IDENTITIES))}|\d\d[ -]years?[ -]old)"
_INTRODUCED = re.compile(
    rf"(?:^|[.!?,;:()\n]\s*|\b(?:and|but|so|speaking|because|cos|cuz)\s)as an?\s"
    rf"(?P<identity>{_IDENTITY}(?:[ -](?:and\s)?{_IDENTITY})*)"
    rf"(?:\s(?P<self>{'|'.join(map(re.escape, _SELVES))}))?"
    r"(?=\s*(?:[.!?,;:()\n]|$)|\s(?:i|i'm|im|i've|my|me|myself|we|this|it|that|who)\b)"
)


def left_out(text: str) -> Iterator[Edit]:
    """The edits that leave out words of the author's identity; a bare one becomes "fan"."""
    for match in _INTRODUCED.finditer(text):
        start, end = match.span("identity")
        yield (start, match.start("self"), "") if match["self"] else (start, end, "fan")
