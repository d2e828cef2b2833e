"""Erasing what closed flags keep of a member's words, so that only the counts stay."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import (
    ColumnElement,
    Select,
    Table,
    and_,
    delete,
    exists,
    func,
    insert,
    not_,
    or_,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.comment import Status
from bot.store.crypto import Cipher
from bot.store.engine import Database
from bot.store.flag_cards import stale_card
from bot.store.records import EventKind, assessment_json, event_values, revision_of
from bot.store.schema import (
    appeals,
    decisions,
    erasure_requests,
    flag_events,
    flag_messages,
    flag_people,
    flag_revisions,
    flags,
    reports,
)

_NOBODY = ""
_EMPTIED = (flags.c.id, flags.c.guild_id, flags.c.message_id, flags.c.erased_at)


@dataclass(frozen=True, slots=True)
class Erased:
    """How much is erased.

    `closed` flags of the member's messages and `reports` they sent, all of closed cases;
    `open` is how many cases of either kind are kept until they are closed.
    """

    closed: int
    open: int
    reports: int = 0


@dataclass(frozen=True, slots=True)
class _Request:
    """Whose words are to be erased: those flagged or reported until `at`."""

    guild_id: str
    member_id: str
    at: datetime
    by_id: str = ""
    by_name: str = ""

    def row(self) -> list[ColumnElement[bool]]:
        return [
            erasure_requests.c.guild_id == self.guild_id,
            erasure_requests.c.member_id == self.member_id,
        ]

    def flags(self) -> list[ColumnElement[bool]]:
        return [
            flags.c.guild_id == self.guild_id,
            flags.c.author_id == self.member_id,
            flags.c.flagged_at <= self.at,
        ]

    def closed(self, now: datetime) -> list[ColumnElement[bool]]:
        return [*self.flags(), _is_closed(now)]

    def reports(self) -> list[ColumnElement[bool]]:
        return [
            reports.c.guild_id == self.guild_id,
            reports.c.reporter_id == self.member_id,
            reports.c.reported_at <= self.at,
        ]

    def closed_reports(self, now: datetime) -> list[ColumnElement[bool]]:
        closed = exists().where(flags.c.id == reports.c.flag_id, _is_closed(now))
        return [*self.reports(), closed]


class Erasure:
    """Takes texts, names, links and replies out of a member's closed flags.

    What stays is counted: when, at whom, how grave, how it was decided. So that the same
    message read once more makes no second flag, its id becomes a keyed hash.
    """

    def __init__(self, database: Database, cipher: Cipher, now: Callable[[], datetime]) -> None:
        """Use `database`, and `cipher` for the hashes."""
        self._database = database
        self._cipher = cipher
        self._now = now

    async def preview(self, guild_id: str, member_id: str) -> Erased:
        """Say what `erase` would do."""
        asked = _Request(guild_id, member_id, self._now())
        return await self._database.read(lambda connection: _count(connection, asked))

    async def erase(self, guild_id: str, member_id: str, by_id: str, by_name: str) -> Erased:
        """Erase a member's closed flags, and what they wrote in reports that are closed.

        What is open now is erased by `finish` once it is closed.

        Args:
            guild_id: where.
            member_id: whose words.
            by_id: who asked for it.
            by_name: the same by name, for the story.
        """
        now = self._now()
        asked = _Request(guild_id, member_id, now, by_id, by_name)

        async def work(connection: AsyncConnection) -> Erased:
            counted = await _count(connection, asked)
            await self._erase(connection, asked)
            await connection.execute(delete(erasure_requests).where(*asked.row()))
            if counted.open:
                values = {
                    "guild_id": guild_id,
                    "member_id": member_id,
                    "by_id": by_id,
                    "by_name": by_name,
                    "asked_at": now,
                }
                await connection.execute(insert(erasure_requests), values)
            return counted

        return await self._database.write(work)

    async def finish(self, guild_id: str) -> int:
        """Erase what was open when its erasure was asked for, and is closed now.

        Returns:
            How many flags were erased.
        """
        query = select(erasure_requests).where(erasure_requests.c.guild_id == guild_id)
        total = 0
        for row in await self._database.rows(query):
            asked = _Request(
                guild_id, row["member_id"], row["asked_at"], row["by_id"], row["by_name"]
            )
            total += await self._finish(asked)
        return total

    async def empty_decided(self, before: datetime, limit: int) -> int:
        """Erase what the flags decided before a moment keep of anybody's words.

        Args:
            before: decisions older than this.
            limit: how many flags at once.

        Returns:
            How many were erased; fewer than `limit` when none is left.
        """
        now = self._now()
        query = (
            select(*_EMPTIED)
            .join(decisions, decisions.c.flag_id == flags.c.id)
            .where(decisions.c.decided_at < before, flags.c.erased_at.is_(None), _is_closed(now))
            .order_by(flags.c.id)
            .limit(limit)
        )

        async def work(connection: AsyncConnection) -> int:
            return await self._empty_all(connection, query, now, (_NOBODY, _NOBODY))

        return await self._database.write(work)

    async def _finish(self, asked: _Request) -> int:
        before = await self._database.read(
            lambda connection: _count(connection, asked, self._now())
        )
        if before.open and not before.closed and not before.reports:
            return 0

        async def work(connection: AsyncConnection) -> int:
            counted = await _count(connection, asked, self._now())
            await self._erase(connection, asked)
            if not counted.open:
                await connection.execute(delete(erasure_requests).where(*asked.row()))
            return counted.closed

        return await self._database.write(work)

    async def _erase(self, connection: AsyncConnection, asked: _Request) -> None:
        now = self._now()
        query = select(*_EMPTIED).where(*asked.closed(now))
        await self._empty_all(connection, query, now, (asked.by_id, asked.by_name))
        await connection.execute(delete(reports).where(*asked.closed_reports(now)))

    async def _empty_all(
        self,
        connection: AsyncConnection,
        query: Select[tuple[int, str, str, datetime | None]],
        now: datetime,
        by: tuple[str, str],
    ) -> int:
        """Empty the flags that a query of `_EMPTIED` finds, each with an event the first time."""
        found = (await connection.execute(query)).all()
        for row in found:
            await self._empty(connection, row.id, row.guild_id, row.message_id, now)
            if row.erased_at is None:
                event = event_values(row.id, EventKind.ERASED, now, by=by)
                await connection.execute(insert(flag_events), event)
        return len(found)

    async def _empty(
        self,
        connection: AsyncConnection,
        flag_id: int,
        guild_id: str,
        message_id: str,
        now: datetime,
    ) -> None:
        of_roster = exists().where(
            flag_people.c.flag_id == flags.c.id, flag_people.c.name_index == flags.c.target_index
        )
        this = flags.c.id == flag_id
        named_otherwise = update(flags).where(this, not_(of_roster))
        await connection.execute(named_otherwise.values(target=None, target_index=None))
        await connection.execute(
            update(flags)
            .where(this)
            .values(
                message_id=erased_id(self._cipher, guild_id, message_id),
                text="",
                text_index=None,
                author_name="",
                author_index=_NOBODY,
                author_joined_at=None,
                reply_id=None,
                reply_text=None,
                reply_author_name=None,
                jump_url=None,
                why="[]",
                parts="[]",
                erased_at=now,
                card_state=stale_card(),
            )
        )
        await connection.execute(delete(flag_messages).where(flag_messages.c.flag_id == flag_id))
        await _empty_revisions(connection, flag_id)
        await connection.execute(
            update(reports).where(reports.c.flag_id == flag_id).values(reason="")
        )
        await connection.execute(
            update(appeals).where(appeals.c.flag_id == flag_id).values(text="", reason="")
        )


def erased_id(cipher: Cipher, guild_id: str, message_id: str) -> str:
    """What stands for the id of a message whose flag was erased."""
    if message_id.startswith("erased:"):
        return message_id
    return f"erased:{cipher.blind_index(f'{guild_id}/{message_id}')}"


async def _empty_revisions(connection: AsyncConnection, flag_id: int) -> None:
    query = select(flag_revisions).where(flag_revisions.c.flag_id == flag_id)
    for row in (await connection.execute(query)).mappings().all():
        assessment = replace(revision_of(row).assessment, why=(), target=None)
        await connection.execute(
            update(flag_revisions)
            .where(flag_revisions.c.flag_id == flag_id, flag_revisions.c.number == row["number"])
            .values(text="", assessment=assessment_json(assessment))
        )


async def _count(
    connection: AsyncConnection, asked: _Request, now: datetime | None = None
) -> Erased:
    moment = now or asked.at

    async def number(table: Table, *where: ColumnElement[bool]) -> int:
        query = select(func.count()).select_from(table).where(*where)
        return int((await connection.execute(query)).scalar_one())

    closed, closed_reports = asked.closed(moment), asked.closed_reports(moment)
    sent = await number(reports, *closed_reports)
    return Erased(
        closed=await number(flags, *closed, flags.c.erased_at.is_(None)),
        open=await number(flags, *asked.flags())
        - await number(flags, *closed)
        + await number(reports, *asked.reports())
        - sent,
        reports=sent,
    )


def _is_closed(now: datetime) -> ColumnElement[bool]:
    """A decision that can still be undone closes nothing: undoing it needs the text."""
    final = or_(flags.c.undo_until.is_(None), flags.c.undo_until <= now)
    return and_(flags.c.status.in_([each for each in Status if each.is_final]), final)
