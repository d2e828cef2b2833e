"""Opening the database that the settings name."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from datetime import timedelta

from bot.errors import UserError
from bot.settings import Settings
from bot.store.crypto import load_or_create_key
from bot.store.store import Store, open_store


def demo_url(settings: Settings) -> str:
    """Return the URL of the demo's database."""
    return f"sqlite+aiosqlite:///{settings.demo_database}"


def choose_url(settings: Settings, override: str | None = None) -> str:
    """Return the database to look at: the one given, the configured one, or the demo's.

    Raises:
        UserError: none is configured and the demo has not run.
    """
    if override:
        return override
    if settings.database.configured:
        return settings.database.url
    if not settings.demo_database.exists():
        raise UserError(
            "There is no database yet. Run `fanguard demo` to try Fanguard out, or set "
            "DATABASE_URL in the environment or [database] url in config/fanguard.toml."
        )
    return demo_url(settings)


def open_configured(
    settings: Settings, url: str | None = None, *, exclusive: bool = False, upgrade: bool = True
) -> AbstractAsyncContextManager[Store]:
    """Open the configured database, or the one at `url`, with the key of the settings.

    Raises:
        UserError: see `open_store` and `load_or_create_key`.
    """
    given = None if settings.key is None else settings.key.get_secret_value()
    return open_store(
        url or settings.database.url,
        key=load_or_create_key(given, settings.key_file),
        exclusive=exclusive,
        upgrade=upgrade,
        claim_lapse=timedelta(minutes=settings.watch.claim_minutes),
    )
