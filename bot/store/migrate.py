"""The schema's revision: which one a database has, and moving it to the newest."""

from __future__ import annotations

from enum import Enum
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, inspect
from sqlalchemy.engine import URL

from bot.store.engine import Database, create_engine
from bot.store.errors import StoreError

_MIGRATIONS = Path(__file__).parent / "migrations"


class SchemaState(Enum):
    """How a database's schema stands to the one this version needs."""

    EMPTY = "empty"
    OLDER = "older"
    CURRENT = "current"
    NEWER = "newer"
    FOREIGN = "foreign"


def newest_revision() -> str:
    """Return the revision that this version of Fanguard needs."""
    return ScriptDirectory.from_config(_config()).get_current_head() or ""


def schema_revision(connection: Connection) -> str | None:
    """Return the revision of a database, None if it has none."""
    return MigrationContext.configure(connection).get_current_revision()


def schema_state(connection: Connection) -> SchemaState:
    """Compare a database's revision with the newest one known here."""
    current = schema_revision(connection)
    if current is None:
        has_tables = bool(inspect(connection).get_table_names())
        return SchemaState.FOREIGN if has_tables else SchemaState.EMPTY
    script = ScriptDirectory.from_config(_config())
    if current == script.get_current_head():
        return SchemaState.CURRENT
    try:
        script.get_revision(current)
    except CommandError:
        return SchemaState.NEWER
    return SchemaState.OLDER


def refuse_unusable(state: SchemaState, path: Path) -> None:
    """Raise a `StoreError` for a database that is newer, or not Fanguard's."""
    if state is SchemaState.NEWER:
        raise StoreError(
            f"The database {path} was made by a newer Fanguard. "
            "Update Fanguard, or restore a backup made by this version."
        )
    if state is SchemaState.FOREIGN:
        raise StoreError(f"{path} is the database of another program. Check the database URL.")


async def upgrade(url: URL, path: Path, target: str = "head") -> None:
    """Move the schema to `target` in one transaction: wholly or not at all."""
    database = Database(create_engine(url, migrating=True), path)
    try:
        await database.write(lambda connection: connection.run_sync(_run, target))
    finally:
        await database.close()


def _run(connection: Connection, target: str) -> None:
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, target)
    if connection.exec_driver_sql("PRAGMA foreign_key_check").first() is not None:
        raise StoreError("The database has rows that belong to nothing. Restore the last backup.")


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
