"""The settings of each guild."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass

from sqlalchemy import RowMapping, select

from bot.store.engine import Database
from bot.store.schema import guilds
from bot.store.upsert import insert_or


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """What a guild has set.

    `threshold` None means the model's own. `member_flags`: hostility at other members is
    queued too. `proxies`: messages that members post through a proxy bot are read.
    `seeded`: the roster file was read for this guild; from then on the database rules.
    """

    guild_id: str
    name: str = ""
    mod_channel_id: str | None = None
    watched_channel_ids: tuple[str, ...] = ()
    threshold: float | None = None
    member_flags: bool = True
    proxies: bool = False
    seeded: bool = False


class Guilds:
    """Reads and writes guild settings."""

    def __init__(self, database: Database, changed: Callable[[str], None]) -> None:
        """Use `database`, and tell `changed` which guild was written."""
        self._database = database
        self._changed = changed

    async def get(self, guild_id: str) -> GuildSettings | None:
        """Return a guild's settings, None if it was never set up."""
        query = select(guilds).where(guilds.c.guild_id == guild_id)
        rows = await self._database.rows(query)
        return _settings_of(rows[0]) if rows else None

    async def all(self) -> list[GuildSettings]:
        """Return the settings of every guild."""
        query = select(guilds).order_by(guilds.c.guild_id)
        return [_settings_of(row) for row in await self._database.rows(query)]

    async def put(self, settings: GuildSettings) -> None:
        """Write a guild's settings whole."""
        values = asdict(settings)
        statement = insert_or(guilds).values(values)
        statement = statement.on_conflict_do_update(
            index_elements=["guild_id"],
            set_={name: statement.excluded[name] for name in values if name != "guild_id"},
        )
        await self._database.execute(statement)
        self._changed(settings.guild_id)


def _settings_of(row: RowMapping) -> GuildSettings:
    values = dict(row) | {"watched_channel_ids": tuple(row["watched_channel_ids"])}
    return GuildSettings(**values)
