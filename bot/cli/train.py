"""`fanguard train` and `fanguard evaluate`: make a model and measure it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.errors import UserError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

MODELS = Path("models")

DataOption = Annotated[
    Path,
    typer.Option(
        "--data", metavar="DIR", help="Where the labelled comments are.", show_default=False
    ),
]
OwnOption = Annotated[
    Path, typer.Option("--own", metavar="DIR", help="The project's own messages and labels.")
]


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    app.command()(train)
    app.command()(evaluate)


def train(
    data: DataOption,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Where to store the model.")
    ] = MODELS / "hostility",
    own: OwnOption = MODELS / "training",
    encoder: Annotated[
        bool, typer.Option("--encoder", help="Train the sentence encoder too (about an hour).")
    ] = False,
) -> None:
    """Train the model. The encoder needs the `train` extra, the words the `evaluate` extra."""
    from bot.classifier.training.train import train as make

    with _progress() as tell:
        meta = make(data, own, out, tell, encoder=encoder)
    typer.echo(f"{out}: model {meta.version}, flags from a score of {meta.threshold:.3f}")


def evaluate(
    data: DataOption,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Also write the figures there, as JSON."),
    ] = None,
    own: OwnOption = MODELS / "training",
    model: Annotated[
        Path, typer.Option("--model", metavar="DIR", help="The model whose encoder is measured.")
    ] = MODELS / "hostility",
) -> None:
    """Measure the model by grouped cross-validation. Needs the `evaluate` extra."""
    import json

    from bot.classifier.blend import ENCODER_DIRECTORY
    from bot.classifier.training.evaluate import report
    from bot.classifier.training.evaluate_encoder import report_encoder
    from bot.classifier.training.train import prepare

    if out is not None and not out.parent.is_dir():
        raise UserError(f"{out.parent} is not a directory. Give --out a file in one that is there.")
    with _progress() as tell:
        prepared = prepare(data, own, tell)
        figures = report(prepared, tell)
        encoder = model / ENCODER_DIRECTORY
        if encoder.is_dir():
            tell("measuring the encoder")
            figures["with_encoder"] = report_encoder(prepared, encoder)
    if out is not None:
        out.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    _show(figures)


def _show(figures: dict[str, Any]) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    if "with_encoder" in figures:
        together = figures["with_encoder"]
        _show_sets(console, together)
        console.print(_table("at the threshold of both", _thresholds(together)))
        console.print(_table("who is attacked (written)", {"": together["target"]}))
        console.print(f"Brier skill at the natural mix: {together['brier_skill']:.3f}\n")
    _show_sets(console, figures)
    console.print(_table("at the threshold of words alone", _thresholds(figures)))
    console.print(_table("area under the ROC curve, by source (real)", figures["auc_by_source"]))
    console.print(_table("flagged, by kind (written)", figures["flagged_by_kind"]))
    console.print(_table("flagged, by level (real)", figures["flagged_by_level"]))
    console.print(_table("flagged, by target and level (real)", figures["flagged_by_target"]))
    rows = {f"{row['from']:.2f}-{row['to']:.2f}": row for row in figures["calibration"]}
    console.print(_table("calibration at the natural mix (real)", rows))
    console.print(_table("who is attacked (written)", {"": figures["target"]}))
    member = {k: v["value"] if isinstance(v, dict) else v for k, v in figures["member"].items()}
    console.print(_table("hostility at members", {"": member}))
    console.print(f"Brier skill at the natural mix: {figures['brier_skill']:.3f}")


def _show_sets(console: Console, figures: Mapping[str, Any]) -> None:
    from rich.table import Table

    console.print(f"Model {figures['model']}: {figures['method']}\n")
    for name, scorers in figures["sets"].items():
        first = next(iter(scorers.values()))
        table = Table(title=f"{name}: {first['messages']:,} messages, {first['hostile']:,} hostile")
        table.title_justify = "left"
        table.add_column("scorer")
        measures = [key for key, value in first.items() if isinstance(value, dict)]
        for measure in measures:
            table.add_column(measure.replace("_", " "), justify="right")
        for scorer, found in scorers.items():
            cells = [_with_interval(**found[measure]) for measure in measures]
            table.add_row(scorer, *cells)
        console.print(table)


def _thresholds(figures: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in figures["at_threshold"].items() if k != "threshold"}


def _table(title: str, rows: Mapping[str, Mapping[str, Any]]) -> Table:
    from rich.table import Table

    table = Table(title=title, title_justify="left")
    table.add_column("")
    columns = [key for key in next(iter(rows.values())) if key not in {"from", "to"}]
    for column in columns:
        table.add_column(column.replace("_", " "), justify="right")
    for name, row in rows.items():
        table.add_row(name, *(_number(row[column]) for column in columns))
    return table


def _with_interval(value: float, interval: list[float]) -> str:
    return f"{value:.2f} ({interval[0]:.2f}-{interval[1]:.2f})"


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    from rich.console import Console

    console = Console(stderr=True)
    with console.status("starting") as status:

        def tell(step: str) -> None:
            status.update(f"{step} …")
            if not console.is_terminal:
                console.print(step, style="dim")

        yield tell
