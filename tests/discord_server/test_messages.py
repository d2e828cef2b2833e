"""Messages over REST: posting, limits, permissions, reading back, editing, deleting."""

from __future__ import annotations

import io
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import discord
import pytest

from tests.discord_server import (
    Bot,
    Channel,
    ChannelType,
    DiscordServer,
    Guild,
    Intent,
    Member,
    Permission,
)
from tests.discord_server.client import Client, fault, post, refused
from tests.discord_server.conftest import Connect


@pytest.fixture
def place(client: Client, channel: Channel) -> discord.PartialMessageable:
    return client.get_partial_messageable(channel.id)


async def test_history_is_newest_first_and_pages(
    place: discord.PartialMessageable, channel: Channel, fan: Member
) -> None:
    ids = [(await fan.post(channel, str(number))).id for number in range(7)]

    async def page(**arguments: Any) -> list[int]:
        return [each.id async for each in place.history(**arguments)]

    assert await page() == ids[::-1]
    assert await page(limit=3) == ids[:3:-1]
    assert await page(before=discord.Object(ids[3])) == ids[2::-1]
    assert await page(after=discord.Object(ids[3]), oldest_first=True) == ids[4:]


async def test_after_takes_the_oldest_of_what_follows(
    client: Client, place: discord.PartialMessageable, channel: Channel, fan: Member
) -> None:
    ids = [(await fan.post(channel, str(number))).id for number in range(6)]
    page = await client.http.logs_from(place.id, 2, after=ids[1])
    assert [int(each["id"]) for each in page] == [ids[3], ids[2]]
    around = await client.http.logs_from(place.id, 3, around=ids[3])
    assert [int(each["id"]) for each in around] == [ids[4], ids[3], ids[2]]


async def test_a_dated_message_sorts_by_its_time(
    place: discord.PartialMessageable, channel: Channel, fan: Member
) -> None:
    now = await fan.post(channel, "now")
    yesterday = datetime.now(UTC) - timedelta(days=1)
    old = await fan.post(channel, "old", at=yesterday)
    found = [each async for each in place.history()]
    assert [each.id for each in found] == [now.id, old.id]
    assert abs(found[1].created_at - yesterday) < timedelta(milliseconds=2)


async def test_files_embeds_and_what_allowed_mentions_keep_quiet(
    client: Client, place: discord.PartialMessageable, channel: Channel, bot: Bot, fan: Member
) -> None:
    embed = discord.Embed(title="T", description="D", timestamp=datetime(2026, 1, 2, tzinfo=UTC))
    sent = await place.send(
        f"@everyone {fan.mention}",
        embed=embed,
        file=discord.File(io.BytesIO(b"log"), "log.txt"),
        allowed_mentions=discord.AllowedMentions.none(),
    )
    stored = channel.by(bot)[0]
    assert not stored.pings
    assert stored.allowed_mentions == {"parse": []}
    assert stored.attachments[0].content == b"log"
    assert await sent.attachments[0].read() == b"log"
    assert sent.embeds[0].timestamp == embed.timestamp
    assert "T\nD" in stored.text
    loud = await place.send(fan.mention)
    assert [each.id for each in loud.mentions] == [fan.id]
    assert channel.by(bot)[1].pings.users == [fan.id]
    assert client.user


@pytest.mark.parametrize(
    ("arguments", "path", "code"),
    [
        ({"content": "x" * 2001}, ["content"], "BASE_TYPE_MAX_LENGTH"),
        (
            {"embed": discord.Embed(description="x" * 4097)},
            ["embeds", "0", "description"],
            "BASE_TYPE_MAX_LENGTH",
        ),
        (
            {"embeds": [discord.Embed(description="x" * 3001)] * 2},
            ["embeds"],
            "MAX_EMBED_SIZE_EXCEEDED",
        ),
        ({"embeds": [discord.Embed(title="x")] * 11}, ["embeds"], "BASE_TYPE_MAX_LENGTH"),
        (
            {"embed": discord.Embed().add_field(name="x", value="")},
            ["embeds", "0", "fields", "0", "value"],
            "BASE_TYPE_REQUIRED",
        ),
        ({"content": "x", "nonce": "n" * 26}, ["nonce"], "BASE_TYPE_MAX_LENGTH"),
    ],
)
async def test_limits(
    client: Client, channel: Channel, arguments: dict[str, Any], path: list[str], code: str
) -> None:
    arguments = dict(arguments)
    embeds = arguments.pop("embeds", None) or [arguments.pop("embed", None)]
    body = {**arguments, "embeds": [each.to_dict() for each in embeds if each]}
    error = await refused(post(client, channel, body), 400, 50035)
    assert fault(error, *path) == code


async def test_an_empty_message_and_broken_json(client: Client, channel: Channel) -> None:
    await refused(post(client, channel, {"content": "  "}), 400, 50006)
    route = discord.http.Route("POST", "/channels/{channel_id}/messages", channel_id=channel.id)
    headers = {"Content-Type": "application/json"}
    sending = client.http.request(route, data="{", headers=headers)
    await refused(sending, 400, 50109)


async def test_the_same_nonce_posts_once(
    server: DiscordServer, place: discord.PartialMessageable, channel: Channel, bot: Bot
) -> None:
    first = await place.send("once", nonce="card-1")
    again = await place.send("twice", nonce="card-1")
    assert (again.id, again.content) == (first.id, "once")
    server.clock.advance(3600)
    later = await place.send("later", nonce="card-1")
    assert later.id != first.id
    assert [each.nonce for each in channel.by(bot)] == ["card-1", "card-1"]


Sending = Callable[[Client, Channel], Awaitable[Any]]


@pytest.mark.parametrize(
    ("lost", "code", "sending"),
    [
        (Permission.VIEW_CHANNEL, 50001, lambda c, p: c.http.get_message(p.id, 1)),
        (Permission.SEND_MESSAGES, 50013, lambda c, p: post(c, p, {"content": "x"})),
        (
            Permission.EMBED_LINKS,
            50013,
            lambda c, p: post(c, p, {"embeds": [{"title": "x"}]}),
        ),
        (
            Permission.ATTACH_FILES,
            50013,
            lambda c, p: c.get_partial_messageable(p.id).send(
                file=discord.File(io.BytesIO(b"x"), "x.txt")
            ),
        ),
    ],
)
async def test_missing_permissions(
    client: Client, channel: Channel, bot: Bot, lost: Permission, code: int, sending: Sending
) -> None:
    channel.deny(bot, lost)
    await refused(sending(client, channel), 403, code)


async def test_roles_and_overwrites_decide(
    client: Client, guild: Guild, channel: Channel, bot: Bot
) -> None:
    place = client.get_partial_messageable(channel.id)
    channel.deny(guild.everyone, Permission.SEND_MESSAGES)
    await refused(place.send("x"), 403, 50013)
    channel.allow(guild.role_of(bot), Permission.SEND_MESSAGES)
    await place.send("x")
    channel.deny(guild.role_of(bot), Permission.VIEW_CHANNEL)
    await refused(place.send("x"), 403, 50001)
    guild.role_of(bot).set_permissions(Permission.ADMINISTRATOR)
    await place.send("x")


async def test_without_read_history_there_is_none(
    client: Client, channel: Channel, bot: Bot, fan: Member
) -> None:
    posted = await fan.post(channel, "x")
    channel.deny(bot, Permission.READ_MESSAGE_HISTORY)
    place = client.get_partial_messageable(channel.id)
    assert [each async for each in place.history()] == []
    await refused(place.fetch_message(posted.id), 403, 50013)


async def test_without_the_portal_s_content_intent_history_is_blank(
    connect: Connect, channel: Channel, bot: Bot, fan: Member
) -> None:
    bot.data.privileged = int(Intent.GUILD_MEMBERS)
    async with connect(intents=discord.Intents(guilds=True, guild_messages=True)) as client:
        await fan.post(channel, "x")
        place = client.get_partial_messageable(channel.id)
        assert [each.content async for each in place.history()] == [""]


async def test_unknown_things(client: Client, place: discord.PartialMessageable) -> None:
    await refused(place.fetch_message(1), 404, 10008)
    await refused(client.fetch_channel(1), 404, 10003)
    await refused(client.fetch_user(1), 404, 10013)
    await refused(client.fetch_guild(1), 404, 10004)
    reference = discord.MessageReference(message_id=1, channel_id=place.id)
    error = await refused(place.send("x", reference=reference), 400, 50035)
    assert fault(error, "message_reference") == "REPLIES_UNKNOWN_MESSAGE"
    route = discord.http.Route("GET", "/no/such/route")
    await refused(client.http.request(route), 404, 0)


async def test_editing(
    place: discord.PartialMessageable, channel: Channel, bot: Bot, fan: Member
) -> None:
    view = discord.ui.View()
    view.add_item(discord.ui.Button(label="Go", custom_id="go"))
    sent = await place.send("one", view=view)
    edited = await sent.edit(content="two")
    assert edited.edited_at is not None
    stored = channel.by(bot)[0]
    assert (stored.content, stored.revisions) == ("two", ["one"])
    assert stored.button("Go").custom_id == "go"
    await sent.edit(view=None)
    assert stored.buttons == []
    await refused(sent.edit(content=None), 400, 50006)
    posted = await fan.post(channel, "mine")
    await refused(place.get_partial_message(posted.id).edit(content="x"), 403, 50005)


async def test_deleting(
    client: Client,
    place: discord.PartialMessageable,
    guild: Guild,
    channel: Channel,
    bot: Bot,
    fan: Member,
) -> None:
    posted = await fan.post(channel, "x")
    await client.http.delete_message(channel.id, posted.id, reason="Flag 7: ünfair")
    assert posted.deleted
    entry = guild.audit_log[-1]
    assert (entry.action, entry.target_id, entry.reason) == (72, fan.id, "Flag 7: ünfair")
    await refused(client.http.delete_message(channel.id, posted.id), 404, 10008)
    channel.deny(bot, Permission.MANAGE_MESSAGES)
    other = await fan.post(channel, "y")
    await refused(client.http.delete_message(channel.id, other.id), 403, 50013)
    own = await place.send("z")
    await own.delete()


async def test_bulk_deletion(
    server: DiscordServer, client: Client, channel: Channel, fan: Member
) -> None:
    server.rate_limits.enabled = False
    posted = [await fan.post(channel, str(number)) for number in range(3)]
    old = await fan.post(channel, "old", at=datetime.now(UTC) - timedelta(days=15))
    await client.http.delete_messages(channel.id, [each.id for each in posted])
    assert channel.messages == [old]
    await refused(client.http.delete_messages(channel.id, [old.id]), 400, 50035)
    await refused(client.http.delete_messages(channel.id, [old.id, posted[0].id]), 400, 50034)


async def test_direct_messages(client: Client, bot: Bot, fan: Member) -> None:
    user = await client.fetch_user(fan.id)
    await user.send("a word")
    assert [each.content for each in fan.direct_messages(bot)] == ["a word"]
    fan.close_dms()
    await refused(user.send("another"), 403, 50007)


async def test_threads(client: Client, guild: Guild, channel: Channel, fan: Member) -> None:
    start = await fan.post(channel, "start")
    await fan.start_thread(channel, "first", on=start)
    second = await fan.start_thread(channel, "second")
    secret = await fan.start_thread(channel, "secret", private=True)
    in_first = channel.threads[0]
    await fan.post(in_first, "inside")
    active = await client.http.get_active_threads(guild.id)
    assert {int(each["id"]) for each in active["threads"]} == {in_first.id, second.id, secret.id}
    second.archive()
    archived = await client.http.get_public_archived_threads(channel.id)
    assert [int(each["id"]) for each in archived["threads"]] == [second.id]
    await client.get_partial_messageable(second.id).send("wakes it up")
    assert second.data.thread is not None
    assert not second.data.thread.archived
    second.archive(locked=True)
    place = await client.fetch_channel(second.id)
    assert isinstance(place, discord.Thread)
    await place.edit(archived=False)
    await refused(start_again(client, channel, start.id), 400, 160004)


async def test_forum_posts(client: Client, guild: Guild, fan: Member) -> None:
    forum = guild.add_channel("forum", kind=ChannelType.FORUM)
    opened = await fan.start_post(forum, "Episode 3", "what a clip")
    (heard,) = await client.hear("message")
    assert isinstance(heard.channel, discord.Thread)
    assert (heard.id, heard.channel.parent_id) == (opened.id, forum.id)
    await refused(client.get_partial_messageable(forum.id).send("x"), 400, 50024)


async def test_files_have_a_size_limit(place: discord.PartialMessageable) -> None:
    file = discord.File(io.BytesIO(bytes(10 * 1024 * 1024 + 1)), "big")
    await refused(place.send(file=file), 413, 40005)


def start_again(client: Client, channel: Channel, message_id: int) -> Awaitable[Any]:
    return client.http.start_thread_with_message(
        channel.id, message_id, name="again", auto_archive_duration=60
    )


async def test_a_timed_out_bot_is_mute(client: Client, channel: Channel, bot: Bot) -> None:
    guild = channel.world.guilds[channel.data.guild_id or 0]
    guild.members[bot.id].timed_out_until = channel.world.clock.now() + 60
    place = client.get_partial_messageable(channel.id)
    await refused(place.send("x"), 403, 50013)
    assert [each async for each in place.history()] == []
