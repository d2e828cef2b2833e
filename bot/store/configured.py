"""Opening the database that the settings name."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from pathlib import Path

from bot.errors import UserError
from bot.settings import Settings
from bot.store.crypto import load_or_create_key
from bot.store.engine import file_of, parse_url
from bot.store.store import Store, open_store


def demo_url(settings: Settings) -> str:
    """Return the URL of the demo's database."""
    return f"sqlite+aiosqlite:///{settings.demo_database}"


def choose_url(settings: Settings, override: str | None = None) -> str:
    """Return the database to look at: the one given, else the configured one.

    When none is configured it is the demo's, or else the one at the default place.

    Raises:
        UserError: it does not exist; none is made.
    """
    if override or settings.database.configured:
        url = override or settings.database.url
        if not (path := file_of(parse_url(url))).exists():
            raise UserError(f"There is no database at {path} yet. Check the database URL.")
        return url
    if settings.demo_database.exists():
        return demo_url(settings)
    if file_of(parse_url(settings.database.url)).exists():
        return settings.database.url
    raise UserError(
        "There is no database yet. Run `fanguard demo` to try Fanguard out, or set "
        "DATABASE_URL in the environment or [database] url in config/fanguard.toml."
    )


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
        exclusive=exclusive,
        upgrade=upgrade,
        claim_lapse=timedelta(minutes=settings.watch.claim_minutes),
    )


def _key(settings: Settings, database: Path) -> str:
    if settings.key is not None:
        return settings.key.get_secret_value()
    is_in_use = database.is_file() and database.stat().st_size > 0
    if is_in_use and not settings.key_file.exists():
        raise UserError(
            f"The key file {settings.key_file} of the database {database} is missing. "
            "Put it back, or set FANGUARD_KEY; without it the texts cannot be read."
        )
    return load_or_create_key(None, settings.key_file)
