"""What surrounds a flag: the same text by others, the author's earlier flags, the notes."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, RowMapping, distinct, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.comment import Action, Flag, Status
from bot.store.flag_cards import stale_card
from bot.store.flag_log import FlagLog, in_guild, with_id
from bot.store.records import Event, EventKind, event_of
from bot.store.schema import decisions, flag_events, flags

SAME_WITHIN = timedelta(days=1)
_MOST_NOTES = 3


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What else is known where a flag is shown.

    `others` members posted the same text within a day; `alike` flags of it are undecided,
    this one left out. `earlier` counts the author's earlier flags by how they ended, None
    being undecided. `notes` are the last ones, the oldest first.
    """

    others: int = 0
    alike: int = 0
    earlier: tuple[tuple[Action | None, int], ...] = ()
    notes: tuple[Event, ...] = ()


class FlagBatches(FlagLog):
    """Reads what surrounds a flag."""

    async def alike(self, guild_id: str, flag_id: int) -> builtins.list[Flag]:
        """Return the undecided flags of the same text within a day, this one left out."""

        async def work(connection: AsyncConnection) -> builtins.list[Flag]:
            row = await _key_of(connection, guild_id, flag_id)
            if row is None or row["text_index"] is None:
                return []
            undecided = flags.c.status.in_((Status.OPEN, Status.CLAIMED))
            return await self._load(connection, [*_same_text(row), undecided], "oldest")

        return await self._database.read(work)

    async def surroundings(self, guild_id: str, flag_id: int) -> Surroundings:
        """Return what surrounds a flag; nothing for one that does not exist."""

        async def work(connection: AsyncConnection) -> Surroundings:
            row = await _key_of(connection, guild_id, flag_id)
            if row is None:
                return Surroundings()
            others, alike = await _same_text_counts(connection, row)
            return Surroundings(
                others, alike, await _earlier(connection, row), await _notes(connection, flag_id)
            )

        return await self._database.read(work)


async def redraw_alike(
    connection: AsyncConnection, guild_id: str, text_index: str, moment: datetime
) -> None:
    """Have the cards of a text's undecided flags drawn anew: there is one more, or less."""
    await connection.execute(
        update(flags)
        .where(
            flags.c.guild_id == guild_id,
            flags.c.text_index == text_index,
            flags.c.created_at.between(moment - SAME_WITHIN, moment + SAME_WITHIN),
            flags.c.status.in_((Status.OPEN, Status.CLAIMED)),
        )
        .values(card_state=stale_card())
    )


async def _key_of(connection: AsyncConnection, guild_id: str, flag_id: int) -> RowMapping | None:
    query = select(
        flags.c.id, flags.c.guild_id, flags.c.author_id, flags.c.created_at, flags.c.text_index
    ).where(in_guild(guild_id), with_id(flag_id))
    return (await connection.execute(query)).mappings().one_or_none()


def _same_text(row: RowMapping) -> Sequence[ColumnElement[bool]]:
    moment = row["created_at"]
    return (
        flags.c.guild_id == row["guild_id"],
        flags.c.text_index == row["text_index"],
        flags.c.created_at.between(moment - SAME_WITHIN, moment + SAME_WITHIN),
        flags.c.id != row["id"],
    )


async def _same_text_counts(connection: AsyncConnection, row: RowMapping) -> tuple[int, int]:
    if row["text_index"] is None:
        return 0, 0
    same = _same_text(row)
    authors = select(func.count(distinct(flags.c.author_id))).where(
        *same, flags.c.author_id != row["author_id"]
    )
    undecided = select(func.count()).where(*same, flags.c.status.in_((Status.OPEN, Status.CLAIMED)))
    return (
        int((await connection.execute(authors)).scalar_one()),
        int((await connection.execute(undecided)).scalar_one()),
    )


async def _earlier(
    connection: AsyncConnection, row: RowMapping
) -> tuple[tuple[Action | None, int], ...]:
    query = (
        select(decisions.c.action, func.count())
        .select_from(flags)
        .outerjoin(decisions, decisions.c.flag_id == flags.c.id)
        .where(
            flags.c.guild_id == row["guild_id"],
            flags.c.author_id == row["author_id"],
            flags.c.id < row["id"],
        )
        .group_by(decisions.c.action)
        .order_by(func.count().desc(), decisions.c.action)
    )
    found = await connection.execute(query)
    return tuple((None if action is None else Action(action), count) for action, count in found)


async def _notes(connection: AsyncConnection, flag_id: int) -> tuple[Event, ...]:
    query = (
        select(flag_events)
        .where(flag_events.c.flag_id == flag_id, flag_events.c.kind == EventKind.NOTED)
        .order_by(flag_events.c.id.desc())
        .limit(_MOST_NOTES)
    )
    rows = (await connection.execute(query)).mappings().all()
    return tuple(event_of(row) for row in reversed(rows))
