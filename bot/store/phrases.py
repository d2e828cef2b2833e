"""Phrases that are affection in a guild, whatever they say elsewhere."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.errors import UserError
from bot.store.crypto import Cipher
from bot.store.engine import Database
from bot.store.schema import guild_phrases
from bot.words import _

MOST_PHRASES = 100
LONGEST_PHRASE = 80


class Phrases:
    """Reads and writes the phrases of each guild, in the order they were added."""

    def __init__(self, database: Database, cipher: Cipher, changed: Callable[[str], None]) -> None:
        """Use `database`, and tell `changed` which guild's phrases were written."""
        self._database = database
        self._cipher = cipher
        self._changed = changed

    async def of(self, guild_id: str) -> tuple[str, ...]:
        """Return the phrases of a guild."""
        return await self._database.read(lambda connection: _of(connection, guild_id))

    async def add(self, guild_id: str, phrase: str) -> str:
        """Add a phrase, and return it as it is kept: in one line, with single spaces.

        Raises:
            UserError: it is blank, too long, known already, or one too many.
        """
        kept = " ".join(phrase.split())
        if not kept:
            raise UserError(_("A phrase needs a word, such as “our clown”."))
        if len(kept) > LONGEST_PHRASE:
            raise UserError(
                _(
                    "That phrase has {count} characters, and {most} are the most. Give its "
                    "telling words alone."
                ).format(count=len(kept), most=LONGEST_PHRASE)
            )
        index = self._cipher.blind_index(kept)

        async def work(connection: AsyncConnection) -> None:
            known = await _of(connection, guild_id)
            if index in map(self._cipher.blind_index, known):
                raise UserError(_("“{phrase}” is on the list already.").format(phrase=kept))
            if len(known) >= MOST_PHRASES:
                raise UserError(
                    _("The list has {count} phrases, which is the most. Remove one first.").format(
                        count=MOST_PHRASES
                    )
                )
            values = {"guild_id": guild_id, "phrase": kept, "phrase_index": index}
            await connection.execute(insert(guild_phrases), values)

        await self._database.write(work)
        self._changed(guild_id)
        return kept

    async def remove(self, guild_id: str, phrase: str) -> bool:
        """Remove a phrase, whatever its case and spaces; false if there was none."""
        statement = delete(guild_phrases).where(
            guild_phrases.c.guild_id == guild_id,
            guild_phrases.c.phrase_index == self._cipher.blind_index(phrase),
        )
        removed = await self._database.execute(statement) > 0
        self._changed(guild_id)
        return removed


async def _of(connection: AsyncConnection, guild_id: str) -> tuple[str, ...]:
    query = (
        select(guild_phrases.c.phrase)
        .where(guild_phrases.c.guild_id == guild_id)
        .order_by(guild_phrases.c.id)
    )
    return tuple((await connection.execute(query)).scalars())
