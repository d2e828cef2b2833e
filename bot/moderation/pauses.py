"""Pauses: in a paused server or channel nothing is scored, and its checkpoints stay."""

from __future__ import annotations

from dataclasses import replace

from bot.errors import UserError
from bot.store import GuildSettings
from bot.words import _


def is_paused(settings: GuildSettings, channel_id: str) -> bool:
    """Say whether a watched channel is paused, by itself or with its whole server."""
    return settings.paused or channel_id in settings.paused_channel_ids


def paused_channels(settings: GuildSettings) -> frozenset[str]:
    """Return the watched channels that are paused."""
    return frozenset(each for each in settings.watched_channel_ids if is_paused(settings, each))


def pause(settings: GuildSettings, channel_id: str | None) -> GuildSettings:
    """Pause a channel, or with None the whole server.

    Raises:
        UserError: it is paused already, or the channel is not watched.
    """
    if settings.paused:
        raise UserError(_("The whole server is paused already. /resume ends that."))
    if channel_id is None:
        return replace(settings, paused=True)
    _require_watched(settings, channel_id)
    if channel_id in settings.paused_channel_ids:
        raise UserError(
            _("{channel} is paused already. /resume ends that.").format(channel=f"<#{channel_id}>")
        )
    return replace(settings, paused_channel_ids=(*settings.paused_channel_ids, channel_id))


def resume(settings: GuildSettings, channel_id: str | None) -> GuildSettings:
    """End the pause of a channel, or with None every pause of the server.

    Raises:
        UserError: it is not paused, or the pause of the whole server must end first.
    """
    if channel_id is None:
        if not settings.paused and not settings.paused_channel_ids:
            raise UserError(_("Nothing is paused here."))
        return replace(settings, paused=False, paused_channel_ids=())
    if settings.paused:
        raise UserError(_("The whole server is paused. Use /resume without a channel."))
    if channel_id not in settings.paused_channel_ids:
        raise UserError(_("{channel} is not paused.").format(channel=f"<#{channel_id}>"))
    kept = tuple(each for each in settings.paused_channel_ids if each != channel_id)
    return replace(settings, paused_channel_ids=kept)


def without_idle_pauses(settings: GuildSettings) -> GuildSettings:
    """Forget the pauses of channels that are watched no longer."""
    kept = tuple(
        each for each in settings.paused_channel_ids if each in settings.watched_channel_ids
    )
    return replace(settings, paused_channel_ids=kept)


def _require_watched(settings: GuildSettings, channel_id: str) -> None:
    if channel_id not in settings.watched_channel_ids:
        raise UserError(
            _("{channel} is not watched, so there is nothing to pause.").format(
                channel=f"<#{channel_id}>"
            )
        )
