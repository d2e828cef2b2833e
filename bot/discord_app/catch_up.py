"""Catch-up: reads from history what the gateway did not bring.

After a start, after a connection that did not resume, and whenever a message was lost,
each channel concerned is read from its checkpoint on, its threads included. A channel
without a checkpoint is new: its checkpoint becomes the present. Of the messages before a
checkpoint, the last ones are looked through for edits made meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import discord

from bot.discord_app.comments import parent_of
from bot.discord_app.logs import where
from bot.discord_app.permissions import WATCHED_CHANNEL, missing

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

log = logging.getLogger(__name__)

AT_ONCE = 4
FIRST_PAUSE = 5.0
LONGEST_PAUSE = 900.0
STEP = 25

Readable = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread


class CatchUp:
    """Reads channels from their checkpoints, a few at a time, until each has no gap."""

    def __init__(self, bot: FanguardBot) -> None:
        """Read for this bot."""
        self._bot = bot
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._pauses: dict[int, asyncio.Event] = {}
        self._room = asyncio.Semaphore(AT_ONCE)

    def request(self, guild_id: int, root: int) -> None:
        """Have a watched channel read now; harmless while it is being read already."""
        if root in self._tasks:
            self._pauses[root].set()
            return
        self._pauses[root] = asyncio.Event()
        self._tasks[root] = asyncio.create_task(self._run(guild_id, root), name=f"catch-up-{root}")

    def hurry(self) -> None:
        """End all pauses: what failed may work now."""
        for asked in self._pauses.values():
            asked.set()

    async def start_afresh(self, guild: discord.Guild, root: int) -> None:
        """Begin to watch a channel at the present, whatever was read of it long ago."""
        channel = guild.get_channel(root)
        if channel is not None:
            await self._begin_at_present(channel)
        self.request(guild.id, root)

    async def settled(self) -> None:
        """Wait until every channel asked for so far has been read."""
        while self._tasks:
            await asyncio.wait(self._tasks.values())

    async def stop(self) -> None:
        """Stop reading; what was not read waits for the next start."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, guild_id: int, root: int) -> None:
        pause = FIRST_PAUSE
        while True:
            mark = self._bot.progress.mark(root)
            self._pauses[root].clear()
            try:
                async with self._room:
                    complete = await self._read_root(guild_id, root)
            except Exception as error:  # noqa: BLE001
                log.warning("catching up channel %s failed: %s", root, where(error))
                complete = False
            if complete and self._bot.progress.caught_up(root, mark):
                # No await in between: a later loss must find no task and start another.
                del self._tasks[root], self._pauses[root]
                return
            if not complete:
                await self._pause(root, pause)
                pause = min(pause * 2, LONGEST_PAUSE)

    async def _pause(self, root: int, seconds: float) -> None:
        """Wait before another attempt, or until one is asked for."""
        asked = self._pauses[root]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await asked.wait()

    async def _read_root(self, guild_id: int, root: int) -> bool:
        """Read a channel and its threads to their ends; False if a message failed."""
        guild = self._bot.get_guild(guild_id)
        channel = None if guild is None else guild.get_channel(root)
        if guild is None or channel is None or not await self._bot.watches(guild_id, root):
            return True
        # Without Read Message History, Discord answers with no messages and no error.
        if lacking := missing(channel, WATCHED_CHANNEL):
            log.warning(
                "guild %s: the history of channel %s cannot be read: give me %s there",
                guild_id,
                root,
                ", ".join(lacking),
            )
            return False
        base = await self._checkpoint(guild_id, root)
        if base is None:
            await self._begin_at_present(channel)
            return True
        complete = True
        if isinstance(channel, Readable):
            complete = await self._read(channel, base)
        async for thread in self._threads(channel, base):
            after = await self._checkpoint(guild_id, thread.id)
            try:
                complete &= await self._read(thread, base if after is None else after)
            except (discord.Forbidden, discord.NotFound) as error:
                log.info("thread %s cannot be read: %s", thread.id, where(error))
        return complete

    async def _begin_at_present(self, channel: discord.abc.GuildChannel) -> None:
        newest = getattr(channel, "last_message_id", None) or channel.id
        await self._advance(channel.guild.id, channel.id, newest)
        try:
            async for thread in self._threads(channel, newest):
                last = thread.last_message_id or thread.id
                await self._advance(channel.guild.id, thread.id, last)
        except (discord.HTTPException, discord.RateLimited) as error:
            log.info("the threads of %s cannot be listed: %s", channel.id, where(error))

    async def _read(self, channel: Readable, after: int) -> bool:
        start = max(after, self._horizon())
        root = parent_of(channel) or channel.id
        await self._look_back(channel, start)
        taken, failed, last = 0, False, after
        async for message in channel.history(
            limit=None, after=discord.Object(start), oldest_first=True
        ):
            if not await self._bot.watches(channel.guild.id, root):
                break
            failed = failed or not await self._bot.intake.take(message, source="catch_up")
            if failed:
                return False
            taken, last = taken + 1, message.id
            if taken % STEP == 0:
                await self._advance(channel.guild.id, channel.id, last)
        if last > after:
            await self._advance(channel.guild.id, channel.id, last)
        if taken:
            log.info("caught up %d messages of channel %s", taken, channel.id)
        return await self._read_edits(channel, root, after)

    async def _look_back(self, channel: Readable, start: int) -> None:
        """Hear again of the last messages before a gap: what follows may go on with them."""
        most = self._bot.settings.watch.run_messages - 1
        if most < 1:
            return
        before = discord.Object(start + 1)
        earlier = [each async for each in channel.history(limit=most, before=before)]
        for message in reversed(earlier):
            await self._bot.intake.look_back(message, source="catch_up")

    async def _read_edits(self, channel: Readable, root: int, checkpoint: int) -> bool:
        """Take the messages before a checkpoint that were edited after its moment."""
        moment = discord.utils.snowflake_time(checkpoint)
        complete = True
        async for message in channel.history(
            limit=self._bot.settings.watch.edits_look_back,
            before=discord.Object(checkpoint + 1),
            oldest_first=False,
        ):
            if not await self._bot.watches(channel.guild.id, root):
                break
            if message.edited_at is not None and message.edited_at > moment:
                complete &= await self._bot.intake.take(message, source="catch_up")
        return complete

    async def _threads(
        self, channel: discord.abc.GuildChannel, base: int
    ) -> AsyncIterator[discord.Thread]:
        """The active threads of a channel, and those archived after `base`."""
        for thread in channel.guild.threads:
            if thread.parent_id == channel.id:
                yield thread
        if not isinstance(channel, discord.TextChannel | discord.ForumChannel):
            return
        since = discord.utils.snowflake_time(max(base, self._horizon()))
        try:
            async for thread in channel.archived_threads(limit=None):
                if thread.archive_timestamp < since:
                    return
                yield thread
        except (discord.Forbidden, discord.NotFound) as error:
            log.info("archived threads of %s cannot be listed: %s", channel.id, where(error))

    def _horizon(self) -> int:
        """The snowflake before which nothing is read."""
        hours = self._bot.settings.watch.catch_up_hours
        return discord.utils.time_snowflake(datetime.now(UTC) - timedelta(hours=hours))

    async def _checkpoint(self, guild_id: int, channel_id: int) -> int | None:
        stored = await self._bot.store.checkpoints.get(str(guild_id), str(channel_id))
        return None if stored is None else int(stored)

    async def _advance(self, guild_id: int, channel_id: int, message_id: int) -> None:
        await self._bot.store.checkpoints.advance(str(guild_id), str(channel_id), str(message_id))
