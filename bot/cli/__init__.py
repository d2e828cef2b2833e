"""The command line: one file per area, put together here.

Each area's `register(app)` adds its commands and imports what is heavy inside them,
so that `fanguard --help` answers at once.
"""

from __future__ import annotations

import sys
from importlib import import_module

import typer

from bot import __version__
from bot.errors import UserError

AREAS = ("run", "doctor", "demo", "scan", "score", "queue", "train", "evaluate", "db")

app = typer.Typer(
    name="fanguard",
    help="Watches fan channels for hostility toward the people discussed.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"fanguard {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False,
        "--version",
        callback=_show_version,
        is_eager=True,
        help="Show the version and exit.",
    ),
) -> None:
    pass


for _area in AREAS:
    import_module(f"bot.cli.{_area}").register(app)


def main() -> None:
    """Run the command line; a `UserError` becomes one message and exit code 2."""
    try:
        app()
    except UserError as error:
        typer.echo(f"fanguard: {error}", err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        typer.echo("Stopped.", err=True)
        sys.exit(130)
