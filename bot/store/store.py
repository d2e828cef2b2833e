"""Opening the database, and everything in it under one roof."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import insert, select
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import migrate
from bot.store.appeals import Appeals
from bot.store.channel_settings import Channels, ExemptRoles
from bot.store.checkpoints import Checkpoints
from bot.store.crypto import Cipher, new_secret
from bot.store.drafts import Drafts
from bot.store.engine import (
    BUSY_TIMEOUT_SECONDS,
    Database,
    Place,
    create_engine,
    file_of,
    parse_url,
    place_of,
)
from bot.store.erasure import Erasure
from bot.store.errors import StoreError, cannot_open, damaged, system_error
from bot.store.figures import Figures
from bot.store.flag_log import utc_now
from bot.store.flags import Flags
from bot.store.guilds import Guilds
from bot.store.imports import Imports
from bot.store.lock import Lock, lock_of
from bot.store.migrate import SchemaState
from bot.store.notices import Notices
from bot.store.phrases import Phrases
from bot.store.reports import Reports
from bot.store.roster import Roster
from bot.store.scans import ChannelScans
from bot.store.schema import secrets

DEFAULT_CLAIM_LAPSE = timedelta(minutes=10)
_INDEX_SECRET = "blind index"  # noqa: S105


class Store:
    """The database of one Fanguard. Get one from `open_store`."""

    def __init__(
        self,
        database: Database,
        cipher: Cipher,
        claim_lapse: timedelta = DEFAULT_CLAIM_LAPSE,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        """Put the parts together on an open database."""
        self._database = database
        self._listeners: list[Callable[[str], None]] = []
        self.flags = Flags(database, cipher, claim_lapse, now)
        self.figures = Figures(database)
        self.guilds = Guilds(database, self._changed)
        self.roster = Roster(database, self._changed)
        self.phrases = Phrases(database, cipher, self._changed)
        self.notices = Notices(database)
        self.drafts = Drafts(database)
        self.reports = Reports(database, now)
        self.appeals = Appeals(database, now)
        self.erasure = Erasure(database, cipher, now)
        self.channels = Channels(database, self._changed)
        self.exempt_roles = ExemptRoles(database, self._changed)
        self.checkpoints = Checkpoints(database, now)
        self.imports = Imports(database, now)
        self.scans = ChannelScans(database)

    @property
    def place(self) -> Place:
        """The database file, or which database of which server."""
        return self._database.place

    def on_guild_change(self, listener: Callable[[str], None]) -> None:
        """Call `listener` with the guild's id when its settings, roster or phrases were written."""
        self._listeners.append(listener)

    def _changed(self, guild_id: str) -> None:
        for listener in self._listeners:
            listener(guild_id)


@asynccontextmanager
async def open_store(
    url: str,
    *,
    key: bytes | str,
    key_place: str = "FANGUARD_KEY",
    upgrade: bool = True,
    exclusive: bool = False,
    claim_lapse: timedelta = DEFAULT_CLAIM_LAPSE,
    now: Callable[[], datetime] = utc_now,
) -> AsyncIterator[Store]:
    """Open the database, making it or moving its schema forward where needed.

    Args:
        url: such as sqlite+aiosqlite:///data/fanguard.db, or postgresql+asyncpg://host/name.
        key: from `load_or_create_key`.
        key_place: where the key came from, for errors.
        upgrade: false refuses an older schema and a missing database.
        exclusive: refuse to open while another process has it open exclusively; the live
            bot opens it so.
        claim_lapse: how long a moderator's claim on a flag stands.
        now: the clock.

    Raises:
        StoreError: newer schema, damaged file, another bot, full disk, no permission, …
        UserError: a wrong URL, or a key that does not fit.
    """
    location = parse_url(url)
    place = place_of(location)
    cipher = Cipher(key, key_place)
    if (path := file_of(location)) is not None:
        _prepare_file(path, create=upgrade)
    lock = lock_of(location)
    try:
        if exclusive:
            await lock.acquire()
        await _prepare_schema(location, place, lock, may_upgrade=upgrade)
        database = Database(create_engine(location, cipher), place)
        try:
            if exclusive and path is not None and await database.read(_first_damage) != "ok":
                raise damaged(path)
            secret = await database.read(_index_secret)
            if secret is None:
                secret = await database.write(_new_index_secret)
            cipher.index_with(secret)
            yield Store(database, cipher, claim_lapse, now)
        finally:
            await database.close()
    finally:
        await lock.release()


def _prepare_file(path: Path, *, create: bool) -> None:
    if not create and not path.exists():
        raise StoreError(f"There is no database at {path}. Check the database URL.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.touch(mode=0o600)
    except OSError as error:
        raise system_error(error, path) from error
    if not path.is_file() or not os.access(path, os.R_OK):
        raise cannot_open(path)


async def _prepare_schema(location: URL, place: Place, lock: Lock, *, may_upgrade: bool) -> None:
    state = await _schema_state(location, place)
    migrate.refuse_unusable(state, place)
    if state is SchemaState.CURRENT:
        return
    if not may_upgrade:
        raise StoreError(
            f"The database {place} was made by an older Fanguard. Run: fanguard db upgrade"
        )
    async with lock.held(timeout=BUSY_TIMEOUT_SECONDS):
        if await _schema_state(location, place) is not SchemaState.CURRENT:
            await migrate.upgrade(location)


async def _schema_state(location: URL, place: Place) -> SchemaState:
    database = Database(create_engine(location), place)
    try:
        return await database.read(lambda view: view.run_sync(migrate.schema_state))
    finally:
        await database.close()


async def _first_damage(connection: AsyncConnection) -> str:
    return str((await connection.exec_driver_sql("PRAGMA quick_check(1)")).scalar())


async def _index_secret(connection: AsyncConnection) -> str | None:
    query = select(secrets.c.value).where(secrets.c.name == _INDEX_SECRET)
    return (await connection.execute(query)).scalar_one_or_none()


async def _new_index_secret(connection: AsyncConnection) -> str:
    secret = await _index_secret(connection)
    if secret is None:
        secret = new_secret()
        await connection.execute(insert(secrets).values(name=_INDEX_SECRET, value=secret))
    return secret
