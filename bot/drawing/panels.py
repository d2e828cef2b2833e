"""How each kind of panel is drawn: labels at the marks themselves, no legends, few lines."""

from __future__ import annotations

from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import SubFigure
from matplotlib.ticker import PercentFormatter

from bot.drawing.figures import Bars, Columns, Curves, Facts, Panel, number
from bot.drawing.scripts import labels, plain, width
from bot.drawing.themes import Colours

SMALL: Final = 9.0
_NORMAL: Final = 10.5
_LARGE: Final = 14.0
_HUGE: Final = 19.0
_LABEL: Final = 20
_LINES: Final = ("-", "--", "-.", ":")
_PLACES: Final = {False: 32, True: 14}


def titled(part: SubFigure, title: str, subtitle: str, colours: Colours) -> None:
    """Write a picture's title, and what it is about below."""
    part.text(0.018, 0.9, title, fontsize=_LARGE, fontweight="bold", va="top")
    part.text(0.018, 0.36, subtitle, fontsize=SMALL, color=colours.faint, va="top")


def draw_panel(part: SubFigure, panel: Panel, colours: Colours) -> None:
    """Draw a panel into its part of a picture."""
    axes = part.subplots()
    title = plain(panel.title, 26 if panel.half else 54)
    if isinstance(panel, Bars):
        part.suptitle(
            title, x=0.03 if panel.half else 0.018, ha="left", fontsize=_NORMAL, fontweight="bold"
        )
    else:
        axes.set_title(
            title, loc="left", fontsize=_NORMAL, fontweight="bold", pad=_pad(title, panel)
        )
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(length=0)
    match panel:
        case Columns():
            _columns(axes, panel, colours)
        case Bars():
            _bars(axes, panel, colours)
        case Facts():
            _facts(axes, panel, colours)
        case Curves():
            _curves(axes, panel, colours)


def _pad(title: str, panel: Columns | Facts | Curves) -> float:
    """The room below a title, in points; more where the series' names need a line of their own."""
    if isinstance(panel, Facts) or not panel.series[1:]:
        return 6
    room = 22 if panel.half else 46
    return 6 if width(title) + sum(width(each.name) + 4 for each in panel.series) <= room else 20


def _columns(axes: Axes, panel: Columns, colours: Colours) -> None:
    places = range(len(panel.labels))
    total = [0.0] * len(panel.labels)
    for series, colour in zip(panel.series, colours.series, strict=False):
        axes.bar(places, series.values, 0.78, bottom=total, color=colour)
        total = [below + value for below, value in zip(total, series.values, strict=True)]
    top = max(total, default=0.0)
    widest = max((width(number(height)) for height in total), default=0)
    all_fit = len(total) * widest < _PLACES[panel.half]
    for place, height in zip(places, total, strict=True):
        if height and (all_fit or height == top):
            axes.annotate(
                number(height),
                (place, height),
                xytext=(0, 2),
                textcoords="offset points",
                ha="center",
                fontsize=SMALL,
            )
    axes.set_ylim(0, top * 1.22 or 1)
    axes.set_yticks([])
    _thinned(axes, panel)
    if len(panel.series) > 1:
        _names(axes, [each.name for each in panel.series], colours)


def _thinned(axes: Axes, panel: Columns) -> None:
    shown = labels(panel.labels, _LABEL)
    room = 28 if panel.half else 50
    widest = max(map(width, shown), default=0) + 1
    step = max(1, -(-len(shown) * widest // room))
    places = range(0, len(shown), step)
    axes.set_xticks(list(places), [shown[place] for place in places])
    axes.set_xlim(-0.6, max(len(shown), 1) - 0.4)


def _names(axes: Axes, names: list[str], colours: Colours) -> None:
    """The series' names, each in its colour behind a square of it, above on the right."""
    right = 1.0
    for place in reversed(range(len(names))):
        name = plain(names[place], 18)
        axes.annotate(
            f"\u25a0 {name}",
            (right, 1.0),
            xytext=(0, 5),
            xycoords="axes fraction",
            textcoords="offset points",
            ha="right",
            fontsize=SMALL,
            color=colours.series[place % len(colours.series)],
        )
        right -= (width(name) + 4) * 0.0165


def _bars(axes: Axes, panel: Bars, colours: Colours) -> None:
    places = range(len(panel.labels))
    axes.barh(places, panel.values, 0.72, color=colours.series[0])
    for place, value in zip(places, panel.values, strict=True):
        axes.annotate(
            number(value),
            (value, place),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            fontsize=SMALL,
        )
    axes.set_yticks(list(places), labels(panel.labels, 12 if panel.half else _LABEL))
    axes.set_ylim(max(len(panel.labels), 2) - 0.4, -0.6)
    axes.set_xlim(0, max(panel.values, default=0) * (1.3 if panel.half else 1.12) or 1)
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)


def _facts(axes: Axes, panel: Facts, colours: Colours) -> None:
    axes.set_axis_off()
    axes.set_xlim(0, max(len(panel.facts), 1))
    axes.set_ylim(0, 1)
    for place, (figure, words) in enumerate(panel.facts):
        axes.text(place, 0.95, plain(figure, 12), fontsize=_HUGE, color=colours.series[0], va="top")
        axes.text(place, 0.12, plain(words, 22), fontsize=SMALL, color=colours.faint)


def _curves(axes: Axes, panel: Curves, colours: Colours) -> None:
    left, right = min(panel.x, default=0.0), max(panel.x, default=1.0)
    for place, series in enumerate(panel.series):
        colour = colours.series[place % len(colours.series)]
        axes.plot(
            panel.x, series.values, color=colour, linestyle=_LINES[place % len(_LINES)], linewidth=2
        )
    if len(panel.series) > 1:
        _names(axes, [each.name for each in panel.series], colours)
    for place, mark in enumerate(panel.marks):
        axes.axvline(mark.x, color=colours.faint, linewidth=1, linestyle=":")
        late = mark.x > (left + right) / 2
        axes.annotate(
            plain(mark.label, 24),
            (mark.x, 0.03 + 0.1 * (place % 3)),
            xycoords=("data", "axes fraction"),
            xytext=(-4 if late else 4, 0),
            textcoords="offset points",
            ha="right" if late else "left",
            fontsize=SMALL,
        )
    if panel.percent:
        axes.set_ylim(0, 1.03)
        axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.tick_params(axis="y", labelcolor=colours.faint)
    axes.grid(axis="y", color=colours.lines, linewidth=0.7)
    axes.set_axisbelow(True)
    axes.set_xlabel(plain(panel.x_label, 54))
    axes.set_ylabel(plain(panel.y_label, 26))
