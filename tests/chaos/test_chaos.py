"""No message is lost and none has two cards, whatever befalls the bot: a small chaos run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chaos.run import Plan, chaos

SMALL = Plan(messages=240, rate=15.0, pause=1.0, longest=1.0, settle=60.0)
BROKEN = Plan(
    messages=60,
    rate=40.0,
    pause=0.6,
    kills=1.0,
    settle=8.0,
    options=("--checkpoint-first", "--delay", "0.05"),
)


@pytest.mark.parametrize("seed", [5])
async def test_nothing_is_lost_and_nothing_is_double(seed: int, tmp_path: Path) -> None:
    outcome = await chaos(SMALL, seed, tmp_path)
    assert outcome.verdict.is_clean, outcome
    assert outcome.exit_code == 0
    assert outcome.kills > 0
    assert outcome.verdict.flags > 0


async def test_a_checkpoint_moved_before_the_commit_is_noticed(tmp_path: Path) -> None:
    outcome = await chaos(BROKEN, 5, tmp_path)
    assert outcome.kills > 0
    assert outcome.verdict.unassessed
