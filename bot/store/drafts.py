"""What an administrator has chosen in /setup so far; nothing of it holds before it is saved."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from sqlalchemy import ColumnElement, delete, select

from bot.store.engine import Database
from bot.store.schema import setup_drafts
from bot.store.upsert import insert_or


@dataclass(frozen=True, slots=True)
class SetupDraft:
    """The choices of one walk through /setup.

    `preset` is the name of a strictness, None to leave the threshold as it is.
    `shadow` asks for shadow mode from the moment it is saved.
    """

    watched_channel_ids: tuple[str, ...] = ()
    mod_channel_id: str | None = None
    moderator_role_ids: tuple[str, ...] = ()
    preset: str | None = None
    shadow: bool = False


class Drafts:
    """At most one draft for each member of a guild."""

    def __init__(self, database: Database) -> None:
        """Use `database`."""
        self._database = database

    async def get(self, guild_id: str, member_id: str) -> SetupDraft | None:
        """Return a member's draft, None if there is none."""
        query = select(setup_drafts.c.draft).where(*_of(guild_id, member_id))
        rows = await self._database.rows(query)
        if not rows:
            return None
        found = dict(rows[0]["draft"])
        for name in ("watched_channel_ids", "moderator_role_ids"):
            found[name] = tuple(found[name])
        return SetupDraft(**found)

    async def put(self, guild_id: str, member_id: str, draft: SetupDraft) -> None:
        """Keep a member's draft in place of an earlier one."""
        statement = insert_or(setup_drafts).values(
            guild_id=guild_id, member_id=member_id, draft=asdict(draft)
        )
        statement = statement.on_conflict_do_update(
            index_elements=["guild_id", "member_id"], set_={"draft": statement.excluded.draft}
        )
        await self._database.execute(statement)

    async def drop(self, guild_id: str, member_id: str) -> None:
        """Forget a member's draft."""
        await self._database.execute(delete(setup_drafts).where(*_of(guild_id, member_id)))


def _of(guild_id: str, member_id: str) -> tuple[ColumnElement[bool], ...]:
    return (setup_drafts.c.guild_id == guild_id, setup_drafts.c.member_id == member_id)
