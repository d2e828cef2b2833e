"""Turns what the database driver raises into messages that say what to do."""

from __future__ import annotations

import errno
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import DBAPIError, InterfaceError

from bot.errors import UserError

_LACKS = re.compile(r"no such (table|column)|has no column named")
_ADVICE_OF_POSTGRESQL = {
    "28": "{place} refuses the user or the password. Check DATABASE_URL.",
    "3D": "There is no database {place}. Make it (createdb), or check DATABASE_URL.",
    "42501": "The user may not do this in {place}. Give it the rights on its schema public.",
    "42": "{place} lacks something that it must have ({error}). Run: fanguard db check",
    "53100": "The disk of {place} is full: nothing was changed. Free some space first.",
    "53": "{place} has no room for more work now. Try again in a moment.",
    "55": "{place} is locked by another program. Close it and try again.",
    "57": "{place} is stopping or restarting. Try again in a moment.",
    "08": "{place} cannot be reached. Check that it runs, and DATABASE_URL.",
}
"""By the beginning of PostgreSQL's error code, the longest that fits."""
_UNREACHABLE = _ADVICE_OF_POSTGRESQL["08"]
_ADVICE = {
    "SQLITE_FULL": "The disk of {path} is full: nothing was changed. Free some space first.",
    "SQLITE_NOTADB": (
        "{path} is not a Fanguard database. Check the database URL, or move the file away."
    ),
    "SQLITE_CORRUPT": (
        "The database {path} is damaged. Restore the last backup (fanguard db backup makes them)."
    ),
    "SQLITE_BUSY": ("The database {path} is locked by another program. Close it and try again."),
    "SQLITE_READONLY": (
        "The database {path} cannot be written. Check the permissions of the file and its folder."
    ),
    "SQLITE_CANTOPEN": (
        "The database {path} cannot be opened. Check that it is a file which may be read, "
        "and that its folder can be written."
    ),
    "SQLITE_ERROR": (
        "The database {path} lacks something that it must have ({error}). Run: fanguard db check"
    ),
    "SQLITE_IOERR": (
        "The disk of {path} fails to read or write. Check the disk and its free space; "
        "nothing was changed."
    ),
}


class StoreError(UserError):
    """The database cannot do its work: full disk, damage, a lock, permissions."""


class UnknownFlagError(UserError):
    """No flag has this id here."""

    def __init__(self, flag_id: int) -> None:
        """Say which id is unknown."""
        super().__init__(f"There is no flag {flag_id}. `fanguard queue` lists the open ones.")


@contextmanager
def clear_errors(place: Path | str) -> Iterator[None]:
    """Raise a `StoreError` in place of the driver's or the system's errors."""
    try:
        yield
    except (DBAPIError, sqlite3.Error, OSError) as error:
        advice = _advice(error, place)
        if advice is None:
            raise
        raise StoreError(advice) from error


def system_error(error: OSError, path: Path) -> StoreError:
    """Return the clear error for what the operating system refused."""
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return StoreError(_ADVICE["SQLITE_FULL"].format(path=path))
    return StoreError(
        f"{path} cannot be written: {error.strerror}. Check the folder and its permissions."
    )


def damaged(path: Path) -> StoreError:
    """Return the error for a database whose contents are broken."""
    return StoreError(_ADVICE["SQLITE_CORRUPT"].format(path=path))


def cannot_open(path: Path) -> StoreError:
    """Return the error for a database file that is not one, or may not be read."""
    return StoreError(_ADVICE["SQLITE_CANTOPEN"].format(path=path))


def _advice(error: Exception, place: Path | str) -> str | None:
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(place, Path):
        return _advice_of_sqlite(cause, place)
    if isinstance(error, OSError) or (isinstance(error, DBAPIError) and _is_cut(error)):
        return _UNREACHABLE.format(place=place)
    code = str(getattr(cause, "sqlstate", "") or "")
    fitting = [start for start in _ADVICE_OF_POSTGRESQL if code.startswith(start)]
    if not fitting:
        return None
    return _ADVICE_OF_POSTGRESQL[max(fitting, key=len)].format(place=place, error=cause)


def _is_cut(error: DBAPIError) -> bool:
    """Whether the connection was lost, not a statement refused."""
    return error.connection_invalidated or isinstance(error, InterfaceError)


def _advice_of_sqlite(error: BaseException | None, path: Path) -> str | None:
    name = getattr(error, "sqlite_errorname", "") or ""
    if name == "SQLITE_ERROR" and not _LACKS.search(str(error)):
        return None
    for code, advice in _ADVICE.items():
        if name == code or name.startswith(f"{code}_"):
            return advice.format(path=path, error=error)
    return None
