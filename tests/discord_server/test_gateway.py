"""The gateway spoken to in raw payloads: what it refuses, and with which code."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from tests.discord_server import Bot, DiscordServer, Guild

IDENTIFY: dict[str, Any] = {"intents": 1, "properties": {}}


@pytest.fixture
async def socket(server: DiscordServer) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{server.gateway}?v=10&encoding=json") as socket,
    ):
        hello = await socket.receive_json()
        assert hello["op"] == 10
        assert hello["d"]["heartbeat_interval"] == 41250
        yield socket


async def closed_with(socket: aiohttp.ClientWebSocketResponse) -> int | None:
    message = await socket.receive(timeout=2)
    while message.type is aiohttp.WSMsgType.TEXT:
        message = await socket.receive(timeout=2)
    return socket.close_code


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        ("not json", 4002),
        ("[]", 4002),
        (json.dumps({"op": 1, "d": "x" * 5000}), 4002),
        ('{"op": 99}', 4001),
        ('{"op": 8, "d": {}}', 4003),
        (json.dumps({"op": 2, "d": IDENTIFY | {"token": "wrong"}}), 4004),
        (json.dumps({"op": 6, "d": {"token": "wrong"}}), 4004),
    ],
)
async def test_bad_payloads(
    socket: aiohttp.ClientWebSocketResponse, payload: str, code: int
) -> None:
    await socket.send_str(payload)
    assert await closed_with(socket) == code


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"intents": 1 << 30}, 4013),
        ({"intents": None}, 4013),
        ({"shard": [2, 2]}, 4010),
    ],
)
async def test_bad_identifies(
    socket: aiohttp.ClientWebSocketResponse, bot: Bot, changes: dict[str, Any], code: int
) -> None:
    await socket.send_json({"op": 2, "d": IDENTIFY | {"token": bot.token} | changes})
    assert await closed_with(socket) == code


async def test_the_conversation(
    server: DiscordServer, socket: aiohttp.ClientWebSocketResponse, bot: Bot, guild: Guild
) -> None:
    await socket.send_json({"op": 1, "d": None})
    assert (await socket.receive_json())["op"] == 11
    await socket.send_json({"op": 2, "d": IDENTIFY | {"token": bot.token}})
    ready = await socket.receive_json()
    assert (ready["t"], ready["s"]) == ("READY", 1)
    assert ready["d"]["resume_gateway_url"] == server.gateway
    assert ready["d"]["guilds"] == [{"id": str(guild.id), "unavailable": True}]
    created = await socket.receive_json()
    assert (created["t"], created["s"], created["d"]["id"]) == ("GUILD_CREATE", 2, str(guild.id))
    assert [each["user"]["id"] for each in created["d"]["members"]] == [str(bot.id)]
    await socket.send_json({"op": 2, "d": IDENTIFY | {"token": bot.token}})
    assert await closed_with(socket) == 4005


async def test_a_resume_beyond_what_was_sent(
    socket: aiohttp.ClientWebSocketResponse, server: DiscordServer, bot: Bot
) -> None:
    await socket.send_json({"op": 2, "d": IDENTIFY | {"token": bot.token}})
    session_id = (await socket.receive_json())["d"]["session_id"]
    bot.drop()
    await bot.wait_disconnected()
    resume = {"op": 6, "d": {"token": bot.token, "session_id": session_id, "seq": 99}}
    async with aiohttp.ClientSession() as session, session.ws_connect(server.gateway) as again:
        await again.receive_json()
        await again.send_json(resume)
        assert await closed_with(again) == 4007
    async with aiohttp.ClientSession() as session, session.ws_connect(server.gateway) as again:
        await again.receive_json()
        await again.send_json(resume)
        answer = await again.receive_json()
        assert (answer["op"], answer["d"]) == (9, False)


async def test_a_session_left_alone_is_forgotten(
    socket: aiohttp.ClientWebSocketResponse, server: DiscordServer, bot: Bot
) -> None:
    await socket.send_json({"op": 2, "d": IDENTIFY | {"token": bot.token}})
    await socket.receive_json()
    bot.drop()
    await bot.wait_disconnected()
    assert bot.session_ids
    server.clock.advance(181)
    assert bot.session_ids == []


async def test_shards_share_the_guilds(server: DiscordServer, bot: Bot, guild: Guild) -> None:
    seen = []
    for number in range(2):
        async with aiohttp.ClientSession() as session, session.ws_connect(server.gateway) as shard:
            await shard.receive_json()
            identify = IDENTIFY | {"token": bot.token, "shard": [number, 2]}
            await shard.send_json({"op": 2, "d": identify})
            seen.append((await shard.receive_json())["d"]["guilds"])
    own = (guild.id >> 22) % 2
    assert len(seen[own]) == 1
    assert seen[1 - own] == []


async def test_a_silent_client_is_dropped(guild: Guild) -> None:
    assert guild
    async with (
        DiscordServer(heartbeat_interval=0.05) as server,
        aiohttp.ClientSession() as session,
        session.ws_connect(server.gateway) as socket,
    ):
        await socket.receive_json()
        assert await closed_with(socket) == 4009


async def test_too_many_payloads(socket: aiohttp.ClientWebSocketResponse) -> None:
    for _ in range(121):
        await socket.send_json({"op": 1, "d": None})
    assert await closed_with(socket) == 4008


async def test_refused_connections(server: DiscordServer) -> None:
    server.refuse_connections(1)
    async with aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
            await session.ws_connect(server.gateway)
        assert caught.value.status == 503
        async with session.ws_connect(server.gateway) as socket:
            assert (await socket.receive_json())["op"] == 10
