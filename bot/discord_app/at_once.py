"""Removes what is plainly abusive before anybody looks at it, where a guild chose so."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import discord

from bot.comment import Flag
from bot.discord_app.logs import where
from bot.moderation import TakeResult, removes_at_once
from bot.store import GuildSettings
from bot.words import _, speaking

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

log = logging.getLogger(__name__)


class AtOnce:
    """Deletes a message; its flag stays open, with the text, for the moderators."""

    def __init__(self, bot: FanguardBot) -> None:
        """Act for this bot."""
        self._bot = bot

    async def consider(
        self, guild: discord.Guild, settings: GuildSettings, result: TakeResult
    ) -> None:
        """Remove a message that was just flagged if it is one of those; never raises Discord's."""
        flag = result.flag
        if flag is None or flag.decision is not None or flag.gone_at is not None:
            return
        fresh = result.created or result.updated
        if fresh and removes_at_once(result.assessment, settings):
            try:
                await self._remove(guild, flag, result.assessment.score)
            except discord.HTTPException as error:
                log.warning(
                    "message %s in channel %s could not be removed at once: %s",
                    flag.comment.id,
                    flag.comment.channel_id,
                    where(error),
                )

    async def _remove(self, guild: discord.Guild, flag: Flag, score: float) -> None:
        channel_id = int(flag.comment.channel_id)
        with speaking(guild.preferred_locale):
            reason = _("Fanguard flag {flag}: abusive, score {score:.2f}, removed at once")
            words = _("Removed at once: abusive, score {score:.2f}. The rest is for you to decide.")
        reason = reason.format(flag=flag.id, score=score)
        flags, me = self._bot.store.flags, guild.me
        for message_id in map(int, flag.comment.message_ids):
            self._bot.absences.expect(message_id)
            try:
                await self._bot.http.delete_message(channel_id, message_id, reason=reason)
            except discord.HTTPException:
                self._bot.absences.expect_no_more(message_id)
                raise
            await flags.gone(str(guild.id), str(message_id), str(me.id), me.display_name)
        words = words.format(score=score)
        await flags.note(str(guild.id), flag.id, words, str(me.id), me.display_name)
