"""Rate limit buckets, each with the headers Discord sends.

Discord does not publish its figures; these are the ones its clients have long observed.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from tests.discord_server.clock import Clock

GLOBAL_PER_SECOND = 50

LIMITS: dict[tuple[str, str], tuple[int, float]] = {
    ("POST", "/channels/{channel_id}/messages"): (5, 5.0),
    ("GET", "/channels/{channel_id}/messages"): (5, 5.0),
    ("PATCH", "/channels/{channel_id}/messages/{message_id}"): (5, 5.0),
    ("DELETE", "/channels/{channel_id}/messages/{message_id}"): (5, 1.0),
    ("POST", "/channels/{channel_id}/messages/bulk-delete"): (1, 1.0),
    ("PATCH", "/guilds/{guild_id}/members/{user_id}"): (10, 10.0),
    ("POST", "/users/@me/channels"): (10, 10.0),
    ("POST", "/webhooks/{webhook_id}/{webhook_token}"): (5, 2.0),
    ("PATCH", "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}"): (5, 2.0),
}
DEFAULT_LIMIT = (50, 1.0)
_MAJOR = ("channel_id", "guild_id", "webhook_id", "webhook_token")


@dataclass
class _Bucket:
    limit: int
    window: float
    remaining: int
    resets_at: float


@dataclass(frozen=True)
class Verdict:
    """Whether a request may pass, and the headers that say so."""

    allowed: bool
    headers: dict[str, str]
    retry_after: float = 0.0
    is_global: bool = False


class RateLimits:
    """Counts requests. `enabled` False lets everything pass, without headers."""

    def __init__(self, clock: Clock, *, enabled: bool = True) -> None:
        self._clock = clock
        self.enabled = enabled
        self.limits = dict(LIMITS)
        self._buckets: dict[tuple[str, ...], _Bucket] = {}
        self._second: dict[str, tuple[int, int]] = {}

    def take(self, who: str, method: str, route: str, parameters: dict[str, str]) -> Verdict:
        """Spend one request of `who` on a route such as "/channels/{channel_id}/messages"."""
        if not self.enabled:
            return Verdict(allowed=True, headers={})
        now = self._clock.now()
        if (wait := self._spend_global(who, now)) > 0:
            headers = {"X-RateLimit-Global": "true", "X-RateLimit-Scope": "global"}
            return Verdict(allowed=False, headers=headers, retry_after=wait, is_global=True)
        limit, window = self.limits.get((method, route), DEFAULT_LIMIT)
        major = tuple(parameters[each] for each in _MAJOR if each in parameters)
        bucket = self._buckets.setdefault(
            (who, method, route, *major), _Bucket(limit, window, limit, now + window)
        )
        if now >= bucket.resets_at:
            bucket.remaining, bucket.resets_at = bucket.limit, now + bucket.window
        allowed = bucket.remaining > 0
        bucket.remaining -= allowed
        wait = bucket.resets_at - now
        headers = {
            "X-RateLimit-Limit": str(bucket.limit),
            "X-RateLimit-Remaining": str(bucket.remaining),
            "X-RateLimit-Reset": f"{bucket.resets_at:.3f}",
            "X-RateLimit-Reset-After": f"{wait:.3f}",
            "X-RateLimit-Bucket": hashlib.md5(
                f"{method}:{route}".encode(), usedforsecurity=False
            ).hexdigest(),
        }
        if not allowed:
            headers["X-RateLimit-Scope"] = "user"
        return Verdict(allowed=allowed, headers=headers, retry_after=0.0 if allowed else wait)

    def _spend_global(self, who: str, now: float) -> float:
        second, spent = self._second.get(who, (0, 0))
        if int(now) != second:
            second, spent = int(now), 0
        if spent >= GLOBAL_PER_SECOND:
            return second + 1 - now
        self._second[who] = (second, spent + 1)
        return 0.0
