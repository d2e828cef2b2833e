"""Chat exports of DiscordChatExporter in its JSON format, read in constant memory.

An export is one object: `guild`, `channel`, `dateRange`, `exportedAt`, then `messages`,
one channel or thread a file. docs/formats.md says which fields are read.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from bot.comment import Comment, ReplyTo
from bot.errors import UserError
from bot.sources.fields import Fields, Id, Text, Time, problem_of
from bot.sources.files import HEAD_CHARACTERS, TextFile
from bot.sources.members import MESSAGE, MESSAGES, BrokenJsonError, Members, Unreadable
from bot.sources.records import Record, Source

REPLY_WINDOW = 4_000
REPLY_CHARACTERS = 2_000

_MEMBER_MESSAGES = frozenset({"Default", "Reply"})
_DIRECT_MESSAGES = "0"
_AGAIN = "Export the channel again with --format Json."


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


class _Guild(_Exported):
    id: Id


class _Channel(_Exported):
    id: Id
    name: Text | None = None
    type: Text | None = None
    category_id: Id | None = None


class _Head(_Exported):
    guild: _Guild
    channel: _Channel


@dataclass(frozen=True, slots=True)
class ExportHead:
    """What an export says before its messages.

    `messages` is False for an export that ends without any list of them, None for one that
    goes on beyond what was read of it.
    """

    guild_id: str
    channel_id: str
    channel_name: str
    parent_id: str | None
    identity: str
    messages: bool | None


def read_head(head: str) -> ExportHead | None:
    """Read the beginning of an export; None when it is no export.

    Raises:
        ValidationError: it is one, but cannot be used.
    """
    values: dict[str, object] = {}
    messages: bool | None = None
    first = None
    try:
        for name, value in Members(iter([head])):
            if name == MESSAGE:
                first = value
                break
            values[name] = value
            messages = messages or (name == MESSAGES and value == [])
        else:
            messages = bool(messages)
    except EOFError:
        messages = messages or None
    except BrokenJsonError:
        pass
    if not all(_may_be_read(values.get(name)) for name in ("guild", "channel")):
        return None
    read = _Head.model_validate(values)
    in_thread = (read.channel.type or "").endswith("Thread")
    first_id = first.get("id", "") if isinstance(first, dict) else ""
    known = (read.guild.id, read.channel.id, values.get("exportedAt", ""), first_id)
    return ExportHead(
        guild_id=read.guild.id,
        channel_id=read.channel.id,
        channel_name=read.channel.name or "",
        parent_id=read.channel.category_id if in_thread else None,
        identity="\0".join(map(str, known)),
        messages=messages,
    )


def _may_be_read(value: object) -> bool:
    return isinstance(value, Unreadable) or (isinstance(value, dict) and "id" in value)


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
        listed = False
        try:
            for name, value in Members(self._file.chunks()):
                listed = listed or name == MESSAGES
                if name == MESSAGE:
                    number += 1
                    record = self._record(number, value)
                    self._digest.update(_digested(value))
                    yield record
        except EOFError:
            damage = self._file.breaks_off
            self._ends_early = f"breaks off: {damage}" if damage else "ends in the middle"
        except BrokenJsonError:
            self._ends_early = f"is not valid JSON near byte {self.bytes_read:,}"
        if not listed:
            self._ends_early = "has no list of messages"
        if self._ends_early:
            self._ends_early += f", after {number:,} whole messages"

    def _record(self, number: int, value: object) -> Record:
        if isinstance(value, Unreadable):
            return Record(number, problem=value.problem)
        try:
            message = _Message.model_validate(value)
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
        UserError: an export that cannot be used, or has no list of messages.
    """
    try:
        head = read_head(file.head)
    except ValidationError as error:
        msg = f"{file.path} is an export, but {problem_of(error)}. {_AGAIN}"
        raise UserError(msg) from None
    if head is None:
        return None
    if head.messages is False:
        msg = f"{file.path} is an export, but “messages” in it is missing or no list. {_AGAIN}"
        raise UserError(msg)
    if head.messages is None and len(file.head) < HEAD_CHARACTERS:
        msg = (
            f"{file.path} ends before its first message. Export the channel again, "
            "or wait until the export has finished."
        )
        raise UserError(msg)
    return ExportFile(file, head, guild_id)


def _digested(value: object) -> bytes:
    known = [value]
    if isinstance(value, dict):
        known = [value.get(field) for field in ("id", "timestampEdited", "content")]
    elif isinstance(value, Unreadable):
        known = [value.text]
    return repr(known).encode("utf-8", "backslashreplace")
