"""Members' appeals: one for each decision, answered once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, RowMapping, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.comment import Status
from bot.store.engine import Database
from bot.store.flag_cards import stale_card
from bot.store.records import EventKind, event_values
from bot.store.schema import appeals, decisions, flag_events, flags


@dataclass(frozen=True, slots=True)
class Appeal:
    """A member's word against a decision. `outcome` is None until a moderator answers."""

    id: int
    flag_id: int
    decided_at: datetime
    guild_id: str
    member_id: str
    text: str
    appealed_at: datetime
    outcome: Status | None = None
    answered_by_id: str | None = None
    answered_by_name: str | None = None
    answered_at: datetime | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AppealResult:
    """`won` is false when the appeal was there, or answered, before; None if there is none."""

    won: bool
    appeal: Appeal | None


class Appeals:
    """Reads and writes appeals."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        """Use `database`."""
        self._database = database
        self._now = now

    async def file(self, guild_id: str, flag_id: int, member_id: str, text: str) -> AppealResult:
        """Appeal against the decision on a member's own flag.

        `won` is false if that decision was appealed before, or no decision stands.
        """
        now = self._now()
        own = (
            flags.c.id == flag_id,
            flags.c.guild_id == guild_id,
            flags.c.author_id == member_id,
        )

        async def work(connection: AsyncConnection) -> AppealResult:
            decided_at = (
                await connection.execute(
                    select(decisions.c.decided_at)
                    .join(flags, flags.c.id == decisions.c.flag_id)
                    .where(*own)
                )
            ).scalar_one_or_none()
            if decided_at is None:
                return AppealResult(won=False, appeal=None)
            this = (appeals.c.flag_id == flag_id, appeals.c.decided_at == decided_at)
            change = (
                update(flags)
                .where(*own, flags.c.status == Status.DECIDED)
                .values(status=Status.APPEALED, undo_until=None, card_state=stale_card())
            )
            won = (await connection.execute(change)).rowcount == 1
            if won:
                values = {
                    "flag_id": flag_id,
                    "decided_at": decided_at,
                    "guild_id": guild_id,
                    "member_id": member_id,
                    "text": text,
                    "appealed_at": now,
                    "reason": "",
                }
                await connection.execute(insert(appeals), values)
                await connection.execute(
                    insert(flag_events), event_values(flag_id, EventKind.APPEALED, now)
                )
            return AppealResult(won, await _one(connection, this))

        return await self._database.write(work)

    async def answer(
        self,
        guild_id: str,
        appeal_id: int,
        outcome: Status,
        moderator_id: str,
        moderator_name: str,
        *,
        reason: str = "",
    ) -> AppealResult:
        """Uphold or overturn a decision that is appealed; of two answers the first stands."""
        now = self._now()
        this = (appeals.c.id == appeal_id, appeals.c.guild_id == guild_id)
        standing = (
            select(decisions.c.flag_id)
            .join(flags, flags.c.id == decisions.c.flag_id)
            .where(
                decisions.c.flag_id == appeals.c.flag_id,
                decisions.c.decided_at == appeals.c.decided_at,
                flags.c.status == Status.APPEALED,
            )
            .exists()
        )
        values = {
            "outcome": outcome,
            "answered_by_id": moderator_id,
            "answered_by_name": moderator_name,
            "answered_at": now,
            "reason": reason,
        }
        change = update(appeals).where(*this, appeals.c.outcome.is_(None), standing).values(values)

        async def work(connection: AsyncConnection) -> AppealResult:
            won = (await connection.execute(change)).rowcount == 1
            appeal = await _one(connection, this)
            if won and appeal is not None:
                await connection.execute(
                    update(flags)
                    .where(flags.c.id == appeal.flag_id)
                    .values(status=outcome, card_state=stale_card())
                )
                await connection.execute(
                    insert(flag_events),
                    event_values(
                        appeal.flag_id,
                        EventKind(outcome.value),
                        now,
                        by=(moderator_id, moderator_name),
                        note=reason,
                    ),
                )
            return AppealResult(won, appeal)

        return await self._database.write(work)

    async def of_flag(self, guild_id: str, flag_id: int) -> Appeal | None:
        """Return the latest appeal against what was decided on a flag."""
        found = await self._list(appeals.c.guild_id == guild_id, appeals.c.flag_id == flag_id)
        return found[-1] if found else None

    async def by(self, guild_id: str, member_id: str) -> list[Appeal]:
        """Return all appeals of a member, the oldest first."""
        return await self._list(appeals.c.guild_id == guild_id, appeals.c.member_id == member_id)

    async def waiting(self, guild_id: str) -> list[Appeal]:
        """Return the appeals that wait for an answer, the oldest first."""
        query = (
            select(appeals)
            .join(flags, flags.c.id == appeals.c.flag_id)
            .where(
                appeals.c.guild_id == guild_id,
                appeals.c.outcome.is_(None),
                flags.c.status == Status.APPEALED,
            )
            .order_by(appeals.c.id)
        )
        return [_appeal(row) for row in await self._database.rows(query)]

    async def _list(self, *where: ColumnElement[bool]) -> list[Appeal]:
        query = select(appeals).where(*where).order_by(appeals.c.id)
        return [_appeal(row) for row in await self._database.rows(query)]


async def _one(
    connection: AsyncConnection, where: tuple[ColumnElement[bool], ...]
) -> Appeal | None:
    row = (await connection.execute(select(appeals).where(*where))).mappings().one_or_none()
    return None if row is None else _appeal(row)


def _appeal(row: RowMapping) -> Appeal:
    values = dict(row)
    outcome = values.pop("outcome")
    return Appeal(**values, outcome=None if outcome is None else Status(outcome))
