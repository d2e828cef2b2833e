"""Precision against recall, and probability against truth, as pictures beside the card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from sklearn.metrics import average_precision_score, precision_recall_curve

from bot.classifier.training.scored import NATURAL, ONE_IN_TEN, SURE, WRITTEN, Scored
from bot.errors import UserError

PRECISION_RECALL: Final = "precision_recall.png"
CALIBRATION: Final = "calibration.png"

_COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
_LINES: Final = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 3)))
_MARKS: Final = ("o", "s")
_DOTS_PER_INCH: Final = 90


def draw(scored: Scored, figures: Mapping[str, Any], model: str, folder: Path) -> list[Path]:
    """Write both pictures into `folder`, which is made if need be; returns their paths.

    Args:
        scored: what `report` or `report_encoder` has measured.
        figures: its figures, for the calibration.
        model: what the pictures call the model.
        folder: where they go; files of the same names are replaced.

    Raises:
        UserError: They cannot be written.
    """
    pictures = {
        PRECISION_RECALL: _precision_recall(scored, model),
        CALIBRATION: _calibration(figures, model),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, picture in pictures.items():
            picture.savefig(
                folder / name,
                dpi=_DOTS_PER_INCH,
                metadata={"Software": None},
                pil_kwargs={"optimize": True},
            )
    except OSError as error:
        raise UserError(f"The plots cannot be written to {folder} ({error.strerror}).") from error
    return [folder / name for name in pictures]


def _precision_recall(scored: Scored, model: str) -> Figure:
    names = (ONE_IN_TEN, NATURAL, WRITTEN)
    figure = Figure(figsize=(12, 5.4), layout="constrained")
    axes = figure.subplots(1, len(names), sharey=True)
    sets, hostile = scored.sets(), scored.hostile
    for panel, name in zip(axes, names, strict=True):
        rows, weights = sets[name]
        panel.set_title(
            f"{name}\n{int(rows.sum()):,} messages, {int((rows & hostile).sum()):,} hostile",
            fontsize=10,
        )
        if not weights[rows & hostile].any():
            continue
        for number, (scorer, values) in enumerate(scored.scorers.items()):
            of_set = hostile[rows], values[rows]
            precision, recall, _ = precision_recall_curve(*of_set, sample_weight=weights[rows])
            area = average_precision_score(*of_set, sample_weight=weights[rows])
            panel.plot(
                recall[:-1],
                precision[:-1],
                color=_COLOURS[number % len(_COLOURS)],
                linestyle=_LINES[number % len(_LINES)],
                linewidth=1.8,
                label=f"{scorer} ({area:.2f})",
            )
        panel.legend(
            title="average precision",
            fontsize=8,
            title_fontsize=8,
            frameon=False,
            loc="upper center",
            bbox_to_anchor=(0.5, -0.15),
            ncols=2,
        )
        _unit_square(panel, "recall (hostile ones found)")
    axes[0].set_ylabel("precision (flags that are right)")
    figure.suptitle(f"Fanguard {model}: precision and recall", fontsize=12)
    return figure


def _calibration(figures: Mapping[str, Any], model: str) -> Figure:
    figure = Figure(figsize=(6.4, 6.6), layout="constrained")
    curve, counts = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
    curve.plot([0, 1], [0, 1], color="0.6", linewidth=1, label="perfect")
    shown = (
        ("all labels", figures["calibration"], figures["brier_skill"]),
        (SURE.strip(", "), figures["calibration_sure"], figures["brier_skill_sure"]),
    )
    for number, (name, table, skill) in enumerate(shown):
        colour = _COLOURS[number]
        curve.plot(
            [row["mean_score"] for row in table],
            [row["hostile_rate"] for row in table],
            color=colour,
            marker=_MARKS[number],
            linestyle=_LINES[number],
            label=name if skill is None else f"{name} (Brier skill {skill:.2f})",
        )
        _bars(counts, table, colour, number)
    _unit_square(curve, "")
    curve.set_ylabel("hostile, at the natural rate")
    curve.legend(fontsize=9, frameon=False)
    counts.set_yscale("log")
    counts.set_ylabel("comments")
    counts.set_xlabel("score")
    figure.suptitle(f"Fanguard {model}: calibration on real comments", fontsize=12)
    return figure


def _bars(panel: Axes, table: Sequence[Mapping[str, Any]], colour: str, number: int) -> None:
    """The counts of each bin; two tables share a bin's width, each half with its number."""
    for row in table:
        width = (row["to"] - row["from"]) / 2
        left = row["from"] + number * width
        panel.bar(left, row["messages"], width * 0.9, align="edge", color=colour)
        panel.annotate(
            f"{row['messages']:,}",
            (left + width / 2, row["messages"]),
            ha="center",
            va="bottom",
            rotation=90,
            fontsize=6,
            xytext=(0, 2),
            textcoords="offset points",
        )
    panel.margins(y=0.35)


def _unit_square(panel: Axes, label: str) -> None:
    panel.set_xlim(0, 1)
    panel.set_ylim(0, 1.02)
    panel.grid(visible=True, color="0.9")
    panel.set_xlabel(label)
