from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot import cli


@dataclass(frozen=True)
class Output:
    """What a run of the command line left."""

    code: int
    out: str
    err: str


Fanguard = Callable[..., Output]


@pytest.fixture
def fanguard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Fanguard:
    """Run the command line in an empty folder, with no settings of the machine."""
    for name in ("DATABASE_URL", "FANGUARD_KEY", "FANGUARD_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "120")
    (tmp_path / "config").mkdir()
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Output:
        monkeypatch.setattr(sys, "argv", ["fanguard", *arguments])
        capsys.readouterr()
        code = 0
        try:
            cli.main()
        except SystemExit as done:
            code = done.code if isinstance(done.code, int) else int(bool(done.code))
        output = capsys.readouterr()
        return Output(code, output.out, output.err)

    return run
