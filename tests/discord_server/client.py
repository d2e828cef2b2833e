"""An ordinary discord.py client that notes what it hears, and ways to look at refusals."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

import discord
import pytest
from discord import app_commands

from tests.discord_server.places import Channel


class Client(discord.Client):
    """An ordinary client that notes what it hears."""

    def __init__(self, **options: Any) -> None:
        intents = options.pop("intents", discord.Intents.all())
        super().__init__(intents=intents, guild_ready_timeout=0.05, **options)
        self.tree = app_commands.CommandTree(self)
        self.running: asyncio.Task[None] | None = None
        self.heard: asyncio.Queue[tuple[str, tuple[Any, ...]]] = asyncio.Queue()

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        self.heard.put_nowait((event, args))
        super().dispatch(event, *args, **kwargs)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """No pause of five seconds before a second IDENTIFY."""

    async def hear(self, event: str, within: float = 5.0) -> tuple[Any, ...]:
        """The arguments of the next event of a name; those before it are dropped."""
        async with asyncio.timeout(within):
            while True:
                name, args = await self.heard.get()
                if name == event:
                    return args


def fault(error: discord.HTTPException, *path: str) -> str:
    """The code of the first fault at a path of the form's errors."""
    node: Any = error._errors
    for part in path:
        node = node[part]
    return str(node["_errors"][0]["code"])


async def refused(sending: Awaitable[Any], status: int, code: int) -> discord.HTTPException:
    with pytest.raises(discord.HTTPException) as caught:
        await sending
    assert (caught.value.status, caught.value.code) == (status, code)
    return caught.value


def post(client: Client, channel: Channel, body: dict[str, Any]) -> Awaitable[Any]:
    """Post a body as it is, past the library's own checks."""
    route = discord.http.Route("POST", "/channels/{channel_id}/messages", channel_id=channel.id)
    return client.http.request(route, json=body)
