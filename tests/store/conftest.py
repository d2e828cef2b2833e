from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from bot.store import Store, open_store
from tests.store.postgresql import Server, postgresql

__all__ = ["postgresql"]


class Clock:
    """A clock that a test moves by hand."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 5, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.moment

    def pass_time(self, **parts: float) -> None:
        self.moment += timedelta(**parts)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def key() -> str:
    return Fernet.generate_key().decode()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "fanguard.db"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run what looks into no file on both databases."""
    chosen = any("url" in mark.args[0] for mark in metafunc.definition.iter_markers("parametrize"))
    if "url" in metafunc.fixturenames and "path" not in metafunc.fixturenames and not chosen:
        metafunc.parametrize("url", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture
async def url(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    if getattr(request, "param", "sqlite") == "sqlite":
        yield f"sqlite+aiosqlite:///{tmp_path / 'fanguard.db'}"
        return
    server: Server = request.getfixturevalue("postgresql")
    async with server.database() as made:
        yield made


@pytest.fixture
async def store(url: str, key: str, clock: Clock) -> AsyncIterator[Store]:
    async with open_store(url, key=key, now=clock) as opened:
        yield opened
