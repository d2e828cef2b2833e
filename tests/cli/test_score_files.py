"""`fanguard score --jsonl IN -o OUT` where IN and OUT are one file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Fanguard

LINE = '{"id": 1, "text": "hello there"}\n'


@pytest.mark.parametrize("name", ["in.jsonl", "./in.jsonl", "sub/../in.jsonl", "soft", "hard"])
def test_the_input_is_never_overwritten(fanguard: Fanguard, tmp_path: Path, name: str) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text(LINE)
    (tmp_path / "sub").mkdir()
    (tmp_path / "soft").symlink_to(source)
    os.link(source, tmp_path / "hard")
    result = fanguard("score", "--jsonl", "in.jsonl", "-o", name)
    assert result.code == 2
    assert "is the file that is read. Give -o another one." in result.err
    assert source.read_text() == LINE


def test_nor_when_it_comes_through_stdin(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text(LINE)
    with source.open() as lines:
        done = subprocess.run(
            [sys.executable, "-m", "bot", "score", "--jsonl", "-", "-o", str(source)],
            stdin=lines,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert "is the file that is read" in done.stderr
    assert source.read_text() == LINE


def test_another_file_is_overwritten(fanguard: Fanguard, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(LINE)
    out = tmp_path / "out.jsonl"
    out.write_text("what was there before")
    assert fanguard("score", "--jsonl", "in.jsonl", "-o", "out.jsonl").code == 0
    assert out.read_text().startswith('{"id": 1, "score": ')
