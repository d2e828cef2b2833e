"""The engine: how this project talks to its database, and nothing of what it says.

On SQLite the driver's own transaction control is switched off and BEGIN is emitted here,
as SQLAlchemy documents: plain BEGIN for reading, BEGIN IMMEDIATE for writing, because a
read that turns into a write is refused at once when another writer came in between.

PostgreSQL reads in REPEATABLE READ and, so that writers take turns there too, also those
of several processes, each writing transaction holds one advisory lock until its end.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, RowMapping, Select, UpdateBase, event, func, make_url, select
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from bot.errors import UserError
from bot.store.columns import use_cipher
from bot.store.crypto import Cipher
from bot.store.dialects import POSTGRESQL, SQLITE
from bot.store.errors import clear_errors

BUSY_TIMEOUT_SECONDS = 10
_T = TypeVar("_T")
_BEGIN = "fanguard_begin"
_DRIVER = "sqlite+aiosqlite"
_POSTGRESQL_DRIVER = "postgresql+asyncpg"
_WRITERS_LOCK = 0x46616E01
_CONNECT_SECONDS = 10
_SCHEME = re.compile(r"[\w+]+:")


Place = Path | str
"""Where a database is, for messages: its file, or which one of which PostgreSQL server."""


def parse_url(url: str) -> URL:
    """Check a database URL, and name the driver that Fanguard uses in it.

    `sqlite:///file` is taken for `sqlite+aiosqlite:///file`, `postgresql://` and
    `postgres://` for `postgresql+asyncpg://`. A path (with a slash or a dot in it) stands
    for the SQLite file there.

    Raises:
        UserError: it is neither, of another database, names no file, or the package for
            PostgreSQL is not installed.
    """
    example = (
        "Write it as data/fanguard.db, sqlite+aiosqlite:///data/fanguard.db or "
        "postgresql+asyncpg://user:password@host/fanguard"
    )
    if "\0" in url:
        msg = f"The database URL has a NUL character in it. {example}"
        raise UserError(msg)
    if not _SCHEME.match(url) and ("/" in url or "." in url):
        return URL.create(_DRIVER, database=url)
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        msg = f"The database URL cannot be read. {example}"
        raise UserError(msg) from None
    if parsed.get_backend_name() in {POSTGRESQL, "postgres"}:
        if find_spec("asyncpg") is None:
            raise UserError("PostgreSQL needs one more package: pip install 'fanguard[postgresql]'")
        return parsed.set(drivername=_POSTGRESQL_DRIVER)
    if parsed.get_backend_name() != SQLITE:
        msg = f"Fanguard keeps its data in SQLite or PostgreSQL, not in “{parsed.drivername}”. "
        raise UserError(msg + example)
    if not parsed.database or parsed.database == ":memory:" or parsed.query:
        msg = f"The database URL must name a file, and no options. {example}"
        raise UserError(msg)
    return parsed.set(drivername=_DRIVER)


def file_of(url: URL) -> Path | None:
    """Return the database file of a URL that `parse_url` made; None for PostgreSQL."""
    return Path(url.database or "") if url.get_backend_name() == SQLITE else None


def place_of(url: URL) -> Place:
    """Say where the database of a URL that `parse_url` made is, without its password."""
    host = url.host or url.query.get("host") or "this machine"
    return file_of(url) or f"“{url.database}” of the PostgreSQL server on {host}"


def create_engine(
    url: URL, cipher: Cipher | None = None, *, migrating: bool = False
) -> AsyncEngine:
    """Make an engine whose connections are set up for Fanguard.

    While migrating, foreign keys are not enforced (a migration may rebuild a table that
    others point to) and the file is put in WAL mode, which it then keeps.
    """
    if url.get_backend_name() == POSTGRESQL:
        engine = create_async_engine(
            url, connect_args={"timeout": _CONNECT_SECONDS}, pool_pre_ping=True
        )
    else:
        engine = create_async_engine(url, connect_args={"timeout": BUSY_TIMEOUT_SECONDS})
        _set_up_sqlite(engine, migrating=migrating)
    if cipher is not None:
        use_cipher(engine.sync_engine.dialect, cipher)
    return engine


def _set_up_sqlite(engine: AsyncEngine, *, migrating: bool) -> None:
    @event.listens_for(engine.sync_engine, "connect")
    def set_up(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA foreign_keys = {'OFF' if migrating else 'ON'}")
        cursor.execute("PRAGMA synchronous = FULL")
        if migrating:
            cursor.execute("PRAGMA journal_mode = WAL")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def begin(connection: Connection) -> None:
        mode = connection.get_execution_options().get(_BEGIN, "")
        connection.exec_driver_sql(f"BEGIN {mode}".rstrip())


class Database:
    """Transactions on one engine; every error that leaves them is a clear one.

    A transaction that has begun also ends when its caller is cancelled: the driver runs
    each statement in a thread, and one that is abandoned there keeps its lock.
    """

    def __init__(self, engine: AsyncEngine, place: Place) -> None:
        """Use an engine made by `create_engine` for the database at `place`."""
        self.place = place
        self._engine = engine
        self._is_postgresql = engine.dialect.name == POSTGRESQL
        if self._is_postgresql:
            self._reader = engine.execution_options(isolation_level="REPEATABLE READ")
            self._writer = engine
        else:
            self._reader = engine
            self._writer = engine.execution_options(**{_BEGIN: "IMMEDIATE"})
        self._turn = asyncio.Lock()
        self._running: set[asyncio.Task[Any]] = set()

    async def read(self, work: Callable[[AsyncConnection], Awaitable[_T]]) -> _T:
        """Do `work` on one unchanging view of the database."""

        async def transaction() -> _T:
            with clear_errors(self.place):
                async with self._reader.connect() as connection:
                    return await work(connection)

        return await self._to_the_end(transaction())

    async def write(self, work: Callable[[AsyncConnection], Awaitable[_T]]) -> _T:
        """Do `work` in one transaction: all of it is kept, or on any error none of it."""

        async def transaction() -> _T:
            with clear_errors(self.place):
                async with self._turn, self._writer.begin() as connection:
                    if self._is_postgresql:
                        turn = select(func.pg_advisory_xact_lock(_WRITERS_LOCK))
                        await connection.execute(turn)
                    return await work(connection)

        return await self._to_the_end(transaction())

    async def rows(self, query: Select[Any]) -> Sequence[RowMapping]:
        """Return all rows of one query."""

        async def work(connection: AsyncConnection) -> Sequence[RowMapping]:
            found: Sequence[RowMapping] = (await connection.execute(query)).mappings().all()
            return found

        return await self.read(work)

    async def execute(self, statement: UpdateBase) -> int:
        """Run one writing statement, and return how many rows it touched."""

        async def work(connection: AsyncConnection) -> int:
            return (await connection.execute(statement)).rowcount

        return await self.write(work)

    async def close(self) -> None:
        """Let what is running end, and close every connection."""
        while self._running:
            await asyncio.wait(self._running)
        await self._engine.dispose()

    async def _to_the_end(self, transaction: Coroutine[Any, Any, _T]) -> _T:
        task = asyncio.create_task(transaction)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            await asyncio.wait({task})
            raise
