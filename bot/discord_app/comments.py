"""From Discord's messages to comments: which messages count, and what one says."""

from __future__ import annotations

import asyncio
import logging

import discord

from bot.comment import Comment, ReplyTo
from bot.discord_app.logs import where

log = logging.getLogger(__name__)

REPLY_FETCH_SECONDS = 2.0
_SPOKEN = (discord.MessageType.default, discord.MessageType.reply)


def counts(message: discord.Message, *, proxies: bool) -> bool:
    """Whether a message is something a member said.

    Bots, webhooks and Discord's own notices do not count. With `proxies`, webhook
    messages do, since PluralKit-like proxies post a member's words through a webhook;
    posts of followed channels and answers to commands still do not.
    """
    if message.type not in _SPOKEN:
        return False
    if message.webhook_id is not None:
        is_answer = message.interaction_metadata is not None
        return proxies and not is_answer and not message.flags.is_crossposted
    return not message.author.bot


def text_of(message: discord.Message) -> str:
    """What a message says, the text of a forwarded message included."""
    forwarded = [snapshot.content for snapshot in message.message_snapshots]
    return "\n".join(part for part in (message.content, *forwarded) if part)


def parent_of(channel: object) -> int | None:
    """The id of a thread's channel, or None if it is no thread."""
    return channel.parent_id if isinstance(channel, discord.Thread) else None


async def to_comment(message: discord.Message) -> Comment:
    """Make the comment of a guild's message, with the message it answers."""
    if message.guild is None:
        raise ValueError("a direct message has no guild")
    parent = parent_of(message.channel)
    return Comment(
        id=str(message.id),
        guild_id=str(message.guild.id),
        channel_id=str(message.channel.id),
        author_id=str(message.author.id),
        text=text_of(message),
        created_at=message.created_at,
        author_name=message.author.display_name,
        edited_at=message.edited_at,
        channel_name=getattr(message.channel, "name", "") or "",
        parent_id=None if parent is None else str(parent),
        reply_to=await _reply_of(message),
        jump_url=message.jump_url,
        author_joined_at=getattr(message.author, "joined_at", None),
    )


async def _reply_of(message: discord.Message) -> ReplyTo | None:
    reference = message.reference
    if (
        reference is None
        or reference.message_id is None
        or reference.type is not discord.MessageReferenceType.reply
    ):
        return None
    answered = reference.resolved
    if answered is None and reference.channel_id == message.channel.id:
        answered = await _fetch(message.channel, reference.message_id)
    if not isinstance(answered, discord.Message):
        return None
    return ReplyTo(
        id=str(answered.id),
        text=text_of(answered),
        author_name=answered.author.display_name,
    )


async def _fetch(channel: discord.abc.Messageable, message_id: int) -> discord.Message | None:
    try:
        async with asyncio.timeout(REPLY_FETCH_SECONDS):
            return await channel.fetch_message(message_id)
    except (discord.HTTPException, TimeoutError) as error:
        log.info("the message %s that was answered cannot be read (%s)", message_id, where(error))
        return None
