"""What single channels set for themselves, and the roles whose messages are not read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass

from sqlalchemy import RowMapping, delete, select

from bot.store.engine import Database
from bot.store.schema import channel_settings, exempt_roles
from bot.store.upsert import insert_or


@dataclass(frozen=True, slots=True)
class ChannelSettings:
    """How one watched channel differs from its server.

    `threshold` None follows the server's; `threshold_share` is the share of ordinary messages
    that it queues, as `threshold_model` counts. `people` are the names of the roster that
    matter here; empty means all.
    """

    guild_id: str
    channel_id: str
    threshold: float | None = None
    people: tuple[str, ...] = ()
    threshold_share: float | None = None
    threshold_model: str | None = None


_KEY = ("guild_id", "channel_id")


class Channels:
    """Reads and writes the settings of channels."""

    def __init__(self, database: Database, changed: Callable[[str], None]) -> None:
        """Use `database`, and tell `changed` which guild was written."""
        self._database = database
        self._changed = changed

    async def all(self, guild_id: str) -> dict[str, ChannelSettings]:
        """Return the channels of a guild that differ from it, by id."""
        query = select(channel_settings).where(channel_settings.c.guild_id == guild_id)
        found = [_settings_of(row) for row in await self._database.rows(query)]
        return {each.channel_id: each for each in found}

    async def put(self, settings: ChannelSettings) -> None:
        """Write a channel's settings whole; those that differ in nothing are dropped."""
        if settings.threshold is None and not settings.people:
            await self.remove(settings.guild_id, settings.channel_id)
            return
        values = asdict(settings) | {"people": list(settings.people)}
        statement = insert_or(channel_settings).values(values)
        statement = statement.on_conflict_do_update(
            index_elements=["guild_id", "channel_id"],
            set_={name: statement.excluded[name] for name in values if name not in _KEY},
        )
        await self._database.execute(statement)
        self._changed(settings.guild_id)

    async def remove(self, guild_id: str, channel_id: str) -> None:
        """Let a channel follow its server in everything."""
        statement = delete(channel_settings).where(
            channel_settings.c.guild_id == guild_id, channel_settings.c.channel_id == channel_id
        )
        await self._database.execute(statement)
        self._changed(guild_id)


class ExemptRoles:
    """Reads and writes the roles of each guild whose members' messages are not read."""

    def __init__(self, database: Database, changed: Callable[[str], None]) -> None:
        """Use `database`, and tell `changed` which guild was written."""
        self._database = database
        self._changed = changed

    async def of(self, guild_id: str) -> frozenset[str]:
        """Return the ids of a guild's exempt roles."""
        query = select(exempt_roles.c.role_id).where(exempt_roles.c.guild_id == guild_id)
        return frozenset(row["role_id"] for row in await self._database.rows(query))

    async def add(self, guild_id: str, role_id: str) -> bool:
        """Exempt a role; false if it was exempt before."""
        statement = insert_or(exempt_roles).values(guild_id=guild_id, role_id=role_id)
        added = await self._database.execute(statement.on_conflict_do_nothing()) > 0
        self._changed(guild_id)
        return added

    async def remove(self, guild_id: str, role_id: str) -> bool:
        """Read a role's messages again; false if it was not exempt."""
        statement = delete(exempt_roles).where(
            exempt_roles.c.guild_id == guild_id, exempt_roles.c.role_id == role_id
        )
        removed = await self._database.execute(statement) > 0
        self._changed(guild_id)
        return removed


def _settings_of(row: RowMapping) -> ChannelSettings:
    return ChannelSettings(**(dict(row) | {"people": tuple(row["people"])}))
