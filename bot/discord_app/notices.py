"""What the bot itself has to say in the moderators' channel, and how much a threshold queues."""

from __future__ import annotations

import discord

from bot.discord_app.quoting import label
from bot.store import ChannelSettings, ThresholdNotice
from bot.words import _


def notice_embed(notice: ThresholdNotice) -> discord.Embed:
    """The line that tells of a threshold which was moved for a new model."""
    model = label(notice.model, 100)
    return discord.Embed(
        description=_(
            "New model {model}: this server's own threshold moves from {before:.2f} to "
            "{after:.2f}, so that about the same share of ordinary messages is queued, "
            "{share}. `/strictness` shows and changes it."
        ).format(
            model=model, before=notice.before, after=notice.after, share=percent(notice.share)
        ),
        colour=discord.Colour.blurple(),
    ).set_footer(text=_("Notice {notice}").format(notice=notice.id))


def channel_notice_embed(before: ChannelSettings, after: ChannelSettings) -> discord.Embed:
    """The line that tells of a channel's own threshold which was moved for a new model."""
    return discord.Embed(
        description=_(
            "New model {model}: the strictness of <#{channel}> moves from {before:.2f} to "
            "{after:.2f}, so that about the same share of ordinary messages is queued, {share}. "
            "`/channels set` changes it."
        ).format(
            model=label(after.threshold_model or "", 100),
            channel=after.channel_id,
            before=before.threshold,
            after=after.threshold,
            share=percent(after.threshold_share or 0.0),
        ),
        colour=discord.Colour.blurple(),
    )


def is_notice(message: discord.Message, notice: ThresholdNotice) -> bool:
    """Whether a message of the bot's is this notice."""
    ours = notice_embed(notice)
    return any(
        (each.description, each.footer.text) == (ours.description, ours.footer.text)
        for each in message.embeds
    )


def percent(share: float) -> str:
    """A share in percent, with two digits that count: “2.0 %”, “0.25 %”."""
    return f"{share * 100:.1f} %" if share >= 0.01 else f"{share * 100:.2f} %"  # noqa: PLR2004
