"""Members' reports of messages. Who reported is kept, but no list of moderators gets it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.engine import Database
from bot.store.flag_cards import stale_card
from bot.store.records import EventKind, event_values
from bot.store.schema import flag_events, flags, reports
from bot.store.upsert import insert_or


@dataclass(frozen=True, slots=True)
class Report:
    """A report as its own reporter may see it."""

    message_id: str
    channel_id: str
    reason: str
    reported_at: datetime


class Reports:
    """Reads and writes reports."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        """Use `database`."""
        self._database = database
        self._now = now

    async def add(self, guild_id: str, flag_id: int, reporter_id: str, reason: str) -> bool:
        """Record a report of a flagged message; false if this member had reported it before."""
        now = self._now()
        statement = insert_or(reports).values(
            flag_id=flag_id,
            reporter_id=reporter_id,
            guild_id=guild_id,
            reason=reason,
            reported_at=now,
        )

        async def work(connection: AsyncConnection) -> bool:
            inserted = await connection.execute(statement.on_conflict_do_nothing())
            if inserted.rowcount != 1:
                return False
            await connection.execute(
                update(flags)
                .where(flags.c.id == flag_id, flags.c.guild_id == guild_id)
                .values(reports=flags.c.reports + 1, card_state=stale_card())
            )
            event = event_values(flag_id, EventKind.REPORTED, now)
            await connection.execute(insert(flag_events), event)
            return True

        return await self._database.write(work)

    async def count(self, guild_id: str, reporter_id: str, *, within: timedelta) -> int:
        """How many messages a member has reported in the last time."""
        query = select(func.count().label("number")).where(
            reports.c.guild_id == guild_id,
            reports.c.reporter_id == reporter_id,
            reports.c.reported_at >= self._now() - within,
        )
        return int((await self._database.rows(query))[0]["number"])

    async def reasons(self, guild_id: str, flag_id: int) -> list[str]:
        """The reasons given for reports of a message, the first one first, without names."""
        query = (
            select(reports.c.reason)
            .where(reports.c.guild_id == guild_id, reports.c.flag_id == flag_id)
            .order_by(reports.c.reported_at)
        )
        rows = await self._database.rows(query)
        return [row["reason"] for row in rows if row["reason"]]

    async def by(self, guild_id: str, reporter_id: str) -> list[Report]:
        """What a member has reported, the first one first."""
        query = (
            select(flags.c.message_id, flags.c.channel_id, reports.c.reason, reports.c.reported_at)
            .join(flags, flags.c.id == reports.c.flag_id)
            .where(reports.c.guild_id == guild_id, reports.c.reporter_id == reporter_id)
            .order_by(reports.c.reported_at)
        )
        return [Report(**row) for row in await self._database.rows(query)]
