"""`fanguard scan`: chat exports and JSON Lines through the pipeline into the database."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.database import DatabaseOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(scan)


def scan(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE…",
            help="DiscordChatExporter JSON or JSON Lines, plain or gzipped.",
            show_default=False,
        ),
    ],
    *,
    db: DatabaseOption = None,
    guild: Annotated[
        str | None,
        typer.Option("--guild", metavar="ID", help="The server, in place of the file's own."),
    ] = None,
    roster: Annotated[
        Path | None,
        typer.Option(
            "--roster",
            metavar="FILE",
            help="The people discussed, for servers without a roster (else config/people.toml).",
        ),
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Read the files from their start once more.")
    ] = False,
) -> None:
    """Read chat exports and queue what is hostile in them.

    Press Ctrl-C to stop; the same command goes on from there. A file that was read
    before adds nothing. Exit code 1: a line could not be read, or a file ends early.
    """
    from bot.cli.scan_run import Request, run
    from bot.errors import UserError
    from bot.settings import load_settings
    from bot.sources.fields import is_whole

    if guild is not None and not (guild.strip() and is_whole(guild)):
        raise UserError("--guild is empty or no text. Give the server's id, such as 1122334455.")
    request = Request(files, url=db, guild_id=guild, roster=roster, again=again)
    code = asyncio.run(run(load_settings(), request))
    if code:
        raise typer.Exit(code)
