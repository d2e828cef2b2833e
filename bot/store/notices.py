"""What moderators are still to be told: that their threshold was moved for a new model."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.engine import Database
from bot.store.schema import threshold_notices


@dataclass(frozen=True, slots=True)
class ThresholdNotice:
    """A guild's own threshold was moved, for `model` to queue the same share of messages."""

    id: int
    guild_id: str
    model: str
    before: float
    after: float
    share: float


class Notices:
    """The notices that wait; at most one for each guild. Numbers are never used again."""

    def __init__(self, database: Database) -> None:
        """Use `database`."""
        self._database = database

    async def pending(self, guild_id: str) -> ThresholdNotice | None:
        """Return what a guild's moderators are to be told, None if nothing waits."""
        query = select(threshold_notices).where(threshold_notices.c.guild_id == guild_id)
        rows = await self._database.rows(query)
        return ThresholdNotice(**rows[0]) if rows else None

    async def drop(self, notice_id: int) -> None:
        """Forget a notice: it was given, or holds no longer."""
        await self._database.execute(
            delete(threshold_notices).where(threshold_notices.c.id == notice_id)
        )


async def write_notice(
    connection: AsyncConnection,
    *,
    guild_id: str,
    model: str,
    before: float,
    after: float,
    share: float,
) -> None:
    """Keep a notice. One that still waits is replaced, and its threshold is the one before."""
    of_guild = threshold_notices.c.guild_id == guild_id
    first = select(threshold_notices.c.before).where(of_guild)
    waiting = (await connection.execute(first)).scalar_one_or_none()
    await connection.execute(delete(threshold_notices).where(of_guild))
    values = {
        "guild_id": guild_id,
        "model": model,
        "before": before if waiting is None else waiting,
        "after": after,
        "share": share,
    }
    await connection.execute(insert(threshold_notices), values)
