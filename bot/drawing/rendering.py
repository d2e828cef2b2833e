"""A picture as PNG or SVG. A point of type here is a point on a phone 360 points wide."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any, Final

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from bot.drawing.figures import Bars, Form, Panel, Picture, Theme, alt_text
from bot.drawing.panels import SMALL, draw_panel, titled
from bot.drawing.scripts import families, plain
from bot.drawing.themes import COLOURS, Colours

_WIDTH: Final = 5.0
_DOTS_PER_INCH: Final = 200
_HEIGHTS: Final = {"columns": 1.75, "facts": 0.85, "curves": 2.7}
_MOST_PANELS: Final = 12


def render(picture: Picture, *, theme: Theme = Theme.LIGHT, form: Form = Form.PNG) -> bytes:
    """Draw a picture; the same picture gives the same bytes."""
    colours = COLOURS[theme]
    with mpl.rc_context(_settings(colours)):
        figure = _figure(picture, colours)
        out = io.BytesIO()
        told = {"Title": picture.title, "Description": alt_text(picture)}
        nothing = {"Software": None} if form is Form.PNG else {"Date": None}
        figure.savefig(out, format=form.value, dpi=_DOTS_PER_INCH, metadata={**told, **nothing})
    return out.getvalue()


def _settings(colours: Colours) -> Any:  # noqa: ANN401
    return {
        "font.family": families(),
        "font.size": SMALL,
        "text.parse_math": False,
        "text.color": colours.words,
        "axes.facecolor": colours.ground,
        "axes.edgecolor": colours.lines,
        "axes.labelcolor": colours.faint,
        "axes.unicode_minus": False,
        "figure.facecolor": colours.ground,
        "savefig.facecolor": colours.ground,
        "xtick.color": colours.lines,
        "ytick.color": colours.lines,
        "xtick.labelcolor": colours.faint,
        "ytick.labelcolor": colours.words,
        "figure.constrained_layout.w_pad": 0.09,
        "svg.hashsalt": "fanguard",
    }


def _figure(picture: Picture, colours: Colours) -> Figure:
    rows = list(_rows(picture.panels[:_MOST_PANELS]))
    heights = [max(map(_height, row)) for row in rows]
    title_height = 0.62 if picture.subtitle else 0.42
    total = title_height + sum(heights)
    figure = Figure(figsize=(_WIDTH, total), layout="constrained")
    FigureCanvasAgg(figure)
    parts: Any = figure.subfigures(len(rows) + 1, 1, height_ratios=[title_height, *heights])
    titled(
        parts[0] if rows else parts, plain(picture.title, 34), plain(picture.subtitle, 58), colours
    )
    for part, row in zip(parts[1:] if rows else (), rows, strict=True):
        grid: Any = part.subfigures(1, len(row), squeeze=False)
        for cell, panel in zip(grid[0], row, strict=True):
            draw_panel(cell, panel, colours)
    return figure


def _rows(panels: Sequence[Panel]) -> Iterator[list[Panel]]:
    """Two halves in a row make one row; a half alone has it to itself."""
    row: list[Panel] = []
    for panel in panels:
        if row and not (panel.half and len(row) == 1):
            yield row
            row = []
        row.append(panel)
        if not panel.half:
            yield row
            row = []
    if row:
        yield row


def _height(panel: Panel) -> float:
    if isinstance(panel, Bars):
        return 0.55 + 0.24 * max(len(panel.labels), 2)
    return _HEIGHTS[panel.kind]
