"""`fanguard demo`: the bundled chat through the very same pipeline, with nothing to set up."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(demo)


def demo(
    *,
    fast: Annotated[bool, typer.Option("--fast", help="Play without pauses.")] = False,
    speed: Annotated[
        float,
        typer.Option("--speed", metavar="X", min=0.1, help="Play X times as fast as usual."),
    ] = 1.0,
    db: Annotated[
        str | None,
        typer.Option("--db", metavar="PATH|URL", help="Where its database goes."),
    ] = None,
) -> None:
    """Play a chat of an invented fan server through Fanguard and show what it queued.

    Needs no token and no network. The database is made anew each time and stays for
    `fanguard queue`.
    """
    from bot.cli.demo_play import run
    from bot.settings import load_settings

    settings = load_settings()
    database = db or str(settings.demo_database)
    try:
        asyncio.run(run(settings, database, 0.0 if fast else 1.0 / speed))
    except KeyboardInterrupt:
        typer.echo("The demo was stopped. What it had queued stays for `fanguard queue`.", err=True)
        raise typer.Exit(130) from None
