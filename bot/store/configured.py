"""Opening the database that the settings name."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from bot.errors import UserError
from bot.settings import Settings
from bot.store.crypto import load_or_create_key
from bot.store.engine import file_of, parse_url
from bot.store.store import Store, open_store


@dataclass(frozen=True, slots=True)
class DatabaseChoice:
    """The database to look at.

    `by_itself` is true when nobody named it; `other` is then the one that was passed
    over, if there is one.
    """

    url: str
    by_itself: bool = False
    other: Path | None = None

    @property
    def path(self) -> Path | None:
        """The database file; None for PostgreSQL."""
        return file_of(parse_url(self.url))


def choose_database(
    settings: Settings, given: str | None = None, *, must_exist: bool = True
) -> DatabaseChoice:
    """Choose the database to look at: the one given, else the configured one.

    When there is neither, it is the one written last of the default one and the demo's.

    Args:
        settings: what is configured.
        given: a path or a URL.
        must_exist: false also takes one that is still to be made.

    Raises:
        UserError: it does not exist; none is made.
    """
    if given or settings.database.configured:
        choice = DatabaseChoice(given or settings.database.url)
        path = choice.path
        if must_exist and path is not None and not path.exists():
            raise UserError(
                f"There is no database at {path} yet. "
                "Check --db, DATABASE_URL or [database] url in config/fanguard.toml."
            )
        return choice
    default = DatabaseChoice(settings.database.url, by_itself=True)
    places = [path for path in (default.path, settings.demo_database) if path is not None]
    there = sorted((path for path in places if path.exists()), key=_last_written, reverse=True)
    if there:
        url = default.url if there[0] == default.path else str(there[0])
        return DatabaseChoice(url, True, there[1] if len(there) > 1 else None)
    if not must_exist:
        return default
    raise UserError(
        "There is no database yet. Run `fanguard demo` to try Fanguard out or `fanguard scan` "
        "to read a chat export, or set DATABASE_URL in the environment or [database] url in "
        "config/fanguard.toml."
    )


def same_file(one: str, other: str) -> bool:
    """Say whether two paths or URLs name the same database."""
    first, second = (parse_url(each) for each in (one, other))
    files = [file_of(first), file_of(second)]
    if files[0] is None or files[1] is None:
        return first == second
    return files[0].resolve() == files[1].resolve()


def open_configured(
    settings: Settings, url: str | None = None, *, exclusive: bool = False, upgrade: bool = True
) -> AbstractAsyncContextManager[Store]:
    """Open the configured database, or the one at `url`, with the key of the settings.

    Raises:
        UserError: see `open_store` and `load_or_create_key`.
    """
    chosen = url or settings.database.url
    return open_store(
        chosen,
        key=_key(settings, file_of(parse_url(chosen))),
        key_place="FANGUARD_KEY" if settings.key is not None else str(settings.key_file),
        exclusive=exclusive,
        upgrade=upgrade,
        claim_lapse=timedelta(minutes=settings.watch.claim_minutes),
    )


def _key(settings: Settings, database: Path | None) -> str:
    if settings.key is not None:
        return settings.key.get_secret_value()
    is_in_use = database is not None and database.is_file() and database.stat().st_size > 0
    if is_in_use and not settings.key_file.exists():
        raise UserError(
            f"The key file {settings.key_file} of the database {database} is missing. "
            "Put it back, or set FANGUARD_KEY; without it the texts cannot be read."
        )
    return load_or_create_key(None, settings.key_file)


def _last_written(database: Path) -> int:
    """When a database was last written; what is new may still be in its log beside it."""
    log = database.with_name(f"{database.name}-wal")
    files = [database, *([log] if log.exists() and log.stat().st_size else [])]
    return max(file.stat().st_mtime_ns for file in files)
