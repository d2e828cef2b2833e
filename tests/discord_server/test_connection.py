"""Logging in, hearing events, losing the connection and coming back."""

from __future__ import annotations

import asyncio
import zlib

import discord
import pytest

from tests.discord_server import Bot, Channel, DiscordServer, Guild, Intent, Member
from tests.discord_server.client import Client
from tests.discord_server.conftest import Connect


async def test_a_client_logs_in_and_sees_its_guild(
    client: Client, bot: Bot, guild: Guild, channel: Channel, fan: Member
) -> None:
    assert client.user is not None
    assert client.user.id == bot.id
    seen = client.get_guild(guild.id)
    assert seen is not None
    assert seen.name == "Fan club"
    assert seen.get_channel(channel.id) is None  # made after the login
    assert seen.get_member(fan.id) is None


async def test_members_are_chunked_and_permissions_agree(
    connect: Connect, bot: Bot, guild: Guild, channel: Channel, fan: Member
) -> None:
    async with connect() as client:
        seen = client.get_guild(guild.id)
        assert seen is not None
        assert {each.id for each in seen.members} >= {fan.id, bot.id, guild.owner.id}
        place = seen.get_channel(channel.id)
        assert isinstance(place, discord.TextChannel)
        assert place.permissions_for(seen.me).value == int(
            channel.world.permissions(bot.data.user, channel.data)
        )


async def test_a_message_is_heard_and_answered(
    connect: Connect, bot: Bot, channel: Channel, fan: Member
) -> None:
    async with connect() as client:
        posted = await fan.post(channel, "hello")
        (heard,) = await client.hear("message")
        assert heard.content == "hello"
        assert heard.author.display_name == "Robin"
        assert isinstance(heard.author, discord.Member)
        await heard.reply("hi yourself")
        answer = await channel.wait_message(bot, after=posted.id)
        assert answer.content == "hi yourself"
        assert answer.reply_to_id == posted.id
        assert answer.pings.users == [fan.id]


@pytest.mark.parametrize("compression", ["zlib-stream", "zstd-stream"])
async def test_both_compressions(
    connect: Connect,
    channel: Channel,
    fan: Member,
    compression: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Zlib:
        COMPRESSION_TYPE = "zlib-stream"

        def __init__(self) -> None:
            self._stream = zlib.decompressobj()

        def decompress(self, data: bytes) -> str:
            return str(self._stream.decompress(data), "utf-8")

    if compression == "zlib-stream":
        monkeypatch.setattr(discord.utils, "_ActiveDecompressionContext", Zlib)
    assert compression == discord.utils._ActiveDecompressionContext.COMPRESSION_TYPE
    async with connect() as client:
        for number in range(20):
            await fan.post(channel, f"message {number} " + "long " * 100)
        for number in range(20):
            (heard,) = await client.hear("message")
            assert heard.content.startswith(f"message {number} ")


async def test_a_wrong_token_is_refused(connect: Connect) -> None:
    with pytest.raises(discord.LoginFailure):
        async with connect(token="wrong"):
            pass


async def test_a_token_that_is_reset_ends_the_connection(connect: Connect, bot: Bot) -> None:
    async with connect() as client:
        bot.reset_token("another")
        await client.hear("disconnect")
        assert client.running is not None
        with pytest.raises(discord.ConnectionClosed) as caught:
            await client.running
    assert caught.value.code == 4004


async def test_disallowed_intents_close_the_connection(
    server: DiscordServer, connect: Connect, bot: Bot
) -> None:
    bot.data.privileged = int(Intent.GUILD_MEMBERS)
    with pytest.raises(discord.PrivilegedIntentsRequired):
        async with connect():
            pass
    assert not bot.connected
    assert server.calls("GET", "/users/@me")


async def test_without_the_content_intent_only_mentions_show_text(
    connect: Connect, bot: Bot, channel: Channel, fan: Member
) -> None:
    async with connect(intents=discord.Intents.default()) as client:
        await fan.post(channel, "secret")
        (heard,) = await client.hear("message")
        assert heard.content == ""
        await fan.post(channel, f"<@{bot.id}> open")
        (heard,) = await client.hear("message")
        assert heard.content.endswith("open")


async def test_without_the_intent_there_are_no_messages(
    connect: Connect, channel: Channel, fan: Member
) -> None:
    intents = discord.Intents(guilds=True)
    async with connect(intents=intents) as client:
        await fan.post(channel, "unheard")
        channel.delete()
        await client.hear("guild_channel_delete")
        assert "message" not in [name for name, _ in client.heard._queue]  # type: ignore[attr-defined]


async def test_a_hidden_channel_is_silent(
    connect: Connect, bot: Bot, guild: Guild, channel: Channel, fan: Member
) -> None:
    hidden = guild.add_channel("hidden")
    hidden.deny(bot, 1 << 10)
    async with connect() as client:
        await fan.post(hidden, "unheard")
        await fan.post(channel, "heard")
        (heard,) = await client.hear("message")
        assert heard.content == "heard"


@pytest.mark.parametrize("way", ["drop", "reconnect", "close", "resumable"])
async def test_missed_messages_are_replayed_on_resume(
    connect: Connect, bot: Bot, channel: Channel, fan: Member, way: str
) -> None:
    async with connect() as client:
        session_ids = bot.session_ids
        if way == "drop":
            bot.drop()
            await bot.wait_disconnected()
        elif way == "reconnect":
            bot.order_reconnect()
        elif way == "close":
            bot.close(4009)
        else:
            bot.invalidate_session(resumable=True)
        await fan.post(channel, "meanwhile")
        (heard,) = await client.hear("message")
        assert heard.content == "meanwhile"
        await client.hear("resumed")
        assert bot.session_ids == session_ids


async def test_a_refused_resume_starts_over_and_loses_events(
    connect: Connect, bot: Bot, channel: Channel, fan: Member
) -> None:
    async with connect() as client:
        session_ids = bot.session_ids
        bot.refuse_resume()
        bot.drop()
        await bot.wait_disconnected()
        missed = await fan.post(channel, "missed")
        await client.hear("ready")
        assert bot.session_ids != session_ids
        place = client.get_channel(channel.id)
        assert isinstance(place, discord.TextChannel)
        assert [each.id async for each in place.history()] == [missed.id]
        await fan.post(channel, "after")
        (heard,) = await client.hear("message")
        assert heard.content == "after"


async def test_a_client_that_hears_nothing_reconnects_and_resumes(
    connect: Connect, bot: Bot
) -> None:
    async with connect(heartbeat_timeout=0.3) as client:
        await client.hear("resumed")
        assert bot.connected


async def test_events_can_be_held_back_and_lost(
    connect: Connect, bot: Bot, channel: Channel, fan: Member
) -> None:
    async with connect() as client:
        with bot.events_lost("MESSAGE_CREATE"):
            await fan.post(channel, "lost")
        with bot.events_held():
            await fan.post(channel, "late")
            await asyncio.sleep(0.05)
            assert client.heard.empty()
        (heard,) = await client.hear("message")
        assert heard.content == "late"


async def test_an_outage_and_a_removal(connect: Connect, bot: Bot, guild: Guild) -> None:
    async with connect() as client:
        with guild.outage():
            await client.hear("guild_unavailable")
        await client.hear("guild_available")
        guild.remove_bot(bot)
        await client.hear("guild_remove")


async def test_direct_requests_for_members(connect: Connect, guild: Guild) -> None:
    robins = [guild.add_member(f"Robin {number}") for number in range(3)]
    intents = discord.Intents(guilds=True)
    async with connect(intents=intents) as client:
        seen = client.get_guild(guild.id)
        assert seen is not None
        found = await seen.query_members(user_ids=[robins[0].id, 1])
        assert [each.id for each in found] == [robins[0].id]
        found = await seen.query_members("robin", limit=2)
        assert len(found) == 2


async def test_edits_and_deletions_are_heard(
    connect: Connect, channel: Channel, fan: Member
) -> None:
    async with connect() as client:
        posted = await fan.post(channel, "first")
        await fan.edit(posted, "second")
        before, after = await client.hear("message_edit")
        assert (before.content, after.content) == ("first", "second")
        assert after.edited_at is not None
        await fan.delete(posted)
        (gone,) = await client.hear("message_delete")
        assert gone.id == posted.id


async def test_webhooks_and_threads_are_heard(
    connect: Connect, channel: Channel, fan: Member
) -> None:
    async with connect() as client:
        proxy = channel.add_webhook("PluralKit", application_id=466378653216014359)
        await proxy.post("spoken", username="Luna")
        (heard,) = await client.hear("message")
        assert heard.webhook_id == proxy.id
        assert heard.author.name == "Luna"
        assert heard.application_id == 466378653216014359
        start = await fan.post(channel, "start")
        thread = await fan.start_thread(channel, "a thread", on=start)
        (opened,) = await client.hear("thread_create")
        assert (opened.id, opened.parent_id) == (thread.id, channel.id)
        (pointer,) = await client.hear("message")
        assert pointer.type is discord.MessageType.thread_starter_message
        assert (pointer.content, pointer.system_content) == ("", "start")
        await fan.post(thread, "inside")
        (heard,) = await client.hear("message")
        assert isinstance(heard.channel, discord.Thread)
