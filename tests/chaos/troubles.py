"""What befalls the bot: seeded troubles of the process, the gateway, REST and the database."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections import Counter
from collections.abc import Awaitable, Callable
from random import Random

from tests.chaos.bot_child import BotChild
from tests.chaos.town import Town

CARDS = r"/channels/{mods}/messages$"
ANSWER_LEAVES = 0.03

Trouble = Callable[[], Awaitable[None]]


class Troubles:
    """Strikes at random, with the same troubles in the same order for the same seed."""

    def __init__(self, town: Town, child: BotChild, random: Random, *, longest: float) -> None:
        self.counts: Counter[str] = Counter()
        self._town = town
        self._child = child
        self._random = random
        self._longest = longest
        self._faults = town.server.faults
        self._cards = CARDS.format(mods=town.mods.id)
        self._kills: dict[str, Trouble] = {
            "kill": self._kill,
            "kill before a card is answered": self._kill_before_answer,
            "kill as a card is answered": self._kill_at_answer,
        }
        self._others: dict[str, Trouble] = {
            "dropped connection": self._drop,
            "invalid session": self._new_session,
            "ordered reconnect": self._order_reconnect,
            "refused connections": self._refuse,
            "429": self._rate_limit,
            "global 429": self._global_rate_limit,
            "5xx": self._server_error,
            "lost answer": self._lost_answer,
            "slow answer": self._slow,
            "locked database": self._lock_database,
        }

    async def kill(self) -> None:
        """End the process in one of the ways."""
        await self._strike(self._kills)

    async def another(self) -> None:
        """Anything but the end of the process."""
        await self._strike(self._others)

    async def _strike(self, among: dict[str, Trouble]) -> None:
        fewest = min(self.counts[name] for name in among)
        name = self._random.choice([each for each in among if self.counts[each] == fewest])
        self.counts[name] += 1
        await among[name]()

    def _moment(self) -> float:
        return self._random.uniform(0.2, self._longest)

    async def _kill(self) -> None:
        self._child.kill()

    async def _kill_before_answer(self) -> None:
        self._faults.interrupt("POST", self._cards, self._child.kill)

    async def _kill_at_answer(self) -> None:
        loop = asyncio.get_running_loop()
        later = self._random.uniform(0.0, ANSWER_LEAVES)
        self._faults.interrupt(
            "POST",
            self._cards,
            lambda: void(loop.call_later(later, self._child.kill)),
            answered=True,
        )

    async def _drop(self) -> None:
        self._town.account.drop()

    async def _new_session(self) -> None:
        """Lose the session, and with it whatever is posted until the next one begins."""
        self._town.account.refuse_resume()
        self._town.account.invalidate_session(resumable=self._random.random() < 0.5)

    async def _order_reconnect(self) -> None:
        self._town.account.order_reconnect()

    async def _refuse(self) -> None:
        self._town.server.refuse_connections(self._random.randint(1, 2))
        self._town.account.drop()

    async def _rate_limit(self) -> None:
        self._faults.rate_limit("*", r"/messages", retry_after=self._moment(), times=2)

    async def _global_rate_limit(self) -> None:
        self._faults.rate_limit("*", r"/channels/", retry_after=self._moment(), is_global=True)

    async def _server_error(self) -> None:
        after = self._random.random() < 0.5
        self._faults.fail("*", r"/messages", status=503, times=3, after=after)

    async def _lost_answer(self) -> None:
        self._faults.drop("*", r"/messages", times=2, after=self._random.random() < 0.5)

    async def _slow(self) -> None:
        self._faults.delay("*", r"/messages", self._moment(), times=3)

    async def _lock_database(self) -> None:
        """Hold the database's write lock for a while, as another program might."""
        with contextlib.closing(sqlite3.connect(self._child.database, timeout=0.1)) as other:
            other.isolation_level = None
            with contextlib.suppress(sqlite3.OperationalError):
                other.execute("BEGIN IMMEDIATE")
                await asyncio.sleep(self._moment())


def void(_: object) -> None:
    """Drop a result."""
