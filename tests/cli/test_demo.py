"""`fanguard demo`: what is played, queued, compared and kept."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.classifier import HostilityModel
from bot.cli import app
from bot.cli.demo_play import PLAY_SECONDS, pauses
from bot.errors import UserError
from bot.settings import load_settings
from bot.sources.demo import load_chat, load_truth
from bot.store import GuildSettings, open_configured
from tests.cli.demo_oracle import Oracle

MODEL = load_settings().model.path
needs_model = pytest.mark.skipif(not any(MODEL.glob("*")), reason="the model is not there")

HOSTILE = len({label.message_id for label in load_truth().values() if label.queued})
URL = "sqlite+aiosqlite:///data/demo.db"


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("DATABASE_URL", "FANGUARD_KEY", "FANGUARD_CONFIG"):
        monkeypatch.delenv(name, raising=False)


def use(monkeypatch: pytest.MonkeyPatch, oracle: Oracle) -> None:
    monkeypatch.setattr(HostilityModel, "load", lambda _path, **_options: oracle)


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_queue_is_exactly_what_was_hostile(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Oracle())
    output = run("demo", "--fast")
    assert f"Found {HOSTILE} of {HOSTILE} hostile messages" in " ".join(output.split())
    assert re.search(r"^0 false alarms among \d{3} fair messages", output, re.MULTILINE)
    assert "Missed:" not in output
    assert "fanguard decide ID" in output
    queued = json.loads(run("queue", "--json"))
    hostile = {label.message_id for label in load_truth().values() if label.queued}
    assert {flag["message_id"] for flag in queued} == hostile


def test_misses_and_false_alarms_are_counted_and_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    missed = ["lmao what a b!tch", "C4LL4 IS TR4SH"]
    fair = "she was SO rude to him wtf"
    use(monkeypatch, Oracle(missed=missed, also=[fair]))
    output = run("demo", "--fast")
    assert f"Found {HOSTILE - 2} of {HOSTILE} hostile messages" in " ".join(output.split())
    assert "1 false alarm among" in output
    listed_missed, listed_false = output.split("Missed:")[1].split("False alarms:")
    assert all(text in listed_missed for text in missed)
    assert fair in listed_false


def test_edits_are_assessed_again_and_deletions_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Oracle())
    run("demo", "--fast")
    flags = {flag["text"]: flag for flag in json.loads(run("log", "--json"))}
    turned = next(text for text in flags if "selfish cow never thought" in text)
    assert flags[turned]["edited_at"]
    softened = flags["ugh shes such a spoiled brat"]
    assert softened["revisions"] == 2
    deleted = flags["who cares about her dead mom lol"]
    assert [step["note"] for step in deleted["story"] if step["kind"] == "noted"] == [
        "The author deleted the message."
    ]


def test_off_a_terminal_there_are_no_control_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Oracle())
    output = run("demo", "--fast")
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u200b]", output)
    assert "C4LL4 IS TR4SH" in output


def test_each_run_starts_afresh_with_the_same_key(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Oracle())
    run("demo", "--fast")
    key = Path("data/fanguard.key").read_bytes()
    first = json.loads(run("queue", "--json"))
    run("decide", str(first[0]["id"]), "dismiss", "--by", "Ines")
    assert len(json.loads(run("queue", "--json"))) == len(first) - 1
    run("demo", "--fast")
    assert Path("data/fanguard.key").read_bytes() == key
    again = json.loads(run("queue", "--json"))
    assert [flag["message_id"] for flag in again] == [flag["message_id"] for flag in first]


def test_another_path_is_named_in_the_commands(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    use(monkeypatch, Oracle())
    path = tmp_path / "elsewhere" / "try.db"
    for name in (str(path), f"sqlite+aiosqlite:///{path}"):
        output = run("demo", "--fast", "--db", name)
        assert f"fanguard queue --db {name}" in output
        assert len(json.loads(run("queue", "--json", "--db", name))) == HOSTILE
    assert not Path("data/demo.db").exists()


def test_a_database_of_a_real_server_is_never_replaced(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    use(monkeypatch, Oracle())
    path = tmp_path / "real.db"

    async def make() -> None:
        async with open_configured(load_settings(), f"sqlite:///{path}") as store:
            await store.guilds.put(GuildSettings("77", name="A real server"))

    asyncio.run(make())
    before = path.read_bytes()
    with pytest.raises(UserError, match="holds more than a demo"):
        run("demo", "--fast", "--db", str(path))
    (tmp_path / "notes.txt").write_text("not a database at all, but precious" * 50)
    with pytest.raises(UserError, match="not a Fanguard database"):
        run("demo", "--fast", "--db", str(tmp_path / "notes.txt"))
    assert path.read_bytes() == before
    Path("data").mkdir(exist_ok=True)
    path.rename("data/demo.db")
    for url in (URL, "sqlite:///data/demo.db", str(tmp_path / "data" / "demo.db")):
        monkeypatch.setenv("DATABASE_URL", url)
        with pytest.raises(UserError, match="holds more than a demo"):
            run("demo", "--fast")


def test_the_pauses_fill_the_time_and_none_is_long() -> None:
    found = pauses(load_chat(datetime.now(UTC)))
    assert sum(found) == pytest.approx(PLAY_SECONDS)
    assert 60 <= PLAY_SECONDS <= 90
    assert max(found) < 1.0


@needs_model
def test_the_shipped_model_finds_hostility_and_leaves_most_fair_talk() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bot", "demo", "--fast"],
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout
    words = " ".join(done.stdout.split())
    found, hostile = map(int, re.search(r"Found (\d+) of (\d+) hostile", words).groups())
    false, fair = map(int, re.search(r"(\d+) false alarms? among (\d+) fair", words).groups())
    assert hostile == HOSTILE
    assert found / hostile >= 0.4
    assert false / fair <= 0.15
    queued = json.loads(run("queue", "--json"))
    uncounted = {label.message_id for label in load_truth().values() if not label.counted}
    assert len({flag["message_id"] for flag in queued} - uncounted) == found + false
    assert all(flag["why"] for flag in queued if flag["flagged"])


def _heed_interrupts() -> None:
    """A run in the background ignores SIGINT, and what it starts would too."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@needs_model
def test_on_a_terminal_it_is_shown_live_and_stops_cleanly() -> None:
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", "demo", "--speed", "4"],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=os.environ | {"TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"},
        start_new_session=True,
        preexec_fn=_heed_interrupts,  # noqa: PLW1509
    )
    os.close(slave)
    shown, stopped, deadline = b"", False, time.monotonic() + 120
    while time.monotonic() < deadline:
        if select.select([master], [], [], 0.2)[0]:
            try:
                shown += os.read(master, 65536)
            except OSError:
                break
        elif process.poll() is not None:
            break
        if not stopped and re.search(rb"[1-9]\d* queued", shown):
            process.send_signal(signal.SIGINT)
            stopped = True
    assert process.wait(timeout=30) == 130
    text = shown.decode(errors="replace")
    assert "demo chat" in text
    assert "The demo was stopped." in text
    assert "Traceback" not in text
    assert text.rstrip().endswith("`fanguard queue`.")
    assert "\x1b[?25h" in text
    assert json.loads(run("queue", "--json"))
