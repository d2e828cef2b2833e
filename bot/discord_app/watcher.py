"""Live messages: from the gateway into a bounded queue, and from there into the pipeline.

The gateway's side only puts messages into the queue, in the order they come. When the
queue is full the message is left to catch-up, which reads it from the channel's history.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

import discord
from discord.ext import commands

from bot.discord_app.away import Reason
from bot.discord_app.comments import parent_of
from bot.discord_app.logs import where

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

log = logging.getLogger(__name__)

BATCH = 50


@dataclass(frozen=True, slots=True)
class Arrival:
    """A message that came over the gateway, new or edited."""

    message: discord.Message
    is_edit: bool = False


class Watcher(commands.Cog):
    """Takes what members post and edit in the watched channels."""

    def __init__(self, bot: FanguardBot) -> None:
        """Make the queue; nothing runs until `start`."""
        self.bot = bot
        self.queue: asyncio.Queue[Arrival] = asyncio.Queue(bot.settings.watch.queue_size)
        self._worker: asyncio.Task[None] | None = None
        self._taking = True
        self._accepted = 0
        self._finished = 0
        self._finishing = asyncio.Event()

    async def cog_load(self) -> None:
        """Start the worker."""
        self._worker = asyncio.create_task(self._work(), name="watcher")

    async def pass_queue(self) -> None:
        """Wait until all that is in the queue now was taken, or left to catch-up."""
        until = self._accepted
        while self._finished < until:
            await self._finishing.wait()

    async def drain(self, seconds: float) -> None:
        """Accept nothing more, and finish what is in the queue if `seconds` allow."""
        self._taking = False
        try:
            async with asyncio.timeout(seconds):
                await self.queue.join()
        except TimeoutError:
            log.warning("%d messages are left to the next start", self.queue.qsize())
        if self._worker is not None:
            self._worker.cancel()

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Queue a new message."""
        self._accept(Arrival(message))

    @commands.Cog.listener()
    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """Queue an edited message; an update without an edit time is a link's preview."""
        if payload.data.get("edited_timestamp"):
            self._accept(Arrival(payload.message, is_edit=True))

    def _accept(self, arrival: Arrival) -> None:
        message = arrival.message
        if not self._taking or message.guild is None or message.author == self.bot.user:
            return
        try:
            self.queue.put_nowait(arrival)
        except asyncio.QueueFull:
            root = _likely_root(message)
            if self.bot.progress.may_advance(root):
                log.warning("the queue is full: channel %s will be read from history", root)
            self._leave_to_catch_up(arrival, message.guild.id, root, Reason.OVERLOAD)
        else:
            self._accepted += 1

    async def _work(self) -> None:
        while True:
            batch = [await self.queue.get()]
            while len(batch) < BATCH and not self.queue.empty():
                batch.append(self.queue.get_nowait())
            try:
                await self._take(batch)
            finally:
                for _ in batch:
                    self.queue.task_done()
                self._finished += len(batch)
                self._finishing.set()
                self._finishing = asyncio.Event()

    async def _take(self, batch: list[Arrival]) -> None:
        reached: dict[tuple[int, int, int], int] = {}
        for arrival in batch:
            message = arrival.message
            guild_id = 0 if message.guild is None else message.guild.id
            root = await self._root_of(arrival)
            if root is None:
                continue
            if not await self.bot.intake.take(message, source="gateway"):
                self._leave_to_catch_up(arrival, guild_id, root)
            elif not arrival.is_edit:
                reached[guild_id, root, message.channel.id] = message.id
        for (guild_id, root, channel_id), message_id in reached.items():
            if self.bot.progress.may_advance(root):
                await self._advance(guild_id, root, channel_id, message_id)

    async def _root_of(self, arrival: Arrival) -> int | None:
        message = arrival.message
        try:
            return await self.bot.intake.root_of(message)
        except Exception as error:  # noqa: BLE001
            log.warning("message %s could not be placed: %s", message.id, where(error))
            if message.guild is not None:
                self._leave_to_catch_up(arrival, message.guild.id, _likely_root(message))
            return None

    async def _advance(self, guild_id: int, root: int, channel_id: int, message_id: int) -> None:
        try:
            await self.bot.store.checkpoints.advance(
                str(guild_id), str(channel_id), str(message_id)
            )
        except Exception as error:  # noqa: BLE001
            log.warning("the checkpoint of channel %s could not be moved: %s", root, where(error))

    def _leave_to_catch_up(
        self, arrival: Arrival, guild_id: int, root: int, why: Reason | None = None
    ) -> None:
        self.bot.progress.lost(root, is_edit=arrival.is_edit)
        self.bot.catch_up.request(guild_id, root, why)


def _likely_root(message: discord.Message) -> int:
    return parent_of(message.channel) or message.channel.id
