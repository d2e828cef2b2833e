"""Text to its normal form, with a map of every normal character back to the original.

`normalise` is the whole way: markup (`segments`), emoji, single characters
(`characters`), look-alike letters, disguises, white space. The normal form is
lower case; `Normal.cased` is the same text, character for character, with its capitals.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from bot.reading import roles
from bot.reading.characters import fold, is_loose_mark, lookalikes
from bot.reading.disguises import unmask
from bot.reading.emojis import name_emoji
from bot.reading.segments import strip_markup
from bot.reading.spanned import Edit, Spanned

_FOREIGN_WORD = re.compile(r"[^\W\d_]*[^\W\d_\x00-\x7f][^\W_]*")
_HASHTAG = re.compile(r"#(?=[A-Za-z])\w+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SPACES = re.compile(r"[^\S\n]{2,}|[^\S\n ]|\s*\n\s*")
_EMOJI_RUN = re.compile(r"(:\w+:)(?: \1){2,}")
_MOST_MARKS = 3


@dataclass(frozen=True, slots=True)
class Normal:
    """The normal form of a text.

    `text` is lower case, `cased` the same with capitals; `spanned` maps both to the
    original.
    """

    text: str
    cased: str
    spanned: Spanned


def normalise(text: str) -> Normal:
    """The normal form of a message."""
    spanned = strip_markup(text)
    if not spanned.text.isascii():
        spanned = name_emoji(spanned)
        spanned = _fold_characters(spanned)
        spanned = spanned.edit(_fold_lookalikes(spanned.text))
    elif "\t" in spanned.text or "\r" in spanned.text or not spanned.text.isprintable():
        spanned = _fold_characters(spanned)
    if "#" in spanned.text:
        spanned = spanned.sub(_HASHTAG, lambda m: "# " + _CAMEL.sub(" ", m.group()[1:]))
    spanned = unmask(spanned)
    spanned = spanned.sub(_SPACES, lambda m: "\n" if "\n" in m.group() else " ")
    spanned = spanned.sub(_EMOJI_RUN, lambda m: f"{m[1]} {m[1]}")
    cased = spanned.text
    lower = cased.lower()
    if len(lower) != len(cased):
        lower = "".join(low if len(low := c.lower()) == 1 else c for c in cased)
    return Normal(lower, cased, spanned)


def _fold_characters(spanned: Spanned) -> Spanned:
    texts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    marks = 0
    for character, start, end in zip(spanned.text, spanned.starts, spanned.ends, strict=True):
        if is_loose_mark(character):
            marks += 1
            if texts and marks == 1 and not texts[-1].isascii():
                composed = unicodedata.normalize("NFC", texts[-1] + character)
                if len(composed) == 1:
                    texts[-1], ends[-1] = composed, end
            continue
        if unicodedata.category(character)[0] == "M":
            marks += 1
            if marks > _MOST_MARKS:
                continue
        else:
            marks = 0
        plain = character if character.isascii() and character.isprintable() else fold(character)
        for c in plain:
            texts.append(c)
            starts.append(start)
            ends.append(end)
    return Spanned("".join(texts), starts, ends)


def _fold_lookalikes(text: str) -> list[Edit]:
    if text.isascii():
        return []
    alike = lookalikes()
    edits: list[Edit] = []
    lone: list[Edit] = []
    genuine = False
    for match in _FOREIGN_WORD.finditer(text):
        word = match.group()
        folded = "".join(c if c.isascii() else alike.get(c, c) for c in word)
        if folded == word or not folded.isascii():
            genuine = True
            continue
        mixed = any(c.isascii() and c.isalpha() for c in word)
        (edits if mixed else lone).append((match.start(), match.end(), folded))
    latin = sum(1 for w in re.findall(r"[A-Za-z]{2,}", text) if w)
    if lone and not genuine and latin >= len(lone):
        edits = sorted(edits + lone)
    return edits


def words_of(text: str) -> str:
    """A name or handle in the normal form in which it is looked for."""
    spanned = _fold_characters(Spanned.of(text))
    spanned = spanned.edit(_fold_lookalikes(spanned.text))
    return "".join(c for c in spanned.text if c not in roles.TOKEN_OF_MARK).lower()
