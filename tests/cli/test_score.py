"""`fanguard score` is what other programs rely on, so every clause of it is held here."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.classifier import HostilityModel
from bot.cli.score_lines import score_file
from bot.comment import Assessment
from tests.cli.conftest import Fanguard
from tests.cli.keyword_model import KeywordModel

KEYS = [
    "id",
    "score",
    "level",
    "flagged",
    "threshold",
    "target",
    "target_type",
    "people",
    "member_score",
    "member_flagged",
    "why",
    "model",
]
IONA = {"name": "Iona Stackpole", "aliases": ["Iona"]}
REUBEN = {"name": "Reuben Aldous", "aliases": ["Reuben"], "pronouns": "he/him"}
HOSTILE = "Iona Stackpole is a pathetic, talentless idiot and a disgusting human being"
FAIR = "Iona Stackpole was lovely in the finale, I cried"


def lines(path: Path, rows: Sequence[object]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def answers(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_each_line_is_answered_in_order_with_every_key(fanguard: Fanguard, tmp_path: Path) -> None:
    rows = [
        {"id": "a", "text": HOSTILE, "people": [REUBEN, IONA]},
        {"id": "b", "text": FAIR, "people": [REUBEN, IONA]},
        {"id": "c", "text": "when does it start?"},
    ]
    result = fanguard("score", "--jsonl", lines(tmp_path / "in.jsonl", rows))
    assert (result.code, result.err) == (0, "")
    first, second, third = answers(result.out)
    for answer in (first, second, third):
        assert list(answer) == KEYS
        assert 0 <= answer["score"] <= 1
        assert 0 <= answer["member_score"] <= 1
        assert answer["flagged"] is (answer["score"] >= answer["threshold"])
        assert (answer["level"] >= 2) is answer["flagged"]
        assert answer["target_type"] in {"person", "member", "group", "object", "self", "none"}
        for person in answer["people"]:
            assert list(person) == ["name", "score", "level", "flagged"]
            assert person["flagged"] is (person["score"] >= answer["threshold"])
            assert (person["level"] >= 2) is person["flagged"]
            assert person["score"] <= answer["score"]
    assert [a["id"] for a in (first, second, third)] == ["a", "b", "c"]
    assert first["flagged"]
    assert (first["target"], first["target_type"]) == ("Iona Stackpole", "person")
    assert [p["name"] for p in first["people"]] == ["Reuben Aldous", "Iona Stackpole"]
    assert [p["flagged"] for p in first["people"]] == [False, True]
    assert not second["flagged"]
    assert third["people"] == []
    assert third["target"] is None


IDS = [
    0,
    -7,
    12345678901234567890,
    1.5,
    "",
    "x",
    "\u00e9\u2028\U0001f600",
    True,
    False,
    None,
    [1, "a"],
    {"k": [None]},
]


def test_the_id_comes_back_as_it_was(fanguard: Fanguard, tmp_path: Path) -> None:
    rows = [{"id": value, "text": "hello"} for value in IDS]
    result = fanguard("score", "--jsonl", lines(tmp_path / "in.jsonl", rows))
    found = [answer["id"] for answer in answers(result.out)]
    assert found == IDS
    assert [type(value) for value in found] == [type(value) for value in IDS]


WRITTEN_IDS = [
    "0.10000000000000000001",
    "1e400",
    "-0.0",
    "1E5",
    "1.50",
    "7" * 5000,
    '{"b" : [1E5,\t{"b": 2, "b": 1e-999}], "a": {} }',
    '"\\u0041\\/\\ud83d\\ude00 \\ud800"',
    '"\\"id\\": 3, {"',
]


@pytest.mark.parametrize("written", WRITTEN_IDS, ids=range(len(WRITTEN_IDS)))
@pytest.mark.parametrize(
    "line", ['{"id": %s, "text": "a"}', ' { "text":"id", "x": {"id": 4}, "id"\t:%s }']
)
def test_the_id_comes_back_as_it_was_written(
    fanguard: Fanguard, tmp_path: Path, line: str, written: str
) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text(line % written + "\n")
    result = fanguard("score", "--jsonl", str(source))
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(f'{{"id": {written}, "score": ')


def test_an_answer_is_one_line_of_ascii_whatever_the_id(fanguard: Fanguard, tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_bytes('{"id": ["\u2028\u00e9\U0001f600",\r1], "text": "a"}\n'.encode())
    result = fanguard("score", "--jsonl", str(source))
    assert result.out.isascii()
    (line,) = result.out.splitlines()
    assert json.loads(line)["id"] == ["\u2028\u00e9\U0001f600", 1]


def test_the_last_of_two_ids_counts(fanguard: Fanguard, tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text('{"id": 1, "text": "a", "\\u0069d": 2.0}\n')
    assert fanguard("score", "--jsonl", str(source)).out.startswith('{"id": 2.0, ')


def test_other_numbers_do_not_matter(fanguard: Fanguard, tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text(f'{{"id": 1, "text": "a", "x": [1e999, {"9" * 5000}]}}\n')
    assert fanguard("score", "--jsonl", str(source)).code == 0


def test_absent_null_and_empty_are_the_same(fanguard: Fanguard, tmp_path: Path) -> None:
    text = "she is a pathetic talentless idiot"
    rows: list[dict[str, Any]] = [
        {"id": 1, "text": text},
        {"id": 1, "text": text, "context": None, "people": None},
        {"id": 1, "text": text, "context": [], "people": []},
        {"id": 1, "text": text, "context": ""},
    ]
    result = fanguard("score", "--jsonl", lines(tmp_path / "in.jsonl", rows))
    first, *others = answers(result.out)
    assert first["flagged"]
    assert first["target"] == "she"
    assert others == [first] * 3

    with_people = [
        {"id": 1, "text": text, "people": [{"name": "Iona"}]},
        {"id": 1, "text": text, "people": [{"name": "Iona", "aliases": None, "pronouns": None}]},
        {"id": 1, "text": text, "people": [{"name": "Iona", "aliases": [], "pronouns": []}]},
    ]
    result = fanguard("score", "--jsonl", lines(tmp_path / "in.jsonl", with_people))
    first, *others = answers(result.out)
    assert others == [first] * 2


def test_the_configured_roster_is_never_read(fanguard: Fanguard, tmp_path: Path) -> None:
    source = lines(tmp_path / "in.jsonl", [{"id": 1, "text": "iona is an idiot"}])
    before = fanguard("score", "--jsonl", source)
    (tmp_path / "config" / "people.toml").write_text('[[people]]\nname = "Iona Stackpole"\n')
    assert fanguard("score", "--jsonl", source).out == before.out
    (tmp_path / "config" / "people.toml").write_text("not toml at all [")
    assert fanguard("score", "--jsonl", source).out == before.out


def test_the_words_that_tell_are_spans_of_the_text_given(
    fanguard: Fanguard, tmp_path: Path
) -> None:
    texts = [
        HOSTILE,
        "\U0001f600\U0001f600 Iona\u2019s  a **p@thetic** i d i o t \U0001f600",
        "Io\u0301na is gar\u200bbage, a talentless p\u0430thetic idiot",
    ]
    rows = [{"id": i, "text": text, "people": [IONA]} for i, text in enumerate(texts)]
    result = fanguard("score", "--jsonl", lines(tmp_path / "in.jsonl", rows))
    for text, answer in zip(texts, answers(result.out), strict=True):
        assert answer["flagged"], text
        assert answer["why"]
        ends = 0
        for word in answer["why"]:
            assert list(word) == ["start", "end", "text", "weight"]
            assert ends <= word["start"] < word["end"] <= len(text)
            assert word["text"] == text[word["start"] : word["end"]]
            assert word["weight"] > 0
            assert "iona" not in word["text"].casefold()
            assert "stackpole" not in word["text"].casefold()
            ends = word["end"]


def test_the_same_alone_and_among_others(fanguard: Fanguard, tmp_path: Path) -> None:
    rows = [
        {"id": i, "text": text, "people": people}
        for i, (text, people) in enumerate(
            [(HOSTILE, [IONA]), (FAIR, [IONA, REUBEN]), (HOSTILE, []), ("ok", []), ("", [IONA])]
        )
    ]
    together = fanguard("score", "--jsonl", lines(tmp_path / "all.jsonl", rows)).out.splitlines()
    for row, line in zip(rows, together, strict=True):
        assert (
            fanguard("score", "--jsonl", lines(tmp_path / "one.jsonl", [row])).out.rstrip("\n")
            == line
        )
    backwards = fanguard(
        "score", "--jsonl", lines(tmp_path / "all.jsonl", rows[::-1])
    ).out.splitlines()
    assert backwards == together[::-1]


BAD = [
    (b"{", "not JSON"),
    (b"[1]", "not a JSON object"),
    (b'"text"', "not a JSON object"),
    (b'{"id": 1}', '"text" is missing'),
    (b'{"id": 1, "text": 5}', '"text" is missing or not a string'),
    (b'{"id": 1, "text": null}', '"text" is missing or not a string'),
    (b'{"text": "a", "context": 7}', '"context" is not a string'),
    (b'{"text": "a", "people": "Iona"}', '"people" is not a list'),
    (b'{"text": "a", "people": ["Iona"]}', "not an object"),
    (b'{"text": "a", "people": [{"name": " "}]}', 'has no "name"'),
    (b'{"text": "a", "people": [{"name": "I", "aliases": "x"}]}', '"aliases" of I'),
    (b'{"text": "a", "people": [{"name": "I", "pronouns": 3}]}', '"pronouns" of I'),
    (b'{"text": "\xff"}', "not UTF-8"),
    (b'{"text": "a", "id": NaN}', "NaN"),
    (b'{"text": "a", "id": 01}', "not JSON"),
    (b"[" * 100_000, "nested too deeply"),
    *(
        (b'{"text": "a", "people": [{"name": "I", "%s": %s}]}' % (key, value), reason)
        for value in (b"0", b"{}", b"false", b"1e999")
        for key, reason in (
            (b"aliases", '"aliases" of I'),
            (b"handles", '"handles" of I'),
            (b"pronouns", '"pronouns" of I'),
        )
    ),
    (b'{"text": "a", "people": [{"name": "I", "aliases": ""}]}', '"aliases" of I'),
    (b'{"text": "a", "people": [{"name": "I", "handles": ""}]}', '"handles" of I'),
    *((b'{"text": "a", "people": %s}' % each, '"people" is') for each in (b"0", b'""', b"{}")),
    *((b'{"text": "a", "context": %s}' % each, '"context" is') for each in (b"0", b"{}", b"false")),
    (b'{"text": "a", "people": [{"name": "I\\n\\ud800", "aliases": 1}]}', r"of I\n\ud800"),
]


@pytest.mark.parametrize(("line", "reason"), BAD, ids=range(len(BAD)))
def test_a_bad_line_is_reported_and_the_others_go_on(
    fanguard: Fanguard, tmp_path: Path, line: bytes, reason: str
) -> None:
    source = tmp_path / "in.jsonl"
    source.write_bytes(b'{"id": 1, "text": "one"}\n\n' + line + b'\n{"id": 4, "text": "four"}')
    result = fanguard("score", "--jsonl", str(source))
    assert result.code == 1
    assert [answer["id"] for answer in answers(result.out)] == [1, 4]
    assert result.err.startswith("fanguard: line 3: ")
    assert reason in result.err
    assert result.err.count("\n") == 1
    assert "Traceback" not in result.err


def test_a_byte_order_mark_and_windows_line_ends_are_no_obstacle(
    fanguard: Fanguard, tmp_path: Path
) -> None:
    source = tmp_path / "in.jsonl"
    source.write_bytes(b'\xef\xbb\xbf{"id": 1, "text": "one"}\r\n{"id": 2, "text": "two"}\r\n')
    result = fanguard("score", "--jsonl", str(source))
    assert (result.code, [a["id"] for a in answers(result.out)]) == (0, [1, 2])


ODD = [
    "",
    " ",
    "\n",
    "\x00",
    "\ud800",
    "a\udfffb",
    "\u202e idiot",
    "e" + "\u0301" * 500,
    "||",
    "> ",
    "```",
    "\U0001f40d" * 300,
]


def test_odd_texts_are_answered(fanguard: Fanguard, tmp_path: Path) -> None:
    rows = [
        {"id": i, "text": t, "context": t, "people": [IONA, {"name": t or "x"}]}
        for i, t in enumerate(ODD)
    ]
    rows = [row for row in rows if row["people"][1]["name"].strip()]
    result = fanguard("score", "--jsonl", lines(tmp_path / "in.jsonl", rows))
    assert result.err == ""
    assert [a["id"] for a in answers(result.out)] == [row["id"] for row in rows]


def test_an_empty_file_has_no_answers(fanguard: Fanguard, tmp_path: Path) -> None:
    result = fanguard("score", "--jsonl", lines(tmp_path / "in.jsonl", []))
    assert (result.code, result.out, result.err) == (0, "", "")


def test_output_file_is_whole_or_not_there(fanguard: Fanguard, tmp_path: Path) -> None:
    source = lines(tmp_path / "in.jsonl", [{"id": 1, "text": "one"}, {"id": 2, "text": "two"}])
    out = tmp_path / "out.jsonl"
    result = fanguard("score", "--jsonl", source, "-o", str(out))
    assert (result.code, result.out) == (0, "")
    assert [a["id"] for a in answers(out.read_text(encoding="utf-8"))] == [1, 2]
    given = Path(source).read_bytes()
    result = fanguard("score", "--jsonl", source, "-o", source)
    assert (result.code, "is the file that is read" in result.err) == (2, True)
    assert Path(source).read_bytes() == given
    assert not list(tmp_path.glob(".*partial"))


def test_bad_arguments_are_the_users_mistake(fanguard: Fanguard, tmp_path: Path) -> None:
    source = lines(tmp_path / "in.jsonl", [{"id": 1, "text": "one"}])
    for arguments, reason in [
        ([], "Give either a text"),
        (["a text", "--jsonl", source], "Give either a text"),
        (["--jsonl", source, "--person", "Iona"], "for a single text"),
        (["a text", "-o", "x"], "-o is for --jsonl"),
        (["a text", "--person", " "], "--person needs a name"),
        (["--jsonl", str(tmp_path / "none.jsonl")], "none.jsonl"),
        (["--jsonl", str(tmp_path)], "directory"),
        (["--jsonl", source, "-o", str(tmp_path / "no" / "out")], "No such file"),
        (["a text", "--model", str(tmp_path)], "no model in"),
    ]:
        result = fanguard("score", *arguments)
        assert result.code == 2, arguments
        assert reason.casefold() in result.err.casefold()
        assert result.err.startswith("fanguard: ")
        assert "Traceback" not in result.err


def test_a_single_text_is_answered_for_people(fanguard: Fanguard) -> None:
    result = fanguard("score", HOSTILE, "--person", "Iona Stackpole", "--person", "Reuben Aldous")
    assert result.code == 0
    assert "goes to the moderators" in result.out
    assert "About: Iona Stackpole" in result.out
    assert "Telling words:" in result.out
    assert "Reuben Aldous" in result.out
    assert "is left alone" in fanguard("score", FAIR, "--person", "Iona").out


def test_brackets_in_a_text_are_no_markup(fanguard: Fanguard) -> None:
    result = fanguard("score", "[red]hi[/red] [/] \x1b", "--person", "[bold]I[/]")
    assert result.code == 0
    assert "[red]hi[/red]" in result.out
    assert "[bold]I[/]" in result.out


def test_what_is_no_text_is_shown_as_far_as_it_goes() -> None:
    """A shell hands on bytes that are not UTF-8 as lone surrogates."""
    done = subprocess.run(
        [*command("\udcff Iona is an idiot", "--person", "Iona \udcfe")],
        env=os.environ | {"PYTHONIOENCODING": "utf-8:strict"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "About: Iona" in done.stdout


def test_a_single_text_as_json(fanguard: Fanguard) -> None:
    text = "she is a pathetic talentless idiot"
    result = fanguard("score", text, "--json", "--person", "Iona", "--context", "Iona is on stage")
    answer = json.loads(result.out)
    assert list(answer) == KEYS[1:]
    assert answer["target"] == "Iona"
    assert answer["flagged"]


def test_a_threshold_of_ones_own(fanguard: Fanguard, tmp_path: Path) -> None:
    source = lines(tmp_path / "in.jsonl", [{"id": 1, "text": FAIR, "people": [IONA]}])
    (answer,) = answers(fanguard("score", "--jsonl", source, "--threshold", "0").out)
    assert (answer["flagged"], answer["threshold"]) == (True, 0.0)
    assert answer["level"] >= 2
    (answer,) = answers(fanguard("score", "--jsonl", source, "--threshold", "1").out)
    assert (answer["flagged"], answer["threshold"]) == (False, 1.0)


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "bot", "score", *arguments]


def test_lines_are_answered_as_they_come() -> None:
    """A program may keep the pipe open and wait for each answer."""
    with subprocess.Popen(
        command("--jsonl", "-"), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        for number in range(3):
            process.stdin.write(json.dumps({"id": number, "text": "hello"}).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
        assert process.wait(30) == 0


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    source = lines(tmp_path / "in.jsonl", [{"id": i, "text": "hello"} for i in range(3000)])
    with subprocess.Popen(
        command("--jsonl", source), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        process.wait(60)


PEAK = """
import sys
sys.argv = ["fanguard", "score", "--jsonl", sys.argv[1], "-o", sys.argv[2]]
from bot.cli import main
from tests.memory import peak_kilobytes
try:
    main()
except SystemExit:
    pass
print(peak_kilobytes())
"""


def peak_kilobytes(source: str, out: Path) -> int:
    done = subprocess.run(
        [sys.executable, "-c", PEAK, source, os.fspath(out)],
        capture_output=True,
        check=True,
        text=True,
    )
    return int(done.stdout.split()[-1])


def test_many_lines_stream_in_constant_memory(tmp_path: Path) -> None:
    few = [
        {"id": i, "text": f"song number {i} was fine", "people": [] if i % 20 else [IONA]}
        for i in range(200)
    ]
    many = [{**few[i % 200], "id": i, "text": f"{few[i % 200]['text']} {i}"} for i in range(20_000)]
    small = peak_kilobytes(lines(tmp_path / "few.jsonl", few), tmp_path / "few.out")
    large = peak_kilobytes(lines(tmp_path / "many.jsonl", many), tmp_path / "many.out")
    with (tmp_path / "many.out").open(encoding="utf-8") as found:
        assert sum(1 for _ in found) == 20_000
    assert large - small < 20_000


class Forgetful(HostilityModel):
    """Answers each line alike and remembers nothing."""

    def __init__(self) -> None:
        pass

    def assess(self, text: str, **_: Any) -> Assessment:
        return KeywordModel().assess(text)


def test_lines_with_rosters_of_their_own_stream_in_constant_memory(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    peaks = []
    for count in (200, 4_000):
        with source.open("w") as out:
            for i in range(count):
                people = [{"name": f"Person {i} {j}", "aliases": [f"P{i}x{j}"]} for j in range(50)]
                out.write(json.dumps({"id": i, "text": f"text {i}", "people": people}) + "\n")
        tracemalloc.start()
        assert score_file(Forgetful(), source, tmp_path / "out.jsonl", threshold=None) == 0
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] - peaks[0] < 500_000


def test_standard_input_is_read_for_a_dash(
    fanguard: Fanguard, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = io.TextIOWrapper(io.BytesIO(b'{"id": 9, "text": "hi"}\n'), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", given)
    result = fanguard("score", "--jsonl", "-")
    assert (result.code, result.err) == (0, "")
    assert [a["id"] for a in answers(result.out)] == [9]
