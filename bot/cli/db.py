"""`fanguard db`: move the schema forward, check the database, back it up."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.database import DatabaseOption, chosen

db_app = typer.Typer(name="db", help="Look after the database.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the `db` commands."""
    app.add_typer(db_app)


@db_app.command()
def upgrade(db: DatabaseOption = None) -> None:
    """Move the schema to the one this version needs (the bot does so at its start)."""
    from bot.settings import load_settings
    from bot.store import open_configured

    async def run() -> None:
        settings = load_settings()
        url = chosen(settings, db, must_exist=False)
        async with open_configured(settings, url) as store:
            typer.echo(f"{typer.format_filename(str(store.place))} is up to date.")

    asyncio.run(run())


@db_app.command()
def check(db: DatabaseOption = None) -> None:
    """Check the database for damage, loose ends and its schema; exit 1 if there are any."""
    from bot.settings import load_settings
    from bot.store import check as check_database

    report = asyncio.run(check_database(chosen(load_settings(), db)))
    path = typer.format_filename(str(report.place))
    if not report.problems:
        typer.echo(f"{path} is sound (schema {report.revision}).")
        return
    typer.echo(f"{path} has problems:")
    for problem in report.problems:
        typer.echo(f"  {problem}")
    raise typer.Exit(1)


@db_app.command()
def backup(
    destination: Annotated[
        Path | None,
        typer.Argument(
            metavar="[DEST]",
            help="A new file, or a folder. By default the folder backups beside the database.",
        ),
    ] = None,
    db: DatabaseOption = None,
) -> None:
    """Copy the database, also while the bot is running."""
    from bot.settings import load_settings
    from bot.store import back_up

    settings = load_settings()
    made = asyncio.run(back_up(chosen(settings, db), destination))
    path = typer.format_filename(made)
    key = "FANGUARD_KEY" if settings.key is not None else str(settings.key_file)
    typer.echo(f"Backed up to {path}. Keep {key} in a safe place too: texts need it.")


@db_app.command("copy")
def copy_database(
    to: Annotated[str, typer.Option("--to", metavar="PATH|URL", help="The new, empty database.")],
    db: DatabaseOption = None,
) -> None:
    """Copy everything to another database, such as from SQLite to PostgreSQL, and compare."""
    from bot.settings import load_settings
    from bot.store import Moved, copy

    def show(moved: Moved) -> None:
        typer.echo(f"  {moved.table}: {moved.rows:,}")

    source = chosen(load_settings(), db)
    moved = asyncio.run(copy(source, to, show))
    typer.echo(
        f"Copied {sum(each.rows for each in moved):,} rows; each table equals its original. "
        "Set DATABASE_URL to the new one, and keep the key: it is the same."
    )
