"""Shadow mode, pauses, drafts and leaving: the rules alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.errors import UserError
from bot.moderation import (
    SHADOW_TIME,
    Thresholds,
    draft_of,
    in_shadow,
    joined,
    left,
    pause,
    paused_channels,
    resume,
    shadow_is_over,
    with_draft,
    with_moderator_channel,
    without_idle_pauses,
)
from bot.store import GuildSettings, SetupDraft, Store
from tests.scale import SquareScale

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SETTINGS = GuildSettings("10", mod_channel_id="30", watched_channel_ids=("20", "21"))


@pytest.fixture
def thresholds(store: Store) -> Thresholds:
    return Thresholds(store, SquareScale())


def test_shadow_mode_ends_to_the_second() -> None:
    settings = replace(SETTINGS, shadow_until=NOW)
    before = NOW - timedelta(seconds=1)
    assert (in_shadow(settings, before), shadow_is_over(settings, before)) == (True, False)
    assert (in_shadow(settings, NOW), shadow_is_over(settings, NOW)) == (False, True)
    assert (in_shadow(SETTINGS, NOW), shadow_is_over(SETTINGS, NOW)) == (False, False)


async def test_a_draft_begins_with_what_is_and_changes_nothing_by_itself(
    thresholds: Thresholds,
) -> None:
    settings = replace(SETTINGS, threshold=0.7, moderator_role_ids=("5",))
    assert with_draft(settings, draft_of(settings, NOW), thresholds, NOW) == settings


async def test_a_draft_does_not_prolong_a_shadow_that_runs(thresholds: Thresholds) -> None:
    until = NOW + timedelta(days=1)
    settings = replace(SETTINGS, shadow_until=until)
    draft = draft_of(settings, NOW)
    assert with_draft(settings, draft, thresholds, NOW).shadow_until == until
    assert with_draft(SETTINGS, draft, thresholds, NOW).shadow_until == NOW + SHADOW_TIME
    off = replace(draft, shadow=False)
    assert with_draft(settings, off, thresholds, NOW).shadow_until is None


async def test_a_draft_may_not_have_the_cards_watched(thresholds: Thresholds) -> None:
    with pytest.raises(UserError, match="cannot be both"):
        with_draft(SETTINGS, SetupDraft(("20", "30"), "30"), thresholds, NOW)


def test_a_channel_new_to_cards_is_greeted_once() -> None:
    assert with_moderator_channel(SETTINGS, "30") == SETTINGS
    assert with_moderator_channel(SETTINGS, None) == SETTINGS
    changed = with_moderator_channel(SETTINGS, "31")
    assert (changed.mod_channel_id, changed.greeting_due) == ("31", True)


def test_pauses_of_a_server_and_of_channels() -> None:
    one = pause(SETTINGS, "20")
    assert paused_channels(one) == {"20"}
    every = pause(one, None)
    assert paused_channels(every) == {"20", "21"}
    assert resume(every, None) == SETTINGS
    assert resume(one, "20") == SETTINGS
    assert without_idle_pauses(replace(one, watched_channel_ids=("21",))).paused_channel_ids == ()


def test_leaving_counts_once_and_where_the_bot_was() -> None:
    assert left(SETTINGS, NOW) == SETTINGS
    there = joined(SETTINGS, NOW)
    later = NOW + timedelta(days=3)
    gone = left(there, later)
    assert gone.left_at == later
    assert left(gone, later + timedelta(days=1)) == gone
    assert joined(gone, later) == there
