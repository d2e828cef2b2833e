"""The settings of each guild."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import RowMapping, delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.engine import Database
from bot.store.notices import write_notice
from bot.store.schema import guilds, metadata
from bot.store.upsert import insert_or

_LISTS = ("watched_channel_ids", "moderator_role_ids", "paused_channel_ids")


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """What a guild has set.

    `threshold` None means the model's own. `member_flags`: hostility at other members is
    queued too. `proxies`: messages that members post through a proxy bot are read.
    `seeded`: the roster file was read for this guild; from then on the database rules.
    `threshold_share` is the share of ordinary messages that `threshold` was to queue, and
    `threshold_model` the version of the model it was set for.
    Abusive messages that score `remove_above` or more are removed at once, none if it is
    None. `ping_role_id` is told of threats, doxxing and calls to pile on.

    `moderator_role_ids`: who may moderate with Fanguard; empty means everyone whom Discord's
    permissions let. `paused` stops the whole guild, `paused_channel_ids` single channels.
    Until `shadow_until` flags get no cards; it stays set until the moderators were told of the
    end. `greeting_due`: the moderators' channel is still to be told what the bot does.
    `joined_at` is None where the bot never was, as after a scan alone; `left_at` is when it
    left, from which retention counts, None while it is there.
    """

    guild_id: str
    name: str = ""
    mod_channel_id: str | None = None
    watched_channel_ids: tuple[str, ...] = ()
    threshold: float | None = None
    member_flags: bool = True
    proxies: bool = False
    seeded: bool = False
    threshold_share: float | None = None
    threshold_model: str | None = None
    remove_above: float | None = None
    ping_role_id: str | None = None
    moderator_role_ids: tuple[str, ...] = ()
    paused: bool = False
    paused_channel_ids: tuple[str, ...] = ()
    shadow_until: datetime | None = None
    greeting_due: bool = False
    joined_at: datetime | None = None
    left_at: datetime | None = None


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

    async def forget_left(self, before: datetime) -> list[str]:
        """Delete all that is kept of the guilds that the bot left before a moment.

        Returns:
            The ids of those guilds.
        """
        query = select(guilds.c.guild_id).where(guilds.c.left_at < before)

        async def work(connection: AsyncConnection) -> list[str]:
            found = [row.guild_id for row in await connection.execute(query)]
            for table in reversed(metadata.sorted_tables):
                if "guild_id" in table.c:
                    await connection.execute(delete(table).where(table.c.guild_id.in_(found)))
            return found

        gone = await self._database.write(work)
        for guild_id in gone:
            self._changed(guild_id)
        return gone

    async def move_threshold(self, old: GuildSettings, new: GuildSettings, *, tell: bool) -> bool:
        """Store a guild's threshold for another model, unless it was changed meanwhile.

        Args:
            old: the settings as they were read.
            new: the same with another threshold, share and model.
            tell: keep a notice for the moderators, in the same transaction.

        Returns:
            Whether this call changed it.
        """
        change = (
            update(guilds)
            .where(
                guilds.c.guild_id == old.guild_id,
                guilds.c.threshold == old.threshold,
                guilds.c.threshold_model.is_not_distinct_from(old.threshold_model),
            )
            .values(
                threshold=new.threshold,
                threshold_share=new.threshold_share,
                threshold_model=new.threshold_model,
            )
        )

        async def work(connection: AsyncConnection) -> bool:
            won = (await connection.execute(change)).rowcount == 1
            if won and tell:
                await write_notice(
                    connection,
                    guild_id=old.guild_id,
                    model=new.threshold_model or "",
                    before=old.threshold or 0.0,
                    after=new.threshold or 0.0,
                    share=new.threshold_share or 0.0,
                )
            return won

        won = await self._database.write(work)
        if won:
            self._changed(old.guild_id)
        return won


def _settings_of(row: RowMapping) -> GuildSettings:
    lists = {name: tuple(row[name]) for name in _LISTS}
    return GuildSettings(**(dict(row) | lists))
