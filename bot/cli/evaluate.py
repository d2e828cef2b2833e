"""`fanguard evaluate`: measure the model, the readers' agreement, or cases of one's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.train import MODELS, OwnOption, progress
from bot.errors import UserError

if TYPE_CHECKING:
    from bot.classifier.training.scored import Scored


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command()(evaluate)


def evaluate(
    data: Annotated[
        Path | None,
        typer.Option(
            "--data", metavar="DIR", help="Where the labelled comments are.", show_default=False
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Also write the figures there, as JSON."),
    ] = None,
    plots: Annotated[
        Path | None,
        typer.Option("--plots", metavar="DIR", help="Also draw precision-recall and calibration."),
    ] = None,
    own: OwnOption = MODELS / "training",
    model: Annotated[
        Path, typer.Option("--model", metavar="DIR", help="The model that is measured.")
    ] = MODELS / "hostility",
    kappa: Annotated[
        bool,
        typer.Option("--kappa", help="Only say how far two readers of a comment agree."),
    ] = False,
    cases: Annotated[
        list[Path] | None,
        typer.Option("--cases", metavar="FILE", help="Only try the cases of a JSON Lines file."),
    ] = None,
) -> None:
    """Measure the model on messages it has not seen. Needs the `evaluate` extra.

    With --cases, each line is {"text", "context"?, "people"?, "flagged"?, "target"?, "level"?,
    "spared"?}; lines that come out otherwise are shown, and the exit code is then 1. --cases
    and --kappa need no --data.
    """
    alone = [name for name, given in (("--kappa", kappa), ("--cases", cases)) if given]
    if alone and (data, out, plots) != (None, None, None):
        raise UserError(f"{alone[0]} goes without --data, --out and --plots.")
    if len(alone) > 1:
        raise UserError("Give either --kappa or --cases.")
    if cases:
        from bot.classifier import HostilityModel
        from bot.cli.evaluate_cases import try_cases

        raise typer.Exit(1 if try_cases(HostilityModel.load(model), cases) else 0)
    if kappa:
        from bot.classifier.training.agreement import agreement
        from bot.cli.evaluate_output import show_agreement

        show_agreement(agreement(own))
        return
    if data is None:
        raise UserError("Give --data, the directory of the labelled comments.")
    if out is not None and not out.parent.is_dir():
        raise UserError(f"{out.parent} is not a directory. Give --out a file in one that is there.")
    _measure(data, own, model, out, plots)


def _measure(data: Path, own: Path, model: Path, out: Path | None, plots: Path | None) -> None:
    import json

    from bot.cli.evaluate_output import show

    with progress() as tell:
        draw = _drawing(plots)
        scored, figures = _figures(data, own, model, tell)
        if out is not None:
            text = json.dumps(figures, indent=2, ensure_ascii=False) + "\n"
            try:
                out.write_text(text, encoding="utf-8")
            except OSError as error:
                raise UserError(f"{out} cannot be written ({error.strerror}).") from error
        if draw is not None:
            tell("drawing")
            draw(scored, figures)
    show(figures)


def _figures(
    data: Path, own: Path, model: Path, tell: Callable[[str], None]
) -> tuple[Scored, dict[str, Any]]:
    """What is to be drawn, that of the encoder if there is one, and all figures."""
    from bot.classifier.blend import ENCODER_DIRECTORY
    from bot.classifier.training.agreement import agreement
    from bot.classifier.training.baselines import baselines_by_message
    from bot.classifier.training.corpora import LABELS
    from bot.classifier.training.evaluate import report
    from bot.classifier.training.evaluate_encoder import report_encoder
    from bot.classifier.training.languages import languages_of
    from bot.classifier.training.train import prepare

    prepared = prepare(data, own, tell)
    messages = prepared.table.messages
    tell("scoring with the other tools")
    others = baselines_by_message(messages)
    languages = languages_of(messages, own)
    tell("resampling")
    scored, figures = report(prepared, others, languages)
    encoder = model / ENCODER_DIRECTORY
    if encoder.is_dir():
        scored, together = report_encoder(prepared, encoder, others, languages, tell)
        figures["with_encoder"] = together
    if (own / LABELS).exists():
        figures["agreement"] = agreement(own)
    return scored, figures


def _drawing(plots: Path | None) -> Callable[[Scored, dict[str, Any]], None] | None:
    """What draws the plots, found before the long work whether it can."""
    if plots is None:
        return None
    try:
        from bot.classifier.training.plots import draw
    except ImportError as error:
        raise UserError("--plots needs more packages: pip install 'fanguard[evaluate]'.") from error
    folder = plots
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder} is not a directory. Give --plots one, or a new name.")

    def of(scored: Scored, figures: dict[str, Any]) -> None:
        measured = figures.get("with_encoder", figures)
        draw(scored, measured, measured["model"], folder)

    return of
