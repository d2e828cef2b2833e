"""The names on each guild's roster, kept in memory so that autocomplete answers at once."""

from __future__ import annotations

import asyncio
import logging

from bot.discord_app.logs import where
from bot.store import Store

log = logging.getLogger(__name__)

MOST_CHOICES = 25


class Rosters:
    """Follows the rosters of the guilds that were loaded once."""

    def __init__(self, store: Store) -> None:
        """Follow what is written through this store."""
        self._store = store
        self._names: dict[str, tuple[str, ...]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        store.on_guild_change(self._changed)

    async def load(self, guild_id: int | str) -> None:
        """Read a guild's roster."""
        people = await self._store.roster.people(str(guild_id))
        self._names[str(guild_id)] = tuple(person.name for person in people)

    def matching(self, guild_id: int | None, typed: str) -> list[str]:
        """Up to 25 names that begin with what was typed, then those that contain it."""
        wanted = typed.casefold().strip()
        names = self._names.get(str(guild_id), ())
        found = [name for name in names if wanted in name.casefold()]
        found.sort(key=lambda name: not name.casefold().startswith(wanted))
        return found[:MOST_CHOICES]

    def starting_with(self, guild_id: int | None, beginning: str) -> str | None:
        """The name that begins with exactly these characters, None if there is none."""
        names = self._names.get(str(guild_id), ())
        return next((name for name in names if name.startswith(beginning)), None)

    def _changed(self, guild_id: str) -> None:
        if guild_id in self._names:
            task = asyncio.get_running_loop().create_task(self._reload(guild_id))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _reload(self, guild_id: str) -> None:
        try:
            await self.load(guild_id)
        except Exception as error:  # noqa: BLE001
            log.warning("the roster of guild %s could not be read: %s", guild_id, where(error))
