"""`fanguard score`: the classifier's answer for one text, or for each of many lines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.errors import UserError

if TYPE_CHECKING:
    from bot.classifier import HostilityModel
    from bot.comment import Assessment

LEVEL_WORDS = ("none", "critical", "hostile", "abusive")


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command()(score)


def score(
    text: Annotated[
        str | None, typer.Argument(help="A message to score.", show_default=False)
    ] = None,
    jsonl: Annotated[
        Path | None,
        typer.Option(
            "--jsonl", metavar="IN", help="Score each line of a JSON Lines file (- for stdin)."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="OUT", help="Write the lines there, not to stdout."),
    ] = None,
    person: Annotated[
        list[str] | None,
        typer.Option("--person", metavar="NAME", help="A person of the roster; may be repeated."),
    ] = None,
    context: Annotated[
        str | None, typer.Option("--context", metavar="TEXT", help="The message it answers.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")] = False,
    threshold: Annotated[
        float | None,
        typer.Option(min=0.0, max=1.0, help="Flag from this score (default: the model's own)."),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option("--model", metavar="DIR", help="Another model than the configured one."),
    ] = None,
) -> None:
    """Score a text, or each line of a file, for hostility toward the people discussed.

    A line is {"id", "text", "context"?, "people"?: [{"name", "aliases"?, "pronouns"?}]};
    one line of JSON answers each, in order. A line that cannot be read is reported on
    stderr by its number and left out, and the exit code is then 1.
    """
    if (text is None) == (jsonl is None):
        raise UserError('Give either a text (fanguard score "TEXT") or a file (--jsonl IN).')
    if jsonl is not None:
        if person or context is not None or as_json:
            raise UserError(
                "--person, --context and --json are for a single text; lines carry their own."
            )
        from bot.cli.score_lines import refuse_same_file, score_file
        from bot.cli.score_output import Stopped

        refuse_same_file(jsonl, output)
        loaded, limit = _load(model, threshold)
        try:
            bad = score_file(loaded, jsonl, output, threshold=limit)
        except Stopped as stopped:
            raise typer.Exit(128 + stopped.number) from None
        raise typer.Exit(1 if bad else 0)
    assert text is not None  # noqa: S101
    if output is not None:
        raise UserError("-o is for --jsonl; a single text is answered on the screen.")
    from bot.cli.score_output import standard_output
    from bot.comment import Person

    names = person or []
    if any(not name.strip() for name in names):
        raise UserError("--person needs a name.")
    loaded, limit = _load(model, threshold)
    people = tuple(Person(name.strip()) for name in names)
    assessment = loaded.assess(text, context=context, people=people, threshold=limit)
    with standard_output() as screen:
        if as_json:
            from bot.cli.score_lines import answer, encode

            screen.write(encode(answer(assessment)))
        else:
            _show(text, assessment)


def _load(directory: Path | None, threshold: float | None) -> tuple[HostilityModel, float | None]:
    from bot.classifier import HostilityModel
    from bot.settings import load_settings

    settings = load_settings().model
    chosen = HostilityModel.load(directory or settings.path, fast=settings.fast)
    return chosen, settings.threshold if threshold is None else threshold


def _show(text: str, found: Assessment) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from bot.cli.flag_output import plain

    console = Console(highlight=False)
    marked = Text(text.encode("utf-8", "replace").decode())
    for word in found.why:
        marked.stylize("bold red", word.start, word.end)
    console.print(marked)
    console.print()
    flagged = found.flagged or found.member_flagged
    verdict = "goes to the moderators" if flagged else "is left alone"
    style = "bold red" if flagged else "green"
    console.print(
        Text.assemble(
            ("This message ", ""),
            (verdict, style),
            f": score {found.score:.2f} (flagged from {found.threshold:.2f}), "
            f"level {int(found.level)} ({LEVEL_WORDS[found.level]})",
        )
    )
    if found.target is not None:
        console.print(plain(f"About: {found.target}"))
    if found.why:
        words = ", ".join(f"“{w.text}”" for w in sorted(found.why, key=lambda w: -w.weight))
        console.print(plain(f"Telling words: {words}"))
    if found.member_flagged or found.member_score >= 0.2:  # noqa: PLR2004
        console.print(f"Toward another member: {found.member_score:.2f}")
    if found.people:
        table = Table(box=None, pad_edge=False, header_style="dim")
        for column in ("person", "score", "level", ""):
            table.add_column(column)
        for one in found.people:
            level = f"{int(one.level)} ({LEVEL_WORDS[one.level]})"
            table.add_row(
                plain(one.name), f"{one.score:.2f}", level, "flagged" if one.flagged else ""
            )
        console.print()
        console.print(table)
    console.print(Text(f"Model {found.model}", style="dim"))
