"""Claiming and deciding: each a single conditional UPDATE, so that one moderator wins."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.comment import Action, Flag, Status
from bot.store.flag_batches import redraw_alike
from bot.store.flag_cards import stale_card
from bot.store.flag_log import FlagLog, has_part, in_guild, with_id
from bot.store.records import (
    OPEN_VALUES,
    ClaimResult,
    DecideResult,
    EventKind,
    event_values,
    parts_json,
)
from bot.store.schema import decisions, flag_events, flags


class FlagRulings(FlagLog):
    """What moderators do to flags. Every method raises `UnknownFlagError` for a wrong id."""

    async def claim(
        self, guild_id: str | None, flag_id: int, moderator_id: str, moderator_name: str
    ) -> ClaimResult:
        """Take an open flag, or one whose claim has lapsed; one's own claim is renewed."""
        now = self._now()

        async def work(connection: AsyncConnection) -> ClaimResult:
            before = await self._require(connection, guild_id, flag_id)
            won = await _change(
                connection,
                [in_guild(guild_id), with_id(flag_id), self._free_for(moderator_id)],
                {
                    "status": Status.CLAIMED,
                    "claimed_by_id": moderator_id,
                    "claimed_by_name": moderator_name,
                    "claimed_at": now,
                },
            )
            if won and before.claimed_by_id != moderator_id:
                await connection.execute(
                    insert(flag_events),
                    event_values(
                        flag_id, EventKind.CLAIMED, now, by=(moderator_id, moderator_name)
                    ),
                )
            return ClaimResult(won, await self._require(connection, guild_id, flag_id))

        return await self._database.write(work)

    async def release(
        self,
        guild_id: str | None,
        flag_id: int,
        moderator_id: str,
        moderator_name: str = "",
        *,
        force: bool = False,
    ) -> ClaimResult:
        """Give back a flag one has claimed; with `force` another's claim as well.

        `won` is false when there was no such claim.
        """
        now = self._now()

        async def work(connection: AsyncConnection) -> ClaimResult:
            before = await self._require(connection, guild_id, flag_id)
            owner = flags.c.claimed_by_id == moderator_id
            where = [flags.c.id == flag_id, flags.c.status == Status.CLAIMED]
            won = await _change(
                connection, [in_guild(guild_id), *where, *([] if force else [owner])], OPEN_VALUES
            )
            if won:
                by = (moderator_id, moderator_name or before.claimed_by_name or "")
                await connection.execute(
                    insert(flag_events), event_values(flag_id, EventKind.RELEASED, now, by=by)
                )
            return ClaimResult(won, await self._require(connection, guild_id, flag_id))

        return await self._database.write(work)

    async def decide(
        self,
        guild_id: str | None,
        flag_id: int,
        action: Action,
        moderator_id: str,
        moderator_name: str,
        *,
        reason: str = "",
        undo_for: timedelta | None = None,
    ) -> DecideResult:
        """Decide on a flag that is open, or claimed by this moderator, or lapsed.

        `undo_for` is how long the decision can be undone.
        """
        now = self._now()
        by = (moderator_id, moderator_name)

        async def work(connection: AsyncConnection) -> DecideResult:
            won = await _change(
                connection,
                [in_guild(guild_id), with_id(flag_id), self._free_for(moderator_id)],
                {
                    "status": Status.DECIDED,
                    "undo_until": None if undo_for is None else now + undo_for,
                },
            )
            if won:
                await connection.execute(
                    insert(decisions),
                    {
                        "flag_id": flag_id,
                        "action": action,
                        "moderator_id": moderator_id,
                        "moderator_name": moderator_name,
                        "decided_at": now,
                        "reason": reason,
                    },
                )
                await connection.execute(
                    insert(flag_events),
                    event_values(
                        flag_id, EventKind.DECIDED, now, by=by, action=action, note=reason
                    ),
                )
                await _redraw_alike(connection, flag_id)
            return DecideResult(won, await self._require(connection, guild_id, flag_id))

        return await self._database.write(work)

    async def reopen(
        self,
        guild_id: str | None,
        flag_id: int,
        moderator_id: str,
        moderator_name: str,
        *,
        note: str = "",
    ) -> Flag:
        """Open a decided flag again, such as when the action could not be carried out.

        The former decision stays in the story. A flag that is not decided is left alone.
        """
        now = self._now()

        async def work(connection: AsyncConnection) -> Flag:
            await self._require(connection, guild_id, flag_id)
            decided = flags.c.status.in_([each for each in Status if each.is_final])
            if await _change(connection, [flags.c.id == flag_id, decided], OPEN_VALUES):
                await connection.execute(delete(decisions).where(decisions.c.flag_id == flag_id))
                by = (moderator_id, moderator_name)
                await connection.execute(
                    insert(flag_events),
                    event_values(flag_id, EventKind.REOPENED, now, by=by, note=note),
                )
            return await self._require(connection, guild_id, flag_id)

        return await self._database.write(work)

    async def note(
        self,
        guild_id: str | None,
        flag_id: int,
        text: str,
        moderator_id: str = "",
        moderator_name: str = "",
        kind: EventKind = EventKind.NOTED,
    ) -> None:
        """Add a line to a flag's story, such as how an action went."""
        values = event_values(
            flag_id, kind, self._now(), by=(moderator_id, moderator_name), note=text
        )

        async def work(connection: AsyncConnection) -> None:
            await self._require(connection, guild_id, flag_id)
            await connection.execute(insert(flag_events), values)
            await _change(connection, [flags.c.id == flag_id], {})

        await self._database.write(work)

    async def gone(
        self, guild_id: str, message_id: str, by_id: str = "", by_name: str = ""
    ) -> Flag | None:
        """Record that the message of an undecided flag has disappeared, and by whom if known.

        A flag for several messages is gone once all of them are.

        Returns:
            The flag, None if the message has no undecided one.
        """
        now = self._now()

        async def work(connection: AsyncConnection) -> Flag | None:
            flag = await self._load_one(
                connection,
                flags.c.guild_id == guild_id,
                or_(flags.c.message_id == message_id, has_part(guild_id, message_id)),
                flags.c.status.in_((Status.OPEN, Status.CLAIMED)),
            )
            if flag is None:
                return None
            parts = tuple(
                replace(part, gone=part.gone or part.message_id == message_id)
                for part in flag.comment.parts
            )
            left = any(part.message_id is not None and not part.gone for part in parts)
            values: dict[str, Any] = {"parts": parts_json(parts)}
            values |= {} if left else {"gone_at": flag.gone_at or now}
            if by_id:
                values |= {"gone_by_id": by_id, "gone_by_name": by_name}
            await _change(connection, [flags.c.id == flag.id], values)
            if flag.gone_at is None and not left:
                await connection.execute(
                    insert(flag_events),
                    event_values(flag.id, EventKind.GONE, now, by=(by_id, by_name)),
                )
            return await self._require(connection, guild_id, flag.id)

        return await self._database.write(work)

    async def gone_with(self, guild_id: str, channel_id: str) -> list[Flag]:
        """Record that a channel, or a thread, is gone with the messages of its undecided flags.

        Returns:
            Those flags.
        """
        now = self._now()
        lost = (
            flags.c.guild_id == guild_id,
            or_(flags.c.channel_id == channel_id, flags.c.parent_id == channel_id),
            flags.c.status.in_((Status.OPEN, Status.CLAIMED)),
            flags.c.gone_at.is_(None),
        )

        async def work(connection: AsyncConnection) -> list[Flag]:
            ids = [flag.id for flag in await self._load(connection, lost)]
            for flag_id in ids:
                await _change(connection, [flags.c.id == flag_id], {"gone_at": now})
                await connection.execute(
                    insert(flag_events), event_values(flag_id, EventKind.GONE, now)
                )
            return await self._load(connection, [flags.c.id.in_(ids)])

        return await self._database.write(work)

    def _free_for(self, moderator_id: str) -> ColumnElement[bool]:
        mine_or_lapsed = or_(
            flags.c.claimed_by_id == moderator_id, flags.c.claimed_at < self._lapsed()
        )
        return or_(
            flags.c.status == Status.OPEN, and_(flags.c.status == Status.CLAIMED, mine_or_lapsed)
        )


async def _redraw_alike(connection: AsyncConnection, flag_id: int) -> None:
    query = select(flags.c.guild_id, flags.c.text_index, flags.c.created_at).where(
        flags.c.id == flag_id, flags.c.text_index.is_not(None)
    )
    for row in (await connection.execute(query)).all():
        await redraw_alike(connection, row.guild_id, row.text_index, row.created_at)


async def _change(
    connection: AsyncConnection, where: list[ColumnElement[bool]], values: dict[str, Any]
) -> bool:
    change = update(flags).where(*where).values(values | {"card_state": stale_card()})
    return (await connection.execute(change)).rowcount == 1
