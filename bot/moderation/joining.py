"""A server takes Fanguard up: choices that wait to be saved, shadow mode, coming and leaving."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from bot.errors import UserError
from bot.moderation.thresholds import Preset, Thresholds
from bot.store import GuildSettings, SetupDraft
from bot.words import _

SHADOW_TIME = timedelta(days=7)


def in_shadow(settings: GuildSettings, now: datetime) -> bool:
    """Say whether flags are kept without a card for now."""
    return settings.shadow_until is not None and now < settings.shadow_until


def shadow_is_over(settings: GuildSettings, now: datetime) -> bool:
    """Say whether shadow mode has run out and the moderators were not told yet."""
    return settings.shadow_until is not None and now >= settings.shadow_until


def apart(settings: GuildSettings) -> GuildSettings:
    """Return the settings, unless they would have the cards themselves watched.

    Raises:
        UserError: the moderators' channel is among the watched ones.
    """
    if settings.mod_channel_id in settings.watched_channel_ids:
        raise UserError(
            _(
                "{channel} cannot be both watched and the moderators' channel. Please choose "
                "another for one of the two."
            ).format(channel=f"<#{settings.mod_channel_id}>")
        )
    return settings


def with_moderator_channel(settings: GuildSettings, channel_id: str | None) -> GuildSettings:
    """Send cards to a channel; one that is new to them gets a first message."""
    if channel_id is None or channel_id == settings.mod_channel_id:
        return settings
    return replace(settings, mod_channel_id=channel_id, greeting_due=True)


def draft_of(settings: GuildSettings, now: datetime) -> SetupDraft:
    """Begin a walk through the settings with what holds now."""
    return SetupDraft(
        watched_channel_ids=settings.watched_channel_ids,
        mod_channel_id=settings.mod_channel_id,
        moderator_role_ids=settings.moderator_role_ids,
        shadow=in_shadow(settings, now),
    )


def with_draft(
    settings: GuildSettings, draft: SetupDraft, thresholds: Thresholds, now: datetime
) -> GuildSettings:
    """Return the settings as a draft would have them, shadow mode from now on.

    Raises:
        UserError: the draft would have the cards watched, or its strictness is not to be had.
    """
    changed = replace(
        with_moderator_channel(settings, draft.mod_channel_id),
        watched_channel_ids=draft.watched_channel_ids,
        moderator_role_ids=draft.moderator_role_ids,
    )
    if draft.preset is not None:
        changed = thresholds.with_preset(changed, Preset(draft.preset))
    if not draft.shadow:
        changed = replace(changed, shadow_until=None)
    elif not in_shadow(changed, now):
        changed = replace(changed, shadow_until=now + SHADOW_TIME)
    return apart(changed)


def joined(settings: GuildSettings, now: datetime) -> GuildSettings:
    """Note that the bot is in the server: nothing counts toward retention."""
    return replace(settings, joined_at=settings.joined_at or now, left_at=None)


def left(settings: GuildSettings, now: datetime) -> GuildSettings:
    """Note that the bot is no longer in the server, unless it never was or that is known."""
    if settings.joined_at is None or settings.left_at is not None:
        return settings
    return replace(settings, left_at=now)
