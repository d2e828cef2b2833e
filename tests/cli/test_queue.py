from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from bot.comment import Level
from bot.settings import PROJECT_DIR, load_settings
from bot.store import Intake, open_configured
from tests.cli.conftest import Fanguard
from tests.store.samples import POSTED_TEXT, REPLY_TEXT, assessment, comment


def fill(url: str, guilds: tuple[str, ...] = ("10",)) -> None:
    async def run() -> None:
        async with open_configured(load_settings(), url) as store:
            for guild_id in guilds:
                items = [
                    Intake(comment(1, guild_id=guild_id), assessment(0.8)),
                    Intake(comment(2, "[red]so bad\x1b[31m", guild_id=guild_id), assessment(0.7)),
                    Intake(
                        comment(3, guild_id=guild_id, author_id="501", author_name="Bo"),
                        assessment(0.6, Level.ABUSIVE, target="her husband"),
                    ),
                ]
                await store.flags.add_many(items, source="scan")

    asyncio.run(run())


@pytest.fixture
def demo(fanguard: Fanguard) -> Fanguard:
    fill("sqlite+aiosqlite:///data/demo.db")
    return fanguard


def test_without_any_database_it_says_what_to_do(fanguard: Fanguard) -> None:
    for arguments in (["queue"], ["log"], ["decide", "1", "remove", "--by", "Ann"]):
        result = fanguard(*arguments)
        assert result.code == 2
        assert "fanguard demo" in result.err
        assert "fanguard scan" in result.err
        assert result.out == ""
    assert not Path("data").exists()


def test_queue_prints_one_json_array(demo: Fanguard) -> None:
    result = demo("queue", "--json")
    assert result.code == 0
    records = json.loads(result.out)
    assert [record["id"] for record in records] == [3, 1, 2]
    record = records[1]
    assert record["text"] == POSTED_TEXT
    assert record["person"] == "Mara Vey"
    assert record["score"] == 0.8
    assert record["level"] == 2
    assert record["status"] == "open"
    assert record["why"][1] == {"start": 21, "end": 28, "text": "hagfish", "weight": 2.5}
    assert record["reply_to"]["text"] == REPLY_TEXT
    assert record["people"][0]["flagged"] is True
    assert record["decision"] is None
    assert "demo.db" in result.err


def test_queue_filters(demo: Fanguard) -> None:
    def ids(*arguments: str) -> list[int]:
        return [record["id"] for record in json.loads(demo("queue", "--json", *arguments).out)]

    assert ids("--person", "HER husband") == [3]
    assert ids("--person", "vey") == [3, 1, 2]
    assert ids("--person", "calla") == []
    assert ids("--limit", "2") == [3, 1]
    assert ids("--guild", "11") == []
    demo("decide", "1", "dismiss", "--by", "Ann")
    assert ids() == [3, 2]
    assert ids("--status", "decided") == [1]
    assert ids("--status", "all") == [3, 1, 2]
    assert demo("queue", "--status", "nonsense").code == 2


def test_queue_as_a_table(demo: Fanguard) -> None:
    result = demo("queue")
    assert result.code == 0
    for shown in ("Mara Vey", "3 abusive", "0.80", "hagfish, talentless", "#chat", "Bo"):
        assert shown in result.out
    assert "[red]so bad" in result.out
    assert "\x1b" not in result.out
    assert "1 of 3 flags" in demo("queue", "--limit", "1").out
    assert "The queue is empty" in demo("queue", "--guild", "99").out


def test_who_else_may_be_meant_and_what_is_hardly_english_is_said(
    fanguard: Fanguard, monkeypatch: pytest.MonkeyPatch
) -> None:
    mara, jonas = assessment().people
    twofold = replace(assessment(0.9), ambiguous=True, people=(mara, replace(jonas, score=0.88)))

    async def run() -> None:
        async with open_configured(load_settings(), "sqlite+aiosqlite:///data/demo.db") as store:
            items = [
                Intake(comment(1), twofold),
                Intake(comment(2), replace(assessment(0.8), foreign=True)),
                Intake(comment(3), assessment(0.7)),
            ]
            await store.flags.add_many(items, source="scan")

    asyncio.run(run())
    for command in ("queue", "log"):
        records = sorted(json.loads(fanguard(command, "--json").out), key=lambda one: one["id"])
        assert [one["ambiguous"] for one in records] == [True, False, False]
        assert [one["foreign"] for one in records] == [False, True, False]
        for width in ("160", "60"):
            monkeypatch.setenv("COLUMNS", width)
            shown = " ".join(fanguard(command).out.split())
            assert shown.count("Could also mean Jonas Orr.") == 1
            assert shown.count("Not in English: read less well.") == 1
    assert "Could also mean Jonas Orr." in fanguard("log", "1").out
    assert "Not in English" not in fanguard("log", "1").out


def test_the_server_is_shown_when_there_are_several(fanguard: Fanguard) -> None:
    fill("sqlite+aiosqlite:///data/demo.db", ("10", "7777"))
    assert "7777" in fanguard("queue").out
    assert "Server" in fanguard("log").out
    assert "Server" not in fanguard("queue", "--guild", "10").out


def test_deciding_once(demo: Fanguard) -> None:
    result = demo("decide", "1", "remove", "--by", "Ann", "--reason", "rule 3")
    assert result.code == 0
    assert "Flag 1: remove, decided by Ann." in result.out
    assert "nothing was done in Discord" in result.out

    again = demo("decide", "1", "dismiss", "--by", "Bo")
    assert again.code == 2
    assert "already decided by Ann: remove" in again.err
    record = json.loads(demo("log", "1", "--json").out)[0]
    assert record["decision"]["action"] == "remove"
    assert record["decision"]["reason"] == "rule 3"
    assert [step["kind"] for step in record["story"]] == ["flagged", "decided"]


def test_a_decision_is_taken_back(demo: Fanguard) -> None:
    demo("decide", "1", "remove", "--by", "Ann")
    result = demo("reopen", "1", "--by", "Bo", "--reason", "wrong number")
    assert result.code == 0
    assert "Flag 1: open again, by Bo." in result.out
    (record,) = json.loads(demo("log", "1", "--json").out)
    assert record["status"] == "open"
    assert record["decision"] is None
    steps = [(step["kind"], step["by"], step["note"]) for step in record["story"]]
    assert steps[1:] == [("decided", "Ann", ""), ("reopened", "Bo", "wrong number")]
    assert demo("decide", "1", "dismiss", "--by", "Bo").code == 0

    for arguments, message in (
        (["2", "--by", "Ann"], "Flag 2 is not decided yet"),
        (["99", "--by", "Ann"], "no flag 99"),
        (["1", "--by", " "], "--by NAME"),
        (["1"], "--by"),
    ):
        refused = demo("reopen", *arguments)
        assert refused.code == 2
        assert message in refused.err
    assert json.loads(demo("log", "1", "--json").out)[0]["status"] == "decided"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["99", "remove", "--by", "Ann"], "no flag 99"),
        (["1", "remov", "--by", "Ann"], "Did you mean “remove”?"),
        (["1", "remove", "--by", "  "], "--by NAME"),
        (["one", "remove", "--by", "Ann"], "valid integer"),
        (["1", "remove"], "--by"),
    ],
)
def test_decisions_that_are_refused(demo: Fanguard, arguments: list[str], message: str) -> None:
    result = demo("decide", *arguments)
    assert result.code == 2
    assert message in result.err
    assert "Traceback" not in result.err
    assert len(json.loads(demo("queue", "--json").out)) == 3


def test_log_filters(demo: Fanguard) -> None:
    demo("decide", "2", "warn", "--by", "Ann")

    def ids(*arguments: str) -> list[int]:
        return [record["id"] for record in json.loads(demo("log", "--json", *arguments).out)]

    assert ids() == [3, 2, 1]
    assert ids("--status", "decided") == [2]
    assert ids("--member", "bo") == [3]
    assert ids("--member", "501") == [3]
    assert ids("--person", "mara vey") == [3, 2, 1]
    assert ids("--since", "2026-03-01", "--until", "2026-03-01") == [3, 2, 1]
    assert ids("--since", "2026-03-01T14:00") == [3, 2]
    assert ids("--until", "2026-02-28") == []
    assert ids("--until", "yesterday") == [3, 2, 1]
    assert ids("--since", "yesterday") == []
    assert ids("--since", "7d") == []
    assert ids("--since", "999 weeks ago", "--until", "today") == [3, 2, 1]
    bad = demo("log", "--since", "someday")
    assert bad.code == 2
    assert "“someday” is not a day. Write it as 2025-03-01, today, yesterday, 7d" in bad.err


HUGE = "99999999999999999999"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["log", HUGE], f"There is no flag {HUGE}. `fanguard queue` lists the open ones."),
        (["decide", HUGE, "remove", "--by", "Ann"], f"There is no flag {HUGE}."),
        (["reopen", HUGE, "--by", "Ann"], f"There is no flag {HUGE}."),
        (["log", "--until", "9999-12-31"], "Give a day of the years 2 to 9998."),
        (["log", "--since", "0001-01-01T00:00+14:00"], "“0001-01-01T00:00+14:00” is at the edge"),
        (["log", "--until", "9999-12-31T23:00-10:00"], "is at the edge of the calendar"),
        (["decide", "1", "remove", "--by", "\udcff"], "--by was given is not text in UTF-8."),
        (["decide", "1", "remove", "--by", "A", "--reason", "\udcff"], "--reason was given is not"),
        (["reopen", "1", "--by", "\udcff"], "--by was given is not text"),
        (["queue", "--guild", "\udcff"], "--guild was given is not text"),
        (["queue", "--person", "\udcff"], "--person was given is not text"),
        (["log", "--member", "\udcff"], "--member was given is not text"),
        (
            ["decide", "1", "remove", "--by", "A" * 101],
            "--by takes at most 100 characters and was given 101. Shorten it.",
        ),
        (
            ["decide", "1", "remove", "--by", "Ann", "--reason", "r" * 513],
            "--reason takes at most 512 characters and was given 513. Shorten it.",
        ),
        (["reopen", "1", "--by", "A" * 101], "--by takes at most 100 characters"),
        (["reopen", "1", "--by", "Ann", "--reason", "r" * 513], "at most 512 characters"),
    ],
)
def test_what_no_flag_or_database_can_hold_is_refused(
    demo: Fanguard, arguments: list[str], message: str
) -> None:
    result = demo(*arguments)
    assert result.code == 2
    *notes, error = result.err.splitlines()
    assert error.startswith("fanguard: ")
    assert message in error
    assert all(note.startswith("No database is configured") for note in notes)
    assert result.out == ""
    assert len(json.loads(demo("queue", "--json").out)) == 3


def test_the_longest_name_and_reason_are_kept(demo: Fanguard) -> None:
    name, reason = "Ä" * 100, "r" * 512
    assert demo("decide", "1", "remove", "--by", name, "--reason", reason).code == 0
    decision = json.loads(demo("log", "1", "--json").out)[0]["decision"]
    assert (decision["by"], decision["reason"]) == (name, reason)


def test_a_limit_beyond_all_bounds_is_refused(demo: Fanguard) -> None:
    for command in ("queue", "log"):
        for limit in (HUGE, "0"):
            result = demo(command, "--limit", limit)
            assert result.code == 2
            assert result.err == "fanguard: --limit takes a number from 1 to 1000000.\n"
        assert len(json.loads(demo(command, "--json", "--limit", "1000000").out)) == 3


def test_days_near_the_edge_of_the_calendar(demo: Fanguard) -> None:
    result = demo("log", "--json", "--since", "0001-01-01", "--until", "9999-12-30")
    assert len(json.loads(result.out)) == 3


def test_bytes_that_are_no_text(demo: Fanguard) -> None:
    del demo
    command = [sys.executable, "-m", "bot", "decide", "1", "remove", "--by", b"\xff"]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT_DIR), "PYTHONUTF8": "1"}
    done = subprocess.run(command, capture_output=True, env=environment, check=False)
    assert done.returncode == 2
    assert done.stderr == b"fanguard: What --by was given is not text in UTF-8. Type it anew.\n"


def test_log_for_people(demo: Fanguard) -> None:
    demo("decide", "1", "no_action", "--by", "Ann", "--reason", "a song title")
    table = demo("log").out
    assert "no action by Ann" in table
    assert "open" in table
    story = demo("log", "1").out
    assert POSTED_TEXT in story
    assert "decided: no action by Ann (a song title)" in story
    assert demo("log", "99").code == 2
    assert "No flag matches" in demo("log", "--guild", "99").out


def test_a_person_without_flags_is_named(demo: Fanguard) -> None:
    for command in ("queue", "log"):
        assert demo(command, "--person", "calla").out == "No flags for “calla”.\n"
    for number in ("1", "2", "3"):
        demo("decide", number, "dismiss", "--by", "Ann")
    said = demo("queue", "--person", "mara").out
    assert said == 'No flags for “mara” here; 3 in all: fanguard log --person "mara".\n'


def test_a_configured_database_is_read_instead_of_the_demos(
    demo: Fanguard, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = "sqlite+aiosqlite:///data/live.db"
    monkeypatch.setenv("DATABASE_URL", url)
    fill(url, ("10", "11"))
    result = demo("queue", "--json")
    assert len(json.loads(result.out)) == 6
    assert result.err == ""
    result = demo("queue", "--json", "--db", "sqlite:///data/demo.db")
    assert len(json.loads(result.out)) == 3


def test_a_mistyped_database_is_not_made(demo: Fanguard) -> None:
    for mistyped in ("sqlite:///data/dmeo.db", "data/dmeo.db"):
        result = demo("queue", "--db", mistyped)
        assert result.code == 2
        assert "no database at data/dmeo.db" in result.err
        assert not Path("data/dmeo.db").exists()


def test_the_default_database_is_read_where_no_demo_was_played(fanguard: Fanguard) -> None:
    fill("sqlite+aiosqlite:///data/fanguard.db")
    result = fanguard("queue", "--json")
    assert len(json.loads(result.out)) == 3
    assert result.err == "No database is configured: this is data/fanguard.db.\n"


def test_of_the_demos_database_and_the_default_one_the_last_written_is_read(
    demo: Fanguard,
) -> None:
    default, played = Path("data/fanguard.db"), Path("data/demo.db")
    fill(str(default), ("77",))
    for path, seconds in ((played, 1000), (default, 2000)):
        os.utime(path, (seconds, seconds))

    def shown(*command: str) -> tuple[str, str]:
        result = demo(*command, "--json")
        return json.loads(result.out)[0]["guild_id"], result.err

    assert shown("queue") == (
        "77",
        "No database is configured: this is data/fanguard.db. The other: --db data/demo.db\n",
    )
    assert shown("log", "--db", "data/demo.db") == ("10", "")
    assert "data/fanguard.db is sound" in demo("db", "check").out
    os.utime(played, (3000, 3000))
    guild, said = shown("log")
    assert guild == "10"
    assert said.endswith("this is data/demo.db. The other: --db data/fanguard.db\n")
    assert "data/demo.db is sound" in demo("db", "check").out
    assert "data/demo.db is up to date" in demo("db", "upgrade").out
    assert demo("db", "backup").out.startswith("Backed up to data/backups/demo-")


def test_what_is_still_in_the_log_beside_a_database_counts_as_written(demo: Fanguard) -> None:
    default, played = Path("data/fanguard.db"), Path("data/demo.db")
    fill(str(default), ("77",))
    os.utime(default, (1000, 1000))
    os.utime(played, (2000, 2000))
    with closing(sqlite3.connect(default)) as writer:
        writer.execute("UPDATE flags SET source = 'run'")
        writer.commit()
        os.utime(default, (1000, 1000))
        assert json.loads(demo("queue", "--json").out)[0]["guild_id"] == "77"


def test_a_lost_key_is_told_and_none_is_made(demo: Fanguard) -> None:
    key = Path("data/fanguard.key")
    key.rename("kept.key")
    result = demo("queue")
    assert result.code == 2
    assert "data/fanguard.key" in result.err
    assert "Put it back" in result.err
    assert not key.exists()
    Path("kept.key").rename(key)
    assert demo("queue").code == 0


def test_a_damaged_key_file_is_told_with_its_place(demo: Fanguard) -> None:
    key = Path("data/fanguard.key")
    kept = key.read_text(encoding="ascii")
    for damaged in (kept[:20], kept[::-1]):
        key.write_text(damaged, encoding="ascii")
        result = demo("queue")
        assert result.code == 2
        assert "data/fanguard.key" in result.err
        assert "Put your backup of the key back there" in result.err
    key.write_text(Fernet.generate_key().decode(), encoding="ascii")
    result = demo("queue")
    assert result.code == 2
    assert "does not fit this database: it is not the one in data/fanguard.key." in result.err
    assert "flags written with one key cannot be read with another" in result.err
    key.write_text(kept, encoding="ascii")
    assert demo("queue").code == 0


@pytest.mark.parametrize("columns", [40, 60])
def test_on_a_narrow_terminal_flags_stand_below_one_another(
    demo: Fanguard, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for command in ("queue", "log"):
        shown = demo(command).out
        assert "3  3 abusive 0.60 · her husband · open" in shown
        assert "Mara is a talentless hagfish" in shown
        assert all(len(line) <= columns for line in shown.splitlines())


def test_what_is_not_known_of_a_flag_leaves_no_gap(fanguard: Fanguard) -> None:
    async def fill_bare() -> None:
        async with open_configured(load_settings(), "data/demo.db") as store:
            bare = replace(assessment(0.65, target=None), why=())
            await store.flags.add(comment(1), bare, source="scan")

    asyncio.run(fill_bare())
    story = fanguard("log", "1").out
    assert story.splitlines()[0] == "Flag 1: 2 hostile 0.65"
    assert "Words that tell" not in story
