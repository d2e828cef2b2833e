"""The server's time and its snowflake ids."""

from __future__ import annotations

import time
from collections import Counter
from datetime import UTC, datetime

DISCORD_EPOCH_MS = 1_420_070_400_000


class Clock:
    """Wall time plus whatever a test has skipped."""

    def __init__(self) -> None:
        self._skipped = 0.0

    def now(self) -> float:
        """Seconds since the Unix epoch."""
        return time.time() + self._skipped

    def advance(self, seconds: float) -> None:
        """Move on without waiting: tokens expire, buckets refill, timeouts end."""
        self._skipped += seconds


class Snowflakes:
    """Unique ids whose upper bits are the time, as Discord makes them."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._used: Counter[int] = Counter()

    def next(self, at: float | None = None) -> int:
        """An id for this moment, or for `at` (seconds since the Unix epoch)."""
        moment = self._clock.now() if at is None else at
        milliseconds = int(moment * 1000) - DISCORD_EPOCH_MS
        number = self._used[milliseconds]
        self._used[milliseconds] += 1
        return (milliseconds << 22) | number


def iso(moment: float) -> str:
    """An ISO 8601 timestamp as Discord writes it."""
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="microseconds")


def parse_iso(text: str) -> float:
    """Seconds since the Unix epoch.

    Raises:
        ValueError: `text` is not an ISO 8601 timestamp.
    """
    moment = datetime.fromisoformat(text)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
