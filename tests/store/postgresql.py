"""A real PostgreSQL for the tests, started by themselves, with a database for each."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy.engine import URL


class Server:
    """A running server, reached through the socket in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count()

    @asynccontextmanager
    async def database(self) -> AsyncIterator[str]:
        """An empty database, dropped at the end."""
        asyncpg = pytest.importorskip("asyncpg")
        name = f"fanguard_{next(self._numbers)}"
        connection = await asyncpg.connect(
            user="postgres", database="postgres", host=str(self._folder)
        )
        try:
            await connection.execute(f"CREATE DATABASE {name}")
            place = {"host": str(self._folder)}
            url = URL.create("postgresql+asyncpg", "postgres", database=name, query=place)
            yield str(url)
            await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
        finally:
            await connection.close()


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
