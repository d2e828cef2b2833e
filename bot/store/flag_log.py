"""Reading flags: one by one, filtered and in pages, each with its whole story."""

from __future__ import annotations

import builtins
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, TypedDict, Unpack

from sqlalchemy import (
    ColumnElement,
    RowMapping,
    Select,
    and_,
    case,
    exists,
    false,
    func,
    not_,
    or_,
    select,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.comment import Flag, Level, Status
from bot.store.crypto import Cipher, folded
from bot.store.dialects import greatest, json_strings
from bot.store.engine import Database
from bot.store.errors import UnknownFlagError
from bot.store.records import Event, FlagPage, Revision, event_of, flag_of, revision_of
from bot.store.schema import (
    decisions,
    flag_events,
    flag_messages,
    flag_people,
    flag_revisions,
    flags,
)

Order = Literal["newest", "oldest", "strongest"]

_DECISION_COLUMNS = [column for column in decisions.c if column.name != "flag_id"]
_TOWARD_PERSON = flags.c.level * flags.c.score
_TOWARD_MEMBER = case((flags.c.member_flagged, int(Level.HOSTILE) * flags.c.member_score), else_=0)
_SEVERITY = greatest(_TOWARD_PERSON, _TOWARD_MEMBER)
_AT_MEMBER_ALONE = and_(flags.c.member_flagged, not_(flags.c.flagged))
_SHOWN_LEVEL = case(
    (_AT_MEMBER_ALONE, greatest(flags.c.level, int(Level.HOSTILE))), else_=flags.c.level
)
_MANY = 500
_LARGEST_ID = 2**63 - 1


class Filters(TypedDict, total=False):
    """What flags to look for. None, or leaving a filter out, means any.

    Attributes:
        status: one status, or several.
        person: someone the message was flagged for: a roster name or the words of the
            target, or any part of either, in any case.
        author_id: who posted the message.
        author: the same by id or by the name it was posted under, in any case.
        level: how hostile it is to a person; an attack on a member counts as hostile.
        moderator_id: who has taken the flag or decided on it.
        claimed_by_id: whose claim on it stands.
        since: posted at this moment or later.
        until: posted before this moment.
    """

    status: Status | Sequence[Status] | None
    person: str | None
    author_id: str | None
    author: str | None
    level: Level | None
    moderator_id: str | None
    claimed_by_id: str | None
    since: datetime | None
    until: datetime | None


class FlagLog:
    """Reads flags. `guild_id` None means every guild: for the operator's own command line."""

    def __init__(
        self,
        database: Database,
        cipher: Cipher,
        claim_lapse: timedelta,
        now: Callable[[], datetime],
    ) -> None:
        """Read from `database`; claims older than `claim_lapse` count as released."""
        self._database = database
        self._cipher = cipher
        self._claim_lapse = claim_lapse
        self._now = now

    async def get(self, guild_id: str | None, flag_id: int) -> Flag | None:
        """Return one flag, None if this guild has no such flag."""
        return await self._one(in_guild(guild_id), with_id(flag_id))

    async def get_by_message(self, guild_id: str, message_id: str) -> Flag | None:
        """Return the flag of a message, None if it has none."""
        return await self._one(in_guild(guild_id), flags.c.message_id == message_id)

    async def by_part(self, guild_id: str, message_id: str) -> Flag | None:
        """Return the flag of a run that a message is part of, None if there is none."""
        return await self._one(flags.c.guild_id == guild_id, has_part(guild_id, message_id))

    async def with_flags(self, guild_id: str, message_ids: Sequence[str]) -> set[str]:
        """Return those of a few messages that have a flag, their own or as part of a run."""
        own = select(flags.c.message_id).where(
            flags.c.guild_id == guild_id, flags.c.message_id.in_(message_ids)
        )
        part = select(flag_messages.c.message_id).where(
            flag_messages.c.guild_id == guild_id, flag_messages.c.message_id.in_(message_ids)
        )
        rows = (*await self._database.rows(own), *await self._database.rows(part))
        return {row["message_id"] for row in rows}

    async def list(
        self,
        guild_id: str | None,
        *,
        order: Order = "newest",
        limit: int | None = 50,
        offset: int = 0,
        **filters: Unpack[Filters],
    ) -> builtins.list[Flag]:
        """Return the flags that match every filter given.

        Args:
            guild_id: whose flags.
            order: by when the message was posted; or the gravest first ("strongest"), by
                level times score. An attack on a member counts as hostile, level 2.
            limit: how many at most; None for all.
            offset: how many to leave out first.
            filters: see `Filters`.
        """

        async def work(connection: AsyncConnection) -> builtins.list[Flag]:
            where = await self._conditions(connection, guild_id, filters)
            return await self._load(connection, where, order, limit, offset)

        return await self._database.read(work)

    async def count(self, guild_id: str | None, **filters: Unpack[Filters]) -> int:
        """Return how many flags match every filter given."""

        async def work(connection: AsyncConnection) -> int:
            return await _count(connection, await self._conditions(connection, guild_id, filters))

        return await self._database.read(work)

    async def log(
        self,
        guild_id: str | None,
        *,
        order: Order = "newest",
        limit: int | None = 50,
        offset: int = 0,
        **filters: Unpack[Filters],
    ) -> FlagPage:
        """Return a page as `list` does, and the number of all matches at that moment."""

        async def work(connection: AsyncConnection) -> FlagPage:
            where = await self._conditions(connection, guild_id, filters)
            page = await self._load(connection, where, order, limit, offset)
            return FlagPage(tuple(page), await _count(connection, where))

        return await self._database.read(work)

    async def endings(self, guild_id: str, author_id: str) -> Counter[str]:
        """Count a member's flags by how they were decided, undecided ones as "open"."""
        columns: builtins.list[ColumnElement[Any]] = [
            func.coalesce(decisions.c.action, Status.OPEN.value).label("ending"),
            func.count().label("number"),
        ]
        query = (
            select(*columns)
            .select_from(flags)
            .outerjoin(decisions, decisions.c.flag_id == flags.c.id)
            .where(in_guild(guild_id), flags.c.author_id == author_id)
            .group_by("ending")
        )
        rows = await self._database.rows(query)
        return Counter({row["ending"]: row["number"] for row in rows})

    async def guild_ids(self) -> builtins.list[str]:
        """Return the guilds that have flags."""
        query = select(flags.c.guild_id).distinct().order_by(flags.c.guild_id)
        return [row["guild_id"] for row in await self._database.rows(query)]

    async def story(self, guild_id: str | None, flag_id: int) -> builtins.list[Event]:
        """Return every step of a flag's life, the first one first."""
        return (await self.stories(guild_id, [flag_id]))[flag_id]

    async def stories(
        self, guild_id: str | None, flag_ids: Sequence[int]
    ) -> dict[int, builtins.list[Event]]:
        """Return the stories of several flags by their ids."""
        found: dict[int, builtins.list[Event]] = {flag_id: [] for flag_id in flag_ids}
        for start in range(0, len(flag_ids), _MANY):
            query = (
                select(flag_events)
                .join(flags, flags.c.id == flag_events.c.flag_id)
                .where(in_guild(guild_id), flags.c.id.in_(flag_ids[start : start + _MANY]))
                .order_by(flag_events.c.id)
            )
            for row in await self._database.rows(query):
                found[row["flag_id"]].append(event_of(row))
        return found

    async def revisions(self, guild_id: str | None, flag_id: int) -> builtins.list[Revision]:
        """Return every known wording of a flagged message, the first one first."""
        query = (
            select(flag_revisions)
            .join(flags, flags.c.id == flag_revisions.c.flag_id)
            .where(in_guild(guild_id), flags.c.id == flag_id)
            .order_by(flag_revisions.c.number)
        )
        return [revision_of(row) for row in await self._database.rows(query)]

    async def _require(
        self, connection: AsyncConnection, guild_id: str | None, flag_id: int
    ) -> Flag:
        flag = await self._load_one(connection, in_guild(guild_id), with_id(flag_id))
        if flag is None:
            raise UnknownFlagError(flag_id)
        return flag

    async def _one(self, *where: ColumnElement[bool]) -> Flag | None:
        return await self._database.read(lambda connection: self._load_one(connection, *where))

    async def _load_one(
        self, connection: AsyncConnection, *where: ColumnElement[bool]
    ) -> Flag | None:
        found = await self._load(connection, where, "newest", 1, 0)
        return found[0] if found else None

    async def _load(
        self,
        connection: AsyncConnection,
        where: Sequence[ColumnElement[bool]],
        order: Order = "newest",
        limit: int | None = None,
        offset: int = 0,
    ) -> builtins.list[Flag]:
        query = (
            _ordered(select(flags, *_DECISION_COLUMNS), order)
            .outerjoin(decisions, decisions.c.flag_id == flags.c.id)
            .where(*where)
            .limit(limit)
            .offset(offset)
        )
        rows = (await connection.execute(query)).mappings().all()
        people = await _people_of(connection, [row["id"] for row in rows])
        lapsed = self._lapsed()
        return [flag_of(row, people[row["id"]], lapsed) for row in rows]

    def _lapsed(self) -> datetime:
        return self._now() - self._claim_lapse

    async def _conditions(
        self, connection: AsyncConnection, guild_id: str | None, filters: Filters
    ) -> builtins.list[ColumnElement[bool]]:
        where = [in_guild(guild_id)]
        if (status := filters.get("status")) is not None:
            wanted = [status] if isinstance(status, Status) else status
            where.append(or_(false(), *(self._has_status(one) for one in wanted)))
        if (person := filters.get("person")) is not None:
            where.append(await _about(connection, guild_id, person))
        if (author_id := filters.get("author_id")) is not None:
            where.append(flags.c.author_id == author_id)
        if (author := filters.get("author")) is not None:
            index = self._cipher.blind_index(author)
            where.append(or_(flags.c.author_id == author, flags.c.author_index == index))
        if (level := filters.get("level")) is not None:
            where.append(_SHOWN_LEVEL.in_([int(level)]))
        if (moderator_id := filters.get("moderator_id")) is not None:
            ruling = decisions.alias()
            decided = exists().where(
                ruling.c.flag_id == flags.c.id, ruling.c.moderator_id == moderator_id
            )
            where.append(or_(decided, self._claimed_by(moderator_id)))
        if (claimed_by_id := filters.get("claimed_by_id")) is not None:
            where.append(self._claimed_by(claimed_by_id))
        if (since := filters.get("since")) is not None:
            where.append(flags.c.created_at >= since)
        if (until := filters.get("until")) is not None:
            where.append(flags.c.created_at < until)
        return where

    def _claimed_by(self, moderator_id: str) -> ColumnElement[bool]:
        return and_(self._has_status(Status.CLAIMED), flags.c.claimed_by_id == moderator_id)

    def _has_status(self, status: Status) -> ColumnElement[bool]:
        lapsed = and_(flags.c.status == Status.CLAIMED, flags.c.claimed_at < self._lapsed())
        match status:
            case Status.OPEN:
                return or_(flags.c.status == Status.OPEN, lapsed)
            case Status.CLAIMED:
                return and_(flags.c.status == Status.CLAIMED, flags.c.claimed_at >= self._lapsed())
            case _:
                return flags.c.status == status


def in_guild(guild_id: str | None) -> ColumnElement[bool]:
    """Return the condition that a flag is of this guild, or of any for None."""
    return flags.c.id.is_not(None) if guild_id is None else flags.c.guild_id == guild_id


def has_part(guild_id: str, message_id: str) -> ColumnElement[bool]:
    """Return the condition that a flag's text was said in several messages, this among them."""
    return flags.c.id.in_(
        select(flag_messages.c.flag_id).where(
            flag_messages.c.guild_id == guild_id, flag_messages.c.message_id == message_id
        )
    )


def with_id(flag_id: int) -> ColumnElement[bool]:
    """Return the condition that a flag has this id; one that SQLite cannot hold is no flag's."""
    return flags.c.id == flag_id if abs(flag_id) <= _LARGEST_ID else false()


def _ordered(query: Select[Any], order: Order) -> Select[Any]:
    match order:
        case "newest":
            return query.order_by(flags.c.created_at.desc(), flags.c.id.desc())
        case "oldest":
            return query.order_by(flags.c.created_at, flags.c.id)
        case "strongest":
            return query.order_by(_SEVERITY.desc(), flags.c.id)


async def _about(
    connection: AsyncConnection, guild_id: str | None, part: str
) -> ColumnElement[bool]:
    """Return the condition that a flag is for someone whose name has this part.

    Names are encrypted, so the different ones are looked through here and then found by
    their blind indexes.
    """
    names = [
        select(flag_people.c.name_index, func.max(flag_people.c.name))
        .join(flags, flags.c.id == flag_people.c.flag_id)
        .where(in_guild(guild_id))
        .group_by(flag_people.c.name_index),
        select(flags.c.target_index, flags.c.target).where(
            flags.c.id.in_(
                select(func.min(flags.c.id))
                .where(in_guild(guild_id), flags.c.target_index.is_not(None))
                .group_by(flags.c.target_index)
            )
        ),
    ]
    wanted = folded(part)
    found = sorted(
        {
            index
            for query in names
            for index, name in await connection.execute(query)
            if wanted in folded(name)
        }
    )
    matching = select(json_strings(json.dumps(found)).table_valued("value").c.value)
    in_roster = exists().where(
        flag_people.c.flag_id == flags.c.id,
        flag_people.c.name_index.in_(matching),
        flag_people.c.flagged,
    )
    return or_(flags.c.target_index.in_(matching), in_roster)


async def _count(connection: AsyncConnection, where: Sequence[ColumnElement[bool]]) -> int:
    query = select(func.count()).select_from(flags).where(*where)
    return int((await connection.execute(query)).scalar_one())


async def _people_of(
    connection: AsyncConnection, flag_ids: Sequence[int]
) -> dict[int, list[RowMapping]]:
    people: dict[int, list[RowMapping]] = defaultdict(list)
    for start in range(0, len(flag_ids), _MANY):
        query = (
            select(flag_people)
            .where(flag_people.c.flag_id.in_(flag_ids[start : start + _MANY]))
            .order_by(flag_people.c.flag_id, flag_people.c.position)
        )
        for row in (await connection.execute(query)).mappings():
            people[row["flag_id"]].append(row)
    return people


def utc_now() -> datetime:
    """Return the present moment."""
    return datetime.now(UTC)
