"""The outbox of cards: which flags still need one, and where the posted ones are."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import ColumnElement, case, func, literal, select, update

from bot.comment import Flag, Status
from bot.store.flag_log import FlagLog, in_guild
from bot.store.records import CardState
from bot.store.schema import flags

_IN_DIGEST = (CardState.DIGEST, CardState.STALE_DIGEST)


def stale_card() -> ColumnElement[str]:
    """Return a flag's new card state when what a posted card shows has changed."""
    shown = flags.c.card_state.in_([CardState.POSTED, CardState.STALE])
    return case(
        (shown, literal(CardState.STALE.value)),
        (flags.c.card_state.in_(_IN_DIGEST), literal(CardState.STALE_DIGEST.value)),
        else_=flags.c.card_state,
    )


class CardOutbox(FlagLog):
    """Cards to post and to refresh. A card is posted once and afterwards edited."""

    async def pending_cards(
        self, guild_id: str | None = None, *, limit: int | None = None
    ) -> list[Flag]:
        """Return the flags that were never shown, the oldest first."""
        return await self._in_state(guild_id, CardState.PENDING, limit)

    async def stale_cards(
        self, guild_id: str | None = None, *, limit: int | None = None
    ) -> list[Flag]:
        """Return the flags that changed after their card was posted or last edited.

        Whatever changed them: an edited message, a button, another program. Edit the
        card and then call `card_posted` with the same message.
        """
        return await self._in_state(guild_id, CardState.STALE, limit)

    async def stale_digests(self, guild_id: str) -> list[Flag]:
        """Return the flags that changed after the digest that lists them was last edited.

        Edit the digest and then call `digest_shown`.
        """
        return await self._in_state(guild_id, CardState.STALE_DIGEST, None)

    async def lapse_claims(self, guild_id: str) -> timedelta | None:
        """Open the flags whose claims have lapsed, so that their cards are stale.

        Returns:
            How long until the next claim lapses, None if nothing is claimed.
        """
        claimed = [in_guild(guild_id), flags.c.status == Status.CLAIMED]
        query = select(func.min(flags.c.claimed_at).label("oldest")).where(*claimed)
        oldest = (await self._database.rows(query))[0]["oldest"]
        if oldest is not None and oldest < self._lapsed():
            change = (
                update(flags)
                .where(*claimed, flags.c.claimed_at < self._lapsed())
                .values(status=Status.OPEN, card_state=stale_card())
            )
            await self._database.execute(change)
            oldest = (await self._database.rows(query))[0]["oldest"]
        return None if oldest is None else oldest - self._lapsed()

    async def lapse_undos(self, guild_id: str) -> timedelta | None:
        """Note which decisions can no longer be undone, so that their cards are stale.

        Returns:
            How long until the next one cannot, None if there is none.
        """
        undoable = [in_guild(guild_id), flags.c.undo_until.is_not(None)]
        query = select(func.min(flags.c.undo_until).label("next")).where(*undoable)
        until = (await self._database.rows(query))[0]["next"]
        if until is not None and until <= self._now():
            change = (
                update(flags)
                .where(*undoable, flags.c.undo_until <= self._now())
                .values(undo_until=None, card_state=stale_card())
            )
            await self._database.execute(change)
            until = (await self._database.rows(query))[0]["next"]
        return None if until is None else until - self._now()

    async def digest_shown(self, guild_id: str, card_message_id: str) -> None:
        """Record that a digest shows its flags as they are now, or is gone."""
        change = (
            update(flags)
            .where(
                in_guild(guild_id),
                flags.c.card_message_id == card_message_id,
                flags.c.card_state == CardState.STALE_DIGEST,
            )
            .values(card_state=CardState.DIGEST)
        )
        await self._database.execute(change)

    async def card_posted(
        self, flag_id: int, channel_id: str, message_id: str, *, digest: bool = False
    ) -> None:
        """Record that a flag's card, or the digest it is listed in, shows it as it is now."""
        state = CardState.DIGEST if digest else CardState.POSTED
        change = (
            update(flags)
            .where(flags.c.id == flag_id)
            .values(card_state=state, card_channel_id=channel_id, card_message_id=message_id)
        )
        await self._database.execute(change)

    async def card_lost(self, flag_id: int) -> None:
        """Put a flag back in the outbox: its card was deleted or could not be posted."""
        change = (
            update(flags)
            .where(flags.c.id == flag_id)
            .values(card_state=CardState.PENDING, card_channel_id=None, card_message_id=None)
        )
        await self._database.execute(change)

    async def no_card(self, flag_id: int) -> None:
        """Take a flag out of the outbox for good."""
        change = update(flags).where(flags.c.id == flag_id).values(card_state=CardState.NONE)
        await self._database.execute(change)

    async def by_card(self, guild_id: str, card_message_id: str) -> Flag | None:
        """Return the flag whose own card this message is, None if it is no such card."""
        return await self._one(
            in_guild(guild_id),
            flags.c.card_message_id == card_message_id,
            flags.c.card_state.not_in(_IN_DIGEST),
        )

    async def in_digest(self, guild_id: str, card_message_id: str) -> list[Flag]:
        """Return the flags that a digest card lists, the gravest first."""
        where = [
            in_guild(guild_id),
            flags.c.card_message_id == card_message_id,
            flags.c.card_state.in_(_IN_DIGEST),
        ]
        return await self._database.read(
            lambda connection: self._load(connection, where, "strongest")
        )

    async def _in_state(
        self, guild_id: str | None, state: CardState, limit: int | None
    ) -> list[Flag]:
        where = [in_guild(guild_id), flags.c.card_state == state]
        return await self._database.read(
            lambda connection: self._load(connection, where, "oldest", limit)
        )
