"""How far each chat export has been read, by the fingerprint of its file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
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
        rows = await self._database.rows(query)
        if not rows:
            return None
        return ImportProgress(
            **{field.name: rows[0][field.name] for field in fields(ImportProgress)}
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
        await self._database.execute(statement)

    async def forget(self, fingerprint: str) -> None:
        """Let a file be read from its start again."""
        await self._database.execute(delete(imports).where(imports.c.fingerprint == fingerprint))
