"""JSON Lines: the fields, the forms of a line end, and bad lines."""

from __future__ import annotations

import gzip
import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.comment import Comment, ReplyTo
from bot.errors import UserError
from bot.sources import files, jsonl
from bot.sources.detect import open_source
from bot.sources.records import Record


def line(number: int = 1, **changes: Any) -> str:
    fields = {"id": f"m{number}", "channel": "c", "author": "a", "text": f"text {number}"}
    return json.dumps(fields | changes, ensure_ascii=False)


def read(path: Path, content: str | bytes, guild_id: str | None = None) -> list[Record]:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with open_source(path, guild_id) as source:
        assert source.format == "JSON Lines"
        return list(source.records())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "messages.txt"


def test_the_least_a_line_needs(path: Path) -> None:
    path.write_text(line())
    os.utime(path, (1_700_000_000, 1_700_000_000))
    with open_source(path) as source:
        (record,) = source.records()
    assert record.comment == Comment(
        id="m1",
        guild_id="local",
        channel_id="c",
        author_id="a",
        text="text 1",
        created_at=datetime.fromtimestamp(1_700_000_000, UTC),
    )


def test_all_that_a_line_may_say(path: Path) -> None:
    full = line(
        id=17,
        guild=4,
        parent="p",
        channel_name="general",
        author_name="kes",
        at="2026-03-08T20:00:00+01:00",
        edited_at="2026-03-08T20:01:00",
        reply_to={"id": "m0", "text": "before", "author_name": "nat"},
        jump_url="https://example.com/17",
        people=[{"name": "Calla Brennick"}],
        something_new=True,
    )
    (record,) = read(path, full)
    assert record.comment == Comment(
        id="17",
        guild_id="4",
        channel_id="c",
        author_id="a",
        text="text 1",
        created_at=datetime(2026, 3, 8, 19, tzinfo=UTC),
        author_name="kes",
        edited_at=datetime(2026, 3, 8, 20, 1, tzinfo=UTC),
        channel_name="general",
        parent_id="p",
        reply_to=ReplyTo("m0", "before", "nat"),
        jump_url="https://example.com/17",
    )


def test_a_context_alone_is_what_is_replied_to(path: Path) -> None:
    (record,) = read(path, line(context="calla snapped at him", reply_to=None))
    assert record.comment
    assert record.comment.reply_to
    assert record.comment.reply_to.text == "calla snapped at him"


def test_null_is_absent(path: Path) -> None:
    optional = ("guild", "author_name", "at", "edited_at", "reply_to", "context", "bot", "parent")
    absent, null = read(path, line() + "\n" + line(**dict.fromkeys(optional)))
    assert absent.comment == null.comment


def test_a_guild_given_rules(path: Path) -> None:
    one, two = read(path, line(1) + "\n" + line(2, guild="g"), "mine")
    assert one.comment
    assert two.comment
    assert one.comment.guild_id == two.comment.guild_id == "mine"


def test_bots_are_passed_over(path: Path) -> None:
    bots, member = read(path, line(1, bot=True) + "\n" + line(2, bot=False))
    assert (bots.comment, bots.problem) == (None, None)
    assert member.comment


def test_line_ends_empty_lines_and_a_byte_order_mark(path: Path) -> None:
    content = "\ufeff" + line(1) + "\r\n\r\n   \r\n" + line(4, text="ça 🥹\u2028x") + "\r\n"
    expected = [(1, "text 1"), (4, "ça 🥹\u2028x")]
    for data in (content.encode(), content.encode("utf-16-le"), gzip.compress(content.encode())):
        found = read(path, data)
        assert [(one.number, one.comment and one.comment.text) for one in found] == expected


def test_bytes_that_are_no_utf8_become_replacement_characters(path: Path) -> None:
    data = line(1, text="MARK").encode().replace(b"MARK", b"a\xffb") + b"\n" + line(2).encode()
    one, two = read(path, data)
    assert one.comment
    assert one.comment.text == "a\ufffdb"
    assert two.comment


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ("{'id': 1}", "it is not valid JSON (at character 2)"),
        ("[1, 2]", "it is not a JSON object"),
        ("null", "it is not a JSON object"),
        (line(id=None), "“id” is not of the right kind"),
        (line(id=True), "“id” is not of the right kind"),
        (line(id=""), "“id” is not of the right kind"),
        (line(text=5), "“text” is not of the right kind"),
        ('{"id": "1", "channel": "c", "text": "x"}', "“author” is missing"),
        (line(at="0001-01-01T00:00:00+14:00"), "“at” is not an ISO 8601 time"),
        (line(at="soon"), "“at” is not an ISO 8601 time"),
        (line(at=1700000000), "“at” is not an ISO 8601 time"),
        (line(reply_to={"id": "1"}), "“reply_to.text” is missing"),
        ("[" * 100_000, "it is nested too deeply"),
        (line(id=1).replace(": 1,", f": {'7' * 5000},"), "it has a number of too many digits"),
        (line(text="x" * 70_000), "“text” is longer than 65,536 characters"),
        (line(id="x" * 2_000), "“id” is longer than 1,000 characters"),
        *(
            (
                line(**{name: "MARK"}).replace("MARK", "\\ud800"),
                f"“{name}” has half a character in it (a lone surrogate)",
            )
            for name in ("id", "channel", "author", "guild", "parent", "jump_url")
        ),
        (
            line(reply_to={"id": "MARK", "text": "x"}).replace("MARK", "\\udfff"),
            "“reply_to.id” has half a character in it (a lone surrogate)",
        ),
    ],
)
def test_a_bad_line_is_named_by_number_and_the_others_go_on(
    path: Path, bad: str, problem: str
) -> None:
    one, two, three = read(path, f"{line(1)}\n{bad}\n{line(3)}\n")
    assert one.comment
    assert three.comment
    assert (two.number, two.comment, two.problem) == (2, None, problem)


def test_a_bad_first_line_does_not_hide_the_format(path: Path) -> None:
    bad, good = read(path, f"id,text\n{line(2)}\n")
    assert bad.problem
    assert good.comment


def test_an_endless_line_is_passed_over(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_LINE_CHARACTERS", 1000)
    monkeypatch.setattr(jsonl, "MAX_LINE_CHARACTERS", 1000)
    content = f"{line(1)}\n{line(2, text='x' * 5000)}\n{line(3)}\n{line(4, text='y' * 3000)}"
    found = read(path, content)
    assert [one.number for one in found] == [1, 2, 3, 4]
    assert [one.problem for one in found if one.comment is None] == [
        "it is longer than 1,000 characters"
    ] * 2


def test_a_long_first_line_does_not_hide_the_format(path: Path) -> None:
    bad, good = read(path, f"{line(1, text='x' * 2_000_000)}\n{line(2)}\n")
    assert bad.problem == "it is longer than 1,048,576 characters"
    assert good.comment


def test_a_half_written_last_line_is_left_for_later(path: Path) -> None:
    whole = f"{line(1)}\n{line(2)}"
    path.write_text(whole[:-5])
    with open_source(path) as source:
        assert [one.number for one in source.records()] == [1]
        assert source.ends_early == "ends in the middle of line 2"
        half = source.digest()
    path.write_text(whole)
    with open_source(path) as source:
        given = source.records()
        assert next(given).number == 1
        assert source.digest() == half
        assert [one.number for one in given] == [2]
        assert source.ends_early is None


def test_a_last_line_of_the_wrong_fields_is_a_bad_line(path: Path) -> None:
    good, bad = read(path, line(1) + '\n{"id": "2"}')
    assert good.comment
    assert bad.problem == "“channel” is missing"


def test_an_empty_text_is_a_message(path: Path) -> None:
    (record,) = read(path, line(text=""))
    assert record.comment
    assert record.comment.text == ""


def test_only_text_without_objects_is_refused(path: Path) -> None:
    path.write_text("just\nsome\nwords\n")
    with pytest.raises(UserError, match=r"is no file of messages\. Expected"):
        open_source(path)
