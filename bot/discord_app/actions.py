"""What a moderator's press does: check, act on Discord, and decide, in this order.

A flag is claimed for the moderator before anything is done on Discord, so that of two who
press at once only one acts; if Discord refuses, the flag is as it was.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import discord

from bot.comment import Action, Flag, Status
from bot.discord_app.errors import RefusedError
from bot.discord_app.permissions import NAMES, Channel, moderator_of, require, require_rank
from bot.discord_app.quoting import escape
from bot.moderation import Moderator, Queue, decide, explain_loss

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

DEFAULT_TIMEOUT = timedelta(hours=1)
_REASON_LIMIT = 500


class Actions:
    """Takes and decides flags for moderators."""

    def __init__(self, bot: FanguardBot) -> None:
        """Act for this bot."""
        self._bot = bot
        self._queue = Queue(bot.store)
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def load(self, guild: discord.Guild, flag_id: int, message_id: str | None = None) -> Flag:
        """Find a flag of this guild.

        Args:
            guild: where the press came from; a flag of another guild is not found.
            flag_id: which one.
            message_id: the message it must be about. A card that was posted from another
                database may carry the same number for another message.

        Raises:
            RefusedError: there is no such flag here.
        """
        flag = await self._bot.store.flags.get(str(guild.id), flag_id)
        if flag is None or (message_id and not flag.comment.id.startswith(message_id)):
            raise RefusedError("This server has no such flag. /queue lists the open ones.")
        return flag

    async def look(
        self, member: discord.Member, flag_id: int, message_id: str | None = None
    ) -> Flag:
        """Show a flag to a moderator who may manage messages where it was posted.

        Raises:
            RefusedError: not allowed, or there is no such flag here.
        """
        flag = await self.load(member.guild, flag_id, message_id)
        channel = channel_of(member.guild, flag)
        require(moderator_of(member, channel), None, channel)
        return flag

    async def claim(self, member: discord.Member, flag_id: int, message_id: str | None) -> str:
        """Take a flag, so that others leave it alone for a while.

        Returns:
            The line to answer with.

        Raises:
            RefusedError: not allowed, or another moderator has it.
        """
        flag = await self.look(member, flag_id, message_id)
        await self._claim(moderator_of(member, channel_of(member.guild, flag)), flag)
        self._bot.outbox.changed(flag)
        return f"Flag {flag.id} is yours for {self._bot.settings.watch.claim_minutes} minutes."

    async def decide(
        self, member: discord.Member, flag_id: int, message_id: str | None, action: Action
    ) -> str:
        """Carry out an action on Discord and decide the flag with it.

        Returns:
            The line to answer with.

        Raises:
            RefusedError: not allowed, or another moderator was first.
            discord.HTTPException: Discord refused; the flag is as it was.
        """
        guild = member.guild
        async with self._one_at_a_time(flag_id):
            flag = await self.load(guild, flag_id, message_id)
            channel = channel_of(guild, flag)
            moderator = moderator_of(member, channel)
            require(moderator, action, channel)
            await self._claim(moderator, flag)
            try:
                line = await self._carry_out(member, flag, action, channel)
            except BaseException:
                if flag.claimed_by_id != moderator.id:
                    await self._queue.release(str(guild.id), flag.id, moderator)
                raise
            finally:
                self._bot.outbox.changed(flag)
            result = await decide(self._bot.store, str(guild.id), flag.id, action, moderator)
            self._bot.outbox.changed(flag)
            if not result.won:
                raise RefusedError(escape(explain_loss(result.flag)))
            return line

    async def change_timeout(
        self, member: discord.Member, flag_id: int, message_id: str | None, length: timedelta | None
    ) -> str:
        """Give the author of a flag another timeout, or lift it.

        Returns:
            The line to answer with.

        Raises:
            RefusedError: not allowed.
            discord.HTTPException: Discord refused.
        """
        flag = await self.load(member.guild, flag_id, message_id)
        channel = channel_of(member.guild, flag)
        require(moderator_of(member, channel), Action.TIMEOUT, channel)
        await self._time_out(member, flag, length)
        if length is None:
            return "The timeout is lifted."
        return f"Timed out for {describe(length)} from now."

    async def remove_too(self, member: discord.Member, flag_id: int, message_id: str | None) -> str:
        """Remove the message of a flag that is decided already.

        Returns:
            The line to answer with.

        Raises:
            RefusedError: not allowed.
            discord.HTTPException: Discord refused.
        """
        flag = await self.load(member.guild, flag_id, message_id)
        channel = channel_of(member.guild, flag)
        require(moderator_of(member, channel), Action.REMOVE, channel)
        return await self._remove(member, flag, channel)

    async def _claim(self, moderator: Moderator, flag: Flag) -> None:
        if flag.status is Status.DECIDED:
            raise RefusedError(escape(explain_loss(flag)))
        result = await self._queue.claim(flag.comment.guild_id, flag.id, moderator)
        if not result.won:
            raise RefusedError(escape(explain_loss(result.flag)))

    async def _carry_out(
        self, member: discord.Member, flag: Flag, action: Action, channel: Channel | None
    ) -> str:
        if action is Action.REMOVE:
            return await self._remove(member, flag, channel)
        if action is Action.TIMEOUT:
            await self._time_out(member, flag, DEFAULT_TIMEOUT)
            return f"Timed out for {describe(DEFAULT_TIMEOUT)}. The message is still there."
        return "Dismissed: the message stays."

    async def _remove(self, member: discord.Member, flag: Flag, channel: Channel | None) -> str:
        comment = flag.comment
        if not (comment.channel_id.isdigit() and comment.id.isdigit()):
            raise RefusedError("This message is not on Discord, so it cannot be removed here.")
        if channel is not None and not channel.permissions_for(member.guild.me).manage_messages:
            raise RefusedError(
                f"I lack {NAMES['manage_messages']} in <#{channel.id}>. Give it to my role there, "
                "then press again."
            )
        try:
            # Message.delete takes no reason for the audit log; the request does.
            await self._bot.http.delete_message(
                int(comment.channel_id), int(comment.id), reason=_reason(member, flag)
            )
        except discord.NotFound:
            return "The message was already gone."
        return "The message is removed."

    async def _time_out(self, member: discord.Member, flag: Flag, length: timedelta | None) -> None:
        guild = member.guild
        if not guild.me.guild_permissions.moderate_members:
            raise RefusedError(
                f"I lack {NAMES['moderate_members']}. Give it to my role, then press again."
            )
        try:
            target = await guild.fetch_member(int(flag.comment.author_id))
        except (discord.NotFound, ValueError):
            raise RefusedError(
                "The author is not a member here: they have left, or wrote through a proxy. "
                "Remove or Dismiss still work."
            ) from None
        require_rank(member, target)
        await target.timeout(length, reason=_reason(member, flag))

    @asynccontextmanager
    async def _one_at_a_time(self, flag_id: int) -> AsyncIterator[None]:
        lock = self._locks.get(flag_id)
        if lock is None:
            lock = self._locks[flag_id] = asyncio.Lock()
        async with lock:
            yield


def describe(length: timedelta) -> str:
    """A length of time in words: “1 hour”, “7 days”."""
    for unit, seconds in (("day", 86400), ("hour", 3600), ("minute", 60)):
        number = int(length.total_seconds()) // seconds
        if number and number * seconds == int(length.total_seconds()):
            return f"{number} {unit}{'s' if number > 1 else ''}"
    return f"{int(length.total_seconds())} seconds"


def channel_of(guild: discord.Guild, flag: Flag) -> Channel | None:
    """Where the flagged message is, or its thread's channel, as far as it still exists."""
    for channel_id in (flag.comment.channel_id, flag.comment.parent_id):
        if channel_id and channel_id.isdigit():
            channel = guild.get_channel_or_thread(int(channel_id))
            if channel is not None:
                return channel
    return None


def _reason(member: discord.Member, flag: Flag) -> str:
    return f"Fanguard flag {flag.id}, decided by {member} ({member.id})"[:_REASON_LIMIT]
