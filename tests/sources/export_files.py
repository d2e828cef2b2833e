"""Builds chat exports as DiscordChatExporter writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

GUILD = "8801"
CHANNEL = "8802"


def author(number: int = 1, *, bot: bool = False, nickname: str | None = None) -> dict[str, Any]:
    return {
        "id": str(500 + number),
        "name": f"member{number}",
        "discriminator": "0000",
        "nickname": nickname or f"Member {number}",
        "color": None,
        "isBot": bot,
        "roles": [{"id": "1", "name": "fans", "color": "#00FF00", "position": 1}],
        "avatarUrl": f"https://cdn.example/{number}.png",
    }


def message(number: int, text: str, **changes: Any) -> dict[str, Any]:
    return {
        "id": str(9000 + number),
        "type": "Default",
        "timestamp": f"2026-03-08T20:{number // 60 % 60:02}:{number % 60:02}.1234567+01:00",
        "timestampEdited": None,
        "callEndedTimestamp": None,
        "isPinned": False,
        "content": text,
        "author": author(),
        "attachments": [],
        "embeds": [],
        "stickers": [],
        "reactions": [{"emoji": {"id": "", "name": "💚", "code": "green_heart"}, "count": 2}],
        "mentions": [],
        "inlineEmojis": [],
    } | changes


def reply(number: int, text: str, to: int, **changes: Any) -> dict[str, Any]:
    reference = {
        "type": "Default",
        "messageId": str(9000 + to),
        "channelId": CHANNEL,
        "guildId": GUILD,
    }
    return message(number, text, type="Reply", reference=reference) | changes


def export(messages: list[dict[str, Any]], **channel: Any) -> dict[str, Any]:
    return {
        "guild": {"id": GUILD, "name": "Fan server", "iconUrl": "https://cdn.example/icon.png"},
        "channel": {
            "id": CHANNEL,
            "type": "GuildTextChat",
            "categoryId": "8800",
            "category": "Chat",
            "name": "general",
            "topic": None,
        }
        | channel,
        "dateRange": {"after": None, "before": None},
        "exportedAt": "2026-03-09T10:00:00.123+01:00",
        "messages": messages,
        "messageCount": len(messages),
    }


def write_export(path: Path, messages: list[dict[str, Any]], **channel: Any) -> Path:
    text = json.dumps(export(messages, **channel), ensure_ascii=False, indent=2)
    path.write_text(text, encoding="utf-8")
    return path
