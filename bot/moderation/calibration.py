"""What a server's own decisions say of its threshold: a number to raise, nothing to train."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from bot.comment import Action
from bot.drawing import Curves, Mark, Picture, Series
from bot.moderation.report import OVERTURNED
from bot.store import Ruled
from bot.words import _

FEWEST: Final = 30
FEWEST_OF_A_KIND: Final = 10
"""With fewer, "keep 95 %" cannot be measured."""

_WRONGLY_QUEUED: Final = frozenset({Action.DISMISS, Action.NO_ACTION})


@dataclass(frozen=True, slots=True)
class Ruling:
    """One decided flag: its score, and whether it was rightly queued."""

    score: float
    right: bool


@dataclass(frozen=True, slots=True)
class Point:
    """A threshold, the share of dismissed flags it would have spared, and of others kept."""

    threshold: float
    fewer: float
    kept: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """The trade-off from the present threshold up, and the point to choose.

    `best` is the lowest threshold that does both, or else the one that spares the most
    dismissed flags while keeping enough; `reached` says which. It may be the present one.
    """

    points: tuple[Point, ...]
    best: Point
    reached: bool
    right: int
    wrong: int


def lacking(rulings: Sequence[Ruling], threshold: float) -> bool:
    """Say whether there are too few decisions at or above the present threshold."""
    right = sum(one.right for one in rulings if one.score >= threshold)
    total = sum(one.score >= threshold for one in rulings)
    return total < FEWEST or min(right, total - right) < FEWEST_OF_A_KIND


def calibrate(
    rulings: Sequence[Ruling], threshold: float, *, fewer: float, keep: float
) -> Calibration:
    """Weigh every threshold from the present one up.

    What scores below it was never queued, so nothing is said of a lower one.

    Args:
        rulings: the decided flags; those below `threshold` are left out.
        threshold: the present one.
        fewer: the share of dismissed flags that should not have been queued.
        keep: the share of rightly queued flags that must still be.

    Raises:
        ValueError: there is no ruling of one of the two kinds.
    """
    right = sorted(one.score for one in rulings if one.right and one.score >= threshold)
    wrong = sorted(one.score for one in rulings if not one.right and one.score >= threshold)
    if not right or not wrong:
        raise ValueError("both kinds of rulings are needed")
    scores = sorted({threshold, *right, *wrong})
    points = [Point(threshold, 0.0, 1.0)]
    for below, score in pairwise(scores):
        between = round((below + score) / 2, 4)
        limit = between if below < between <= score else score
        points.append(
            Point(
                limit,
                bisect_left(wrong, limit) / len(wrong),
                1 - bisect_left(right, limit) / len(right),
            )
        )
    enough = [each for each in points if each.kept >= keep]
    most = max(each.fewer for each in enough)
    reached = most >= fewer
    best = next(each for each in enough if each.fewer >= (fewer if reached else most))
    return Calibration(tuple(points), best, reached, len(right), len(wrong))


def rulings_of(ruled: Sequence[Ruled]) -> list[Ruling]:
    """Say of each decided flag whether it was rightly queued; an overturned one was not."""
    return [
        Ruling(one.score, one.action not in _WRONGLY_QUEUED and one.status != OVERTURNED)
        for one in ruled
    ]


def picture_of(calibration: Calibration, title: str) -> Picture:
    """Return the trade-off as a picture; `title` is its first line, such as the server's name."""
    points = calibration.points
    now, best = points[0], calibration.best
    marks = [Mark(now.threshold, _("now"))]
    if best != now:
        marks.append(Mark(best.threshold, _("proposed")))
    curves = Curves(
        _("What another threshold would have queued"),
        tuple(point.threshold for point in points),
        (
            Series(_("acted on, kept"), tuple(point.kept for point in points)),
            Series(_("dismissed, spared"), tuple(point.fewer for point in points)),
        ),
        x_label=_("threshold"),
        marks=tuple(marks),
        percent=True,
    )
    subtitle = _("{right} decided flags were acted on, {wrong} dismissed")
    return Picture(
        title, (curves,), subtitle.format(right=calibration.right, wrong=calibration.wrong)
    )
