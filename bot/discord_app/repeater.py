"""Work that is asked for often and done once: a run covers every call before its start."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from bot.discord_app.logs import where

log = logging.getLogger(__name__)

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 300.0


class Repeater:
    """Runs `work` in one task at most, again while it was called meanwhile or failed."""

    def __init__(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Nothing runs until the first call."""
        self._name = name
        self._work = work
        self._wanted = False
        self._task: asyncio.Task[None] | None = None

    def call(self) -> None:
        """Run, or run once more after the present run."""
        self._wanted = True
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name=self._name)

    async def finish(self, seconds: float) -> None:
        """Wait `seconds` at most for the present run, then cancel it."""
        if self._task is None:
            return
        await asyncio.wait([self._task], timeout=seconds)
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        pause = FIRST_PAUSE
        while self._wanted:
            self._wanted = False
            try:
                await self._work()
                pause = FIRST_PAUSE
            except Exception as error:  # noqa: BLE001
                log.warning("%s failed and is tried again: %s", self._name, where(error))
                self._wanted = True
                await asyncio.sleep(pause)
                pause = min(pause * 2, LONGEST_PAUSE)
