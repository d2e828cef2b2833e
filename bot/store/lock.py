"""One bot at a time on one database file, held by the operating system."""

from __future__ import annotations

import asyncio
import fcntl
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.store.errors import StoreError, system_error

_POLL_SECONDS = 0.1


class FileLock:
    """A lock beside the database that vanishes with the process that holds it."""

    def __init__(self, database: Path) -> None:
        """Name the lock of a database file; nothing is taken yet."""
        self._database = database
        self._path = database.with_name(f"{database.name}.lock")
        self._descriptor: int | None = None

    async def acquire(self, *, timeout: float = 0.0) -> None:  # noqa: ASYNC109
        """Take the lock, waiting `timeout` seconds at most.

        Raises:
            StoreError: another process has it; the message gives its process id.
        """
        deadline = time.monotonic() + timeout
        while not self._try():
            if time.monotonic() >= deadline:
                raise StoreError(
                    f"Another Fanguard{self._holder()} is using {self._database}. "
                    "Stop it first, or give this one another database."
                )
            await asyncio.sleep(_POLL_SECONDS)

    @asynccontextmanager
    async def held(self, *, timeout: float) -> AsyncIterator[None]:  # noqa: ASYNC109
        """Hold the lock for a while, unless it is held already and stays so."""
        if self._descriptor is not None:
            yield
            return
        await self.acquire(timeout=timeout)
        try:
            yield
        finally:
            self.release()

    def release(self) -> None:
        """Give the lock back; harmless when it is not held."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _try(self) -> bool:
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
