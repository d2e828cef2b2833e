"""How many posts a channel may still take: at most so many within any window."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable


class PostBudget:
    """Counts posts of the last `window` seconds against `burst`."""

    def __init__(
        self, burst: int, window: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Start with the whole budget; `window` and `clock` are in seconds."""
        self.burst = burst
        self.window = window
        self._clock = clock
        self._posts: deque[float] = deque()

    def left(self) -> int:
        """How many posts may go out now."""
        horizon = self._clock() - self.window
        while self._posts and self._posts[0] <= horizon:
            self._posts.popleft()
        return self.burst - len(self._posts)

    def spend(self) -> None:
        """Count one post."""
        self._posts.append(self._clock())

    def wait(self) -> float:
        """Seconds until a post may go out; 0 if one may now."""
        if self.left() > 0:
            return 0.0
        return max(0.0, self._posts[0] + self.window - self._clock())
