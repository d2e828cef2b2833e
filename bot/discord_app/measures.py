"""What is done on Discord for a moderator: removals, warnings, timeouts, kicks, bans.

Each checks what the bot and the moderator may do at that moment, and gives Discord's audit
log the moderator's name.
"""

from __future__ import annotations

import contextlib
from datetime import timedelta
from typing import TYPE_CHECKING

import discord

from bot.comment import Action, Flag
from bot.discord_app.appeal_offers import tell_of
from bot.discord_app.cards import jump_url
from bot.discord_app.errors import RefusedError
from bot.discord_app.permissions import Channel, name_of, require_own, require_rank
from bot.words import _, speaking

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

WARNING_LENGTH = 1500
_REASON_LIMIT = 500
_CLOSED_DM = 50007
_NOBODY = discord.AllowedMentions.none()


class GoneError(RefusedError):
    """A message that was to be removed has disappeared already."""


class Measures:
    """Acts on messages and members."""

    def __init__(self, bot: FanguardBot) -> None:
        """Act for this bot."""
        self._bot = bot

    async def remove(
        self, guild: discord.Guild, flag: Flag, channel: Channel | None, reason: str
    ) -> None:
        """Delete a flagged message, or all those that are read as one.

        Raises:
            RefusedError: it is not on Discord, gone already, or the bot may not delete it.
        """
        comment = flag.comment
        if not (comment.channel_id.isdigit() and comment.id.isdigit()):
            raise RefusedError(_("This message is not on Discord, so it cannot be removed here."))
        if channel is not None and not channel.permissions_for(guild.me).manage_messages:
            raise RefusedError(
                _(
                    "I lack {names} in <#{channel}>. Give it to my role there, then press again."
                ).format(names=name_of("manage_messages"), channel=channel.id)
            )
        removed = [await self._delete(flag, each, reason) for each in comment.message_ids]
        if not any(removed):
            raise GoneError(
                _(
                    "The message is already gone, so there is nothing to remove. Dismiss, or "
                    "No action under More, closes the flag; Timeout and Warn still work."
                )
            )

    async def _delete(self, flag: Flag, message_id: str, reason: str) -> bool:
        """Delete one message; False if it is gone already."""
        absences, number = self._bot.absences, int(message_id)
        absences.expect(number)
        try:
            # Message.delete takes no reason for the audit log; the request does.
            await self._bot.http.delete_message(int(flag.comment.channel_id), number, reason=reason)
        except discord.NotFound:
            absences.expect_no_more(number)
            await self._bot.store.flags.gone(flag.comment.guild_id, message_id)
            return False
        except discord.HTTPException:
            absences.expect_no_more(number)
            raise
        return True

    async def time_out(
        self, member: discord.Member, flag: Flag, length: timedelta | None, note: str = ""
    ) -> None:
        """Time the author out for a while from now, or lift their timeout."""
        require_own(member.guild, "moderate_members")
        target = await self.author_of(member.guild, flag)
        require_rank(member, target, Action.TIMEOUT)
        await target.timeout(length, reason=reason_of(member, flag, note))

    async def warn(self, member: discord.Member, flag: Flag, text: str, *, by_dm: bool) -> None:
        """Write to the author, in a direct message or below their message.

        Raises:
            RefusedError: they have left, take no direct messages, or the bot may not write.
        """
        target = await self.author_of(member.guild, flag)
        require_rank(member, target, Action.WARN)
        if by_dm:
            await self._warn_by_dm(target, flag, text)
        else:
            await self._warn_in_channel(member.guild, target, flag, text)

    async def kick(self, member: discord.Member, flag: Flag, note: str) -> bool:
        """Kick the author, who is told first; False if no direct message reached them."""
        require_own(member.guild, "kick_members")
        target = await self.author_of(member.guild, flag)
        require_rank(member, target, Action.KICK)
        told = await tell_of(member.guild, target, flag, Action.KICK)
        await target.kick(reason=reason_of(member, flag, note))
        return told

    async def ban(self, member: discord.Member, flag: Flag, note: str) -> bool:
        """Ban the author, also one who has left; their messages stay.

        Who is still there is told first; False if no direct message reached them.
        """
        guild, told = member.guild, False
        require_own(guild, "ban_members")
        if not flag.comment.author_id.isdigit():
            raise RefusedError(_("The author is not on Discord. Remove or Dismiss still work."))
        with contextlib.suppress(discord.NotFound):
            target = await guild.fetch_member(int(flag.comment.author_id))
            require_rank(member, target, Action.BAN)
            told = await tell_of(guild, target, flag, Action.BAN)
        await guild.ban(
            discord.Object(int(flag.comment.author_id)),
            delete_message_seconds=0,
            reason=reason_of(member, flag, note),
        )
        return told

    async def lift(self, member: discord.Member, flag: Flag, action: Action) -> str:
        """Lift a timeout or a ban.

        Returns:
            The line to answer with.
        """
        if action is Action.BAN:
            require_own(member.guild, "ban_members")
            try:
                await member.guild.unban(
                    discord.Object(int(flag.comment.author_id)),
                    reason=reason_of(member, flag, "undone"),
                )
            except discord.NotFound:
                return _("They were not banned any more.")
            return _("The ban is lifted. They can join again with an invite.")
        await self.time_out(member, flag, None, "undone")
        return _("The timeout is lifted.")

    async def author_of(self, guild: discord.Guild, flag: Flag) -> discord.Member:
        """The author of a flag as a member.

        Raises:
            RefusedError: they are none.
        """
        try:
            return await guild.fetch_member(int(flag.comment.author_id))
        except (discord.NotFound, ValueError):
            raise RefusedError(
                _(
                    "The author is not a member here: they have left, or wrote through a proxy. "
                    "Remove or Dismiss still work."
                )
            ) from None

    async def _warn_by_dm(self, target: discord.Member, flag: Flag, text: str) -> None:
        url = jump_url(flag)
        if url:
            with speaking(target.guild.preferred_locale):
                foot = _("About your message: {url}").format(url=url)
            text = f"{text}\n\n{foot}"
        try:
            await target.send(text, allowed_mentions=_NOBODY)
        except discord.Forbidden as error:
            if error.code != _CLOSED_DM:
                raise
            raise RefusedError(
                _(
                    "They take no direct messages from here. Press Warn again and choose the "
                    "channel."
                )
            ) from None

    async def _warn_in_channel(
        self, guild: discord.Guild, target: discord.Member, flag: Flag, text: str
    ) -> None:
        channel_id = int(flag.comment.channel_id)
        channel = guild.get_channel_or_thread(channel_id) or await guild.fetch_channel(channel_id)
        held = channel.permissions_for(guild.me)
        in_thread = isinstance(channel, discord.Thread)
        if not (held.send_messages_in_threads if in_thread else held.send_messages):
            raise RefusedError(
                _(
                    "I cannot write in <#{channel_id}>. Give my role {names} there, or warn by "
                    "direct message."
                ).format(channel_id=channel_id, names=name_of("send_messages"))
            )
        place = self._bot.get_partial_messageable(channel_id, guild_id=guild.id)
        reference = discord.MessageReference(
            message_id=int(flag.comment.id), channel_id=channel_id, fail_if_not_exists=False
        )
        await place.send(
            f"{target.mention} {text}",
            reference=reference if flag.gone_at is None else None,  # type: ignore[arg-type]
            mention_author=False,
            allowed_mentions=_NOBODY,
        )


def reason_of(member: discord.Member, flag: Flag, note: str = "") -> str:
    """What Discord's audit log is told: the flag, the moderator, and their own words."""
    line = _("Fanguard flag {flag}, decided by {member} ({member_id})").format(
        flag=flag.id, member=member, member_id=member.id
    )
    return f"{line}: {note}"[:_REASON_LIMIT] if note else line[:_REASON_LIMIT]
