"""Which places of a server have a history to read."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime

import discord

Readable = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread
"""What holds messages itself, unlike a forum."""


async def threads_of(
    channel: discord.abc.GuildChannel | discord.Thread, since: datetime
) -> AsyncIterator[discord.Thread]:
    """The active threads of a channel or forum, then those archived since a moment.

    Raises:
        discord.Forbidden, discord.NotFound: the archived ones cannot be listed.
    """
    for thread in channel.guild.threads:
        if thread.parent_id == channel.id:
            yield thread
    if not isinstance(channel, discord.TextChannel | discord.ForumChannel):
        return
    async for thread in channel.archived_threads(limit=None):
        if thread.archive_timestamp < since:
            return
        yield thread
