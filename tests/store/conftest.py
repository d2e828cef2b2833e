from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from bot.store import Store, open_store


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


@pytest.fixture
def url(path: Path) -> str:
    return f"sqlite+aiosqlite:///{path}"


@pytest.fixture
async def store(url: str, key: str, clock: Clock) -> AsyncIterator[Store]:
    async with open_store(url, key=key, now=clock) as opened:
        yield opened
