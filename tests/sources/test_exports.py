"""DiscordChatExporter's JSON: fields, replies, what is passed over, and damage."""

from __future__ import annotations

import gzip
import json
import os
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.comment import Comment
from bot.errors import UserError
from bot.sources import exports
from bot.sources.detect import open_source
from bot.sources.records import Record
from tests.sources.export_files import author, export, message, reply, write_export


def records(path: Path, guild_id: str | None = None) -> list[Record]:
    with open_source(path, guild_id) as source:
        return list(source.records())


def comments(path: Path) -> list[Comment]:
    return [record.comment for record in records(path) if record.comment]


def test_a_message_is_read_with_all_that_moderators_need(tmp_path: Path) -> None:
    edited = message(3, "hi 🥹", timestampEdited="2026-03-08T20:10:00+01:00")
    (comment,) = comments(write_export(tmp_path / "x.json", [edited]))
    assert comment == Comment(
        id="9003",
        guild_id="8801",
        channel_id="8802",
        author_id="501",
        text="hi 🥹",
        created_at=datetime(2026, 3, 8, 19, 0, 3, 123456, tzinfo=UTC),
        author_name="Member 1",
        edited_at=datetime(2026, 3, 8, 19, 10, tzinfo=UTC),
        channel_name="general",
        jump_url="https://discord.com/channels/8801/8802/9003",
    )


def test_a_thread_names_its_channel_and_a_category_is_no_parent(tmp_path: Path) -> None:
    plain = comments(write_export(tmp_path / "a.json", [message(1, "a")]))
    thread = comments(
        write_export(tmp_path / "b.json", [message(1, "a")], type="GuildPublicThread")
    )
    assert plain[0].parent_id is None
    assert thread[0].parent_id == "8800"


def test_another_guild_can_be_given_and_the_link_stays(tmp_path: Path) -> None:
    path = write_export(tmp_path / "x.json", [message(1, "a")])
    (record,) = records(path, "77")
    assert record.comment
    assert record.comment.guild_id == "77"
    assert record.comment.jump_url == "https://discord.com/channels/8801/8802/9001"


def test_direct_messages_link_to_the_readers_own(tmp_path: Path) -> None:
    content = export([message(1, "a")])
    content["guild"] = {"id": "0", "name": "Direct Messages", "iconUrl": ""}
    path = tmp_path / "dm.json"
    path.write_text(json.dumps(content))
    assert comments(path)[0].jump_url == "https://discord.com/channels/@me/8802/9001"


def test_bots_and_notices_are_passed_over(tmp_path: Path) -> None:
    path = write_export(
        tmp_path / "x.json",
        [
            message(1, "Joined the server.", type="GuildMemberJoin"),
            message(2, "Pinned a message.", type="ChannelPinnedMessage"),
            message(3, "now playing", author=author(2, bot=True)),
            message(4, "a member's"),
            message(5, "Started a thread.", type="ThreadCreated"),
            message(6, "", type="20", author=author(2, bot=True)),
        ],
    )
    assert [(one.number, one.comment is not None, one.problem) for one in records(path)] == [
        (number, number == 4, None) for number in range(1, 7)
    ]


def test_a_reply_knows_what_it_answers_when_that_was_in_the_file(tmp_path: Path) -> None:
    path = write_export(
        tmp_path / "x.json",
        [
            message(1, "calla was late again", author=author(2)),
            message(2, "📈 chart", author=author(3, bot=True)),
            reply(3, "she always is", to=1),
            reply(4, "nice chart", to=2),
            reply(5, "what was that", to=999),
            reply(6, "gone", to=1, reference=None),
            message(7, "", reference={"type": "Forward", "messageId": "9001"}),
        ],
    )
    found = {one.id: one.reply_to for one in comments(path)}
    assert found["9003"]
    assert (found["9003"].id, found["9003"].text) == ("9001", "calla was late again")
    assert found["9003"].author_name == "Member 2"
    assert found["9004"]
    assert found["9004"].text == "📈 chart"
    assert found["9005"] is None
    assert found["9006"] is None
    assert found["9007"] is None


def test_the_window_for_replies_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "REPLY_WINDOW", 3)
    messages = [message(number, f"text {number}") for number in range(1, 6)]
    path = write_export(
        tmp_path / "x.json", [*messages, reply(6, "far", to=1), reply(7, "near", to=5)]
    )
    far, near = comments(path)[-2:]
    assert far.reply_to is None
    assert near.reply_to
    assert near.reply_to.text == "text 5"


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"content": 5}, "“content” is not of the right kind"),
        ({"author": None}, "“author” is not of the right kind"),
        ({"author": {"id": "1"}}, "“author.name” is missing"),
        ({"timestamp": "yesterday"}, "“timestamp” is not an ISO 8601 time"),
        ({"timestamp": "0001-01-01T00:00:00+14:00"}, "“timestamp” is not an ISO 8601 time"),
        (
            {"timestampEdited": "9999-12-31T23:59:59-14:00"},
            "“timestampEdited” is not an ISO 8601 time",
        ),
        ({"content": "x" * 70_000}, "“content” is longer than 65,536 characters"),
        ({"content": "x" * 2_000_000}, "it is longer than 262,144 characters"),
        ({"content": ["x"]}, "“content” is not of the right kind"),
    ],
)
def test_a_bad_message_is_named_and_the_others_go_on(
    tmp_path: Path, changes: dict[str, Any], problem: str
) -> None:
    path = write_export(tmp_path / "x.json", [message(1, "a", **changes), message(2, "b")])
    bad, good = records(path)
    assert (bad.number, bad.comment, bad.problem) == (1, None, problem)
    assert good.comment


def test_lone_surrogates_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    text = json.dumps(export([message(1, "MARK")])).replace("MARK", "a\\ud83d b \\ud83e\\udd79")
    path.write_text(text)
    (comment,) = comments(path)
    assert comment.text.encode("utf-8")
    assert "🥹" in comment.text


def test_every_cut_of_a_file_gives_its_whole_messages_and_says_so(tmp_path: Path) -> None:
    whole = write_export(
        tmp_path / "whole.json", [message(number, f"text {number} 🥹") for number in range(1, 6)]
    )
    data = whole.read_bytes()
    first = data.index(b'"messages"') + len('"messages": [')
    ends = [data.index(b'"inlineEmojis"', data.index(f"900{n}".encode())) for n in range(1, 6)]
    cut = tmp_path / "cut.json"
    for length in range(first, len(data) - 1, 41):
        cut.write_bytes(data[:length])
        with open_source(cut) as source:
            found = [record.comment.id for record in source.records() if record.comment]
            assert source.ends_early is not None, length
        least = sum(length > end + 40 for end in ends)
        assert found == [f"900{number}" for number in range(1, len(found) + 1)]
        assert len(found) >= least
        assert source.ends_early == f"ends in the middle, after {len(found)} whole messages"


HUGE = "7" * 5000
NESTED = "[" * 100_000 + "]" * 100_000
DEEP = '{"a": ' * 100_000 + "1" + "}" * 100_000


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        ('"content": secret', "it is not valid JSON"),
        ('"content": "secret', "it is not valid JSON"),
        ('"content": "sec\nret"', "it is not valid JSON"),
        ('"content": "secret" "x"', "it is not valid JSON"),
        ('"id": "\\ud800"', "“id” has half a character in it (a lone surrogate)"),
        (f'"content": {HUGE}', "it has a number of too many digits"),
        (f'"content": 1.{HUGE}', "“content” is not of the right kind"),
        (f'"content": {NESTED}', "“content” is not of the right kind"),
        (f'"content": {DEEP}', "“content” is not of the right kind"),
        (f'"content": "secret", "more": [{HUGE}, {NESTED}]', None),
        (f'"content": "secret", "more": {{"a": {DEEP}}}', None),
        (f'"content": "secret", "more": ["{"x" * 3_000_000}"]', None),
    ],
)
def test_a_damaged_message_costs_no_other(tmp_path: Path, damage: str, problem: str | None) -> None:
    path = write_export(
        tmp_path / "x.json", [message(1, "a"), message(2, "secret"), message(3, "c")]
    )
    path.write_text(path.read_text().replace('"content": "secret"', damage))
    with open_source(path) as source:
        found = list(source.records())
        assert source.ends_early is None
    assert [(one.number, one.problem) for one in found] == [(1, None), (2, problem), (3, None)]
    assert [one.comment is None for one in found] == [False, problem is not None, False]


def test_nesting_without_end_takes_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    whole = json.dumps(export([message(1, "a"), message(2, "MARK")]))
    path.write_text(whole.partition('"MARK"')[0] + "[" * 5_000_000)
    tracemalloc.start()
    with open_source(path) as source:
        assert [record.number for record in source.records()] == [1]
        assert source.ends_early == "ends in the middle, after 1 whole messages"
    assert tracemalloc.get_traced_memory()[1] < 8_000_000
    tracemalloc.stop()


def test_a_list_damaged_between_messages_says_where_and_quotes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    text = json.dumps(export([message(1, "a"), message(2, "b")]))
    path.write_text(text.replace('}, {"id": "9002"', '} secret {"id": "9002"'))
    with open_source(path) as source:
        assert [record.number for record in source.records()] == [1]
        assert source.ends_early
        assert "is not valid JSON near byte" in source.ends_early
        assert "secret" not in source.ends_early


def test_a_whole_file_does_not_end_early(tmp_path: Path) -> None:
    for messages in ([], [message(1, "a")]):
        with open_source(write_export(tmp_path / "x.json", messages)) as source:
            assert len(list(source.records())) == len(messages)
            assert source.ends_early is None
            assert source.bytes_read == source.size


def test_gzip_and_byte_order_marks_are_read(tmp_path: Path) -> None:
    text = json.dumps(export([message(1, "ça va 🥹")]), ensure_ascii=False)
    for data in (
        gzip.compress(text.encode()),
        text.encode("utf-8-sig"),
        text.encode("utf-16"),
        gzip.compress(text.encode("utf-16")),
    ):
        path = tmp_path / "export.bin"
        path.write_bytes(data)
        assert [one.text for one in comments(path)] == ["ça va 🥹"]


def test_a_broken_gzip_gives_what_it_holds(tmp_path: Path) -> None:
    text = json.dumps(export([message(number, f"text {number}") for number in range(1, 2000)]))
    data = gzip.compress(text.encode())
    path = tmp_path / "x.json.gz"
    path.write_bytes(data[: len(data) // 2])
    with open_source(path) as source:
        found = [record.number for record in source.records()]
        assert found
        assert found == list(range(1, len(found) + 1))
        assert source.ends_early
        assert source.ends_early.startswith("breaks off: its gzip data ends early, after ")


def test_bytes_that_are_no_utf8_become_replacement_characters(tmp_path: Path) -> None:
    path = write_export(tmp_path / "x.json", [message(1, "MARK"), message(2, "b")])
    path.write_bytes(path.read_bytes().replace(b"MARK", b"a\xff\xfeb"))
    assert [one.text for one in comments(path)] == ["a\ufffd\ufffdb", "b"]


def test_memory_does_not_grow_with_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports, "REPLY_WINDOW", 100)
    peaks = []
    for count in (500, 5000):
        path = write_export(
            tmp_path / f"{count}.json", [message(number, "word " * 40) for number in range(count)]
        )
        tracemalloc.start()
        with open_source(path) as source:
            assert sum(record.comment is not None for record in source.records()) == count
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert path.stat().st_size > 5_000_000
    assert peaks[1] < peaks[0] * 1.5


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"messages": {"1": "a"}}, "“messages” in it is missing or no list"),
        ({"messages": None}, "“messages” in it is missing or no list"),
        ({"messages": "a"}, "“messages” in it is missing or no list"),
        ({"message": []}, "“messages” in it is missing or no list"),
        ({"guild": {"id": "\ud800"}, "messages": []}, "“guild.id” has half a character"),
        ({"channel": {"id": [1]}, "messages": []}, "“channel.id” is not of the right kind"),
    ],
)
def test_an_export_that_cannot_be_used_is_refused(
    tmp_path: Path, change: dict[str, Any], found: str
) -> None:
    path = tmp_path / "x.json"
    content = export([])
    del content["messages"]
    path.write_text(json.dumps(content | change))
    with pytest.raises(UserError, match="is an export, but") as refused:
        open_source(path)
    assert found in str(refused.value)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"", "is empty"),
        (b"  \n", "is empty"),
        (b"<!DOCTYPE html>\n<html>", "is an HTML page; if it is an export, export the channel"),
        (b"AuthorID,Author,Date,Content,Attachments,Reactions\n", "is an export in CSV"),
        (b"=" * 62 + b"\nGuild: Fan server\nChannel: general\n", "is an export in plain text"),
        (b"PK\x03\x04aaaa", "is a zip archive; unpack it first"),
        (b'[{"id": "1"}]', "is a JSON array; write one object a line"),
        (b'{\n"a": 1\n}', "is JSON, but has no guild, channel and messages"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "is no file of messages"),
        (b'{"guild": {"id": "1"}, "channel": {"id": "2"}', "ends before its first message"),
    ],
)
def test_what_is_no_export_is_refused_by_name(tmp_path: Path, content: bytes, found: str) -> None:
    path = tmp_path / "file.json"
    path.write_bytes(content)
    with pytest.raises(UserError) as refused:
        open_source(path)
    assert found in str(refused.value)
    assert str(path) in str(refused.value)


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="does not exist"):
        open_source(tmp_path / "nothing.json")
    with pytest.raises(UserError, match="is a folder"):
        open_source(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UserError, match="is no ordinary file"):
        open_source(tmp_path / "pipe")


def test_equal_beginnings_have_equal_digests_and_others_do_not(tmp_path: Path) -> None:
    def digests(messages: list[dict[str, Any]]) -> tuple[str, list[str]]:
        with open_source(write_export(tmp_path / "x.json", messages)) as source:
            return source.fingerprint, [source.digest() for _ in source.records()]

    first, second, third = (message(number, f"text {number}") for number in (1, 2, 3))
    short, longer = digests([first, second]), digests([first, second, third])
    changed = digests([first, second | {"content": "other"}, third])
    assert short[0] == longer[0] == changed[0]
    assert longer[1][:2] == short[1]
    assert changed[1][0] == longer[1][0]
    assert changed[1][1:] != longer[1][1:]
