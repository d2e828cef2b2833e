"""The server as a process of its own, for trying a bot by hand."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import discord
import pytest
import yarl

from tests.discord_server.client import Client

PROJECT = Path(__file__).parents[2]


async def test_a_client_logs_in_to_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    command = [sys.executable, "-m", "tests.discord_server"]
    process = await asyncio.create_subprocess_exec(*command, cwd=PROJECT, stdin=PIPE, stdout=PIPE)
    assert process.stdin
    assert process.stdout
    client = Client()
    try:
        async with asyncio.timeout(20):
            lines = [(await process.stdout.readline()).decode().strip() for _ in range(3)]
            found = dict(line.split("=", 1) for line in lines)
            monkeypatch.setattr(discord.http.Route, "BASE", found["DISCORD_API_BASE"])
            address = yarl.URL(found["DISCORD_GATEWAY"])
            monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", address)
            running = asyncio.create_task(client.start(found["DISCORD_TOKEN"]))
            await client.hear("ready")
            process.stdin.write(b"typed by hand\n")
            (heard,) = await client.hear("message")
            assert heard.content == "typed by hand"
            await heard.channel.send("heard")
            await process.stdout.readline()
            assert b"Fanguard: heard" in await process.stdout.readline()
    finally:
        await client.close()
        process.terminate()
        await process.wait()
    await running
