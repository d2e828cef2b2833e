"""Colours that colour-blind readers tell apart (Okabe and Ito), on light and on dark ground."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.drawing.figures import Theme


@dataclass(frozen=True, slots=True)
class Colours:
    """The ground, words and lines on it, and a colour for each series in turn."""

    ground: str
    words: str
    faint: str
    lines: str
    series: tuple[str, ...]


COLOURS: Final = {
    Theme.LIGHT: Colours(
        ground="#ffffff",
        words="#1f2328",
        faint="#57606a",
        lines="#d8dee4",
        series=("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"),
    ),
    Theme.DARK: Colours(
        ground="#1e1f22",
        words="#f2f3f5",
        faint="#b5bac1",
        lines="#3f4147",
        series=("#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#F0E442", "#D55E00"),
    ),
}
