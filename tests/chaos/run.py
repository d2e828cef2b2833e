"""A chaos run: people post, troubles strike, and in the end nothing may be missing or double."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.chaos.bot_child import BotChild
from tests.chaos.town import Town
from tests.chaos.troubles import Troubles
from tests.chaos.verdict import Verdict, judge
from tests.discord_server import DiscordServer

READY_SECONDS = 120.0
CARD_WINDOW = 0.5


@dataclass(frozen=True, slots=True)
class Plan:
    """How large a run is. Rates are per second; `pause` is the time between two troubles."""

    messages: int
    rate: float
    pause: float
    kills: float = 0.3
    hostile: float = 0.06
    threads: int = 6
    longest: float = 2.0
    settle: float = 120.0
    discord_limits: bool = False
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened, and how it ended."""

    verdict: Verdict
    messages: int
    hostile: int
    edits: int
    kills: int
    troubles: Counter[str]
    seconds: float
    exit_code: int | None


async def chaos(plan: Plan, seed: int, folder: Path) -> Outcome:
    """Run a plan with the troubles of a seed; `folder` is empty and takes the bot's files."""
    began = time.monotonic()
    async with DiscordServer(heartbeat_interval=10.0) as server:
        town = Town(server, Random(seed))
        child = BotChild(server, town.account, folder, *plan.options)
        child.configure(_settings(plan))
        if not plan.discord_limits:
            _shorten_windows(server)
        async with child.store() as store:
            await town.set_up(store)
        keeper = asyncio.create_task(child.keep_running())
        try:
            await town.account.wait_connected(within=READY_SECONDS)
            troubles = Troubles(town, child, Random(seed + 1), longest=plan.longest)
            edits = await _live_through(plan, town, troubles, Random(seed + 2))
            server.faults.clear()
            await _settle(plan, town, child)
        finally:
            keeper.cancel()
            exit_code = await child.stop()
        verdict = await judge(town, child)
        return Outcome(
            verdict,
            len(town.posted),
            sum(each.is_hostile for each in town.posted),
            edits,
            child.kills,
            troubles.counts,
            time.monotonic() - began,
            exit_code,
        )


def _settings(plan: Plan) -> str:
    window = "" if plan.discord_limits else f"card_window_seconds = {CARD_WINDOW}\n"
    return f"[watch]\nrun_messages = 1\n{window}"


def _shorten_windows(server: DiscordServer) -> None:
    """Let ten times as many requests pass as Discord does."""
    limits = server.rate_limits.limits
    for route, (number, seconds) in limits.items():
        limits[route] = (number, seconds / 10)


async def _live_through(plan: Plan, town: Town, troubles: Troubles, random: Random) -> int:
    """Post everything while troubles strike; return how many edits were made."""
    striking = asyncio.create_task(_strike(plan, troubles, random))
    edits = 0
    try:
        while len(town.posted) < plan.messages:
            await town.post(hostile=plan.hostile)
            if random.random() < 0.08:
                await town.edit()
                edits += 1
            if random.random() < 0.01:
                await town.delete()
            if random.random() < plan.threads / plan.messages:
                await town.open_thread()
            if random.random() < plan.threads / plan.messages:
                town.archive_thread()
            await asyncio.sleep(random.expovariate(plan.rate))
            if striking.done():
                striking.result()
    finally:
        striking.cancel()
        await asyncio.gather(striking, return_exceptions=True)
    return edits


async def _strike(plan: Plan, troubles: Troubles, random: Random) -> None:
    while True:
        await asyncio.sleep(random.uniform(0.5, 1.5) * plan.pause)
        if random.random() < plan.kills:
            await troubles.kill()
        else:
            await troubles.another()


async def _settle(plan: Plan, town: Town, child: BotChild) -> None:
    """Wait until nothing is missing, or for as long as the plan allows."""
    end = time.monotonic() + plan.settle
    while time.monotonic() < end:
        await asyncio.sleep(1.0)
        if (await judge(town, child)).missing == 0:
            await asyncio.sleep(1.0)
            return
