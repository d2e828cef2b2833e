"""Words in any script: which fonts there are, and what they cannot show."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import Final

from matplotlib import font_manager
from matplotlib.ft2font import FT2Font

BASE: Final = "DejaVu Sans"
_FURTHER: Final = (
    *("Noto Sans", "Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans JP", "Noto Sans SC"),
    *("Source Han Sans", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "Droid Sans Fallback"),
    *("IPAexGothic", "IPAGothic", "Takao Gothic", "NanumGothic", "Hiragino Sans"),
    *("Apple SD Gothic Neo", "PingFang SC", "Yu Gothic", "Malgun Gothic", "Microsoft YaHei"),
    *("Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Devanagari", "Noto Sans Bengali"),
    *("Noto Sans Tamil", "Noto Sans Telugu", "Noto Sans Thai", "Lohit Devanagari", "Loma"),
    *("FreeSans", "Arial Unicode MS", "Symbola", "Unifont"),
)


@cache
def families() -> list[str]:
    """The fonts to use, the first that has a character showing it."""
    installed = {font.name for font in font_manager.fontManager.ttflist}
    return [BASE, *(name for name in _FURTHER if name in installed)]


@cache
def _characters() -> frozenset[int]:
    known: set[int] = set()
    for name in families():
        path = font_manager.findfont(name, fallback_to_default=True)
        known.update(FT2Font(path).get_charmap())
    return frozenset(known)


def plain(text: str, most: int = 0) -> str:
    """A text on one line, without characters that no font here has or that are not seen.

    Args:
        text: any text.
        most: cut to this width, counted in narrow characters; 0 for no cut.
    """
    shown = "".join(
        each
        for each in " ".join(unicodedata.normalize("NFC", text).split())
        if ord(each) in _characters() and unicodedata.category(each)[0] != "C"
    )
    shown = " ".join(shown.split())
    return cut(shown, most) if most else shown


def labels(names: Sequence[str], most: int) -> list[str]:
    """The names as labels; one that mostly cannot be shown is its number, such as #3."""
    return [
        cut(plain(name), most) if _tells(plain(name), name) else f"#{place}"
        for place, name in enumerate(names, 1)
    ]


def width(text: str) -> int:
    """How wide a text is, in narrow characters."""
    return sum(_width(each) for each in text)


def cut(text: str, most: int) -> str:
    """A text cut to a width, with an ellipsis."""
    if width(text) <= most:
        return text
    kept, room = "", most - 1
    for each in text:
        room -= _width(each)
        if room < 0:
            break
        kept += each
    return f"{kept.rstrip()}…"


def _width(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _tells(shown: str, name: str) -> bool:
    """Whether what can be shown of a name keeps at least half of its letters and digits."""
    return bool(shown) and 2 * sum(map(str.isalnum, shown)) >= sum(map(str.isalnum, name))
