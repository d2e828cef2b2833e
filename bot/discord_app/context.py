"""The messages around a flagged one, read from Discord when a moderator asks."""

from __future__ import annotations

import discord

from bot.comment import Flag
from bot.discord_app.cards import NAME_LIMIT
from bot.discord_app.comments import text_of
from bot.discord_app.errors import RefusedError
from bot.discord_app.permissions import WATCHED_CHANNEL, missing
from bot.discord_app.quoting import label, spoiler
from bot.words import _

BEFORE = 3
TEXT_LIMIT = 900

Place = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread


async def context_embed(guild: discord.Guild, flag: Flag) -> discord.Embed:
    """The message that a flagged one answers, and the three before it.

    Raises:
        RefusedError: the channel is gone, or the bot may not read its history.
        discord.HTTPException: Discord refused.
    """
    channel = await _place_of(guild, flag)
    if lacking := missing(channel, WATCHED_CHANNEL):
        raise RefusedError(
            _("I cannot read <#{channel}>: give me {join} there, then press again.").format(
                channel=channel.id, join=", ".join(map(_, lacking))
            )
        )
    embed = discord.Embed(
        title=_("Around flag {flag}").format(flag=flag.id), colour=discord.Colour.blurple()
    )
    answered = await _answered(channel, flag)
    if answered is not None:
        embed.add_field(name=_("In reply to"), value=answered, inline=False)
    earlier = [
        message
        async for message in channel.history(
            limit=BEFORE, before=discord.Object(int(flag.comment.id))
        )
    ]
    for number, message in enumerate(reversed(earlier)):
        name = _("Before it") if number == 0 else "\u200b"
        embed.add_field(name=name, value=_line(message), inline=False)
    if not embed.fields:
        embed.description = _("It answers nothing, and nothing stands before it.")
    return embed


async def _place_of(guild: discord.Guild, flag: Flag) -> Place:
    comment = flag.comment
    if not (comment.channel_id.isdigit() and comment.id.isdigit()):
        raise RefusedError(
            _("This message is not on Discord, so there is nothing around it to read.")
        )
    try:
        channel = guild.get_channel_or_thread(int(comment.channel_id)) or await guild.fetch_channel(
            int(comment.channel_id)
        )
    except discord.NotFound:
        raise RefusedError(
            _("The channel is gone, and what stood around the message too.")
        ) from None
    if not isinstance(channel, Place):
        raise RefusedError(_("That channel holds no messages that I can read."))
    return channel


async def _answered(channel: Place, flag: Flag) -> str | None:
    reply = flag.comment.reply_to
    if reply is None:
        return None
    if reply.id.isdigit():
        try:
            return _line(await channel.fetch_message(int(reply.id)))
        except discord.NotFound:
            pass
    name = label(reply.author_name, NAME_LIMIT) or _("someone")
    return _("**{name}** (gone since): {text}").format(
        name=name, text=spoiler(reply.text, TEXT_LIMIT)
    )


def _line(message: discord.Message) -> str:
    name = label(message.author.display_name, NAME_LIMIT) or _("someone")
    moment = discord.utils.format_dt(message.created_at, "t")
    return f"**{name}** {moment}: {spoiler(text_of(message), TEXT_LIMIT)}"
