"""A server for each test, and a discord.py client on it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import discord
import pytest
import yarl

from tests.discord_server import Bot, Channel, DiscordServer, Guild, Member
from tests.discord_server.client import Client

Connect = Callable[..., AbstractAsyncContextManager[Client]]


@pytest.fixture
async def server() -> AsyncIterator[DiscordServer]:
    async with DiscordServer() as running:
        yield running


@pytest.fixture
def guild(server: DiscordServer) -> Guild:
    return server.add_guild("Fan club")


@pytest.fixture
def channel(guild: Guild) -> Channel:
    return guild.add_channel("general")


@pytest.fixture
def fan(guild: Guild) -> Member:
    return guild.add_member("Robin")


@pytest.fixture
def bot(server: DiscordServer, guild: Guild) -> Bot:
    assert guild.id
    return server.add_bot()


@pytest.fixture
def connect(server: DiscordServer, bot: Bot, monkeypatch: pytest.MonkeyPatch) -> Connect:
    monkeypatch.setattr(discord.http.Route, "BASE", server.api_base)
    address = yarl.URL(server.gateway)
    monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", address)

    @asynccontextmanager
    async def connected(
        client: Client | None = None, *, token: str | None = None, **options: Any
    ) -> AsyncIterator[Client]:
        client = client or Client(**options)
        running = client.running = asyncio.create_task(client.start(token or bot.token))
        ready = asyncio.create_task(client.hear("ready"))
        try:
            await asyncio.wait({running, ready}, return_when=asyncio.FIRST_COMPLETED)
            if running.done():
                ready.cancel()
                running.result()
            yield client
        finally:
            await client.close()
            with contextlib.suppress(Exception):
                await running

    return connected


@pytest.fixture
async def client(connect: Connect) -> AsyncIterator[Client]:
    async with connect() as running:
        yield running
