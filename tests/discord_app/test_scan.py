"""/scan over the wire: a history read on request, beside all that is live."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

from bot.moderation.days import parse_moment
from bot.store import ChannelScan
from tests.discord_app.conftest import ABUSIVE, FAIR, HOSTILE, LiveBot, Scene, eventually
from tests.discord_app.test_commands import run
from tests.discord_server import Channel, ChannelType, Message, Permission


def progress(scene: Scene) -> Message:
    return next(m for m in reversed(scene.mods.messages) if "read" in m.text.casefold())


async def scanned(scene: Scene, channel: Channel, since: str = "12 hours") -> str:
    """Run a scan to its end, and return what its message says then."""
    reply = await run(scene, "scan", channel=channel, since=since)
    assert "How far I am" in reply.text

    def ended() -> bool:
        return progress(scene).buttons == [] and "flagged" in progress(scene).text

    await eventually(ended)
    return progress(scene).text


async def test_a_history_is_read_into_the_queue_without_cards(scene: Scene) -> None:
    for each in range(120):
        await scene.fan.post(scene.general, f"{FAIR} {each}")
    await scene.fan.post(scene.general, HOSTILE)
    await scene.fan.post(scene.general, ABUSIVE)
    async with scene.running() as bot:
        checkpoint = await scene.checkpoint(bot, scene.general)
        text = await scanned(scene, scene.general)
        assert f"Read <#{scene.general.id}> since <t:" in text
        assert "122 messages read, 2 flagged. /queue shows them." in text
        assert [card.id for card in scene.cards()] == [progress(scene).id]
        assert await scene.checkpoint(bot, scene.general) == checkpoint
        assert await bot.store.scans.get(str(scene.guild.id)) is None
        assert "2 to decide" in (await run(scene, "queue")).text
        assert "122 messages read, 0 flagged" in await scanned(scene, scene.general)
        await scene.fan.post(scene.general, f"{HOSTILE} again")
        await eventually(lambda: any("again" in card.text for card in scene.cards()))


async def test_only_what_was_posted_since_is_read(scene: Scene, bot: LiveBot) -> None:
    await scene.fan.post(scene.general, FAIR)
    await scene.reaches(bot, scene.general, scene.general.messages[-1])
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).date().isoformat()
    assert (
        "not in the past" in (await run(scene, "scan", channel=scene.general, since=tomorrow)).text
    )
    assert "is not a day" in (await run(scene, "scan", channel=scene.general, since="soon")).text
    assert parse_moment("90 min", datetime(2026, 1, 1, 12, tzinfo=UTC)).minute == 30


async def test_threads_are_read_too_archived_ones_included(scene: Scene, bot: LiveBot) -> None:
    forum = scene.guild.add_channel("ideas", kind=ChannelType.FORUM)
    await scene.fan.start_post(forum, "a post", HOSTILE)
    other = await scene.fan.start_post(forum, "another", ABUSIVE)
    other.archive()
    assert "2 messages read, 2 flagged" in await scanned(scene, forum)
    assert "1 message read, 0 flagged" in await scanned(scene, other)
    assert bot.is_ready()


async def test_it_is_stopped_with_a_button_and_one_runs_at_a_time(
    scene: Scene, bot: LiveBot
) -> None:
    for each in range(60):
        await scene.fan.post(scene.general, f"{FAIR} {each}")
    scene.server.faults.delay("GET", r"/channels/\d+/messages", 1.0, times=3)
    await run(scene, "scan", channel=scene.general, since="1 h")
    second = await run(scene, "scan", channel=scene.general, since="1 h")
    assert "already" in second.text
    await eventually(lambda: progress(scene).buttons != [])
    pressed = await scene.moderator.click(progress(scene), "Stop reading")
    assert "I stop reading" in (await pressed.reply()).text
    await eventually(lambda: "Stopped reading" in progress(scene).text)
    assert bot.is_ready()


async def test_a_restart_says_until_where_it_came(scene: Scene) -> None:
    async with scene.running() as bot:
        await scanned(scene, scene.general)
        shown = progress(scene)
        now = datetime.now(UTC)
        await bot.store.scans.begin(
            ChannelScan(
                str(scene.guild.id), str(shown.id), str(scene.general.id), now, now, "1",
                str(scene.mods.id), str(shown.id), 7, str(scene.general.id), now,
            )
        )  # fmt: skip
    async with scene.running() as bot:
        await eventually(lambda: "A restart interrupted this scan" in progress(scene).text)
        assert await bot.store.scans.get(str(scene.guild.id)) is None


async def test_refusals_are_one_line(scene: Scene, bot: LiveBot) -> None:
    async def refused(channel: Channel) -> str:
        return (await run(scene, "scan", channel=channel, since="1 h")).text

    assert "moderators' channel" in await refused(scene.mods)
    hidden = scene.guild.add_channel("hidden")
    hidden.deny(scene.account, Permission.READ_MESSAGE_HISTORY)
    assert "I need Read Message History in" in await refused(hidden)
    press = await scene.fan.slash(
        scene.general, "scan", force=True, channel=scene.general, since="1 h"
    )
    assert "You need the permission" in (await press.reply()).text
    assert bot.is_ready()


async def test_a_channel_that_vanishes_is_told(scene: Scene, bot: LiveBot) -> None:
    doomed = scene.guild.add_channel("doomed")
    for each in range(150):
        await scene.fan.post(doomed, f"{FAIR} {each}")
    scene.server.faults.delay("GET", r"/channels/\d+/messages", 1.0, times=3)
    await run(scene, "scan", channel=doomed, since="1 h")
    await asyncio.sleep(0.3)
    doomed.delete()
    await eventually(lambda: "is gone" in progress(scene).text)
    assert bot.is_ready()
