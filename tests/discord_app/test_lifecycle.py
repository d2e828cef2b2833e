"""Starting, stopping, joining a server and losing it for a while."""

from __future__ import annotations

import asyncio
import re

import discord
import pytest

from bot.discord_app.client import needed_intents
from tests.discord_app.conftest import ABUSIVE, FAIR, HOSTILE, LiveBot, Scene, eventually
from tests.discord_server import DiscordServer, Permission


def test_no_more_is_asked_of_discord_than_needed() -> None:
    asked = {name for name, wanted in needed_intents() if wanted}
    assert asked == {"guilds", "guild_messages", "message_content"}


async def test_what_was_taken_in_is_finished_at_the_end(scene: Scene) -> None:
    async with scene.running() as bot:
        first = await scene.fan.post(scene.general, FAIR)
        await scene.reaches(bot, scene.general, first)
        with scene.locked_database():
            messages = [await scene.fan.post(scene.general, f"{HOSTILE} {i}") for i in range(3)]
            await eventually(lambda: len(scene.model.seen) > 1)
            closing = asyncio.create_task(bot.close())
            await asyncio.sleep(0.1)
            assert not closing.done()
        await closing
        for message in messages:
            flag = await scene.flag_of(bot, message)
            assert flag is not None
            assert flag.card_message_id is not None
        assert await scene.checkpoint(bot, scene.general) == messages[-1].id
    assert not scene.account.connected


async def test_closing_twice_is_harmless(scene: Scene) -> None:
    async with scene.running() as bot:
        await asyncio.gather(bot.close(), bot.close())


async def test_a_new_server_gets_its_roster_and_no_greeting(scene: Scene, bot: LiveBot) -> None:
    club = scene.server.add_guild("New club", join=False)
    lobby = club.add_channel("lobby")
    club.add_bot(scene.account, Permission.VIEW_CHANNEL | Permission.SEND_MESSAGES)

    settings = await scene.taken_up(bot, club)
    assert [one.name for one in await bot.store.roster.people(str(club.id))] == ["Ada Lark"]
    assert lobby.messages == []
    assert (settings.name, settings.watched_channel_ids) == ("New club", ())


async def test_an_outage_of_a_server_is_caught_up(scene: Scene, bot: LiveBot) -> None:
    first = await scene.fan.post(scene.general, FAIR)
    await scene.reaches(bot, scene.general, first)
    with scene.guild.outage():
        await asyncio.sleep(0.05)
        with scene.account.events_lost("MESSAGE_CREATE"):
            missed = await scene.fan.post(scene.general, HOSTILE)
    await scene.flag_with_card(bot, missed)
    later = await scene.fan.post(scene.general, ABUSIVE)
    await scene.reaches(bot, scene.general, later)


@pytest.mark.parametrize("code", [4000, 4009])
async def test_a_connection_closed_by_discord_is_made_again(
    scene: Scene, bot: LiveBot, code: int
) -> None:
    scene.account.close(code)
    await scene.account.wait_disconnected()
    message = await scene.fan.post(scene.general, HOSTILE)
    await scene.account.wait_connected()
    await scene.flag_with_card(bot, message)


async def test_a_bot_in_no_server_says_how_to_invite_it(
    server: DiscordServer, scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    scene.account = server.add_bot("Lonely", join=False)
    async with scene.running(ready=False):
        await eventually(lambda: "invite it with" in caplog.text)
    found = re.search(r"permissions=(\d+)", caplog.text)
    assert found is not None
    granted = {name for name, held in discord.Permissions(int(found[1])) if held}
    assert granted == {
        "read_messages",
        "send_messages",
        "embed_links",
        "read_message_history",
        "manage_messages",
        "moderate_members",
        "kick_members",
        "ban_members",
        "view_audit_log",
    }
