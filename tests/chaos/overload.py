"""An overload: far more messages in a second than the bot can assess, while moderators ask.

`python -m tests.chaos.overload --messages 2000` runs it at full size.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.chaos.bot_child import BotChild
from tests.chaos.figures import as_table, write_section
from tests.chaos.run import READY_SECONDS
from tests.chaos.town import Town
from tests.chaos.verdict import Verdict, judge
from tests.discord_server import DiscordServer

HEARTBEAT = 2.0
ANSWER_WITHIN = 3.0
HOSTILE_SHARE = 0.03
BEFORE = 5


@dataclass(slots=True)
class Overload:
    """What happened. Times are in seconds, memory in megabytes."""

    messages: int
    queue: int
    burst: float = 0.0
    until_done: float = 0.0
    answers: list[float] = field(default_factory=list)
    memory_before: float = 0.0
    memory_most: float = 0.0
    same_connection: bool = False
    read_again: bool = False
    verdict: Verdict = field(default_factory=Verdict)

    @property
    def is_well(self) -> bool:
        answered = bool(self.answers) and max(self.answers) < ANSWER_WITHIN
        return answered and self.same_connection and self.verdict.is_clean


async def overload(
    messages: int, folder: Path, *, queue: int, delay: float, settle: float
) -> Overload:
    """Post a burst at once; `delay` is what one assessment takes."""
    found = Overload(messages, queue)
    async with DiscordServer(heartbeat_interval=HEARTBEAT) as server:
        town = Town(server, Random(7))
        child = BotChild(server, town.account, folder, "--delay", str(delay))
        child.configure(f"[watch]\nqueue_size = {queue}\nrun_messages = 1\n")
        async with child.store() as store:
            await town.set_up(store)
        await child.start()
        try:
            await town.account.wait_connected(within=READY_SECONDS)
            await server.wait_for(lambda: "queue" in town.account.commands(), READY_SECONDS)
            for _ in range(BEFORE):
                await town.post(hostile=0.0)
            await _until(lambda: len(child.assessed()) >= BEFORE, READY_SECONDS)
            (session,) = server.hub.of(town.account.data)
            connection = session.connection
            found.memory_before = child.resident_megabytes()
            watching = asyncio.create_task(_watch(town, child, found))
            began = time.monotonic()
            for _ in range(messages):
                await town.post(hostile=HOSTILE_SHARE)
            found.burst = time.monotonic() - began
            await _settled(town, child, settle)
            found.until_done = time.monotonic() - began
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
            found.same_connection = session.connection is connection
            found.read_again = any("at once" in each.text for each in town.mods.by(town.account))
        finally:
            await child.stop()
        found.verdict = await judge(town, child)
    return found


async def _until(predicate: Callable[[], bool], within: float) -> None:
    async with asyncio.timeout(within):
        while not predicate():  # noqa: ASYNC110
            await asyncio.sleep(0.1)


async def _settled(town: Town, child: BotChild, within: float) -> None:
    end = time.monotonic() + within
    while time.monotonic() < end:
        if len(child.assessed()) >= len(town.posted) and (await judge(town, child)).missing == 0:
            return
        await asyncio.sleep(1.0)


async def _watch(town: Town, child: BotChild, found: Overload) -> None:
    """Ask for the queue again and again, and look at the process's memory."""
    while True:
        asked = await town.moderator.slash(town.mods, "queue")
        began = time.monotonic()
        while asked.data.answered_at is None and time.monotonic() - began < 2 * ANSWER_WITHIN:
            found.memory_most = max(found.memory_most, child.resident_megabytes())
            await asyncio.sleep(0.02)
        found.answers.append((asked.data.answered_at or float("inf")) - asked.data.created_at)
        await asyncio.sleep(0.3)


def table(found: Overload) -> str:
    """The figures as a Markdown table."""
    rows = {
        "messages in the burst": f"{found.messages:,} in {found.burst:.1f} s",
        "places in the queue": f"{found.queue:,}",
        "all assessed, flagged and with a card after": f"{found.until_done:.0f} s",
        "flags": f"{found.verdict.flags:,}",
        "**missing**": f"**{found.verdict.missing}**",
        "**double**": f"**{found.verdict.double}**",
        "connection kept (a heartbeat every 2 s)": "yes" if found.same_connection else "no",
        "slash commands asked meanwhile": f"{len(found.answers)}",
        "first response, median and longest": f"{statistics.median(found.answers):.2f} s, "
        f"{max(found.answers):.2f} s",
        "memory before and at most": f"{found.memory_before:.0f} MB, {found.memory_most:.0f} MB",
    }
    return as_table(rows)


def main() -> int:
    """Read the command line, run, and say whether all went well."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos.overload", description=__doc__)
    parser.add_argument("--messages", type=int, default=2000)
    parser.add_argument("--queue", type=int, default=500)
    parser.add_argument("--delay", type=float, default=0.01, help="seconds an assessment takes")
    parser.add_argument("--write", type=Path, help="the file whose section takes the table")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fanguard-overload-") as folder:
        found = asyncio.run(
            overload(
                chosen.messages,
                Path(folder),
                queue=chosen.queue,
                delay=chosen.delay,
                settle=600.0,
            )
        )
    figures = table(found)
    sys.stdout.write(f"{figures}\n")
    if not found.verdict.is_clean:
        sys.stdout.write(f"{found.verdict}\n")
    if chosen.write is not None:
        write_section(chosen.write, "overload", figures)
    return 0 if found.is_well else 1


if __name__ == "__main__":
    sys.exit(main())
