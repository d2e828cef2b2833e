"""Flags counted by the database: no flag is read one by one, and no text is decrypted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlalchemy import Select, and_, case, exists, func, not_, select, union_all
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.comment import Level, Status
from bot.store.dialects import epoch
from bot.store.engine import Database
from bot.store.schema import decisions, flag_people, flags

SLOT: Final = timedelta(minutes=15)
"""Flags are counted by quarters of an hour: they hold the borders of every zone's hours."""

_SLOT_SECONDS: Final = int(SLOT.total_seconds())
_MEMBER_ALONE = and_(flags.c.member_flagged, not_(flags.c.flagged))
_LEVEL = case(
    (and_(_MEMBER_ALONE, flags.c.level < int(Level.HOSTILE)), int(Level.HOSTILE)),
    else_=flags.c.level,
)


@dataclass(frozen=True, slots=True)
class FlagFigures:
    """What was flagged in a span, by when the messages were posted, and what became of it.

    Attributes:
        slots: how many flags of a level were posted in the quarter of an hour that begins then.
        people: at whom, with how many flags; the most first.
        others: how many times further people were meant.
        members: how many flags were for an attack on a member.
        decisions: how the flags ended, by the decision's name.
        statuses: how the flags stand, by the status' name.
        times: seconds from flag to decision that half and nine tenths stayed within; None
            without a decision.
        waiting: how many flags of the guild, of any time, are undecided, by the first of the
            ages asked for that they are younger than (its place; the last is older than all).
    """

    slots: dict[tuple[datetime, int], int]
    people: tuple[tuple[str, int], ...]
    others: int
    members: int
    decisions: Counter[str]
    statuses: Counter[str]
    times: tuple[float, float] | None
    waiting: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ruled:
    """A decided flag: its score, and the names of its decision and of its status."""

    score: float
    action: str
    status: str


class Figures:
    """Counts flags."""

    def __init__(self, database: Database) -> None:
        """Count in this database."""
        self._database = database

    async def of(
        self,
        guild_id: str,
        since: datetime,
        until: datetime,
        *,
        now: datetime,
        ages: Sequence[timedelta],
        people: int = 10,
    ) -> FlagFigures:
        """Count a guild's flags.

        Args:
            guild_id: whose.
            since: posted at this moment or later.
            until: posted before this moment.
            now: the moment that ages are counted to.
            ages: borders of the ages of what is undecided, rising.
            people: how many people to name.
        """
        span = and_(
            flags.c.guild_id == guild_id, flags.c.created_at >= since, flags.c.created_at < until
        )

        async def work(connection: AsyncConnection) -> FlagFigures:
            named, others = await _people(connection, span, people)
            members = select(func.count()).where(span, flags.c.member_flagged)
            ended = (
                select(decisions.c.action, func.count())
                .join(flags, flags.c.id == decisions.c.flag_id)
                .where(span)
                .group_by(decisions.c.action)
            )
            stand = select(flags.c.status, func.count()).where(span).group_by(flags.c.status)
            return FlagFigures(
                slots=await _slots(connection, span),
                people=named,
                others=others,
                members=await connection.scalar(members) or 0,
                decisions=await _counter(connection, ended),
                statuses=await _counter(connection, stand),
                times=await _times(connection, span),
                waiting=await _waiting(connection, guild_id, now, ages),
            )

        return await self._database.read(work)

    async def ruled(self, guild_id: str, model: str) -> list[Ruled]:
        """Return a guild's decided flags for people discussed, as one model scored them.

        Of a text that several members posted, one counts: the first.
        """
        alike = func.coalesce(flags.c.text_index, flags.c.message_id)
        first = select(func.min(flags.c.id)).where(
            flags.c.guild_id == guild_id, flags.c.model == model, flags.c.flagged
        )
        query = (
            select(flags.c.score, decisions.c.action, flags.c.status)
            .join(decisions, decisions.c.flag_id == flags.c.id)
            .where(flags.c.id.in_(first.group_by(alike)))
            .order_by(flags.c.id)
        )
        return [Ruled(**row) for row in await self._database.rows(query)]


async def _counter(connection: AsyncConnection, query: Select[Any]) -> Counter[str]:
    return Counter({str(name): number for name, number in await connection.execute(query)})


async def _slots(connection: AsyncConnection, span: Any) -> dict[tuple[datetime, int], int]:  # noqa: ANN401
    slot = (epoch(flags.c.created_at) // _SLOT_SECONDS).label("slot")
    level = _LEVEL.label("shown")
    query = select(slot, level, func.count()).where(span).group_by("slot", "shown").order_by(slot)
    return {
        (datetime.fromtimestamp(begins * _SLOT_SECONDS, UTC), of_level): number
        for begins, of_level, number in await connection.execute(query)
    }


async def _people(
    connection: AsyncConnection,
    span: Any,  # noqa: ANN401
    most: int,
) -> tuple[tuple[tuple[str, int], ...], int]:
    meant = and_(flag_people.c.flag_id == flags.c.id, flag_people.c.flagged)
    of_roster = select(flag_people.c.name_index.label("who")).join(flags, meant).where(span)
    further = select(flags.c.target_index.label("who")).where(
        span, flags.c.flagged, flags.c.target_index.is_not(None), not_(exists().where(meant))
    )
    each = union_all(of_roster, further).subquery()
    counted = select(each.c.who, func.count().label("number")).group_by(each.c.who)
    top = (
        await connection.execute(counted.order_by(func.count().desc(), each.c.who).limit(most))
    ).all()
    total = await connection.scalar(select(func.count()).select_from(each)) or 0
    named = tuple([(await _name(connection, span, who), number) for who, number in top])
    return named, total - sum(number for _, number in top)


async def _name(connection: AsyncConnection, span: Any, who: str) -> str:  # noqa: ANN401
    of_roster = (
        select(flag_people.c.name)
        .join(flags, flags.c.id == flag_people.c.flag_id)
        .where(span, flag_people.c.name_index == who)
        .limit(1)
    )
    name = await connection.scalar(of_roster)
    if name is None:
        target = select(flags.c.target).where(span, flags.c.target_index == who).limit(1)
        name = await connection.scalar(target)
    return name or ""


async def _times(connection: AsyncConnection, span: Any) -> tuple[float, float] | None:  # noqa: ANN401
    taken = (epoch(decisions.c.decided_at) - epoch(flags.c.flagged_at)).label("taken")
    query = select(taken).join(flags, flags.c.id == decisions.c.flag_id).where(span)
    number = await connection.scalar(select(func.count()).select_from(query.subquery())) or 0
    if not number:
        return None
    half, nine_tenths = [
        await connection.scalar(query.order_by(taken).limit(1).offset(-(-number * part // 10) - 1))
        for part in (5, 9)
    ]
    return float(half or 0), float(nine_tenths or 0)


async def _waiting(
    connection: AsyncConnection, guild_id: str, now: datetime, ages: Sequence[timedelta]
) -> tuple[int, ...]:
    bucket = case(
        *((flags.c.flagged_at > now - age, place) for place, age in enumerate(ages)),
        else_=len(ages),
    ).label("bucket")
    query = (
        select(bucket, func.count().label("number"))
        .where(
            flags.c.guild_id == guild_id,
            flags.c.status.in_([Status.OPEN.value, Status.CLAIMED.value]),
        )
        .group_by("bucket")
    )
    found = {row.bucket: row.number for row in await connection.execute(query)}
    return tuple(found.get(place, 0) for place in range(len(ages) + 1))
