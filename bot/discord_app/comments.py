"""From Discord's messages to comments: which messages count, and what one says."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator

import discord

from bot.comment import Comment, Part, PartKind, ReplyTo
from bot.discord_app.logs import where

log = logging.getLogger(__name__)

REPLY_FETCH_SECONDS = 2.0
_SPOKEN = (
    discord.MessageType.default,
    discord.MessageType.reply,
    discord.MessageType.thread_created,
    discord.MessageType.thread_starter_message,
)


def counts(message: discord.Message, *, proxies: bool) -> bool:
    """Whether a message is something a member said.

    Bots, webhooks and Discord's own notices do not count, save the notices of a new thread,
    whose title a member wrote. With `proxies`, webhook
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
    """All that a message says: see `said_in`."""
    return said_in(message)[0]


def said_in(message: discord.Message) -> tuple[str, tuple[Part, ...]]:
    """What a message says, and where the pieces come from that were not simply written.

    That is the title of the thread that begins with it, its text, forwarded messages, a poll
    with its answers, and the descriptions of attachments; not the previews of links.
    """
    text, parts = "", list[Part]()
    for kind, piece in _pieces(message):
        if not piece.strip():
            continue
        start = len(text) + 1 if text else 0
        text = f"{text}\n{piece}" if text else piece
        if kind is not None:
            parts.append(Part(kind, start, len(text)))
    return text, tuple(parts)


def _pieces(message: discord.Message) -> Iterator[tuple[PartKind | None, str]]:
    if message.type is discord.MessageType.thread_created:
        yield PartKind.TITLE, message.content
        return
    place = message.channel
    begins = message.type is discord.MessageType.thread_starter_message or place.id == message.id
    if isinstance(place, discord.Thread) and begins:
        yield PartKind.TITLE, place.name
    yield None, message.content
    for snapshot in message.message_snapshots:
        yield PartKind.FORWARDED, snapshot.content
        for attachment in snapshot.attachments:
            yield PartKind.FORWARDED, attachment.description or ""
    if message.poll is not None:
        answers = (answer.text for answer in message.poll.answers)
        yield PartKind.POLL, "\n".join((message.poll.question, *answers))
    for attachment in message.attachments:
        yield PartKind.DESCRIPTION, attachment.description or ""


def parent_of(channel: object) -> int | None:
    """The id of a thread's channel, or None if it is no thread."""
    return channel.parent_id if isinstance(channel, discord.Thread) else None


async def to_comment(message: discord.Message) -> Comment:
    """Make the comment of a guild's message, with the message it answers."""
    if message.guild is None:
        raise ValueError("a direct message has no guild")
    parent = parent_of(message.channel)
    text, parts = said_in(message)
    return Comment(
        id=str(message.id),
        guild_id=str(message.guild.id),
        channel_id=str(message.channel.id),
        author_id=str(_author_id(message)),
        text=text,
        created_at=message.created_at,
        author_name=message.author.display_name,
        edited_at=message.edited_at,
        channel_name=getattr(message.channel, "name", "") or "",
        parent_id=None if parent is None else str(parent),
        reply_to=await _reply_of(message),
        jump_url=message.jump_url,
        author_joined_at=getattr(message.author, "joined_at", None),
        parts=parts,
    )


def unread(message: discord.Message) -> Comment:
    """A guild's message of which only is told that it was posted, not what it says."""
    return Comment(
        id=str(message.id),
        guild_id="" if message.guild is None else str(message.guild.id),
        channel_id=str(message.channel.id),
        author_id=str(message.author.id),
        text="",
        created_at=message.created_at,
    )


def _author_id(message: discord.Message) -> int:
    """Who said it; a thread's title is said by whoever opened the thread."""
    place = message.channel
    titled = message.type is discord.MessageType.thread_starter_message
    if titled and isinstance(place, discord.Thread):
        return place.owner_id
    return message.author.id


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
