"""Once a day, what was kept long enough is erased."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from discord.ext import commands, tasks

from bot.discord_app.logs import where
from bot.moderation.retention import purge

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

log = logging.getLogger(__name__)


class Retention(commands.Cog):
    """Erases on a schedule."""

    def __init__(self, bot: FanguardBot) -> None:
        """Erase for this bot."""
        self._bot = bot

    async def cog_load(self) -> None:
        """Begin: now, and then once a day."""
        self.daily.start()

    async def cog_unload(self) -> None:
        """Stop."""
        self.daily.cancel()

    @tasks.loop(hours=24)
    async def daily(self) -> None:
        """Erase what is due; what fails waits for tomorrow."""
        keep = self._bot.settings.keep
        try:
            done = await purge(
                self._bot.store,
                datetime.now(UTC),
                text_days=keep.text_days,
                left_days=keep.left_days,
            )
        except Exception as error:  # noqa: BLE001
            log.warning("what is due could not be erased: %s", where(error))
            return
        if done.texts or done.guilds:
            log.info("erased the texts of %d flags and %d servers left", done.texts, done.guilds)
