"""Single characters: what letter each one stands for to a reader's eye.

Compatibility forms (fullwidth, mathematical, superscript, circled), accents and letters
with strokes become their base letter; invisible characters go. Letters of other scripts
stay themselves: only `lookalikes` says which Latin letter they resemble, for the words
that mix scripts. Nothing here turns Korean, Russian or Arabic into Latin.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files

from bot.reading import roles

_LATIN_NAME = re.compile(
    r"(?:LATIN (?:SMALL|CAPITAL) LETTER|LATIN LETTER SMALL CAPITAL|"
    r".*(?:SQUARED|CIRCLED|PARENTHESIZED) LATIN (?:SMALL|CAPITAL) LETTER|"
    r"MODIFIER LETTER (?:SMALL CAPITAL|SMALL|CAPITAL)|REGIONAL INDICATOR SYMBOL LETTER)"
    r" (?P<letter>[A-Z]|AE|OE)(?: WITH .*)?$"
)
_SPECIAL = {
    "\u00df": "ss", "\u1e9e": "SS", "\u00fe": "th", "\u00de": "Th", "\u00f0": "d", "\u00d0": "D",
    "\u0131": "i", "\u017f": "s",
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u02bc\u00b4`\uff07\u2032", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-"),
    **dict.fromkeys("\u2014\u2015", " - "),
    **dict.fromkeys("\n\r\x0b\x0c\x85\u2028\u2029", "\n"),
    **dict.fromkeys("\t\u2800", " "),
    **dict.fromkeys("\u115f\u1160\u3164\uffa0\u034f", ""),
}  # fmt: skip
_SWAPS = dict(
    zip("\u043a\u041a\u0442\u043c\u043d\u0432\u0431\u0433\u043f\u0438", "kKtmhvbrnu", strict=True)
)
_DROPPED = frozenset({"Cf", "Cc", "Cs", "Cn"})
_LOOSE_MARKS = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f]"
)


@lru_cache(maxsize=4096)
def fold(character: str) -> str:
    """The plain form of one character: nothing where it is invisible."""
    category = unicodedata.category(character)
    if character in _SPECIAL:
        return _SPECIAL[character]
    if character in roles.TOKEN_OF_MARK:
        return character
    if category in _DROPPED:
        return ""
    return " " if category == "Zs" else _plain(character)


def _plain(character: str) -> str:
    plain = unicodedata.normalize("NFKD", character)
    if plain[0].isascii() and not plain[0].isspace():
        return "".join(c for c in plain if c.isascii()).replace("\u2044", "/")
    named = _LATIN_NAME.match(unicodedata.name(character, ""))
    if named is None:
        return character
    return named["letter"] if character.isupper() else named["letter"].lower()


def is_loose_mark(character: str) -> bool:
    """Whether a character is an accent on whatever stands before it, in any script."""
    return bool(_LOOSE_MARKS.match(character))


@cache
def lookalikes() -> dict[str, str]:
    """Which single Latin letter a letter of another script is confusable with.

    From Unicode's confusables data as `confusable-homoglyphs` ships it.
    """
    data = json.loads((files("confusable_homoglyphs") / "confusables.json").read_text("utf-8"))
    latin: dict[str, str] = {}
    for character, alike in data.items():
        if len(character) != 1 or not character.isalpha() or fold(character).isascii():
            continue
        letters = [
            a["c"] for a in alike if len(a["c"]) == 1 and a["c"].isascii() and a["c"].isalpha()
        ]
        if letters:
            same_case = [c for c in letters if c.isupper() == character.isupper()]
            latin[character] = (same_case or letters)[0]
    return latin


def letter_swaps() -> dict[str, str]:
    """Letters that writers swap for a Latin one inside a word although they look different."""
    return _SWAPS
