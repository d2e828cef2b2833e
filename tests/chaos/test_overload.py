"""More messages than fit the queue: nothing is lost, and moderators are answered meanwhile."""

from __future__ import annotations

from pathlib import Path

from tests.chaos.overload import overload


async def test_a_burst_is_read_again_while_moderators_are_answered(tmp_path: Path) -> None:
    found = await overload(300, tmp_path, queue=50, delay=0.005, settle=60.0)
    assert found.read_again
    assert found.is_well, found
    assert found.memory_most < found.memory_before + 60
