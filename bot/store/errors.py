"""Turns what the database driver raises into messages that say what to do."""

from __future__ import annotations

import errno
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from bot.errors import UserError

_LACKS = re.compile(r"no such (table|column)|has no column named")
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
def clear_errors(path: Path) -> Iterator[None]:
    """Raise a `StoreError` in place of the driver's or the system's errors."""
    try:
        yield
    except DBAPIError as error:
        advice = _advice(error.orig, path)
        if advice is None:
            raise
        raise StoreError(advice) from error
    except sqlite3.Error as error:
        advice = _advice(error, path)
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


def _advice(error: BaseException | None, path: Path) -> str | None:
    name = getattr(error, "sqlite_errorname", "") or ""
    if name == "SQLITE_ERROR" and not _LACKS.search(str(error)):
        return None
    for code, advice in _ADVICE.items():
        if name == code or name.startswith(f"{code}_"):
            return advice.format(path=path, error=error)
    return None
