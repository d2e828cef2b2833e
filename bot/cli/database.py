"""Which database a command works on, and the option that names another."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from bot.settings import Settings
    from bot.store import Store

DatabaseOption = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="PATH|URL",
        help="Another database than the configured one: a path such as data/demo.db, or a URL.",
    ),
]


def chosen(settings: Settings, db: str | None, *, must_exist: bool = True) -> str:
    """Return the database that a command shall look at.

    When none is configured or given, says on stderr which one that is, and how to see
    the other.

    Raises:
        UserError: there is none.
    """
    from bot.store import choose_database

    choice = choose_database(settings, db, must_exist=must_exist)
    if choice.by_itself:
        other = f" The other: --db {choice.other}" if choice.other else ""
        typer.echo(f"No database is configured: this is {choice.path}.{other}", err=True)
    return choice.url


@asynccontextmanager
async def opened(db: str | None) -> AsyncIterator[Store]:
    """Open the database that a command shall look at."""
    from bot.settings import load_settings
    from bot.store import open_configured

    settings = load_settings()
    async with open_configured(settings, chosen(settings, db)) as store:
        yield store
