"""How far each channel has been read. A checkpoint never moves back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from sqlalchemy import select

from bot.store.engine import Database
from bot.store.schema import checkpoints
from bot.store.upsert import insert_or


class Checkpoints:
    """Message ids here are Discord snowflakes, compared as numbers."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        """Use `database`; `now` gives the time of a move."""
        self._database = database
        self._now = now

    async def get(self, guild_id: str, channel_id: str) -> str | None:
        """Return the last message read in a channel, None if it was never read."""
        return (await self.all(guild_id)).get(channel_id)

    async def all(self, guild_id: str) -> dict[str, str]:
        """Return the last message read of each channel of a guild."""
        query = select(checkpoints).where(checkpoints.c.guild_id == guild_id)
        rows = await self._database.rows(query)
        return {row["channel_id"]: str(row["message_id"]) for row in rows}

    async def advance(self, guild_id: str, channel_id: str, message_id: str) -> None:
        """Move a channel's checkpoint to a message, unless it is already at a later one.

        Raises:
            ValueError: the message id is not a number.
        """
        statement = insert_or(checkpoints).values(
            guild_id=guild_id,
            channel_id=channel_id,
            message_id=int(message_id),
            moved_at=self._now(),
        )
        new = statement.excluded
        statement = statement.on_conflict_do_update(
            index_elements=["guild_id", "channel_id"],
            set_={"message_id": new.message_id, "moved_at": new.moved_at},
            where=new.message_id > checkpoints.c.message_id,
        )
        await self._database.execute(statement)
