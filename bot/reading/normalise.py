"""Text to its normal form, with a map of every normal character back to the original.

`normalise` is the whole way: markup (`segments`), emoji, single characters
(`characters`), look-alike letters, disguises, white space. The normal form is
lower case; `Normal.cased` is the same text, character for character, with its capitals.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from bot.reading import roles
from bot.reading.characters import fold, is_loose_mark, letter_swaps, lookalikes
from bot.reading.disguises import unmask
from bot.reading.emojis import name_emoji
from bot.reading.segments import strip_markup
from bot.reading.spanned import Edit, Spanned

_FOREIGN_WORD = re.compile(r"[^\W\d_]*[^\W\d_\x00-\x7f][^\W_]*")
_LATIN_WORD = re.compile(r"[A-Za-z]{2,}")
_HASHTAG = re.compile(r"#(?=[A-Za-z])\w+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SPACES = re.compile(r"[^\S\n]{2,}|[^\S\n ]|\s*\n\s*")
_NOT_PLAIN = re.compile(r"[^\n -~]+")
_EMOJI_NAME = re.compile(r":\w+:")
_MOST_MARKS = 3


@dataclass(frozen=True, slots=True)
class Normal:
    """The normal form of a text.

    `text` is lower case, `cased` the same with capitals; `spanned` maps both to the
    original. `tagged` are the places of the original that are inside a hashtag.
    """

    text: str
    cased: str
    spanned: Spanned
    tagged: frozenset[int] = frozenset()

    def edit(self, edits: Iterable[Edit]) -> Normal:
        """The same with some spans replaced."""
        spanned = self.spanned.edit(edits)
        return Normal(_lower(spanned.text), spanned.text, spanned, self.tagged)


def normalise(text: str) -> Normal:
    """The normal form of a message."""
    spanned = strip_markup(text)
    if not spanned.text.isascii():
        spanned = name_emoji(spanned)
        spanned = _fold_characters(spanned)
        spanned = spanned.edit(_fold_lookalikes(spanned.text))
    elif not spanned.text.isprintable():
        spanned = _fold_characters(spanned)
    tagged = frozenset(
        spanned.starts[i]
        for tag in _HASHTAG.finditer(spanned.text)
        for i in range(tag.start() + 1, tag.end())
    )
    spanned = spanned.edit(_hashtags(spanned.text))
    spanned = unmask(spanned)
    spanned = spanned.sub(_SPACES, lambda m: "\n" if "\n" in m.group() else " ")
    return Normal(_lower(spanned.text), spanned.text, spanned, tagged)


def _lower(cased: str) -> str:
    """A text in lower case, of the same length."""
    lower = cased.lower()
    if len(lower) != len(cased):
        lower = "".join(low if len(low := c.lower()) == 1 else c for c in cased)
    return lower


def _hashtags(text: str) -> Iterator[Edit]:
    for tag in _HASHTAG.finditer(text):
        yield tag.start(), tag.start() + 1, ""
        for hump in _CAMEL.finditer(text, tag.start() + 1, tag.end()):
            yield hump.start(), hump.start(), " "


def _fold_characters(spanned: Spanned) -> Spanned:
    texts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    done = 0
    for run in _NOT_PLAIN.finditer(spanned.text):
        begin, finish = run.span()
        texts.append(spanned.text[done:begin])
        starts += spanned.starts[done:begin]
        ends += spanned.ends[done:begin]
        for text, start, end in _fold_run(spanned, begin, finish):
            texts.append(text)
            starts += [start] * len(text)
            ends += [end] * len(text)
        done = finish
    texts.append(spanned.text[done:])
    return Spanned("".join(texts), starts + spanned.starts[done:], ends + spanned.ends[done:])


def _fold_run(spanned: Spanned, begin: int, finish: int) -> Iterator[tuple[str, int, int]]:
    """The plain text of a run of characters that are not plain, with the origin of each.

    An accent stays only where it makes another letter of a script without accents to
    fold (й); a pile of marks is cut off.
    """
    held: tuple[str, int, int] | None = None
    marks = 0
    for index in range(begin, finish):
        character, start, end = spanned.text[index], spanned.starts[index], spanned.ends[index]
        loose = is_loose_mark(character)
        marks = marks + 1 if loose or unicodedata.category(character)[0] == "M" else 0
        if loose:
            composed = unicodedata.normalize("NFC", held[0] + character) if held else ""
            if held and marks == 1 and not held[0].isascii() and len(composed) == 1:
                held = composed, held[1], end
        elif marks <= _MOST_MARKS:
            if held:
                yield held
            held = fold(character), start, end
    if held:
        yield held


def _fold_lookalikes(text: str) -> list[Edit]:
    if text.isascii():
        return []
    alike, swapped = lookalikes(), letter_swaps()
    edits: list[Edit] = []
    lone: list[Edit] = []
    genuine = False
    for match in _FOREIGN_WORD.finditer(text):
        word = match.group()
        mixed = any(c.isascii() and c.isalpha() for c in word)
        folded = "".join(alike.get(c, swapped.get(c, c) if mixed else c) for c in word)
        if not folded.isascii():
            genuine = True
            continue
        (edits if mixed else lone).append((match.start(), match.end(), folded))
    if lone and not genuine and len(_LATIN_WORD.findall(text)) >= len(lone):
        edits = sorted(edits + lone)
    return edits


@lru_cache(maxsize=512)
def name_forms(name: str) -> tuple[str, ...]:
    """A name in every form in which a text in normal form may have it, the plainest first.

    A name may be spelled with digits or symbols itself (`P1nk`), in letters of another
    script that a text in Latin letters would have folded, or with emoji inside.
    """
    plain = _fold_characters(Spanned.of(name)).text
    alike = lookalikes() if not plain.isascii() else {}
    folded = "".join(alike.get(c, c) for c in plain)
    forms = [plain, folded if folded.isascii() else plain]
    forms += [unmask(Spanned.of(form)).text for form in forms]
    forms.append(_EMOJI_NAME.sub(" ", normalise(name).text))
    kept = ("".join(c for c in form if c not in roles.TOKEN_OF_MARK) for form in forms)
    return tuple(dict.fromkeys(form.lower() for form in kept))
