"""Components over REST: what Discord refuses, of both kinds."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from tests.discord_server import Bot, Channel
from tests.discord_server.client import Client, fault, post, refused


def button(custom_id: str, **changes: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "Go", "custom_id": custom_id, **changes}


def row(*children: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(children)}


def select(options: int, **changes: Any) -> dict[str, Any]:
    found = [{"label": str(number), "value": str(number)} for number in range(options)]
    return {"type": 3, "custom_id": "menu", "options": found, **changes}


def text(content: str) -> dict[str, Any]:
    return {"type": 10, "content": content}


V2 = 1 << 15


@pytest.mark.parametrize(
    ("components", "flags", "path", "code"),
    [
        ([row(button("a"), button("a"))], 0, "0.components.1.custom_id", "DUPLICATED"),
        ([row(button("x" * 101))], 0, "0.components.0.custom_id", "BAD_LENGTH"),
        ([row(button("a", label="x" * 81))], 0, "0.components.0.label", "MAX_LENGTH"),
        ([row(button("a", label=None))], 0, "0.components.0", "LABEL_OR_EMOJI"),
        ([row(button("a", style=5))], 0, "0.components.0.url", "REQUIRED"),
        ([row(*(button(str(n)) for n in range(6)))], 0, "0.components", "BAD_LENGTH"),
        ([row(button(str(n))) for n in range(6)], 0, "", "MAX_LENGTH"),
        ([row(select(26))], 0, "0.components.0.options", "BAD_LENGTH"),
        ([row(select(2), button("a"))], 0, "0.components", "WIDTH_EXCEEDED"),
        ([button("a")], 0, "0.type", "UNION_TYPE_CHOICES"),
        ([text("hi")], 0, "0.type", "UNION_TYPE_CHOICES"),
        ([text("x" * 2001), text("x" * 2000)], V2, "", "TEXT_SIZE_EXCEEDED"),
        ([text("x") for _ in range(41)], V2, "", "TOTAL_COMPONENTS"),
        ([{"type": 9, "components": [text("x")]}], V2, "0.accessory", "REQUIRED"),
        (
            [{"type": 17, "components": [{"type": 17, "components": [text("x")]}]}],
            V2,
            "0.components.0.type",
            "UNION_TYPE_CHOICES",
        ),
    ],
)
async def test_component_limits(
    client: Client,
    channel: Channel,
    components: list[dict[str, Any]],
    flags: int,
    path: str,
    code: str,
) -> None:
    body = {"components": components, "flags": flags}
    error = await refused(post(client, channel, body), 400, 50035)
    assert code in fault(error, "components", *filter(None, path.split(".")))


async def test_v2_messages_take_no_content(client: Client, channel: Channel, bot: Bot) -> None:
    body = {"content": "x", "components": [text("hi")], "flags": V2}
    error = await refused(post(client, channel, body), 400, 50035)
    assert "LEGACY_FIELDS" in fault(error, "content")
    view = discord.ui.LayoutView()
    view.add_item(discord.ui.Container(discord.ui.TextDisplay("inside")))
    await client.get_partial_messageable(channel.id).send(view=view)
    assert channel.by(bot)[0].text == "inside"
