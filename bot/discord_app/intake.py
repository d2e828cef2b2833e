"""One way for every message of Discord, live or from history, into the pipeline."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

import discord

from bot.discord_app.comments import counts, parent_of, to_comment, unread
from bot.discord_app.logs import where
from bot.moderation import TakeResult, in_shadow, is_paused

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

log = logging.getLogger(__name__)

RETRY_SECONDS = (0.2, 1.0)


class Counting(Protocol):
    """What keeps count of messages that were assessed."""

    def count(self, message: discord.Message, *, flagged: bool) -> None:
        """Count one."""
        ...


class Intake:
    """Assesses messages and commits their flags."""

    def __init__(self, bot: FanguardBot) -> None:
        """Take messages for this bot."""
        self._bot = bot

    async def root_of(self, message: discord.Message) -> int | None:
        """The watched channel a message belongs to, a thread's channel included.

        Returns:
            None if the message is not in a watched channel, or that is paused.
        """
        guild = message.guild
        if guild is None:
            return None
        settings = await self._bot.guild_settings(guild.id)
        if not settings.watched_channel_ids:
            return None
        place: object = message.channel
        if isinstance(place, discord.PartialMessageable):
            place = await guild.fetch_channel(message.channel.id)
        root = parent_of(place) or message.channel.id
        watched = str(root) in settings.watched_channel_ids
        return root if watched and not is_paused(settings, str(root)) else None

    async def take(
        self,
        message: discord.Message,
        *,
        source: str,
        tally: Counting | None = None,
        quietly: bool = False,
    ) -> bool:
        """Assess a message and commit its flag, trying again if that fails.

        What is assessed is counted in `tally`. `quietly` makes no card, and removes nothing
        at once: the flag waits in the queue.

        Returns:
            False if it failed for good. A message that does not count is taken at once.
        """
        for delay in (*RETRY_SECONDS, None):
            try:
                result = await self._take(message, source, quietly=quietly)
            except Exception as error:  # noqa: BLE001
                if delay is None:
                    log.warning(
                        "message %s in channel %s could not be assessed: %s",
                        message.id,
                        message.channel.id,
                        where(error),
                    )
                    return False
                await asyncio.sleep(delay)
            else:
                if tally is not None and result is not None:
                    tally.count(message, flagged=result.created)
                return True
        return False

    async def look_back(self, message: discord.Message, *, source: str) -> None:
        """Hear of a message that was read before: what comes next may go on with it."""
        guild = message.guild
        if guild is None:
            return
        settings = await self._bot.guild_settings(guild.id)
        if not counts(message, proxies=settings.proxies):
            return
        exempt = await self._bot.exemptions.apply_to(message)
        comment = unread(message) if exempt else await to_comment(message)
        await self._bot.pipeline.pass_by(comment, source=source)

    async def _take(
        self, message: discord.Message, source: str, *, quietly: bool
    ) -> TakeResult | None:
        """Take a message once; None if it is not to be assessed."""
        guild = message.guild
        if guild is None:
            return None
        settings = await self._bot.guild_settings(guild.id)
        if not counts(message, proxies=settings.proxies):
            return None
        if await self._bot.exemptions.apply_to(message):
            await self._bot.pipeline.pass_by(unread(message), source=source)
            return None
        comment = await to_comment(message)
        if not comment.text.strip():
            await self._bot.pipeline.pass_by(comment, source=source)
            return None
        card = not quietly and not in_shadow(settings, datetime.now(UTC))
        result = await self._bot.pipeline.take(comment, source=source, card=card)
        if result.flag is not None:
            if card:
                await self._bot.at_once.consider(guild, settings, result)
            self._bot.outbox.changed(result.flag)
        return result
