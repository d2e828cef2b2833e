"""`fanguard scan`: once, twice, stopped, mended, completed, and with bad input."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.classifier import HostilityModel
from bot.cli import app
from bot.errors import UserError
from bot.moderation import importing
from bot.settings import load_settings
from tests.cli.keyword_model import KeywordModel
from tests.sources.export_files import author, message, reply, write_export

MODEL = load_settings().model.path
needs_model = pytest.mark.skipif(not any(MODEL.glob("*")), reason="the model is not there")


def alone(model: KeywordModel) -> list[str]:
    """What the model was asked of single messages, not of several read together."""
    return [text for text in model.texts if len(re.findall("lovely|text|trash", text)) == 1]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", f"sqlite+aiosqlite:///{tmp_path}/scan.db")
    for name in ("FANGUARD_KEY", "FANGUARD_CONFIG"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> KeywordModel:
    stand_in = KeywordModel()
    monkeypatch.setattr(HostilityModel, "load", lambda _path, **_options: stand_in)
    monkeypatch.setattr(importing, "BATCH", 4)
    return stand_in


@dataclass
class Done:
    code: int
    out: str
    err: str


def scan(*arguments: str | Path) -> Done:
    result = CliRunner().invoke(app, ["scan", *map(str, arguments)])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Done(result.exit_code, result.stdout, result.stderr)


def flags() -> dict[str, dict[str, object]]:
    result = CliRunner().invoke(app, ["log", "--json"])
    assert result.exit_code == 0, result.output
    return {flag["message_id"]: flag for flag in json.loads(result.stdout)}


def write_lines(path: Path, count: int, *, hostile: int = 5, bad: tuple[int, ...] = ()) -> Path:
    lines = [
        "not JSON"
        if number in bad
        else json.dumps(
            {
                "id": f"m{number}",
                "channel": "c",
                "author": "a",
                "author_name": "kes",
                "guild": "g",
                "text": "calla is trash" if number % hostile == 0 else f"lovely {number}",
            }
        )
        for number in range(1, count + 1)
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_an_export_goes_through_the_pipeline(tmp_path: Path, model: KeywordModel) -> None:
    roster = tmp_path / "people.toml"
    roster.write_text('[[people]]\nname = "Calla Brennick"\naliases = ["Calla"]\n')
    path = write_export(
        tmp_path / "general.json",
        [
            message(1, "calla snapped at him"),
            reply(2, "she is trash", to=1, author=author(2, nickname="kes")),
            message(3, "chart: trash metal", author=author(3, bot=True)),
            message(4, "", type="GuildMemberJoin"),
        ],
    )
    done = scan(path, "--roster", roster)
    assert done.code == 0
    assert done.out.splitlines()[0] == (
        "general.json: 2 messages read, 2 of bots or the system passed over, 1 flagged."
    )
    (flag,) = flags().values()
    assert (flag["author"], flag["person"], flag["guild_id"]) == ("kes", "Calla Brennick", "8801")
    assert flag["reply_to"] == {"id": "9001", "text": "calla snapped at him", "author": "Member 1"}
    assert flag["jump_url"] == "https://discord.com/channels/8801/8802/9002"
    assert model.contexts == [None, "calla snapped at him"]
    assert model.people == {"Calla Brennick"}


def test_the_same_file_twice_adds_nothing_and_says_so(tmp_path: Path, model: KeywordModel) -> None:
    path = write_lines(tmp_path / "x.jsonl", 22)
    assert "22 messages read, 4 flagged" in scan(path).out
    before = flags()
    model.texts.clear()
    again = scan(path)
    assert (again.code, again.out) == (0, "x.jsonl: read before; nothing new.\n")
    assert model.texts == []
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(path.read_bytes())
    assert "read before" in scan(copy).out
    assert "22 messages read, 0 flagged, 4 flagged before" in scan(path, "--again").out
    assert flags() == before


def test_a_grown_file_goes_on_where_it_ended(tmp_path: Path, model: KeywordModel) -> None:
    path = write_lines(tmp_path / "x.jsonl", 11)
    scan(path)
    model.texts.clear()
    write_lines(path, 23)
    assert "12 messages read after the 11 of an earlier time, 2 flagged" in scan(path).out
    assert len(alone(model)) == 12
    assert "read before" in scan(path).out


def test_bad_lines_are_named_and_a_mended_file_is_read_anew(
    tmp_path: Path, model: KeywordModel
) -> None:
    path = write_lines(tmp_path / "x.jsonl", 12, bad=(5, 8))
    done = scan(path)
    assert done.code == 1
    assert done.err.splitlines()[1:] == [
        "x.jsonl: line 5: it is not valid JSON (at character 1)",
        "x.jsonl: line 8: it is not valid JSON (at character 1)",
        "x.jsonl: 2 lines could not be read.",
    ]
    assert "10 messages read, 1 flagged" in done.out
    assert scan(path).code == 1
    model.texts.clear()
    write_lines(path, 12)
    mended = scan(path)
    assert mended.code == 0
    assert "line" not in mended.err
    assert "12 messages read, 1 flagged, 1 flagged before" in mended.out
    assert set(flags()) == {"m5", "m10"}


def test_a_half_written_export_is_continued_when_it_is_complete(
    tmp_path: Path, model: KeywordModel
) -> None:
    path = write_export(
        tmp_path / "x.json", [message(n, "trash" if n == 9 else f"text {n}") for n in range(1, 11)]
    )
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.index(b'"9008"')])
    half = scan(path)
    assert half.code == 1
    assert "x.json ends in the middle, after 7 whole messages. What is whole was taken" in half.err
    assert "7 messages read, 0 flagged" in half.out
    assert scan(path).code == 1
    assert len(alone(model)) == 7
    path.write_bytes(whole)
    done = scan(path)
    assert done.code == 0
    assert "3 messages read after the 7 of an earlier time, 1 flagged" in done.out
    assert alone(model) == [f"text {n}" for n in range(1, 9)] + ["trash", "text 10"]


@pytest.mark.usefixtures("model")
def test_a_later_export_with_an_edit_adds_a_wording(tmp_path: Path) -> None:
    first = write_export(tmp_path / "a.json", [message(1, "calla is trash"), message(2, "hm")])
    scan(first)
    edited = "2026-03-08T21:00:00+01:00"
    later = write_export(
        tmp_path / "b.json",
        [
            message(1, "calla is trash, always", timestampEdited=edited),
            message(2, "hm, trash", timestampEdited=edited),
            message(3, "new"),
        ],
    )
    assert "3 messages read, 1 flagged, 1 new wording of flagged ones" in scan(later).out
    assert {key: flag["revisions"] for key, flag in flags().items()} == {"9001": 2, "9002": 1}


@pytest.mark.usefixtures("model")
def test_several_files_are_summed_and_kept_apart(tmp_path: Path) -> None:
    one = write_lines(tmp_path / "one.jsonl", 6)
    two = write_export(tmp_path / "two.json", [message(1, "trash")])
    done = scan(one, two, "--guild", "55")
    assert "In all: 7 messages in 2 files, 2 flagged." in done.out
    assert {flag["guild_id"] for flag in flags().values()} == {"55"}
    assert "6 messages read, 1 flagged." in scan(one, "--guild", "56").out


def test_scanning_again_with_a_roster_names_the_persons(
    tmp_path: Path, model: KeywordModel
) -> None:
    path = write_lines(tmp_path / "x.jsonl", 12)
    scan(path)
    decided, waiting = flags()["m5"], flags()["m10"]
    CliRunner().invoke(app, ["decide", str(decided["id"]), "dismiss", "--by", "Ann"])
    roster = tmp_path / "people.toml"
    roster.write_text('[[people]]\nname = "Calla Brennick"\n')
    done = scan(path, "--again", "--roster", roster)
    assert "0 flagged, 2 flagged before, 1 of them assessed again." in done.out
    assert model.people == {"Calla Brennick"}
    assert waiting["person"] is None
    assert flags()["m10"]["person"] == "Calla Brennick"
    assert flags()["m5"]["person"] is None
    assert "assessed again" not in scan(path, "--again").out


def test_a_server_keeps_its_own_roster(tmp_path: Path, model: KeywordModel) -> None:
    rosters = []
    for name in ("Calla Brennick", "Somebody Else"):
        rosters.append(tmp_path / f"{name}.toml")
        rosters[-1].write_text(f'[[people]]\nname = "{name}"\n')
    write_lines(tmp_path / "x.jsonl", 3)
    assert scan(tmp_path / "x.jsonl", "--roster", rosters[0]).err == ""
    done = scan(tmp_path / "x.jsonl", "--again", "--roster", rosters[1])
    assert "Server g has a roster of its own in the database" in done.err
    assert model.people == {"Calla Brennick"}
    assert "has no roster" in scan(tmp_path / "x.jsonl", "--guild", "other").err


@pytest.mark.usefixtures("model")
def test_without_a_configured_database_the_queue_finds_what_was_scanned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DATABASE_URL")
    done = scan(write_lines(tmp_path / "x.jsonl", 6))
    assert done.out.endswith("See them with: fanguard queue\n")
    assert Path("data/fanguard.db").exists()
    assert set(flags()) == {"m5"}


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize("url", ["sub/x.db", "sqlite:///sub/x.db", "sqlite+aiosqlite:///sub/x.db"])
def test_another_database_is_a_path_or_a_url(tmp_path: Path, url: str) -> None:
    done = scan(write_lines(tmp_path / "x.jsonl", 6), "--db", url)
    assert f"fanguard queue --db {url}" in done.out
    assert Path("sub/x.db").exists()
    assert not Path("scan.db").exists()


def test_bad_files_are_refused_before_anything_is_read(tmp_path: Path, model: KeywordModel) -> None:
    good = write_lines(tmp_path / "good.jsonl", 6)
    html = tmp_path / "export.html"
    html.write_text("<!DOCTYPE html><html>")
    for bad, complaint in (
        (html, "is an HTML page"),
        (tmp_path / "none.json", "does not exist"),
        (tmp_path, "is a folder"),
    ):
        with pytest.raises(UserError, match=complaint):
            scan(good, bad)
    with pytest.raises(UserError, match="is not there"):
        scan(good, "--roster", tmp_path / "none.toml")
    assert model.texts == []


@pytest.mark.usefixtures("model")
def test_control_codes_in_a_file_name_do_not_reach_the_terminal(tmp_path: Path) -> None:
    done = scan(write_lines(tmp_path / "x\x1b[31m[bold].jsonl", 3, bad=(2,)))
    assert "\x1b" not in done.out + done.err
    assert "[bold]" in done.out


@pytest.mark.usefixtures("model")
def test_surrogates_cost_one_line_and_no_traceback(tmp_path: Path) -> None:
    path = write_lines(Path(os.fsdecode(bytes(tmp_path) + b"/\xff.jsonl")), 10)
    path.write_text(path.read_text().replace('"m3"', '"m\\ud800"').replace("lovely 4", "\\ud800"))
    done = scan(path)
    assert done.code == 1
    assert "line 3: “id” has half a character" in done.err
    assert "9 messages read, 2 flagged" in done.out
    with pytest.raises(UserError, match="--guild is empty or no text"):
        scan(path, "--guild", "\udcff")


def test_any_stop_between_batches_loses_and_doubles_nothing(
    tmp_path: Path, model: KeywordModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_lines(tmp_path / "x.jsonl", 30, hostile=3, bad=(7, 20))
    put, chance = importing.Imports.put, random.Random(5)

    async def put_and_interrupt(
        self: importing.Imports, progress: importing.ImportProgress
    ) -> None:
        fate = chance.random()
        if fate < 0.2:
            raise OSError("killed before the place was kept")
        await put(self, progress)
        if fate < 0.5:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(importing.Imports, "put", put_and_interrupt)
    codes = []
    for _ in range(60):
        try:
            codes.append(scan(path).code)
        except OSError:
            codes.append(-1)
        if codes[-1] == 1:
            break
    assert codes[-1] == 1
    assert {-1, 130} <= set(codes)
    assert set(flags()) == {f"m{n}" for n in range(3, 31, 3)}
    assert len(set(alone(model))) == 1 + sum(n % 3 != 0 for n in range(1, 31)) - 2


STOPPABLE = """
from bot.classifier import HostilityModel
from tests.cli.keyword_model import KeywordModel
HostilityModel.load = lambda path, **options: KeywordModel(delay=0.0005)
from bot.cli import main
main()
"""


def test_ctrl_c_and_kill_are_survived(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "x.jsonl", 6_000, hostile=50)
    expected = {f"m{n}" for n in range(50, 6_001, 50)}
    codes = []
    for number in (signal.SIGINT, signal.SIGKILL, signal.SIGTERM, None):
        process = subprocess.Popen(
            [sys.executable, "-c", STOPPABLE, "scan", str(path)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        )
        if number is not None:
            _wait_for_progress(tmp_path / "scan.db")
            process.send_signal(number)
        out, err = process.communicate(timeout=120)
        codes.append(process.returncode)
        assert "Traceback" not in err
        if number in {signal.SIGINT, signal.SIGTERM}:
            assert err.splitlines()[-1] == "Stopped. The same command goes on from here."
            assert "messages read" in out
    assert codes == [130, -signal.SIGKILL, 130, 0]
    assert set(flags()) == expected


def _wait_for_progress(database: Path) -> None:
    def position() -> int:
        try:
            with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
                return int(connection.execute("SELECT max(position) FROM imports").fetchone()[0])
        except (sqlite3.Error, TypeError):
            return 0

    start, deadline = position(), time.monotonic() + 60
    while position() <= start:
        assert time.monotonic() < deadline
        time.sleep(0.02)


MEASURED = """
import sys
from bot.cli import main
from tests.memory import peak_kilobytes
try:
    main()
finally:
    print(peak_kilobytes(), file=sys.stderr)
"""


@needs_model
def test_an_export_meets_the_shipped_model(tmp_path: Path) -> None:
    roster = tmp_path / "people.toml"
    roster.write_text('[[people]]\nname = "Calla Brennick"\naliases = ["Calla"]\n')
    path = write_export(
        tmp_path / "x.json",
        [
            message(1, "Calla is a talentless, worthless piece of trash"),
            message(2, "Calla looked great tonight, what a show"),
            message(3, "she was rude to her husband"),
        ],
    )
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, "scan", str(path), "--roster", str(roster)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stderr.split()[-1]) * 1024 < 290_000_000
    assert "3 messages read, 1 flagged." in done.stdout
    assert [flag["person"] for flag in flags().values()] == ["Calla Brennick"]
