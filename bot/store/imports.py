"""How far each chat export has been read, by the fingerprint of its file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, select

from bot.store.engine import Database
from bot.store.schema import imports
from bot.store.upsert import insert_or


@dataclass(frozen=True, slots=True)
class ImportProgress:
    """How far a file was read: everything before `position` is in the database.

    `position` counts whatever the reader counts (records or bytes), and `digest` stands
    for what lies before it; `messages` and `flagged` are totals since the file's start.
    """

    fingerprint: str
    name: str
    position: int = 0
    messages: int = 0
    flagged: int = 0
    done: bool = False
    digest: str = ""


class Imports:
    """Reads and writes the progress of chat exports."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        """Use `database`; `now` gives the time of a step."""
        self._database = database
        self._now = now

    async def get(self, fingerprint: str) -> ImportProgress | None:
        """Return how far a file was read, None if never."""
        query = select(imports).where(imports.c.fingerprint == fingerprint)
        async with self._database.read() as connection:
            row = (await connection.execute(query)).first()
        if row is None:
            return None
        return ImportProgress(
            row.fingerprint,
            row.name,
            row.position,
            row.messages,
            row.flagged,
            row.done,
            row.digest,
        )

    async def put(self, progress: ImportProgress) -> None:
        """Record how far a file was read, after the messages before it were added."""
        now = self._now()
        statement = insert_or(imports).values(
            fingerprint=progress.fingerprint,
            name=progress.name,
            position=progress.position,
            digest=progress.digest,
            messages=progress.messages,
            flagged=progress.flagged,
            done=progress.done,
            started_at=now,
            updated_at=now,
        )
        kept = {"fingerprint", "started_at"}
        statement = statement.on_conflict_do_update(
            index_elements=["fingerprint"],
            set_={c.name: statement.excluded[c.name] for c in imports.c if c.name not in kept},
        )
        async with self._database.write() as connection:
            await connection.execute(statement)

    async def forget(self, fingerprint: str) -> None:
        """Let a file be read from its start again."""
        async with self._database.write() as connection:
            await connection.execute(delete(imports).where(imports.c.fingerprint == fingerprint))
