"""The schema's revision: which one a database has, and moving it to the newest."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, inspect
from sqlalchemy.engine import URL

from bot.store.dialects import SQLITE
from bot.store.engine import Database, Place, create_engine, place_of
from bot.store.errors import StoreError
from bot.store.schema import metadata

MUDDLED = "does not name exactly one schema version (in its table alembic_version)"
_MIGRATIONS = Path(__file__).parent / "migrations"
_VERSIONS = "alembic_version"


class SchemaState(Enum):
    """How a database's schema stands to the one this version needs."""

    EMPTY = "empty"
    OLDER = "older"
    CURRENT = "current"
    NEWER = "newer"
    FOREIGN = "foreign"
    MUDDLED = "muddled"
    INCOMPLETE = "incomplete"


def newest_revision() -> str:
    """Return the revision that this version of Fanguard needs."""
    return ScriptDirectory.from_config(_config()).get_current_head() or ""


def schema_revision(connection: Connection) -> str | None:
    """Return the revision of a database, None if it has none; one with several is muddled."""
    revisions = MigrationContext.configure(connection).get_current_heads()
    return ", ".join(sorted(revisions)) or None


def schema_state(connection: Connection) -> SchemaState:
    """Compare a database's revision with the newest one known here."""
    revisions = MigrationContext.configure(connection).get_current_heads()
    tables = set(inspect(connection).get_table_names())
    if not tables:
        return SchemaState.EMPTY
    if len(revisions) != 1:
        return SchemaState.MUDDLED if _VERSIONS in tables else SchemaState.FOREIGN
    (current,) = revisions
    script = ScriptDirectory.from_config(_config())
    if current == script.get_current_head():
        whole = metadata.tables.keys() <= tables
        return SchemaState.CURRENT if whole else SchemaState.INCOMPLETE
    try:
        script.get_revision(current)
    except CommandError:
        return SchemaState.NEWER
    return SchemaState.OLDER


def schema_differences(connection: Connection) -> list[str]:
    """Say what of the newest schema a database lacks or has otherwise, in words."""
    context = MigrationContext.configure(connection, opts={"render_as_batch": True})
    found: list[Sequence[Any]] = []
    for change in compare_metadata(context, metadata):
        found += change if isinstance(change, list) else [change]
    missing = {change[1].name for change in found if change[0] == "add_table"}
    wrong = (_what_is_wrong(change, missing) for change in found)
    return [words for words in dict.fromkeys(wrong) if words]


def _what_is_wrong(change: Sequence[Any], missing_tables: Collection[str]) -> str:
    """What a change that Alembic would make shows to be wrong; empty for what does no harm."""
    words = ""
    match change:
        case ("add_table", table):
            words = f"the table {table.name} is missing"
        case ("add_column", _, table, column):
            words = f"the column {column.name} of {table} is missing"
        case ("remove_column", _, table, column):
            words = f"the column {column.name} of {table} is none of Fanguard's"
        case ("modify_type" | "modify_nullable", _, table, column, *_):
            words = f"the column {column} of {table} is of another type than it must be"
        case (("add_index" | "add_constraint" | "add_fk") as kind, part):
            if part.table.name not in missing_tables:
                word = "index" if kind == "add_index" else "constraint"
                words = f"the {word} {part.name} of {part.table.name} is missing"
    return words


def refuse_unusable(state: SchemaState, place: Place) -> None:
    """Raise a `StoreError` for a database that is newer, not Fanguard's or not whole."""
    if state is SchemaState.NEWER:
        raise StoreError(
            f"The database {place} was made by a newer Fanguard. "
            "Update Fanguard, or restore a backup made by this version."
        )
    if state is SchemaState.FOREIGN:
        raise StoreError(f"{place} is the database of another program. Check the database URL.")
    if state is SchemaState.MUDDLED:
        raise StoreError(f"The database {place} {MUDDLED}. Restore the last backup.")
    if state is SchemaState.INCOMPLETE:
        raise StoreError(
            f"The database {place} lacks tables; `fanguard db check` names them. "
            "Restore the last backup."
        )


async def upgrade(url: URL, target: str = "head") -> None:
    """Move the schema to `target` in one transaction: wholly or not at all."""
    database = Database(create_engine(url, migrating=True), place_of(url))
    try:
        await database.write(lambda connection: connection.run_sync(_run, target))
    finally:
        await database.close()


def _run(connection: Connection, target: str) -> None:
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, target)
    if connection.dialect.name != SQLITE:
        return
    if connection.exec_driver_sql("PRAGMA foreign_key_check").first() is not None:
        raise StoreError("The database has rows that belong to nothing. Restore the last backup.")


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
