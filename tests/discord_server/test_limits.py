"""Rate limits, and the troubles that a test can order."""

from __future__ import annotations

import asyncio
import time

import aiohttp
import discord
import pytest

from tests.discord_server import Bot, Channel, DiscordServer, Member
from tests.discord_server.client import Client


async def test_six_posts_need_a_second_window(
    server: DiscordServer, client: Client, channel: Channel, bot: Bot
) -> None:
    server.rate_limits.limits["POST", "/channels/{channel_id}/messages"] = (5, 0.5)
    place = client.get_partial_messageable(channel.id)
    started = time.monotonic()
    await asyncio.gather(*(place.send(str(number)) for number in range(6)))
    assert 0.4 < time.monotonic() - started < 2
    assert len(channel.by(bot)) == 6
    posts = server.calls("POST", r"/channels/\d+/messages")
    headers = posts[0].response_headers
    assert headers["X-RateLimit-Limit"] == "5"
    assert headers["X-RateLimit-Remaining"] == "4"


async def raw_post(server: DiscordServer, bot: Bot, channel: Channel) -> aiohttp.ClientResponse:
    url = f"{server.api_base}/channels/{channel.id}/messages"
    headers = {"Authorization": f"Bot {bot.token}"}
    async with aiohttp.ClientSession() as session:
        response = await session.post(url, json={"content": "x"}, headers=headers)
        await response.read()
        return response


async def test_a_spent_bucket_answers_429(
    server: DiscordServer, bot: Bot, channel: Channel
) -> None:
    statuses = [(await raw_post(server, bot, channel)).status for _ in range(5)]
    assert statuses == [200] * 5
    response = await raw_post(server, bot, channel)
    assert response.status == 429
    body = await response.json()
    assert body["global"] is False
    assert 4 < body["retry_after"] <= 5
    assert response.headers["X-RateLimit-Remaining"] == "0"
    assert response.headers["X-RateLimit-Scope"] == "user"
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Via"]
    server.clock.advance(5)
    assert (await raw_post(server, bot, channel)).status == 200


async def test_a_channel_has_its_own_bucket(
    server: DiscordServer, bot: Bot, channel: Channel
) -> None:
    guild = channel.world.guilds[channel.data.guild_id or 0]
    other = Channel(channel.world, channel.world.add_channel(guild, "other", kind=0))
    for _ in range(5):
        await raw_post(server, bot, channel)
    assert (await raw_post(server, bot, other)).status == 200


async def test_fifty_a_second_is_the_global_limit(server: DiscordServer, bot: Bot) -> None:
    headers = {"Authorization": f"Bot {bot.token}"}
    server.rate_limits.limits["GET", "/users/@me"] = (1000, 60)
    async with aiohttp.ClientSession(headers=headers) as session:
        for _ in range(200):
            async with session.get(f"{server.api_base}/users/@me") as response:
                if response.status == 429:
                    assert response.headers["X-RateLimit-Global"] == "true"
                    assert (await response.json())["global"] is True
                    return
    pytest.fail("no global limit")


@pytest.mark.parametrize("is_global", [False, True])
async def test_ordered_429s_are_waited_out(
    server: DiscordServer, client: Client, channel: Channel, *, is_global: bool
) -> None:
    server.faults.rate_limit("POST", r"/messages$", retry_after=0.1, times=2, is_global=is_global)
    await client.get_partial_messageable(channel.id).send("x")
    calls = server.calls("POST", r"/channels/\d+/messages")
    assert [each.status for each in calls] == [429, 429, 200]


async def test_a_lost_answer_is_retried_and_the_nonce_saves_it(
    server: DiscordServer, client: Client, channel: Channel, bot: Bot
) -> None:
    server.faults.fail("POST", r"/messages$", status=502, after=True)
    await client.get_partial_messageable(channel.id).send("x", nonce="card-1")
    calls = server.calls("POST", r"/channels/\d+/messages")
    assert [each.status for each in calls] == [502, 200]
    assert len(channel.by(bot)) == 1


async def test_a_cut_connection(
    server: DiscordServer, client: Client, channel: Channel, bot: Bot
) -> None:
    server.faults.drop("POST", r"/messages$", after=True)
    place = client.get_partial_messageable(channel.id)
    with pytest.raises(aiohttp.ClientError):
        await place.send("x")
    assert len(channel.by(bot)) == 1
    server.faults.drop("POST", r"/messages$")
    with pytest.raises(aiohttp.ClientError):
        await place.send("y")
    assert len(channel.by(bot)) == 1
    assert [each.status for each in server.calls("POST", r".*/messages")] == [0, 0]


async def test_a_slow_answer_and_a_cleared_order(
    server: DiscordServer, client: Client, channel: Channel
) -> None:
    server.faults.delay("POST", r"/messages$", 0.1)
    place = client.get_partial_messageable(channel.id)
    started = time.monotonic()
    await place.send("x")
    assert time.monotonic() - started >= 0.1
    server.faults.fail("*", r".*", times=9)
    server.faults.clear()
    await place.send("y")


async def test_the_log_of_requests(
    server: DiscordServer, client: Client, channel: Channel, bot: Bot, fan: Member
) -> None:
    await client.get_partial_messageable(channel.id).send("x")
    call = server.calls("POST", rf"/channels/{channel.id}/messages")[0]
    assert call.json["content"] == "x"
    assert call.bot is bot.data
    assert call.response["content"] == "x"
    with pytest.raises(discord.NotFound):
        await client.get_partial_messageable(channel.id).fetch_message(fan.id)
    assert server.requests[-1].error_code == 10008
    assert await server.wait_for(lambda: channel.by(bot))
