"""Where the answers of `fanguard score` go, and what is there when it ends early."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bot.settings import PROJECT_DIR
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


def test_a_link_stays_one_and_its_file_is_written(fanguard: Fanguard, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(LINE)
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "out.jsonl").write_text("what was there before")
    (kept / "out.jsonl").chmod(0o600)
    for link, target in ((tmp_path / "a", kept / "out.jsonl"), (tmp_path / "b", kept / "new")):
        link.symlink_to(target)
        assert fanguard("score", "--jsonl", "in.jsonl", "-o", str(link)).code == 0
        assert link.is_symlink()
        assert target.read_text().startswith('{"id": 1, "score": ')
    assert stat.S_IMODE((kept / "out.jsonl").stat().st_mode) == 0o600
    assert sorted(each.name for each in kept.iterdir()) == ["new", "out.jsonl"]
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    result = fanguard("score", "--jsonl", "in.jsonl", "-o", "loop")
    assert (result.code, "symbolic links" in result.err) == (2, True)


@pytest.mark.parametrize(
    "arguments",
    [["--jsonl", "in.jsonl"], ["--jsonl", "in.jsonl", "-o", "/dev/full"], ["hi"], ["hi", "--json"]],
    ids=" ".join,
)
def test_a_full_disk_is_told(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "in.jsonl").write_text(LINE)
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "bot", "score", *arguments],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(PROJECT_DIR)},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    place = "/dev/full" if "-o" in arguments else "standard output"
    assert done.stderr.startswith(f"fanguard: {place}: No space left on device. ")
    assert done.stderr.count("\n") == 1


def heed_signals() -> None:
    """A job in the background may have been started with SIGINT ignored."""
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_DFL)


def begin(*arguments: str, unbuffered: str = "") -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "bot", "score", "--jsonl", "-", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
        preexec_fn=heed_signals,  # noqa: PLW1509
    )


@pytest.mark.parametrize(
    ("number", "unbuffered"), [(signal.SIGINT, ""), (signal.SIGTERM, ""), (signal.SIGTERM, "1")]
)
def test_a_signal_leaves_whole_lines(number: signal.Signals, unbuffered: str) -> None:
    """The id is longer than a pipe holds, so the signal comes in the middle of a line."""
    line = b'{"id": "%s", "text": "a"}\n' % (b"x" * 300_000)
    with begin(unbuffered=unbuffered) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(line)
        process.stdin.flush()
        first = process.stdout.read(1)
        time.sleep(0.2)
        process.send_signal(number)
        out = first + process.stdout.read()
        error = process.stderr.read().decode()
        assert process.wait(30) == 128 + number
    assert error == "fanguard: stopped after 1 lines\n"
    assert out.endswith(b"}\n")
    assert [len(json.loads(each)["id"]) for each in out.splitlines()] == [300_000]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("before", [None, "what was there before"])
def test_a_signal_leaves_the_output_file_as_it_was(
    tmp_path: Path, number: signal.Signals, before: str | None
) -> None:
    out = tmp_path / "out.jsonl"
    if before is not None:
        out.write_text(before)
    with begin("-o", str(out)) as process:
        assert process.stdin
        assert process.stderr
        process.stdin.write(LINE.encode())
        process.stdin.flush()
        partial = first_partial(tmp_path)
        process.send_signal(number)
        assert process.wait(30) == 128 + number
        error = process.stderr.read().decode()
    assert error == f"fanguard: stopped after 1 lines; {out} was not written\n"
    assert (out.read_text() if out.exists() else None) == before
    assert not partial.exists()


def first_partial(folder: Path) -> Path:
    """Wait until a line stands in the file that is to become the output."""
    for _ in range(600):
        for each in folder.glob(".*.partial"):
            if each.stat().st_size:
                return each
        time.sleep(0.05)
    raise AssertionError("nothing was written")
