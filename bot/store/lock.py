"""One bot at a time on one database: a lock that vanishes with the process that holds it."""

from __future__ import annotations

import asyncio
import fcntl
import os
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from sqlalchemy import func, select
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store.engine import Place, create_engine, file_of, place_of
from bot.store.errors import StoreError, clear_errors, system_error

_POLL_SECONDS = 0.1
_BOT_LOCK = 0x46616E02


class Lock(ABC):
    """A lock on a database, to be held by one process."""

    def __init__(self, place: Place) -> None:
        """Name the lock of a database; nothing is taken yet."""
        self._place = place

    async def acquire(self, *, timeout: float = 0.0) -> None:  # noqa: ASYNC109
        """Take the lock, waiting `timeout` seconds at most.

        Raises:
            StoreError: another process has it; the message gives its process id.
        """
        deadline = time.monotonic() + timeout
        while not await self._try():
            if time.monotonic() >= deadline:
                raise StoreError(
                    f"Another Fanguard{self._holder()} is using {self._place}. "
                    "Stop it first, or give this one another database."
                )
            await asyncio.sleep(_POLL_SECONDS)

    @asynccontextmanager
    async def held(self, *, timeout: float) -> AsyncIterator[None]:  # noqa: ASYNC109
        """Hold the lock for a while, unless it is held already and stays so."""
        if self._is_held():
            yield
            return
        await self.acquire(timeout=timeout)
        try:
            yield
        finally:
            await self.release()

    @abstractmethod
    async def release(self) -> None:
        """Give the lock back; harmless when it is not held."""

    @abstractmethod
    def _is_held(self) -> bool:
        """Whether this process has it."""

    @abstractmethod
    async def _try(self) -> bool:
        """Take the lock if nobody has it; false if somebody has."""

    def _holder(self) -> str:
        """Who has it, for a message."""
        return ""


class FileLock(Lock):
    """A lock of the operating system on a file beside an SQLite database."""

    def __init__(self, database: Path) -> None:
        """Name the lock of a database file; nothing is taken yet."""
        super().__init__(database)
        self._database = database
        self._path = database.with_name(f"{database.name}.lock")
        self._descriptor: int | None = None

    async def release(self) -> None:
        """Give the lock back; harmless when it is not held."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _is_held(self) -> bool:
        return self._descriptor is not None

    async def _try(self) -> bool:
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.ftruncate(descriptor, 0)
                os.pwrite(descriptor, str(os.getpid()).encode("ascii"), 0)
            except BaseException:
                os.close(descriptor)
                raise
        except BlockingIOError:
            return False
        except OSError as error:
            raise system_error(error, self._database) from error
        self._descriptor = descriptor
        return True

    def _holder(self) -> str:
        try:
            pid = self._path.read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            return ""
        return f" (process {pid})" if pid.isdigit() else ""


class AdvisoryLock(Lock):
    """A lock of the PostgreSQL server, held by a connection of its own."""

    def __init__(self, url: URL) -> None:
        """Name the lock of a database; nothing is taken yet."""
        super().__init__(place_of(url))
        self._url = url
        self._held: tuple[AsyncEngine, AsyncConnection] | None = None

    async def release(self) -> None:
        """Give the lock back; harmless when it is not held."""
        if self._held is not None:
            engine, connection = self._held
            self._held = None
            await connection.close()
            await engine.dispose()

    def _is_held(self) -> bool:
        return self._held is not None

    async def _try(self) -> bool:
        engine = create_engine(self._url)
        with clear_errors(self._place):
            try:
                connection = await engine.execution_options(isolation_level="AUTOCOMMIT").connect()
                if await connection.scalar(select(func.pg_try_advisory_lock(_BOT_LOCK))):
                    self._held = engine, connection
                    return True
                await connection.close()
            finally:
                if self._held is None:
                    await engine.dispose()
        return False


def lock_of(url: URL) -> Lock:
    """Return the lock of the database of a URL that `parse_url` made."""
    path = file_of(url)
    return AdvisoryLock(url) if path is None else FileLock(path)
