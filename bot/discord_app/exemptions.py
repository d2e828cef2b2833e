"""Whose messages are not read: members with an exempt role."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import discord

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

REMEMBER_SECONDS = 60.0
_MOST = 5000


class Exemptions:
    """Knows who has an exempt role.

    A live message brings its author's roles along; one from history does not, so they are
    asked for and remembered for a minute.
    """

    def __init__(self, bot: FanguardBot) -> None:
        """Read for this bot."""
        self._bot = bot
        self._asked: dict[tuple[int, int], tuple[float, frozenset[str]]] = {}

    async def apply_to(self, message: discord.Message) -> bool:
        """Whether a message's author has an exempt role."""
        guild = message.guild
        if guild is None or message.webhook_id is not None:
            return False
        exempt = await self._bot.pipeline.exempt_roles(str(guild.id))
        return bool(exempt) and bool(exempt & await self._roles(guild, message.author))

    async def _roles(
        self, guild: discord.Guild, author: discord.User | discord.Member
    ) -> frozenset[str]:
        if isinstance(author, discord.Member):
            return _ids(author)
        key, now = (guild.id, author.id), time.monotonic()
        asked_at, roles = self._asked.get(key, (0.0, frozenset()))
        if key in self._asked and now - asked_at < REMEMBER_SECONDS:
            return roles
        try:
            roles = _ids(await guild.fetch_member(author.id))
        except discord.NotFound:
            roles = frozenset()
        if len(self._asked) >= _MOST:
            self._asked.clear()
        self._asked[key] = (now, roles)
        return roles


def _ids(member: discord.Member) -> frozenset[str]:
    return frozenset(str(role.id) for role in member.roles)
