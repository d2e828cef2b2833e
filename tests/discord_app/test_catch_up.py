"""No message is lost: what the gateway did not bring is read from history."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from bot.discord_app.progress import Progress
from tests.discord_app.conftest import ABUSIVE, FAIR, HOSTILE, LiveBot, Scene, eventually
from tests.discord_server import Message, Permission


async def started_once(scene: Scene) -> Message:
    """Run the bot once, so that the channel has a checkpoint; return the last message."""
    async with scene.running() as bot:
        message = await scene.fan.post(scene.general, FAIR)
        await scene.reaches(bot, scene.general, message)
    scene.model.seen.clear()
    return message


async def test_the_first_start_begins_at_the_present(scene: Scene) -> None:
    old = await scene.fan.post(scene.general, HOSTILE)
    async with scene.running() as bot:
        assert await scene.checkpoint(bot, scene.general) == old.id
        await scene.fan.post(scene.general, ABUSIVE)
        await scene.card()
        assert [text for text, _ in scene.model.seen] == [ABUSIVE]


async def test_what_was_posted_meanwhile_is_read(scene: Scene) -> None:
    await started_once(scene)
    missed = [await scene.fan.post(scene.general, f"{HOSTILE} {each}") for each in range(3)]
    async with scene.running() as bot:
        for message in missed:
            await scene.flag_with_card(bot, message)
        assert await scene.checkpoint(bot, scene.general) == missed[-1].id
        assert len(scene.cards()) == 3


async def test_more_than_one_page_of_history_is_read(scene: Scene) -> None:
    await started_once(scene)
    for each in range(230):
        await scene.fan.post(scene.general, f"{FAIR} {each}")
    last = await scene.fan.post(scene.general, HOSTILE)
    async with scene.running() as bot:
        await scene.flag_with_card(bot, last)
        alone = {text for text, _ in scene.model.seen if text.count("Ada Lark") == 1}
        assert len(alone) == 231
        assert await scene.checkpoint(bot, scene.general) == last.id


async def test_an_edit_made_meanwhile_is_read(scene: Scene) -> None:
    message = await started_once(scene)
    await scene.fan.edit(message, HOSTILE)
    async with scene.running() as bot:
        await scene.flag_with_card(bot, message)


@pytest.mark.parametrize("look_back", [0, 2, 100])
async def test_edits_are_looked_for_so_far_back(scene: Scene, look_back: int) -> None:
    async with scene.running() as bot:
        posted = [await scene.fan.post(scene.general, f"{FAIR} {each}") for each in range(4)]
        await scene.reaches(bot, scene.general, posted[-1])
    scene.model.seen.clear()
    for message in posted:
        await scene.fan.edit(message, f"{HOSTILE} {message.id}")
    scene.watch = {"edits_look_back": look_back}
    async with scene.running():
        read = {text for text, _ in scene.model.seen}
    expected = posted[max(0, len(posted) - look_back) :]
    assert read == {f"{HOSTILE} {message.id}" for message in expected}


async def test_threads_are_read_too(scene: Scene) -> None:
    async with scene.running() as bot:
        await scene.fan.post(scene.general, FAIR)
        thread = await scene.fan.start_thread(scene.general, "old")
        first = await scene.fan.post(thread, FAIR)
        await scene.reaches(bot, thread, first)
    missed = [await scene.fan.post(thread, f"{HOSTILE} 1")]
    new = await scene.fan.start_thread(scene.general, "new")
    missed.append(await scene.fan.post(new, f"{HOSTILE} 2"))
    archived = await scene.fan.start_thread(scene.general, "archived")
    missed.append(await scene.fan.post(archived, f"{HOSTILE} 3"))
    archived.archive()
    async with scene.running() as bot:
        for message in missed:
            await scene.flag_with_card(bot, message)


async def test_threads_not_read_before_a_crash_are_read_though_their_channel_was(
    scene: Scene,
) -> None:
    await started_once(scene)
    new = await scene.fan.start_thread(scene.general, "new")
    missed = [await scene.fan.post(new, f"{HOSTILE} 1")]
    archived = await scene.fan.start_thread(scene.general, "archived")
    missed.append(await scene.fan.post(archived, f"{HOSTILE} 2"))
    archived.archive()
    await crashed_after_reading(scene, await scene.fan.post(scene.general, FAIR))
    async with scene.running() as bot:
        for message in missed:
            await scene.flag_with_card(bot, message)


async def test_an_edit_not_read_before_a_crash_is_read_though_a_newer_message_was(
    scene: Scene,
) -> None:
    message = await started_once(scene)
    await scene.fan.edit(message, HOSTILE)
    await crashed_after_reading(scene, await scene.fan.post(scene.general, FAIR))
    async with scene.running() as bot:
        await scene.flag_with_card(bot, message)


async def crashed_after_reading(scene: Scene, message: Message) -> None:
    async with scene.store() as store:
        guild_id, channel_id = str(scene.guild.id), str(scene.general.id)
        await store.checkpoints.advance(guild_id, channel_id, str(message.id))


async def test_old_threads_start_at_the_present_like_their_channel(scene: Scene) -> None:
    thread = await scene.fan.start_thread(scene.general, "old")
    await scene.fan.post(thread, HOSTILE)
    thread.archive()
    await scene.fan.post(scene.general, FAIR)
    await started_once(scene)
    new = await scene.fan.post(thread, ABUSIVE)
    async with scene.running() as bot:
        await scene.flag_with_card(bot, new)
        assert [text for text, _ in scene.model.seen] == [ABUSIVE]


async def test_a_checkpoint_does_not_pass_an_edit_that_was_lost(scene: Scene) -> None:
    before = await started_once(scene)
    newer = await scene.fan.post(scene.general, FAIR)
    async with scene.running(ready=False) as bot:
        passed = bot.watcher.pass_queue

        async def lose_an_edit() -> None:
            bot.progress.lost(scene.general.id, is_edit=True)
            bot.watcher.pass_queue = passed  # type: ignore[method-assign]
            assert await scene.checkpoint(bot, scene.general) == before.id

        bot.watcher.pass_queue = lose_an_edit  # type: ignore[method-assign]
        await scene.reaches(bot, scene.general, newer)
        assert bot.watcher.pass_queue == passed


async def away_since(scene: Scene, hours: float) -> None:
    """Let the bot have been away so long, with three messages at the beginning of it."""
    now = datetime.now(UTC)
    await scene.fan.post(scene.general, FAIR, at=now - timedelta(hours=hours + 1))
    async with scene.running():
        pass
    for each in range(3):
        text = HOSTILE if each == 1 else FAIR
        moment = now - timedelta(hours=hours, seconds=-each)
        await scene.fan.post(scene.general, text, at=moment)


async def test_moderators_are_told_what_was_read_after_a_long_absence(scene: Scene) -> None:
    await away_since(scene, 3)
    async with scene.running():
        line = "I was away 3 h: 3 messages, 1 flagged."
        await scene.server.wait_for(lambda: [c for c in scene.cards() if c.text == line])
        await scene.server.wait_for(lambda: len(scene.cards()) == 2)


async def test_a_short_absence_is_not_told(scene: Scene) -> None:
    await away_since(scene, 0.03)
    async with scene.running():
        await scene.server.wait_for(scene.cards)
        await asyncio.sleep(0.3)
        (card,) = scene.cards()
        assert card.buttons


async def test_what_is_too_old_to_be_read_is_told(scene: Scene) -> None:
    scene.watch = {"catch_up_hours": 2, "away_minutes": 0}
    await away_since(scene, 3)
    recent = datetime.now(UTC) - timedelta(minutes=90)
    await scene.fan.post(scene.general, FAIR, at=recent)
    async with scene.running():
        line = await scene.card()
        assert "I was away 2 h: 1 message, 0 flagged." in line.text
        assert "What was posted more than 2 hours ago was not read." in line.text


async def test_only_so_many_hours_are_read(scene: Scene) -> None:
    await started_once(scene)
    scene.watch = {"catch_up_hours": 1}
    long_ago = datetime.now(UTC) - timedelta(hours=2)
    await scene.fan.post(scene.general, ABUSIVE, at=long_ago)
    recent = await scene.fan.post(scene.general, HOSTILE)
    async with scene.running() as bot:
        await scene.flag_with_card(bot, recent)
        assert ABUSIVE not in [text for text, _ in scene.model.seen]


async def test_a_dropped_connection_resumes_without_a_gap(scene: Scene, bot: LiveBot) -> None:
    scene.account.drop()
    await scene.account.wait_disconnected()
    message = await scene.fan.post(scene.general, HOSTILE)
    await scene.account.wait_connected()
    await scene.flag_with_card(bot, message)
    later = await scene.fan.post(scene.general, FAIR)
    await scene.reaches(bot, scene.general, later)
    assert scene.server.calls("GET", rf"/channels/{scene.general.id}/messages") == []


async def test_a_session_that_does_not_resume_is_caught_up(scene: Scene, bot: LiveBot) -> None:
    first = await scene.fan.post(scene.general, FAIR)
    await scene.reaches(bot, scene.general, first)
    scene.account.refuse_resume()
    scene.account.drop()
    await scene.account.wait_disconnected()
    message = await scene.fan.post(scene.general, HOSTILE)
    await scene.flag_with_card(bot, message)
    later = await scene.fan.post(scene.general, FAIR)
    await scene.reaches(bot, scene.general, later)


async def test_an_overflow_is_read_from_history(scene: Scene) -> None:
    scene.watch = {"queue_size": 10}
    async with scene.running() as bot:
        start = await scene.fan.post(scene.general, FAIR)
        await scene.reaches(bot, scene.general, start)
        with scene.locked_database():
            messages = [await scene.fan.post(scene.general, f"{HOSTILE} {i}") for i in range(25)]
            await eventually(lambda: not bot.progress.may_advance(scene.general.id))
        for message in messages:
            await scene.flag_with_card(bot, message)
        await scene.reaches(bot, scene.general, messages[-1])
        assert bot.progress.may_advance(scene.general.id)
        told = "More was posted than I could read at once. I read it again from history: "
        await scene.server.wait_for(lambda: [c for c in scene.cards() if told in c.text])


async def test_a_message_that_fails_holds_the_checkpoint(
    scene: Scene, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.discord_app.intake.RETRY_SECONDS", (0.01, 0.01))
    monkeypatch.setattr("bot.discord_app.catch_up.FIRST_PAUSE", 0.3)
    async with scene.running() as bot:
        first = await scene.fan.post(scene.general, FAIR)
        await scene.reaches(bot, scene.general, first)
        scene.model.failures = 6
        failed = await scene.fan.post(scene.general, HOSTILE)
        await eventually(lambda: scene.model.failures == 0)
        assert await scene.checkpoint(bot, scene.general) == first.id
        await scene.flag_with_card(bot, failed)
        await scene.reaches(bot, scene.general, failed)
    assert HOSTILE not in caplog.text
    assert str(failed.id) in caplog.text


async def test_a_checkpoint_waits_for_the_flag_to_be_committed(scene: Scene, bot: LiveBot) -> None:
    first = await scene.fan.post(scene.general, FAIR)
    await scene.reaches(bot, scene.general, first)
    with scene.locked_database():
        await scene.fan.post(scene.general, HOSTILE)
        await eventually(lambda: any(text == HOSTILE for text, _ in scene.model.seen))
        await asyncio.sleep(0.1)
        assert await scene.checkpoint(bot, scene.general) == first.id


async def test_a_channel_that_may_not_be_read_is_named_and_read_once_it_may(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    before = await started_once(scene)
    missed = await scene.fan.post(scene.general, HOSTILE)
    scene.general.deny(scene.account, Permission.READ_MESSAGE_HISTORY)
    async with scene.running(ready=False) as bot:
        problem = f"history of channel {scene.general.id} cannot be read: give me Read Message"
        await eventually(lambda: problem in caplog.text)
        live = await scene.fan.post(scene.general, ABUSIVE)
        await scene.flag_with_card(bot, live)
        assert await scene.flag_of(bot, missed) is None
        assert await scene.checkpoint(bot, scene.general) == before.id
        scene.general.allow(scene.account, Permission.READ_MESSAGE_HISTORY)
        await scene.flag_with_card(bot, missed)


def test_a_loss_during_catch_up_asks_for_another() -> None:
    progress = Progress()
    mark = progress.mark(1)
    progress.lost(1)
    assert not progress.caught_up(1, mark)
    assert progress.caught_up(1, progress.mark(1))
    assert progress.may_advance(1)


def test_catch_up_across_a_disconnect_does_not_count() -> None:
    progress = Progress()
    mark = progress.mark(1)
    progress.disconnected()
    assert not progress.caught_up(1, mark)


def test_a_resumed_session_goes_on_and_a_new_one_does_not() -> None:
    progress = Progress()
    for root in (1, 2):
        progress.caught_up(root, progress.mark(root))
    progress.disconnected()
    progress.lost(2)
    progress.disconnected()
    assert not progress.may_advance(1)
    progress.resumed()
    assert progress.may_advance(1)
    assert not progress.may_advance(2)
    progress.disconnected()
    progress.new_session()
    progress.resumed()
    assert not progress.may_advance(1)
