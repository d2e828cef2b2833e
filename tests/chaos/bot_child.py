"""The bot as a child process that is killed and started again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.settings import PROJECT_DIR, Settings, load_settings
from bot.store import Store, open_configured
from tests.discord_server import Bot, DiscordServer

STOP_SECONDS = 60.0


class BotChild:
    """Keeps one bot process running in a folder of its own, with a quick or the real model."""

    def __init__(
        self, server: DiscordServer, account: Bot, folder: Path, *options: str, real: bool = False
    ) -> None:
        self.folder = folder
        self.record = folder / "assessed"
        self.kills = 0
        self.starts = 0
        self._account = account
        self._server = server
        quick = ["-m", "tests.chaos.bot_process", "--record", str(self.record), *options]
        self._command = [sys.executable, *(["-m", "bot", "run"] if real else quick)]
        self._process: Process | None = None

    def configure(self, toml: str) -> None:
        """Write fanguard.toml."""
        (self.folder / "config").mkdir(exist_ok=True)
        (self.folder / "config" / "fanguard.toml").write_text(toml)

    @property
    def _environment(self) -> dict[str, str]:
        return {
            **self._server.environment(self._account),
            "DATABASE_URL": f"sqlite+aiosqlite:///{self.database}",
        }

    @property
    def database(self) -> Path:
        return self.folder / "fanguard.db"

    @property
    def settings(self) -> Settings:
        settings = load_settings(self.folder / "config", env=self._environment)
        key_file = self.folder / "data" / "fanguard.key"
        database = settings.database.model_copy(update={"key_file": key_file})
        return settings.model_copy(update={"database": database})

    @asynccontextmanager
    async def store(self) -> AsyncIterator[Store]:
        async with open_configured(self.settings) as store:
            yield store

    @property
    def process_id(self) -> int | None:
        process = self._process
        return process.pid if process is not None and process.returncode is None else None

    async def start(self) -> None:
        """Start the process, after the last one has gone."""
        if self._process is not None:
            await self._process.wait()
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("DISCORD_", "FANGUARD_", "DATABASE_"))
        }
        self.starts += 1
        with (self.folder / "log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                cwd=self.folder,
                env=kept
                | self._environment
                | {"PYTHONPATH": str(PROJECT_DIR), "OMP_NUM_THREADS": "1"},
                stdout=DEVNULL,
                stderr=log,
            )

    def kill(self) -> None:
        """End the process at once, wherever it is."""
        if self.process_id is not None:
            os.kill(self.process_id, signal.SIGKILL)
            self.kills += 1

    async def keep_running(self) -> None:
        """Start the process again whenever it has ended."""
        while True:
            if self._process is None or self._process.returncode is not None:
                await self.start()
            assert self._process is not None
            await self._process.wait()

    async def stop(self) -> int | None:
        """Ask the process to end, and return its exit code."""
        if self._process is None:
            return None
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()
            try:
                async with asyncio.timeout(STOP_SECONDS):
                    await self._process.wait()
            except TimeoutError:
                self._process.kill()
                await self._process.wait()
        return self._process.returncode

    def assessed(self) -> set[str]:
        """The first words of all texts that the quick model has assessed."""
        return set(self.record.read_text().split()) if self.record.exists() else set()

    def resident_megabytes(self) -> float:
        """The memory the process holds now; 0 if it does not run."""
        status = Path(f"/proc/{self.process_id}/status")
        if self.process_id is None or not status.exists():
            return 0.0
        lines = status.read_text(encoding="ascii").splitlines()
        found = next((line for line in lines if line.startswith("VmRSS:")), "VmRSS: 0 kB")
        return int(found.split()[1]) / 1024
