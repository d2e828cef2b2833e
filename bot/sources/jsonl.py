"""JSON Lines: one message a line. docs/formats.md specifies the fields."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime

from bot.comment import Comment, ReplyTo
from bot.sources.fields import Fields, Id, Link, Text, Time, problem_of
from bot.sources.files import HEAD_CHARACTERS, MAX_LINE_CHARACTERS, TextFile
from bot.sources.records import Record, Source

DEFAULT_GUILD = "local"

_LOOKED_AT = 100


class _Reply(Fields):
    id: Id = "unknown"
    text: Text
    author_name: Text | None = None


class _Message(Fields):
    id: Id
    channel: Id
    author: Id
    text: Text
    guild: Id | None = None
    parent: Id | None = None
    channel_name: Text | None = None
    author_name: Text | None = None
    at: Time | None = None
    edited_at: Time | None = None
    reply_to: _Reply | None = None
    context: Text | None = None
    bot: bool | None = None
    jump_url: Link | None = None


class JsonLinesFile(Source):
    """A file of lines; empty ones are passed over but counted."""

    format = "JSON Lines"
    unit = "line"

    def __init__(self, file: TextFile, guild_id: str | None = None) -> None:
        """Read `file`; `guild_id` takes the place of the lines' own."""
        self._guild_id = guild_id
        first = next((line for line in file.head.split("\n") if line.strip()), "")
        super().__init__(file, f"lines\0{guild_id or ''}\0{first}")
        self._default_time = datetime.fromtimestamp(file.modified_at, UTC)

    def records(self) -> Iterator[Record]:
        """Give the lines in the file's order, empty ones left out."""
        for number, line in enumerate(self._file.lines(), start=1):
            if not line.strip():
                self._digest.update(b"\n")
                continue
            try:
                record = self._record(number, line)
            except (ValueError, RecursionError) as error:
                if not line.endswith("\n") and isinstance(error, json.JSONDecodeError):
                    self._ends_early = f"ends in the middle of line {number:,}"
                    break
                record = Record(number, problem=problem_of(error))
            self._digest.update(line.rstrip("\n").encode("utf-8", "backslashreplace") + b"\n")
            yield record
        if self._file.breaks_off:
            self._ends_early = f"breaks off: {self._file.breaks_off}"

    def _record(self, number: int, line: str) -> Record:
        if len(line) >= MAX_LINE_CHARACTERS:
            return Record(number, problem=f"it is longer than {MAX_LINE_CHARACTERS:,} characters")
        message = _Message.model_validate(json.loads(line))
        return Record(number) if message.bot else Record(number, self._comment(message))

    def _comment(self, message: _Message) -> Comment:
        reply_to = None
        if message.reply_to:
            reply = message.reply_to
            reply_to = ReplyTo(reply.id, reply.text, reply.author_name or "")
        elif message.context:
            reply_to = ReplyTo("unknown", message.context)
        return Comment(
            id=message.id,
            guild_id=self._guild_id or message.guild or DEFAULT_GUILD,
            channel_id=message.channel,
            author_id=message.author,
            text=message.text,
            created_at=message.at or self._default_time,
            author_name=message.author_name or "",
            edited_at=message.edited_at,
            channel_name=message.channel_name or "",
            parent_id=message.parent,
            reply_to=reply_to,
            jump_url=message.jump_url,
        )


def looks_like_lines(head: str) -> bool:
    """Tell whether one of the first lines is a JSON object on its own, or too long to tell."""
    *lines, last = head.split("\n")
    cut_off = len(head) == HEAD_CHARACTERS and last.lstrip().startswith("{")
    return any(map(_is_object, [*lines, last][:_LOOKED_AT])) or (
        cut_off and len(lines) < _LOOKED_AT
    )


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
