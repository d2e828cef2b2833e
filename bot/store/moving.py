"""Moving an installation to another database: every row as it is, checked at the end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hashlib import sha256

from sqlalchemy import ColumnElement, Table, false, func, insert, literal_column, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.errors import UserError
from bot.store import migrate
from bot.store.columns import raw
from bot.store.dialects import POSTGRESQL
from bot.store.engine import Database, create_engine, parse_url, place_of
from bot.store.errors import StoreError
from bot.store.lock import lock_of
from bot.store.schema import metadata

_ROWS_AT_ONCE = 500
_Print = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Moved:
    """How many rows of a table were copied."""

    table: str
    rows: int


async def copy(source: str, target: str, progress: Callable[[Moved], None]) -> list[Moved]:
    """Copy a whole database into an empty one, of either kind.

    Texts stay encrypted: the same key reads them there. Both are locked meanwhile.

    Args:
        source: the URL or path of the one to copy; it stays as it is.
        target: the URL or path of the other.
        progress: told of each table.

    Raises:
        UserError: a wrong URL, or both are the same.
        StoreError: the target holds something already, a bot uses one of them, the source is
            not of this version, or the copy does not equal it (then nothing is kept).
    """
    from_url, to_url = parse_url(source), parse_url(target)
    if from_url == to_url:
        raise UserError("Both are the same database. Name the new one with --to.")
    from_lock, to_lock = lock_of(from_url), lock_of(to_url)
    origin = Database(create_engine(from_url), place_of(from_url))
    goal = Database(create_engine(to_url), place_of(to_url))
    try:
        async with from_lock.held(timeout=0), to_lock.held(timeout=0):
            await _refuse_unusable(origin)
            await _prepare(goal, lambda: migrate.upgrade(to_url))
            return await origin.read(
                lambda view: goal.write(lambda there: _copy_all(view, there, goal, progress))
            )
    finally:
        await origin.close()
        await goal.close()


async def _refuse_unusable(origin: Database) -> None:
    state = await origin.read(lambda view: view.run_sync(migrate.schema_state))
    migrate.refuse_unusable(state, origin.place)
    if state is not migrate.SchemaState.CURRENT:
        raise StoreError(f"{origin.place} is of an older version. Run: fanguard db upgrade")


async def _prepare(goal: Database, upgrade: Callable[[], Awaitable[None]]) -> None:
    state = await goal.read(lambda view: view.run_sync(migrate.schema_state))
    if state is migrate.SchemaState.EMPTY:
        await upgrade()
        return
    migrate.refuse_unusable(state, goal.place)
    raise StoreError(f"{goal.place} holds an installation already. Name an empty database.")


async def _copy_all(
    view: AsyncConnection,
    there: AsyncConnection,
    goal: Database,
    progress: Callable[[Moved], None],
) -> list[Moved]:
    done = []
    for table in metadata.sorted_tables:
        bare = raw(table)
        before = await _copy_table(view, there, bare)
        after = await _fingerprint(there, bare)
        if before != after:
            raise StoreError(
                f"The copy of {table.name} in {goal.place} does not equal it: nothing was kept."
            )
        done.append(Moved(table.name, before[0]))
        progress(done[-1])
    return done


async def _copy_table(view: AsyncConnection, there: AsyncConnection, table: Table) -> _Print:
    await there.execute(table.delete())
    rows = (await view.stream(select(table))).mappings()
    async for part in rows.partitions(_ROWS_AT_ONCE):
        await there.execute(insert(table), [dict(row) for row in part])
    if "id" in table.c and there.dialect.name == POSTGRESQL:
        newest = select(func.coalesce(func.max(table.c.id), 0) + 1).scalar_subquery()
        sequence: ColumnElement[str] = literal_column(f"'{table.name}_id_seq'")
        await there.execute(select(func.setval(sequence, newest, false())))
    return await _fingerprint(view, table)


async def _fingerprint(connection: AsyncConnection, table: Table) -> _Print:
    """The number of a table's rows, and a digest of them in whatever order."""
    digest, number = 0, 0
    async for row in await connection.stream(select(table)):
        number += 1
        digest ^= int.from_bytes(sha256(repr(tuple(row)).encode()).digest())
    return number, digest
