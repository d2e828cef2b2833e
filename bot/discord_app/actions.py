"""What a moderator's press does: check, act on Discord, and decide, in this order.

A flag is claimed for the moderator before anything is done on Discord, so that of two who
press at once only one acts; if Discord refuses, the flag is as it was.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import discord

from bot.comment import Action, Flag, Status
from bot.discord_app.appeal_offers import tell_of
from bot.discord_app.errors import RefusedError, explain
from bot.discord_app.measures import GoneError, Measures, reason_of
from bot.discord_app.permissions import (
    LOOK,
    Channel,
    moderator_of,
    require,
    require_own,
    require_rank,
)
from bot.discord_app.quoting import escape
from bot.errors import FanguardError
from bot.moderation import Moderator, Queue, check_undoable, decide, explain_loss, may, reopen
from bot.words import N_, _, ngettext

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

DEFAULT_TIMEOUT = timedelta(hours=1)
UNDOABLE = (Action.TIMEOUT, Action.BAN)
_LOOK_AHEAD = 20
_UNTOLD = N_("They take no direct messages from me, so they were not told how to appeal.")


@dataclass(frozen=True, slots=True)
class Details:
    """What a moderator chose with an action.

    `reason` is in their own words: of a warning it is what the author is told.
    """

    reason: str = ""
    length: timedelta = DEFAULT_TIMEOUT
    by_dm: bool = True


class Actions:
    """Takes and decides flags for moderators."""

    def __init__(self, bot: FanguardBot) -> None:
        """Act for this bot."""
        self._bot = bot
        self._queue = Queue(bot.store)
        self._measures = Measures(bot)
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
            raise RefusedError(_("This server has no such flag. /queue lists the open ones."))
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
        return _("Flag {flag} is yours for {claim_minutes} minutes.").format(
            flag=flag.id, claim_minutes=self._bot.settings.watch.claim_minutes
        )

    async def take_next(self, member: discord.Member, *, person: str | None = None) -> Flag | None:
        """Take the oldest open flag that this moderator may handle.

        Args:
            member: the moderator.
            person: only flags aimed at them.

        Returns:
            The flag, now theirs; None when there is none.
        """
        guild_id, offset = str(member.guild.id), 0
        while waiting := await self._bot.store.flags.list(
            guild_id,
            status=Status.OPEN,
            person=person,
            order="oldest",
            limit=_LOOK_AHEAD,
            offset=offset,
        ):
            for flag in waiting:
                moderator = moderator_of(member, channel_of(member.guild, flag))
                if not may(moderator, LOOK):
                    continue
                result = await self._queue.claim(guild_id, flag.id, moderator)
                if result.won:
                    self._bot.outbox.changed(result.flag)
                    return result.flag
            offset += _LOOK_AHEAD
        return None

    async def check(
        self, member: discord.Member, flag_id: int, message_id: str | None, action: Action
    ) -> Flag:
        """Check what can be checked before an action on the author is chosen; do nothing.

        Raises:
            RefusedError: not allowed, the author has left, or another moderator has the flag.
        """
        flag = await self.load(member.guild, flag_id, message_id)
        channel = channel_of(member.guild, flag)
        moderator = moderator_of(member, channel)
        require(moderator, action, channel)
        if not flag.status.is_waiting or flag.claimed_by_id not in (None, moderator.id):
            raise RefusedError(escape(explain_loss(flag)))
        if action is Action.TIMEOUT:
            require_own(member.guild, "moderate_members")
        require_rank(member, await self._measures.author_of(member.guild, flag), action)
        return flag

    async def decide(
        self,
        member: discord.Member,
        flag_id: int,
        message_id: str | None,
        action: Action,
        details: Details | None = None,
    ) -> str:
        """Carry out an action on Discord and decide the flag with it.

        Returns:
            The line to answer with.

        Raises:
            RefusedError: not allowed, or another moderator was first.
            discord.HTTPException: Discord refused; the flag is as it was.
        """
        guild, chosen = member.guild, details or Details()
        async with self._one_at_a_time(flag_id):
            flag = await self.load(guild, flag_id, message_id)
            channel = channel_of(guild, flag)
            moderator = moderator_of(member, channel)
            require(moderator, action, channel)
            await self._claim(moderator, flag)
            try:
                line = await self._carry_out(member, flag, action, channel, chosen)
            except BaseException:
                if flag.claimed_by_id != moderator.id:
                    await self._queue.release(str(guild.id), flag.id, moderator)
                raise
            finally:
                self._bot.outbox.changed(flag)
            result = await decide(
                self._bot.store,
                str(guild.id),
                flag.id,
                action,
                moderator,
                reason=chosen.reason,
                undoable=action in UNDOABLE,
            )
            self._bot.outbox.changed(flag)
            if not result.won:
                raise RefusedError(escape(explain_loss(result.flag)))
            return line

    async def decide_alike(
        self, member: discord.Member, flag_id: int, message_id: str | None, action: Action
    ) -> str:
        """Decide a flag and all undecided ones of the same text in the same way.

        What is refused for one of them leaves that one open.

        Returns:
            The line to answer with.

        Raises:
            RefusedError: nothing could be done.
            discord.HTTPException: Discord refused the only thing to be done.
        """
        first = await self.load(member.guild, flag_id, message_id)
        alike = await self._bot.store.flags.alike(str(member.guild.id), first.id)
        done, refused, problem = 0, list[int](), Exception()
        for flag in (first, *alike):
            try:
                await self.decide(member, flag.id, flag.comment.id, action)
                done += 1
            except (FanguardError, discord.HTTPException) as error:
                refused.append(flag.id)
                problem = error
        if not done:
            raise problem
        line = (
            _("Removed: {count} of the same text.")
            if action is Action.REMOVE
            else _("Dismissed: {count} of the same text.")
        ).format(count=done)
        if refused:
            numbers = ", ".join(map(str, refused[:10]))
            why = explain(problem, f"{action} of flag {refused[-1]}")
            left = _("Left as they were: {count} (flag {numbers}).")
            line = f"{line} {left.format(count=len(refused), numbers=numbers)} {why}"
        return line

    async def time_out(
        self, member: discord.Member, flag_id: int, message_id: str | None, length: timedelta | None
    ) -> str:
        """Decide a flag with a timeout; of one that is decided so, change it or lift it.

        Returns:
            The line to answer with.

        Raises:
            RefusedError: not allowed.
            discord.HTTPException: Discord refused.
        """
        flag = await self.load(member.guild, flag_id, message_id)
        if flag.decision is None or flag.decision.action is not Action.TIMEOUT:
            if length is None:
                raise RefusedError(_("There is no timeout to lift yet."))
            details = Details(length=length)
            return await self.decide(member, flag_id, message_id, Action.TIMEOUT, details)
        channel = channel_of(member.guild, flag)
        require(moderator_of(member, channel), Action.TIMEOUT, channel)
        await self._measures.time_out(member, flag, length)
        if length is None:
            return _("The timeout is lifted.")
        return _("Timed out for {length} from now.").format(length=describe(length))

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
        try:
            await self._measures.remove(member.guild, flag, channel, reason_of(member, flag))
        except GoneError:
            return _("The message was already gone.")
        return _("The message is removed.")

    async def undo(self, member: discord.Member, flag_id: int, message_id: str | None) -> str:
        """Lift the timeout or ban that a flag was decided with, and open the flag again.

        Returns:
            The line to answer with.

        Raises:
            RefusedError: not allowed.
            UserError: it cannot be undone, or not any more.
            discord.HTTPException: Discord refused; the decision stands.
        """
        guild = member.guild
        async with self._one_at_a_time(flag_id):
            flag = await self.load(guild, flag_id, message_id)
            check_undoable(flag)
            action = flag.decision.action if flag.decision else Action.NO_ACTION
            channel = channel_of(guild, flag)
            moderator = moderator_of(member, channel)
            require(moderator, action, channel)
            line = await self._measures.lift(member, flag, action)
            await reopen(self._bot.store, str(guild.id), flag.id, moderator, reason="undone")
            self._bot.outbox.changed(flag)
            opened = _("Flag {flag} is open again.").format(flag=flag.id)
            return f"{line} {opened}"

    async def note(
        self, member: discord.Member, flag_id: int, message_id: str | None, text: str
    ) -> str:
        """Put a note on a flag, for the other moderators.

        Returns:
            The line to answer with.

        Raises:
            RefusedError: not allowed.
        """
        flag = await self.look(member, flag_id, message_id)
        moderator = moderator_of(member, channel_of(member.guild, flag))
        await self._bot.store.flags.note(
            str(member.guild.id), flag.id, text, moderator.id, moderator.name
        )
        self._bot.outbox.changed(flag)
        return _("The note is on the card.")

    async def _claim(self, moderator: Moderator, flag: Flag) -> None:
        if not flag.status.is_waiting:
            raise RefusedError(escape(explain_loss(flag)))
        result = await self._queue.claim(flag.comment.guild_id, flag.id, moderator)
        if not result.won:
            raise RefusedError(escape(explain_loss(result.flag)))

    async def _carry_out(
        self,
        member: discord.Member,
        flag: Flag,
        action: Action,
        channel: Channel | None,
        chosen: Details,
    ) -> str:
        measures, still = self._measures, _("The message is still there.")
        line, told = _("Dismissed: the message stays."), True
        match action:
            case Action.REMOVE:
                await measures.remove(member.guild, flag, channel, reason_of(member, flag))
                line = _("The message is removed. That cannot be undone; its text stays here.")
            case Action.TIMEOUT:
                await measures.time_out(member, flag, chosen.length, chosen.reason)
                target = await measures.author_of(member.guild, flag)
                told = await tell_of(member.guild, target, flag, Action.TIMEOUT)
                line = _("Timed out for {length}. {still}").format(
                    length=describe(chosen.length), still=still
                )
            case Action.WARN:
                await measures.warn(member, flag, chosen.reason, by_dm=chosen.by_dm)
                warned = (
                    _("Warned by direct message. {still}")
                    if chosen.by_dm
                    else _("Warned in the channel. {still}")
                )
                line = warned.format(still=still)
            case Action.KICK:
                told = await measures.kick(member, flag, chosen.reason)
                line = _("Kicked. {still}").format(still=still)
            case Action.BAN:
                told = await measures.ban(member, flag, chosen.reason)
                line = _("Banned; for 5 minutes the card offers to undo it. {still}").format(
                    still=still
                )
            case Action.NO_ACTION:
                line = _("Closed, and everything left as it is.")
        return line if told else f"{line} {_(_UNTOLD)}"

    @asynccontextmanager
    async def _one_at_a_time(self, flag_id: int) -> AsyncIterator[None]:
        lock = self._locks.get(flag_id)
        if lock is None:
            lock = self._locks[flag_id] = asyncio.Lock()
        async with lock:
            yield


def describe(length: timedelta) -> str:
    """A length of time in words: “1 hour”, “7 days”."""
    seconds = int(length.total_seconds())
    days, hours, minutes = seconds // 86400, seconds // 3600, seconds // 60
    if days and days * 86400 == seconds:
        return ngettext("{count} day", "{count} days", days).format(count=days)
    if hours and hours * 3600 == seconds:
        return ngettext("{count} hour", "{count} hours", hours).format(count=hours)
    if minutes and minutes * 60 == seconds:
        return ngettext("{count} minute", "{count} minutes", minutes).format(count=minutes)
    return ngettext("{count} second", "{count} seconds", seconds).format(count=seconds)


def channel_of(guild: discord.Guild, flag: Flag) -> Channel | None:
    """Where the flagged message is, or its thread's channel, as far as it still exists."""
    for channel_id in (flag.comment.channel_id, flag.comment.parent_id):
        if channel_id and channel_id.isdigit():
            channel = guild.get_channel_or_thread(int(channel_id))
            if channel is not None:
                return channel
    return None
