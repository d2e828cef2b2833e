"""Looking after a database file: back it up while it is in use, and check it."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection

from bot.errors import UserError
from bot.store import migrate
from bot.store.dialects import SQLITE
from bot.store.engine import (
    BUSY_TIMEOUT_SECONDS,
    Database,
    Place,
    create_engine,
    file_of,
    parse_url,
    place_of,
)
from bot.store.errors import (
    StoreError,
    cannot_open,
    clear_errors,
    damaged,
    system_error,
)
from bot.store.migrate import SchemaState

_MOST_PROBLEMS = 20


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What a check found: `problems` is empty for a sound, up-to-date database."""

    place: Place
    revision: str | None
    newest: str
    problems: tuple[str, ...]


async def check(url: str) -> CheckReport:
    """Check a database's pages, indexes, references and schema; changes nothing.

    Raises:
        StoreError: there is no such file, or it is too damaged to be read at all.
        UserError: a wrong URL.
    """
    location = parse_url(url)
    place = place_of(location)
    if isinstance(place, Path):
        _existing(place)
    database = Database(create_engine(location), place)
    try:
        revision = await database.read(lambda view: view.run_sync(migrate.schema_revision))
        problems = await database.read(lambda view: view.run_sync(_problems))
    finally:
        await database.close()
    return CheckReport(place, revision, migrate.newest_revision(), tuple(problems))


async def back_up(url: str, destination: Path | None = None) -> Path:
    """Copy a database through SQLite's online backup, also while a bot writes to it.

    Args:
        url: the database.
        destination: the new file, or a folder for it; by default `backups` beside the
            database. The name then holds the time in UTC.

    Returns:
        The backup, checked, readable by its owner alone. Its texts stay encrypted: the
        key is needed to read them, and is not in it.

    Raises:
        UserError: the destination exists, or its folder does not.
        StoreError: the database is missing or damaged, or the disk full.
    """
    file = file_of(parse_url(url))
    if file is None:
        raise UserError("A PostgreSQL database is backed up by its own tool: pg_dump -Fc.")
    path = _existing(file)
    target = _target(path, destination)
    await asyncio.to_thread(_copy, path, target)
    return target


def _problems(connection: Connection) -> list[str]:
    problems = _damage(connection) if connection.dialect.name == SQLITE else []
    match migrate.schema_state(connection):
        case SchemaState.OLDER:
            problems.append("the schema is of an older version; run: fanguard db upgrade")
        case SchemaState.NEWER:
            problems.append("the schema is of a newer version; update Fanguard")
        case SchemaState.EMPTY | SchemaState.FOREIGN:
            problems.append("this is not a Fanguard database")
        case SchemaState.MUDDLED:
            problems.append(f"the database {migrate.MUDDLED}; restore the last backup")
        case SchemaState.CURRENT | SchemaState.INCOMPLETE:
            wrong = migrate.schema_differences(connection)
            problems += [f"{each}; restore the last backup" for each in wrong]
    return problems


def _damage(connection: Connection) -> list[str]:
    verdicts = connection.exec_driver_sql(f"PRAGMA integrity_check({_MOST_PROBLEMS})").scalars()
    problems = [f"damage: {verdict}" for verdict in verdicts if verdict != "ok"]
    orphans = connection.exec_driver_sql("PRAGMA foreign_key_check").all()[:_MOST_PROBLEMS]
    problems += [f"row {row[1]} of {row[0]} belongs to no row of {row[2]}" for row in orphans]
    return problems


def _existing(path: Path) -> Path:
    if not path.exists():
        raise StoreError(f"There is no database at {path}. Check the database URL.")
    if not path.is_file() or not os.access(path, os.R_OK):
        raise cannot_open(path)
    return path


def _target(path: Path, destination: Path | None) -> Path:
    folder = path.parent / "backups" if destination is None else destination
    if destination is None or folder.is_dir():
        target = folder / f"{path.stem}-{datetime.now(UTC):%Y%m%d-%H%M%S}.db"
    else:
        target = folder
        if not target.parent.is_dir():
            raise UserError(f"There is no folder {target.parent}. Make it, or choose another one.")
    if target.exists():
        raise UserError(f"{target} exists already. Choose another name for the backup.")
    return target


def _copy(path: Path, target: Path) -> None:
    partial = target.with_name(f"{target.name}.partial")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        try:
            _copy_pages(path, partial, target)
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)
    except OSError as error:
        raise system_error(error, target) from error


def _copy_pages(path: Path, partial: Path, target: Path) -> None:
    with (
        clear_errors(target),
        closing(sqlite3.connect(path, timeout=BUSY_TIMEOUT_SECONDS)) as source,
        closing(sqlite3.connect(partial)) as copy,
    ):
        with clear_errors(path):
            source.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if not _copied_whole(source, copy):
            raise damaged(path)


def _copied_whole(source: sqlite3.Connection, copy: sqlite3.Connection) -> bool:
    try:
        source.backup(copy)
        return bool(copy.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",))
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}:
            return False
        raise
