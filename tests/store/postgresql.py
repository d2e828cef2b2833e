"""A real PostgreSQL for the tests, started by themselves, with a database for each."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.engine import URL

from bot.store import migrate


class Server:
    """A running server, reached through the socket in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count()
        self._template = ""

    @asynccontextmanager
    async def database(self, *, empty: bool = False) -> AsyncIterator[str]:
        """A database with or without the tables, nothing in them, dropped at the end."""
        asyncpg = pytest.importorskip("asyncpg")
        name = f"fanguard_{next(self._numbers)}"
        connection = await asyncpg.connect(
            user="postgres", database="postgres", host=str(self._folder)
        )
        try:
            if not self._template:
                await _hurry(connection)
                await connection.execute("CREATE DATABASE tables")
                await migrate.upgrade(self._url("tables"))
                self._template = "tables"
            template = "template1" if empty else self._template
            await connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
            yield str(self._url(name))
            await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
        finally:
            await connection.close()

    def _url(self, database: str) -> URL:
        place = {"host": str(self._folder)}
        return URL.create("postgresql+asyncpg", "postgres", database=database, query=place)


async def _hurry(connection: Any) -> None:
    """Let the server forget what a power cut would cost: it lives as long as the tests."""
    for setting in ("fsync", "synchronous_commit", "full_page_writes"):
        await connection.execute(f"ALTER SYSTEM SET {setting} = off")
    await connection.execute("SELECT pg_reload_conf()")


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """Start the server once, or skip with the reason why there is none."""
    pytest.importorskip("asyncpg", reason="asyncpg is not installed")
    pgserver = pytest.importorskip("pgserver", reason="pgserver is not installed")
    with tempfile.TemporaryDirectory(prefix="fanguard-pg-", ignore_cleanup_errors=True) as folder:
        try:
            server = pgserver.get_server(folder, cleanup_mode="stop")
        except (OSError, RuntimeError, AssertionError) as error:
            pytest.skip(f"PostgreSQL does not start here: {type(error).__name__}")
        yield Server(Path(folder))
        server.cleanup()
