"""The live bot from its start to its clean end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from collections.abc import Iterator, Sequence

from bot.comment import Person
from bot.discord_app.client import FanguardBot
from bot.discord_app.login import explain
from bot.moderation import Assessor, Pipeline, RunLimits
from bot.settings import Settings, WatchSettings
from bot.store import open_configured

log = logging.getLogger(__name__)

LEAVE_SECONDS = 5.0
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


async def serve(
    settings: Settings, token: str, model: Assessor, people: Sequence[Person] = ()
) -> None:
    """Run the bot until SIGINT or SIGTERM; then finish what was taken in and return.

    Args:
        settings: all settings.
        token: the bot's token, as `check_token` returns it.
        model: what scores messages.
        people: the roster that a new guild starts with.

    Raises:
        UserError: a second bot on the same database, a database that cannot be used, a
            token or an intent that Discord does not accept, or no network.
    """
    async with open_configured(settings, exclusive=True) as store:
        with contextlib.closing(
            Pipeline(
                store,
                model,
                threshold=settings.model.threshold,
                member_flags=settings.model.member_flags,
                runs=run_limits(settings.watch),
            )
        ) as pipeline:
            async with FanguardBot(settings, store, pipeline, people) as bot:
                with _stop_requested() as stop:
                    await _until(bot, token, stop)


def run_limits(watch: WatchSettings) -> RunLimits:
    """Which consecutive messages of a member are read together."""
    return RunLimits(watch.run_seconds, watch.run_messages, watch.run_characters)


async def _until(bot: FanguardBot, token: str, stop: asyncio.Event) -> None:
    running = asyncio.create_task(bot.start(token), name="bot")
    asked = asyncio.create_task(stop.wait(), name="stop")
    await asyncio.wait({running, asked}, return_when=asyncio.FIRST_COMPLETED)
    asked.cancel()
    if not running.done():
        log.info("stopping")
        await bot.close()
        await asyncio.wait({running}, timeout=LEAVE_SECONDS)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        log.info("stopped")
        return
    error = running.exception()
    if isinstance(error, Exception):
        raise explain(error) or error


@contextlib.contextmanager
def _stop_requested() -> Iterator[asyncio.Event]:
    """An event that the first SIGINT or SIGTERM sets; a second one ends the process at once."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()

    def ask() -> None:
        stop.set()
        for each in _SIGNALS:
            loop.remove_signal_handler(each)

    for each in _SIGNALS:
        loop.add_signal_handler(each, ask)
    try:
        yield stop
    finally:
        for each in _SIGNALS:
            loop.remove_signal_handler(each)
