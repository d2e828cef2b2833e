"""Leaving a server starts the clock of retention; coming back restores what it had."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from bot.store import GuildSettings
from tests.discord_app.conftest import ABUSIVE, FAIR, HOSTILE, WITHIN, LiveBot, Scene, eventually
from tests.discord_server import MODERATOR, Permission

PERMISSIONS = (
    MODERATOR
    | Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.READ_MESSAGE_HISTORY
)


async def settings_of(scene: Scene, bot: LiveBot) -> GuildSettings:
    found = await bot.store.guilds.get(str(scene.guild.id))
    assert found is not None
    return found


async def until_left(scene: Scene, bot: LiveBot) -> datetime:
    async with asyncio.timeout(WITHIN):
        while (left := (await settings_of(scene, bot)).left_at) is None:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    return left


async def until_back(scene: Scene, bot: LiveBot) -> GuildSettings:
    async with asyncio.timeout(WITHIN):
        while (await settings_of(scene, bot)).left_at is not None:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    return await settings_of(scene, bot)


def come_back(scene: Scene) -> None:
    scene.guild.add_bot(scene.account, PERMISSIONS)


async def test_leaving_is_noted_and_rejoining_restores(scene: Scene, bot: LiveBot) -> None:
    flagged = await scene.fan.post(scene.general, HOSTILE)
    await scene.flag_with_card(bot, flagged)
    before = await settings_of(scene, bot)
    assert before.joined_at is not None
    began = datetime.now(UTC)
    scene.guild.remove_bot(scene.account)
    left = await until_left(scene, bot)
    assert began <= left <= datetime.now(UTC)
    meanwhile = await scene.fan.post(scene.general, f"{ABUSIVE} meanwhile")
    come_back(scene)
    assert await until_back(scene, bot) == before
    assert await scene.flag_of(bot, flagged) is not None
    assert [one.name for one in await bot.store.roster.people(str(scene.guild.id))] == ["Ada Lark"]
    again = await scene.fan.post(scene.general, ABUSIVE)
    await scene.flag_with_card(bot, again)
    await scene.reaches(bot, scene.general, again)
    assert await scene.flag_of(bot, meanwhile) is None


async def test_a_server_left_while_the_bot_was_away_is_noticed(scene: Scene) -> None:
    async with scene.running() as bot:
        await scene.reaches(bot, scene.general, await scene.fan.post(scene.general, FAIR))
    scene.guild.remove_bot(scene.account)
    async with scene.running(ready=False) as bot:
        left = await until_left(scene, bot)
    async with scene.running(ready=False) as bot:
        await eventually(bot.is_ready)
        assert await until_left(scene, bot) == left


async def test_a_server_left_long_ago_is_forgotten_at_the_next_start(scene: Scene) -> None:
    async with scene.running() as bot:
        await scene.flag_with_card(bot, await scene.fan.post(scene.general, HOSTILE))
        long_ago = datetime.now(UTC) - timedelta(days=31)
        left = replace(await settings_of(scene, bot), left_at=long_ago)
    scene.guild.remove_bot(scene.account)
    async with scene.store() as store:
        await store.guilds.put(left)
    async with scene.running(ready=False) as bot:
        async with asyncio.timeout(WITHIN):
            while await bot.store.guilds.get(str(scene.guild.id)):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert await bot.store.flags.list(None) == []


async def test_a_server_known_from_a_scan_alone_was_never_left(scene: Scene) -> None:
    async with scene.running() as bot:
        await bot.store.guilds.put(GuildSettings("7", name="An export"))
    async with scene.running() as bot:
        other = scene.server.add_guild("Other club")
        await scene.taken_up(bot, other)
        scanned = await bot.store.guilds.get("7")
        assert scanned is not None
        assert scanned.left_at is None


async def test_an_outage_is_no_leaving(scene: Scene, bot: LiveBot) -> None:
    with scene.guild.outage():
        await asyncio.sleep(0.05)
    message = await scene.fan.post(scene.general, HOSTILE)
    await scene.flag_with_card(bot, message)
    assert (await settings_of(scene, bot)).left_at is None
