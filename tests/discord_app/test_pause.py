"""/pause and /resume: nothing is scored meanwhile, and nothing is lost unless it is skipped."""

from __future__ import annotations

from typing import Any

import pytest

from tests.discord_app.conftest import ABUSIVE, FAIR, HOSTILE, LiveBot, Scene
from tests.discord_server import Message


async def say(scene: Scene, name: str, **options: Any) -> Message:
    press = await scene.moderator.slash(scene.mods, name, **options)
    reply = await press.reply()
    assert press.deferred
    assert reply.ephemeral
    return reply


async def answer(scene: Scene, question: Message, button: str) -> str:
    return (await (await scene.moderator.click(question, button)).update()).text


def seen(scene: Scene) -> set[str]:
    return {text for text, _ in scene.model.seen}


async def started(scene: Scene, bot: LiveBot) -> Message:
    first = await scene.fan.post(scene.general, FAIR)
    await scene.reaches(bot, scene.general, first)
    scene.model.seen.clear()
    return first


@pytest.mark.parametrize("whole", [True, False])
async def test_what_was_posted_in_a_pause_is_read_on_resume(
    scene: Scene, bot: LiveBot, *, whole: bool
) -> None:
    first = await started(scene, bot)
    where = {} if whole else {"channel": scene.general}
    assert "is paused" in (await say(scene, "pause", **where)).text
    missed = await scene.fan.post(scene.general, HOSTILE)
    edited = await scene.fan.post(scene.general, FAIR)
    await scene.fan.edit(edited, f"{HOSTILE} again")
    await bot.watcher.queue.join()
    question = await say(scene, "resume", **where)
    assert "24 hours at most" in question.text
    assert seen(scene) == set()
    assert await scene.checkpoint(bot, scene.general) == first.id
    assert "first what was posted" in await answer(scene, question, "Read what was posted")
    await scene.flag_with_card(bot, missed)
    await scene.flag_with_card(bot, edited)
    later = await scene.fan.post(scene.general, FAIR)
    await scene.reaches(bot, scene.general, later)


async def test_what_was_posted_in_a_pause_is_skipped(scene: Scene, bot: LiveBot) -> None:
    await started(scene, bot)
    thread = await scene.fan.start_thread(scene.general, "talk")
    in_thread = await scene.fan.post(thread, FAIR)
    await scene.reaches(bot, thread, in_thread)
    await say(scene, "pause")
    skipped = [
        await scene.fan.post(scene.general, HOSTILE),
        await scene.fan.post(thread, f"{HOSTILE} too"),
    ]
    await bot.watcher.queue.join()
    scene.model.seen.clear()
    question = await say(scene, "resume")
    assert "from now on" in await answer(scene, question, "Skip it")
    new = await scene.fan.post(scene.general, ABUSIVE)
    await scene.flag_with_card(bot, new)
    await scene.reaches(bot, scene.general, new)
    assert seen(scene) == {ABUSIVE}
    for message in skipped:
        assert await scene.flag_of(bot, message) is None


async def test_other_channels_are_read_on(scene: Scene, bot: LiveBot) -> None:
    news = scene.guild.add_channel("news")
    await say(scene, "setup", watch=news)
    await started(scene, bot)
    await say(scene, "pause", channel=scene.general)
    await scene.fan.post(scene.general, HOSTILE)
    await scene.flag_with_card(bot, await scene.fan.post(news, ABUSIVE))
    assert seen(scene) == {ABUSIVE}
    assert f"Paused\n<#{scene.general.id}>" in (await say(scene, "setup", members=True)).text


async def test_a_pause_and_its_buttons_outlive_a_restart(scene: Scene) -> None:
    async with scene.running() as bot:
        first = await started(scene, bot)
        await say(scene, "pause")
        question = await say(scene, "resume")
    missed = await scene.fan.post(scene.general, HOSTILE)
    async with scene.running() as bot:
        await scene.fan.post(scene.general, ABUSIVE)
        await bot.watcher.queue.join()
        await bot.catch_up.settled()
        assert seen(scene) == set()
        assert await scene.checkpoint(bot, scene.general) == first.id
        await answer(scene, question, "Read what was posted")
        await scene.flag_with_card(bot, missed)
        assert seen(scene) == {HOSTILE, ABUSIVE}


async def test_a_catch_up_stops_at_a_pause(scene: Scene, bot: LiveBot) -> None:
    first = await started(scene, bot)
    bot.progress.lost(scene.general.id)
    await say(scene, "pause")
    await scene.fan.post(scene.general, HOSTILE)
    bot.catch_up.request(scene.guild.id, scene.general.id)
    await bot.catch_up.settled()
    assert seen(scene) == set()
    assert await scene.checkpoint(bot, scene.general) == first.id
    assert not bot.progress.may_advance(scene.general.id)


async def test_what_cannot_be_paused_or_resumed_is_told(scene: Scene, bot: LiveBot) -> None:
    news = scene.guild.add_channel("news")
    cases: list[tuple[str, dict[str, Any], str]] = [
        ("resume", {}, "Nothing is paused here."),
        ("resume", {"channel": scene.general}, f"<#{scene.general.id}> is not paused."),
        ("pause", {"channel": news}, f"<#{news.id}> is not watched"),
        ("pause", {"channel": scene.general}, "is paused: nothing is read there"),
        ("pause", {"channel": scene.general}, "is paused already"),
        ("pause", {}, "The whole server is paused: nothing"),
        ("pause", {}, "The whole server is paused already"),
        ("resume", {"channel": scene.general}, "Use /resume without a channel."),
    ]
    for name, options, words in cases:
        assert words in (await say(scene, name, **options)).text, (name, options)
    question = await say(scene, "resume")
    await answer(scene, question, "Skip it")
    second = await say(scene, "pause")
    assert "nothing is read" in second.text
    settings = await bot.guild_settings(scene.guild.id)
    assert (settings.paused, settings.paused_channel_ids) == (True, ())


async def test_a_second_press_on_resume_is_told(scene: Scene, bot: LiveBot) -> None:
    await say(scene, "pause")
    first, second = await say(scene, "resume"), await say(scene, "resume")
    await answer(scene, first, "Skip it")
    reply = await (await scene.moderator.click(second, "Read what was posted")).reply()
    assert reply.text == "Nothing is paused here."
    assert bot.is_ready()


@pytest.mark.parametrize("name", ["pause", "resume"])
async def test_others_may_not_pause(scene: Scene, bot: LiveBot, name: str) -> None:
    press = await scene.fan.slash(scene.general, name, force=True)
    assert "You need the permission Manage Guild" in (await press.reply()).text
    assert not (await bot.guild_settings(scene.guild.id)).paused


async def test_a_pause_ends_with_the_watching(scene: Scene, bot: LiveBot) -> None:
    await say(scene, "pause", channel=scene.general)
    await say(scene, "setup", unwatch=scene.general)
    await say(scene, "setup", watch=scene.general)
    await scene.flag_with_card(bot, await scene.fan.post(scene.general, HOSTILE))
