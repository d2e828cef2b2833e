"""Erasing what closed flags keep of a member's words, so that only the counts stay."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import ColumnElement, delete, exists, func, insert, not_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.comment import Status
from bot.store.crypto import Cipher
from bot.store.engine import Database
from bot.store.flag_cards import stale_card
from bot.store.records import EventKind, assessment_json, event_values, revision_of
from bot.store.schema import flag_events, flag_people, flag_revisions, flags, reports

_NOBODY = ""


@dataclass(frozen=True, slots=True)
class Erased:
    """How many closed flags are erased, and how many open ones are kept until closed."""

    closed: int
    open: int
    reports: int = 0


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
        return await self._database.read(lambda connection: _count(connection, guild_id, member_id))

    async def erase(self, guild_id: str, member_id: str, by_id: str, by_name: str) -> Erased:
        """Erase a member's closed flags, and what they wrote in reports that are closed.

        Args:
            guild_id: where.
            member_id: whose words.
            by_id: who asked for it.
            by_name: the same by name, for the story.
        """
        now, by = self._now(), (by_id, by_name)

        async def work(connection: AsyncConnection) -> Erased:
            counted = await _count(connection, guild_id, member_id)
            query = select(flags.c.id, flags.c.message_id, flags.c.erased_at).where(
                *_closed(guild_id, member_id)
            )
            for row in (await connection.execute(query)).all():
                await self._empty(connection, row.id, guild_id, row.message_id, now)
                if row.erased_at is None:
                    event = event_values(row.id, EventKind.ERASED, now, by=by)
                    await connection.execute(insert(flag_events), event)
            await connection.execute(delete(reports).where(*_own_reports(guild_id, member_id)))
            return counted

        return await self._database.write(work)

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
                erased_at=now,
                card_state=stale_card(),
            )
        )
        await _empty_revisions(connection, flag_id)
        await connection.execute(
            update(reports).where(reports.c.flag_id == flag_id).values(reason="")
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


async def _count(connection: AsyncConnection, guild_id: str, member_id: str) -> Erased:
    number = select(func.count())
    whole = await connection.execute(
        number.select_from(flags).where(
            flags.c.guild_id == guild_id, flags.c.author_id == member_id
        )
    )
    closed = _closed(guild_id, member_id)
    done = await connection.execute(number.select_from(flags).where(*closed))
    left = await connection.execute(
        number.select_from(flags).where(*closed, flags.c.erased_at.is_(None))
    )
    sent = await connection.execute(
        number.select_from(reports).where(*_own_reports(guild_id, member_id))
    )
    return Erased(
        closed=left.scalar_one(),
        open=whole.scalar_one() - done.scalar_one(),
        reports=sent.scalar_one(),
    )


def _closed(guild_id: str, member_id: str) -> list[ColumnElement[bool]]:
    return [
        flags.c.guild_id == guild_id,
        flags.c.author_id == member_id,
        flags.c.status == Status.DECIDED,
    ]


def _own_reports(guild_id: str, member_id: str) -> list[ColumnElement[bool]]:
    closed = exists().where(flags.c.id == reports.c.flag_id, flags.c.status == Status.DECIDED)
    return [reports.c.guild_id == guild_id, reports.c.reporter_id == member_id, closed]
