"""Scans of channels' histories that run, so that a restart can say where one was cut off."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, delete, select, update

from bot.store.engine import Database
from bot.store.schema import channel_scans
from bot.store.upsert import insert_or


@dataclass(frozen=True, slots=True)
class ChannelScan:
    """A scan of one channel, thread or forum that has begun and not ended.

    `scan_id` tells it from others of its guild. `since` is the moment from which it reads;
    `place_id` and `reached_at` say where it reads now and until which moment it has read
    there, None before the first message. `notice_channel_id` and `notice_message_id` are
    where its progress is shown.
    """

    guild_id: str
    scan_id: str
    channel_id: str
    since: datetime
    started_at: datetime
    by_id: str
    notice_channel_id: str
    notice_message_id: str
    messages: int = 0
    place_id: str | None = None
    reached_at: datetime | None = None


class ChannelScans:
    """At most one scan for each guild."""

    def __init__(self, database: Database) -> None:
        """Use `database`."""
        self._database = database

    async def get(self, guild_id: str) -> ChannelScan | None:
        """Return the scan that runs in a guild or was cut off there, None if there is none."""
        query = select(channel_scans).where(channel_scans.c.guild_id == guild_id)
        rows = await self._database.rows(query)
        return ChannelScan(**rows[0]) if rows else None

    async def begin(self, scan: ChannelScan) -> bool:
        """Keep a scan that begins; False if the guild has one already."""
        statement = insert_or(channel_scans).values(**asdict(scan)).on_conflict_do_nothing()
        return await self._database.execute(statement) == 1

    async def reached(self, scan: ChannelScan) -> None:
        """Keep how far a scan has come."""
        change = (
            update(channel_scans)
            .where(*_of(scan))
            .values(messages=scan.messages, place_id=scan.place_id, reached_at=scan.reached_at)
        )
        await self._database.execute(change)

    async def end(self, scan: ChannelScan) -> None:
        """Forget a scan: it has ended, and what there is to say of it was said."""
        await self._database.execute(delete(channel_scans).where(*_of(scan)))


def _of(scan: ChannelScan) -> tuple[ColumnElement[bool], ...]:
    return (
        channel_scans.c.guild_id == scan.guild_id,
        channel_scans.c.scan_id == scan.scan_id,
    )
