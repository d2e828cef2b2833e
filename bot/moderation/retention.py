"""How long things are kept: what is due is erased in small pieces."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.store import Store

_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Purged:
    """How many flags lost their texts, and how many servers that were left are forgotten."""

    texts: int
    guilds: int


async def purge(store: Store, now: datetime, *, text_days: int, left_days: int) -> Purged:
    """Erase what is older than it may be.

    Args:
        store: where.
        now: the present.
        text_days: how long the text of a decided flag is kept; counts stay.
        left_days: how long all of a server is kept once the bot has left it.
    """
    guilds = await store.guilds.forget_left(now - timedelta(days=left_days))
    texts = 0
    while done := await store.erasure.empty_decided(now - timedelta(days=text_days), _AT_ONCE):
        texts += done
    return Purged(texts, len(guilds))
