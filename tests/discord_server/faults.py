"""Trouble that a test orders for REST: errors, rate limits, delays, lost answers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass
class Fault:
    """One order, for the next `times` requests that match.

    `after` does the work first, so that only the answer is lost: what a bot must
    survive without doing the work twice.
    """

    method: str
    path: re.Pattern[str]
    times: int
    status: int | None = None
    delay: float = 0.0
    retry_after: float = 0.0
    is_global: bool = False
    drop: bool = False
    after: bool = False
    event: Callable[[], None] | None = None


class Faults:
    """The orders that stand. `path` is a regular expression searched in the path."""

    def __init__(self) -> None:
        self._orders: list[Fault] = []

    def fail(
        self, method: str, path: str, *, status: int = 500, times: int = 1, after: bool = False
    ) -> None:
        """Answer with a server error, before or after doing the work."""
        self._order(Fault(method, re.compile(path), times, status=status, after=after))

    def rate_limit(
        self,
        method: str,
        path: str,
        *,
        retry_after: float = 0.2,
        times: int = 1,
        is_global: bool = False,
    ) -> None:
        """Answer 429, as if a bucket or the global limit were spent."""
        self._order(
            Fault(
                method,
                re.compile(path),
                times,
                status=429,
                retry_after=retry_after,
                is_global=is_global,
            )
        )

    def delay(self, method: str, path: str, seconds: float, *, times: int = 1) -> None:
        """Answer late: the work is done after the delay."""
        self._order(Fault(method, re.compile(path), times, delay=seconds))

    def drop(self, method: str, path: str, *, times: int = 1, after: bool = False) -> None:
        """Cut the connection instead of answering, before or after doing the work."""
        self._order(Fault(method, re.compile(path), times, drop=True, after=after))

    def interrupt(
        self, method: str, path: str, event: Callable[[], None], *, answered: bool = False
    ) -> None:
        """Let something happen once the work is done: before the answer, or as it leaves."""
        order = Fault(method, re.compile(path), 1, after=True, drop=not answered, event=event)
        self._order(order)

    def clear(self) -> None:
        """Take all orders back."""
        self._orders.clear()

    def _order(self, fault: Fault) -> None:
        self._orders.append(fault)

    def take(self, method: str, path: str) -> Fault | None:
        """The order for a request, spent by one; None if there is none."""
        for fault in self._orders:
            if fault.method in (method, "*") and fault.path.search(path):
                fault.times -= 1
                if fault.times <= 0:
                    self._orders.remove(fault)
                return fault
        return None
