"""The figures of `fanguard evaluate` as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

_EDGES = {"from", "to"}


def show(figures: Mapping[str, Any]) -> None:
    """Print what was measured, the model that ships first."""
    console = Console(highlight=False)
    if "with_encoder" in figures:
        together = figures["with_encoder"]
        _show_model(console, together)
        people = dict(together["people"])
        spared = people.pop("spared")
        _print(console, "who is attacked (written)", people)
        _print(console, "people spared beside the one attacked (written)", {"": spared})
        _print(
            console, '"as a … fan" added to harmless messages: flags', together["added_identity"]
        )
        _show_statements(console, together["identity_statements"])
        console.rule("words alone", align="left")
    _show_model(console, figures)
    _print(console, "who is attacked (written)", {"": figures["target"]})
    member = {k: v["value"] if isinstance(v, dict) else v for k, v in figures["member"].items()}
    _print(console, "hostility at members (real and written)", {"": member})
    if "agreement" in figures:
        console.rule("readers", align="left")
        show_agreement(figures["agreement"])


def show_agreement(found: Mapping[str, Mapping[str, Any]]) -> None:
    """Print the agreement of readers."""
    console = Console(highlight=False)
    rows = {name: {k: v for k, v in row.items() if k != "interval"} for name, row in found.items()}
    _print(console, "Cohen's kappa of first and second readings (level: quadratic)", rows)
    for name, (low, high) in found["all"]["interval"].items():
        console.print(f"{name.replace('_', ' ')}: 95 % interval {low:.3f} to {high:.3f}")


def _show_model(console: Console, figures: Mapping[str, Any]) -> None:
    _show_sets(console, figures)
    at_threshold = {k: v for k, v in figures["at_threshold"].items() if k != "threshold"}
    limit = figures["at_threshold"]["threshold"]
    _print(console, f"flagged from a score of {limit:.4f}", at_threshold)
    for title, key in (
        ("area under the ROC curve, within a source (real)", "auc_by_source"),
        ("area under the ROC curve, a level against all of the other sort (real)", "auc_by_level"),
        ("flagged, by level (real)", "flagged_by_level"),
        ("flagged, by target and level (real)", "flagged_by_target"),
    ):
        _print(console, title, figures[key])
    kinds = {
        kind: {**row, "flagged": figures["flagged_by_kind"][kind]["flagged"]}
        for kind, row in figures["auc_by_kind"].items()
    }
    _print(
        console, "area under the ROC curve, a kind against all of the other sort (written)", kinds
    )
    for suffix, name in (("", "all labels"), ("_sure", "sure labels")):
        rows = {
            f"{row['from']:.2f}-{row['to']:.2f}": row for row in figures[f"calibration{suffix}"]
        }
        _print(console, f"calibration at the natural rate (real, {name})", rows)
        gap = figures[f"largest_gap{suffix}"]
        console.print(
            f"Brier skill: {_number(figures[f'brier_skill{suffix}'])}; largest gap above 0.3: "
            + ("no bin has 50 comments" if gap is None else f"{gap:.3f}")
            + "\n"
        )
    for title, key in (
        ("false alarms among fine comments, by identity word (real)", "false_alarms_by_identity"),
        ("false alarms among fine comments, by dialect (real)", "false_alarms_by_dialect"),
    ):
        _print(console, title, figures[key])
    for part, rows in figures["languages"].items():
        _print(console, f"by language ({part})", rows)


def _show_sets(console: Console, figures: Mapping[str, Any]) -> None:
    console.print(f"Model {figures['model']}: {figures['method']}\n")
    for name, scorers in figures["sets"].items():
        first = next(iter(scorers.values()))
        table = Table(title=f"{name}: {first['messages']:,} messages, {first['hostile']:,} hostile")
        table.title_justify = "left"
        table.add_column("scorer")
        measures = [key for key in first if key not in {"messages", "hostile"}]
        for measure in measures:
            table.add_column(measure.replace("_", " "), justify="right")
        for scorer, found in scorers.items():
            table.add_row(scorer, *(_with_interval(found[measure]) for measure in measures))
        console.print(table)


def _show_statements(console: Console, found: Mapping[str, Any]) -> None:
    flagged: Sequence[str] = found["flagged"]
    console.print(
        f"{found['statements']} plain statements of identity: {len(flagged)} flagged, "
        f"highest score {found['highest_score']:.3f}"
    )
    for text in flagged:
        console.print(f"  {text}", markup=False)
    console.print()


def _print(console: Console, title: str, rows: Mapping[str, Mapping[str, Any]]) -> None:
    if not rows:
        return
    table = Table(title=title, title_justify="left")
    table.add_column("")
    columns = [key for key in next(iter(rows.values())) if key not in _EDGES]
    for column in columns:
        table.add_column(column.replace("_", " "), justify="right")
    for name, row in rows.items():
        table.add_row(name, *(_number(row[column]) for column in columns))
    console.print(table)


def _with_interval(found: Mapping[str, Any] | None) -> str:
    if found is None:
        return "-"
    low, high = found["interval"]
    return f"{found['value']:.2f} ({low:.2f}-{high:.2f})"


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"
