"""The bundled demo: a chat of an invented fan server, and what is hostile in it.

`chat.jsonl` has the events in their order, `truth.jsonl` a label by hand for each
wording of each member's message, `roster.toml` the people discussed.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from typing import Any

from bot.comment import Comment, Level, ReplyTo, TargetType

GUILD_ID = "demo"
GUILD_NAME = "Nightjar Parade fan server (demo)"
ROSTER_FILE = Path(str(files(__name__) / "roster.toml"))

_QUEUED_TARGETS = frozenset({TargetType.PERSON, TargetType.MEMBER})


class EventKind(StrEnum):
    """What happened to a message."""

    MESSAGE = "message"
    EDIT = "edit"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class ChatEvent:
    """One event of the chat, `at` seconds after its start.

    `comment` is the message in its wording after the event; for a deletion, before it.
    `revision` counts its wordings from 1. `automatic`: posted by a bot or a webhook.
    """

    kind: EventKind
    at: float
    comment: Comment
    revision: int
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class Truth:
    """What one wording of a message is, in the eyes of the person who labelled it."""

    message_id: str
    revision: int
    level: Level
    target_type: TargetType
    target: str | None
    why: str

    @property
    def queued(self) -> bool:
        """Whether a moderator wants it in the queue: hostile to a person or a member."""
        return self.level >= Level.HOSTILE and self.target_type in _QUEUED_TARGETS

    @property
    def counted(self) -> bool:
        """Whether queueing it is right or wrong; hostility at a fandom is neither."""
        return self.level < Level.HOSTILE or self.queued


def load_chat(end: datetime) -> list[ChatEvent]:
    """Return the events of the chat, as if the last one had been at `end`."""
    lines = _lines("chat.jsonl")
    start = end - timedelta(seconds=lines[-1]["at"])
    latest: dict[str, ChatEvent] = {}
    events = []
    for raw in lines:
        event = _event(raw, start, latest)
        latest[event.comment.id] = event
        events.append(event)
    return events


def load_truth() -> dict[tuple[str, int], Truth]:
    """Return the labels by message id and revision."""
    labels = [
        Truth(
            message_id=raw["id"],
            revision=raw["revision"],
            level=Level(raw["level"]),
            target_type=TargetType(raw["target_type"]),
            target=raw["target"],
            why=raw["why"],
        )
        for raw in _lines("truth.jsonl")
    ]
    return {(label.message_id, label.revision): label for label in labels}


def _event(raw: dict[str, Any], start: datetime, latest: dict[str, ChatEvent]) -> ChatEvent:
    kind, at = EventKind(raw["event"]), float(raw["at"])
    moment = start + timedelta(seconds=at)
    if kind is EventKind.MESSAGE:
        automatic = bool(raw.get("bot") or raw.get("webhook"))
        return ChatEvent(kind, at, _posted(raw, moment, latest), 1, automatic)
    before = latest[raw["id"]]
    if kind is EventKind.DELETE:
        return ChatEvent(kind, at, before.comment, before.revision, before.automatic)
    edited = replace(before.comment, text=raw["text"], edited_at=moment)
    return ChatEvent(kind, at, edited, before.revision + 1, before.automatic)


def _posted(raw: dict[str, Any], moment: datetime, latest: dict[str, ChatEvent]) -> Comment:
    reply_to = None
    if "reply_to" in raw:
        answered = latest[raw["reply_to"]].comment
        reply_to = ReplyTo(answered.id, answered.text, answered.author_name)
    return Comment(
        id=raw["id"],
        guild_id=GUILD_ID,
        channel_id=raw["channel"],
        author_id=raw["author"],
        text=raw["text"],
        created_at=moment,
        author_name=raw["author_name"],
        channel_name=raw["channel"],
        parent_id=raw.get("parent"),
        reply_to=reply_to,
    )


def _lines(name: str) -> list[dict[str, Any]]:
    text = (files(__name__) / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]
