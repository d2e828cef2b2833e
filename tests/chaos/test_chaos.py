"""No message is lost and none has two cards, whatever befalls the bot: a small chaos run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.chaos.run import Plan, chaos

SMALL = Plan(messages=200, rate=15.0, pause=1.0, longest=1.0, settle=60.0)
BROKEN = Plan(messages=60, rate=40.0, pause=0.6, kills=1.0, hostile=0.3, settle=8.0)


async def test_nothing_is_lost_and_nothing_is_double(tmp_path: Path) -> None:
    outcome = await chaos(SMALL, 13, tmp_path)
    assert outcome.verdict.is_clean, outcome
    assert outcome.exit_code == 0
    assert outcome.kills > 0
    assert outcome.verdict.flags > 0


async def test_a_checkpoint_moved_before_the_commit_is_noticed(tmp_path: Path) -> None:
    broken = replace(BROKEN, options=("--checkpoint-first", "--delay", "0.05"))
    outcome = await chaos(broken, 5, tmp_path)
    assert outcome.kills > 0
    assert outcome.verdict.unassessed


@pytest.mark.long
async def test_cards_posted_again_after_a_crash_are_noticed(tmp_path: Path) -> None:
    outcome = await chaos(
        replace(BROKEN, rate=6.0, pause=1.0, options=("--forget-cards",)), 5, tmp_path
    )
    assert outcome.kills > 0
    assert outcome.verdict.with_two_cards
