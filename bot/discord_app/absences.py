"""Flagged messages that disappear: told on the card, with who deleted them where it is known.

The gateway does not say who deleted a message. The audit log names a moderator or a bot,
never a member who deleted their own; of several deletions within minutes it keeps one entry
with a count, so an entry tells something only if it is new or has counted on.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import discord
from discord.ext import commands

from bot.comment import Flag, Status
from bot.discord_app.logs import where

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

log = logging.getLogger(__name__)

AUDIT_LOG_SECONDS = 1.0
FRESH = timedelta(seconds=15)
LOOKED_AT = 10
MOST_REMEMBERED = 1000
MOST_LOOKED_FOR = 50


class Absences(commands.Cog):
    """Notes which flagged messages are gone, and looks up by whom."""

    def __init__(self, bot: FanguardBot) -> None:
        """Listen for this bot."""
        self.bot = bot
        self._expected: set[int] = set()
        self._counts: dict[int, int] = {}
        self._missed: dict[int, list[Flag]] = {}
        self._lookups: set[asyncio.Task[None]] = set()

    def expect(self, message_id: int) -> None:
        """The bot is about to delete this message itself."""
        self._expected.add(message_id)

    def expect_no_more(self, message_id: int) -> None:
        """The bot did not delete it after all."""
        self._expected.discard(message_id)

    async def cog_unload(self) -> None:
        """Look nothing up any more."""
        for task in self._lookups:
            task.cancel()

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Look whether the messages of the newest undecided flags are still there."""
        for guild in self.bot.guilds:
            try:
                await self._look_for_lost(guild)
            except Exception as error:  # noqa: BLE001
                log.info("flagged messages of guild %s not looked for: %s", guild.id, where(error))

    async def _look_for_lost(self, guild: discord.Guild) -> None:
        waiting = await self.bot.store.flags.list(
            str(guild.id), status=(Status.OPEN, Status.CLAIMED), limit=MOST_LOOKED_FOR
        )
        asked = 0
        for flag in waiting:
            if flag.gone_at is not None or flag.erased or not flag.comment.channel_id.isdigit():
                continue
            for message_id in filter(str.isdigit, flag.comment.message_ids):
                asked += 1
                if asked > MOST_LOOKED_FOR:
                    return
                await self._look_for(guild, int(flag.comment.channel_id), int(message_id))

    async def _look_for(self, guild: discord.Guild, channel_id: int, message_id: int) -> None:
        try:
            await self.bot.http.get_message(channel_id, message_id)
        except discord.NotFound:
            flag = await self.bot.store.flags.gone(str(guild.id), str(message_id))
            if flag is not None:
                self.bot.outbox.changed(flag)
        except discord.HTTPException as error:
            log.info("message %s cannot be looked for: %s", message_id, where(error))

    @commands.Cog.listener()
    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """One message is gone."""
        await self._gone(payload.guild_id, [payload.message_id])

    @commands.Cog.listener()
    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Several are gone at once."""
        await self._gone(payload.guild_id, payload.message_ids)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel is gone with all its messages, of which the gateway says nothing."""
        await self._lost_with(channel.guild.id, channel.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread is gone with all its messages."""
        await self._lost_with(payload.guild_id, payload.thread_id)

    async def _lost_with(self, guild_id: int, channel_id: int) -> None:
        for flag in await self.bot.store.flags.gone_with(str(guild_id), str(channel_id)):
            self.bot.outbox.changed(flag)

    async def _gone(self, guild_id: int | None, message_ids: Iterable[int]) -> None:
        if guild_id is None:
            return
        for message_id in message_ids:
            if message_id in self._expected:
                self._expected.discard(message_id)
                continue
            flag = await self.bot.store.flags.gone(str(guild_id), str(message_id))
            if flag is None:
                continue
            self.bot.outbox.changed(flag)
            self._missed.setdefault(guild_id, []).append(flag)
            if len(self._missed[guild_id]) == 1:
                task = asyncio.create_task(self._look_up(guild_id), name=f"audit-log-{guild_id}")
                self._lookups.add(task)
                task.add_done_callback(self._lookups.discard)

    async def _look_up(self, guild_id: int) -> None:
        """Ask the audit log once for all that disappeared within a moment."""
        since = datetime.now(UTC) - FRESH
        await asyncio.sleep(AUDIT_LOG_SECONDS)
        flags = self._missed.pop(guild_id, [])
        guild = self.bot.get_guild(guild_id)
        if guild is None or not guild.me.guild_permissions.view_audit_log:
            return
        try:
            entries = await self._deletions(guild)
        except discord.HTTPException as error:
            log.info("the audit log of guild %s cannot be read: %s", guild_id, where(error))
            return
        telling = [entry for entry in entries if self._tells(entry, since)]
        for flag in flags:
            entry = next((entry for entry in telling if _is_about(entry, flag)), None)
            if entry is None or entry.user_id is None:
                continue
            name = entry.user.display_name if entry.user else str(entry.user_id)
            changed = await self.bot.store.flags.gone(
                str(guild_id), flag.comment.id, str(entry.user_id), name
            )
            if changed is not None:
                self.bot.outbox.changed(changed)

    async def _deletions(self, guild: discord.Guild) -> list[discord.AuditLogEntry]:
        kinds = (discord.AuditLogAction.message_delete, discord.AuditLogAction.message_bulk_delete)
        return [
            entry
            for kind in kinds
            async for entry in guild.audit_logs(limit=LOOKED_AT, action=kind)
        ]

    def _tells(self, entry: discord.AuditLogEntry, since: datetime) -> bool:
        count = int(getattr(entry.extra, "count", 1))
        before = self._counts.pop(entry.id, None)
        self._counts[entry.id] = count
        while len(self._counts) > MOST_REMEMBERED:
            del self._counts[next(iter(self._counts))]
        return entry.created_at >= since if before is None else count > before


def _is_about(entry: discord.AuditLogEntry, flag: Flag) -> bool:
    """Whether an entry is about the author's messages in a flag's channel, or all there."""
    target = str(getattr(entry.target, "id", ""))
    if entry.action is discord.AuditLogAction.message_bulk_delete:
        return target == flag.comment.channel_id
    place = str(getattr(getattr(entry.extra, "channel", None), "id", ""))
    return target == flag.comment.author_id and place == flag.comment.channel_id
