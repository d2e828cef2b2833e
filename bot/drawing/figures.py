"""What a picture shows: numbers and words only, nothing of how they are drawn.

Words come from the caller, in whatever language and script. Every panel has a text
alternative: its `alt` if the caller wrote one, else its own figures as a plain list.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from pydantic import TypeAdapter

ALT_LIMIT = 1024
"""How many characters Discord takes as an attachment's description."""


class Theme(StrEnum):
    """On which ground a picture is to be read."""

    LIGHT = "light"
    DARK = "dark"


class Form(StrEnum):
    """The file format of a picture."""

    PNG = "png"
    SVG = "svg"


@dataclass(frozen=True, slots=True)
class Series:
    """Named values, one for each label of its panel (or each point of its curve)."""

    name: str
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Columns:
    """Upright bars: one series, or several stacked in the order given, the first at the bottom.

    Args:
        title: what is counted.
        labels: below the columns; too many are thinned out.
        series: as many values each as there are labels.
        alt: the text alternative; the figures themselves if empty.
        half: whether half the picture's width is enough.
    """

    title: str
    labels: tuple[str, ...]
    series: tuple[Series, ...]
    alt: str = ""
    half: bool = False
    kind: Literal["columns"] = "columns"

    def __post_init__(self) -> None:
        """Refuse series that do not fit the labels."""
        _same_length(self.title, self.labels, self.series)


@dataclass(frozen=True, slots=True)
class Bars:
    """Lying bars, each with its label and its value, in the order given from the top."""

    title: str
    labels: tuple[str, ...]
    values: tuple[float, ...]
    alt: str = ""
    half: bool = False
    kind: Literal["bars"] = "bars"

    def __post_init__(self) -> None:
        """Refuse values that do not fit the labels."""
        _same_length(self.title, self.labels, (Series("", self.values),))


@dataclass(frozen=True, slots=True)
class Facts:
    """Single figures in large type, each with what it is: ("62 %", "of 40 were dismissed")."""

    title: str
    facts: tuple[tuple[str, str], ...]
    alt: str = ""
    half: bool = False
    kind: Literal["facts"] = "facts"


@dataclass(frozen=True, slots=True)
class Mark:
    """An upright line in a panel of curves, at `x`, with its words."""

    x: float
    label: str


@dataclass(frozen=True, slots=True)
class Curves:
    """Lines over a number, such as a threshold; each labelled at its end.

    Args:
        title: what is shown.
        x: where the values are, rising.
        series: the lines, as many values each as `x` has.
        x_label: what `x` is.
        y_label: what the values are.
        marks: upright lines.
        percent: whether the values are shares from 0 to 1.
        alt: the text alternative; by default each line's values at the marks, or at its ends.
        half: whether half the picture's width is enough.
    """

    title: str
    x: tuple[float, ...]
    series: tuple[Series, ...]
    x_label: str = ""
    y_label: str = ""
    marks: tuple[Mark, ...] = ()
    percent: bool = False
    alt: str = ""
    half: bool = False
    kind: Literal["curves"] = "curves"

    def __post_init__(self) -> None:
        """Refuse series that do not fit `x`."""
        _same_length(self.title, self.x, self.series)

    def value_at(self, series: Series, x: float) -> float:
        """The value of a series at the point nearest to `x`."""
        nearest = min(range(len(self.x)), key=lambda each: abs(self.x[each] - x))
        return series.values[nearest]


Panel = Columns | Bars | Facts | Curves


@dataclass(frozen=True, slots=True)
class Picture:
    """Panels below each other, two halves beside each other, under one title."""

    title: str
    panels: tuple[Panel, ...] = field(default_factory=tuple)
    subtitle: str = ""


@dataclass(frozen=True, slots=True)
class Order:
    """A picture with how it is to be drawn: what is handed to the process that draws."""

    picture: Picture
    theme: Theme = Theme.LIGHT
    form: Form = Form.PNG


ORDER = TypeAdapter(Order)


def alt_text(picture: Picture, limit: int = ALT_LIMIT) -> str:
    """Say in words what a picture shows, in at most `limit` characters.

    Whole panels are kept as far as they fit; the one that does not is cut.
    """
    head = ", ".join(filter(None, (picture.title, picture.subtitle)))
    text = " ".join((f"{head}.", *map(describe, picture.panels)))
    return text if len(text) <= limit else f"{text[: limit - 1].rstrip()}…"


def describe(panel: Panel) -> str:
    """The text alternative of a panel, as a sentence."""
    if panel.alt:
        return panel.alt
    match panel:
        case Columns():
            told = "; ".join(
                _named(each.name, _pairs(panel.labels, each.values)) for each in panel.series
            )
        case Bars():
            told = _pairs(panel.labels, panel.values)
        case Facts():
            told = "; ".join(f"{figure} {words}" for figure, words in panel.facts)
        case Curves():
            told = "; ".join(_named(each.name, _points(panel, each)) for each in panel.series)
    return f"{panel.title}: {told or '-'}."


def number(value: float) -> str:
    """A figure as it is written in pictures: 3, 0.25, 12,000."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}"


def _named(name: str, told: str) -> str:
    return f"{name}: {told}" if name else told


def _pairs(labels: Sequence[str], values: Sequence[float]) -> str:
    """What is not nought, with its label."""
    shown = zip(labels, values, strict=True)
    return ", ".join(f"{label} {number(value)}" for label, value in shown if value) or "0"


def _points(panel: Curves, series: Series) -> str:
    points: Iterable[tuple[str, float]] = ((mark.label, mark.x) for mark in panel.marks)
    if not panel.marks and panel.x:
        points = ((number(x), x) for x in (panel.x[0], panel.x[-1]))
    values = ((label, panel.value_at(series, x)) for label, x in points) if panel.x else ()
    return ", ".join(f"{label} {_shown(value, share=panel.percent)}" for label, value in values)


def _shown(value: float, *, share: bool) -> str:
    return f"{value:.0%}" if share else number(value)


def _same_length(title: str, labels: Sequence[object], series: Sequence[Series]) -> None:
    if any(len(each.values) != len(labels) for each in series):
        raise ValueError(f"{title}: each series needs {len(labels)} values")
