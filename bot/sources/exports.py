"""Chat exports of DiscordChatExporter in its JSON format, streamed in constant memory.

An export is one object: `guild`, `channel`, `dateRange`, `exportedAt`, then `messages`,
one channel or thread a file. docs/formats.md says which fields are read.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import ijson
from pydantic import ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from bot.comment import Comment, ReplyTo
from bot.errors import UserError
from bot.sources.fields import Fields, Id, Text, Time, problem_of
from bot.sources.files import TextFile
from bot.sources.records import Record, Source

REPLY_WINDOW = 4_000
REPLY_CHARACTERS = 2_000

_MEMBER_MESSAGES = frozenset({"Default", "Reply"})
_DIRECT_MESSAGES = "0"


class _Exported(Fields):
    model_config = ConfigDict(alias_generator=to_camel)


class _Author(_Exported):
    id: Id
    name: Text
    nickname: Text | None = None
    is_bot: bool = False


class _Reference(_Exported):
    message_id: Id | None = None


class _Message(_Exported):
    id: Id
    type: str = "Default"
    timestamp: Time
    timestamp_edited: Time | None = None
    content: Text | None = None
    author: _Author
    reference: _Reference | None = None


@dataclass(frozen=True, slots=True)
class ExportHead:
    """What an export says before its messages."""

    guild_id: str
    channel_id: str
    channel_name: str
    parent_id: str | None
    identity: str


def read_head(head: str) -> ExportHead | None:
    """Read the beginning of an export; None when it is no export."""
    values: dict[str, Any] = {}
    try:
        for prefix, event, value in ijson.parse(head.encode("utf-8", "replace")):
            if event in {"string", "number"}:
                values[prefix] = value
            if prefix == "messages.item.id" or (prefix, event) == ("messages", "end_array"):
                break
    except ijson.JSONError:
        pass
    if "guild.id" not in values or "channel.id" not in values:
        return None
    in_thread = str(values.get("channel.type", "")).endswith("Thread")
    parent = values.get("channel.categoryId") if in_thread else None
    known = ("guild.id", "channel.id", "exportedAt", "messages.item.id")
    return ExportHead(
        guild_id=str(values["guild.id"]),
        channel_id=str(values["channel.id"]),
        channel_name=str(values.get("channel.name", "")),
        parent_id=None if parent is None else str(parent),
        identity="\0".join(str(values.get(key, "")) for key in known),
    )


class ExportFile(Source):
    """One export. A reply has its context when the message replied to came before it."""

    format = "DiscordChatExporter JSON"
    unit = "message"

    def __init__(self, file: TextFile, head: ExportHead, guild_id: str | None = None) -> None:
        """Read `file`; `guild_id` takes the place of the export's own."""
        self._head = head
        self._guild_id = guild_id or head.guild_id
        self._recent: OrderedDict[str, tuple[str, str]] = OrderedDict()
        super().__init__(file, f"export\0{self._guild_id}\0{head.identity}")

    def records(self) -> Iterator[Record]:
        """Give the messages in the file's order."""
        number = 0
        for number, item in enumerate(self._items(), start=1):
            record = self._record(number, item)
            self._digest.update(_digested(item))
            yield record
        if self._ends_early:
            self._ends_early += f", after {number:,} whole messages"

    def _items(self) -> Iterator[object]:
        found = ijson.sendable_list()
        parser = ijson.items_coro(found, "messages.item")
        for chunk in self._file.chunks():
            try:
                parser.send(chunk.encode("utf-8", "replace"))
            except ijson.JSONError:
                yield from found
                self._ends_early = f"is not valid JSON near byte {self.bytes_read:,}"
                return
            yield from found
            found.clear()
        try:
            parser.close()
        except ijson.JSONError:
            damage = self._file.breaks_off
            self._ends_early = f"breaks off: {damage}" if damage else "ends in the middle"
        yield from found

    def _record(self, number: int, item: object) -> Record:
        try:
            message = _Message.model_validate(item)
        except ValidationError as error:
            return Record(number, problem=problem_of(error))
        author = message.author
        author_name = author.nickname or author.name
        reply_to = self._reply_to(message)
        text = message.content or ""
        self._remember(message.id, text, author_name)
        if author.is_bot or message.type not in _MEMBER_MESSAGES:
            return Record(number)
        return Record(
            number,
            Comment(
                id=message.id,
                guild_id=self._guild_id,
                channel_id=self._head.channel_id,
                author_id=author.id,
                text=text,
                created_at=message.timestamp,
                author_name=author_name,
                edited_at=message.timestamp_edited,
                channel_name=self._head.channel_name,
                parent_id=self._head.parent_id,
                reply_to=reply_to,
                jump_url=self._jump_url(message.id),
            ),
        )

    def _reply_to(self, message: _Message) -> ReplyTo | None:
        if message.type != "Reply" or message.reference is None:
            return None
        answered = message.reference.message_id or ""
        if answered not in self._recent:
            return None
        return ReplyTo(answered, *self._recent[answered])

    def _remember(self, message_id: str, text: str, author_name: str) -> None:
        self._recent[message_id] = (text[:REPLY_CHARACTERS], author_name)
        if len(self._recent) > REPLY_WINDOW:
            self._recent.popitem(last=False)

    def _jump_url(self, message_id: str) -> str:
        guild = "@me" if self._head.guild_id == _DIRECT_MESSAGES else self._head.guild_id
        return f"https://discord.com/channels/{guild}/{self._head.channel_id}/{message_id}"


def open_export(file: TextFile, guild_id: str | None = None) -> ExportFile | None:
    """Take `file` for an export; None when it is no export.

    Raises:
        UserError: an export of no messages' array, cut off before it.
    """
    head = read_head(file.head)
    if head is None:
        return None
    if '"messages"' not in file.head:
        msg = (
            f"{file.path} ends before its first message. Export the channel again, "
            "or wait until the export has finished."
        )
        raise UserError(msg)
    return ExportFile(file, head, guild_id)


def _digested(item: object) -> bytes:
    fields = ("id", "timestampEdited", "content")
    known = [item.get(field) for field in fields] if isinstance(item, dict) else [item]
    return repr(known).encode("utf-8", "backslashreplace")
