"""What the demo draws, on terminals of several sizes."""

from __future__ import annotations

import io
from datetime import UTC, datetime

import pytest
from rich.console import Console

from bot.cli.demo_report import Outcome, _show_list
from bot.cli.demo_screen import Screen
from bot.sources.demo import load_chat, load_truth


def terminal(width: int, height: int = 40) -> Console:
    return Console(
        file=io.StringIO(), force_terminal=True, color_system=None, width=width, height=height
    )


@pytest.mark.parametrize(("width", "height"), [(120, 40), (80, 24), (80, 10)])
def test_the_screen_fits_and_leaves_room_for_the_echo_of_ctrl_c(width: int, height: int) -> None:
    console = terminal(width, height)
    screen = Screen(console, 300)
    for event in load_chat(datetime.now(UTC))[:20]:
        screen.passed_over(event)
    lines = console.render_lines(screen._render(), pad=False)
    assert len(lines) < height
    assert sum(segment.cell_length for segment in lines[-1]) <= width - len("^C")


def test_long_lines_of_the_report_break_between_words() -> None:
    console = terminal(60)
    labels = load_truth()
    outcomes = [
        Outcome(event, labels[event.comment.id, event.revision], False)
        for event in load_chat(datetime.now(UTC))
        if (event.comment.id, event.revision) in labels
    ]
    longest = max(outcomes, key=lambda one: len(one.event.comment.text))
    _show_list(console, "Missed", [longest])
    assert isinstance(console.file, io.StringIO)
    lines = console.file.getvalue().splitlines()[2:]
    words = f"{longest.event.comment.author_name}: {longest.event.comment.text}".split()
    shown = [word for line in lines for word in line.split()]
    assert len(lines) > 1
    assert shown[:12] == words[:12]
    assert all(line.startswith("  ") for line in lines)
