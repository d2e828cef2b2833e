"""Catch-up: reads from history what the gateway did not bring.

After a start, after a connection that did not resume, and whenever a message was lost,
each channel concerned is read from its checkpoint on, its threads included. A channel
without a checkpoint is new: its checkpoint becomes the present. Of the messages before a
checkpoint, the last ones are looked through for edits made meanwhile.

A checkpoint also says until when edits are known. So it moves only when what the gateway
brought before was taken too, and not while an edit may have been lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import discord

from bot.discord_app.away import Reason, Tally
from bot.discord_app.comments import parent_of
from bot.discord_app.histories import Readable, threads_of
from bot.discord_app.logs import where
from bot.discord_app.permissions import WATCHED_CHANNEL, missing

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

log = logging.getLogger(__name__)

AT_ONCE = 4
FIRST_PAUSE = 5.0
LONGEST_PAUSE = 900.0
STEP = 25
LATE = timedelta(seconds=60)
"""How much later than newer messages in the history the gateway may bring an edit."""


class CatchUp:
    """Reads channels from their checkpoints, a few at a time, until each has no gap."""

    def __init__(self, bot: FanguardBot) -> None:
        """Read for this bot."""
        self._bot = bot
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._pauses: dict[int, asyncio.Event] = {}
        self._tallies: dict[int, Tally] = {}
        self._begun_at: dict[int, int] = {}
        self._room = asyncio.Semaphore(AT_ONCE)

    def request(self, guild_id: int, root: int, why: Reason | None = None) -> None:
        """Have a watched channel read now; harmless while it is being read already.

        With a reason, the guild's moderators are told what was read, if it is worth telling.
        """
        if why is not None:
            self._tallies.setdefault(guild_id, Tally(why)).waiting.add(root)
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
            if not complete:
                self._tell(guild_id, root)
            if complete and self._bot.progress.caught_up(root, mark):
                # No await in between: a later loss must find no task and start another.
                del self._tasks[root], self._pauses[root]
                self._tell(guild_id, root)
                return
            if not complete:
                await self._pause(root, pause)
                pause = min(pause * 2, LONGEST_PAUSE)

    def _tell(self, guild_id: int, root: int) -> None:
        """Wait for this channel no longer, and tell what was read if it was the last."""
        tally = self._tallies.get(guild_id)
        if tally is None:
            return
        tally.waiting.discard(root)
        if tally.waiting:
            return
        del self._tallies[guild_id]
        watch = self._bot.settings.watch
        if tally.is_worth_telling(timedelta(minutes=watch.away_minutes)):
            self._bot.outbox.say(guild_id, tally.embed(watch.catch_up_hours), tally.key(guild_id))

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
        known_until = discord.utils.snowflake_time(base) - LATE
        async for thread in self._threads(channel):
            after = await self._checkpoint(guild_id, thread.id)
            if after is None:
                after = thread.id - 1
            elif _is_read(thread, after, known_until):
                continue
            try:
                complete &= await self._read(thread, after)
            except (discord.Forbidden, discord.NotFound) as error:
                log.info("thread %s cannot be read: %s", thread.id, where(error))
        if isinstance(channel, Readable):
            complete &= await self._read(channel, base)
        return complete

    async def _begin_at_present(self, channel: discord.abc.GuildChannel) -> None:
        newest = getattr(channel, "last_message_id", None) or channel.id
        await self._begin(channel.guild.id, channel.id, newest)
        try:
            async for thread in self._threads(channel):
                last = thread.last_message_id or thread.id
                await self._begin(channel.guild.id, thread.id, last)
        except (discord.HTTPException, discord.RateLimited) as error:
            log.info("the threads of %s cannot be listed: %s", channel.id, where(error))

    async def _read(self, channel: Readable, after: int) -> bool:
        start = max(after, self._horizon())
        root = parent_of(channel) or channel.id
        edits = self._bot.progress.edits_mark(root)
        tally = self._tallies.get(channel.guild.id)
        if tally is not None and start > after and root == channel.id:
            tally.cut |= await self._has_between(channel, after, start)
        if not await self._read_before(channel, root, after, start):
            return False
        taken, last = 0, after
        async for message in channel.history(
            limit=None, after=discord.Object(start), oldest_first=True
        ):
            if not await self._bot.watches(channel.guild.id, root):
                break
            if not await self._bot.intake.take(message, source="catch_up", tally=tally):
                return False
            taken, last = taken + 1, message.id
            if taken % STEP == 0:
                await self._follow(channel, root, last, edits)
        if last > after:
            await self._follow(channel, root, last, edits)
        if taken:
            log.info("caught up %d messages of channel %s", taken, channel.id)
        return True

    async def _follow(
        self, channel: Readable, root: int, last: int, edits: tuple[int, int]
    ) -> None:
        """Move a checkpoint to a message read from history, if no edit was lost meanwhile."""
        await self._bot.watcher.pass_queue()
        if self._bot.progress.edits_mark(root) == edits:
            await self._advance(channel.guild.id, channel.id, last)

    @staticmethod
    async def _has_between(channel: Readable, after: int, start: int) -> bool:
        """Whether there are messages after a checkpoint that are too old to be read."""
        next_one = channel.history(limit=1, after=discord.Object(after), oldest_first=True)
        return any([message.id <= start async for message in next_one])

    async def _read_before(self, channel: Readable, root: int, after: int, start: int) -> bool:
        """Hear again of the last messages before a gap, and take those edited in it.

        What follows may go on with them. The gap begins with `start`, later than the
        checkpoint `after` if what lies between is too old to be read.
        """
        watch = self._bot.settings.watch
        heard = watch.run_messages - 1
        read = await self._last(channel, after, max(heard, watch.edits_look_back))
        near = read if start == after else await self._last(channel, start, heard)
        for message in reversed(near[:heard]):
            await self._bot.intake.look_back(message, source="catch_up")
        moment = discord.utils.snowflake_time(after) - LATE
        complete = True
        for message in read[: watch.edits_look_back]:
            if not await self._bot.watches(channel.guild.id, root):
                break
            if message.edited_at is not None and message.edited_at > moment:
                complete &= await self._bot.intake.take(message, source="catch_up")
        return complete

    async def _last(self, channel: Readable, until: int, number: int) -> list[discord.Message]:
        """The last messages up to one that are not from before watching began, newest first."""
        before, begun_at = discord.Object(until + 1), self._begun_at.get(channel.id, 0)
        history = channel.history(limit=number, before=before)
        return [each async for each in history if each.id > begun_at]

    async def _threads(self, channel: discord.abc.GuildChannel) -> AsyncIterator[discord.Thread]:
        """The active threads of a channel, and the archived ones that may hold what is read."""
        since = discord.utils.snowflake_time(self._horizon())
        try:
            async for thread in threads_of(channel, since):
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

    async def _begin(self, guild_id: int, channel_id: int, newest: int) -> None:
        self._begun_at[channel_id] = newest
        await self._advance(guild_id, channel_id, newest)

    async def _advance(self, guild_id: int, channel_id: int, message_id: int) -> None:
        await self._bot.store.checkpoints.advance(str(guild_id), str(channel_id), str(message_id))


def _is_read(thread: discord.Thread, checkpoint: int, until: datetime) -> bool:
    """Whether a thread was archived before a moment and has no message after its checkpoint."""
    done = thread.archived and thread.archive_timestamp < until
    return done and (thread.last_message_id or 0) <= checkpoint
