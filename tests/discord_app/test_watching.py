"""Which messages are taken, and that a hostile one gets its card."""

from __future__ import annotations

import time

import pytest

from tests.discord_app.conftest import (
    ABUSIVE,
    AT_MEMBER,
    FAIR,
    HOSTILE,
    LiveBot,
    Scene,
    unbold,
)
from tests.discord_server import ChannelType
from tests.discord_server.world import Draft


async def test_a_hostile_message_gets_a_card_at_once(scene: Scene, bot: LiveBot) -> None:
    started = time.monotonic()
    message = await scene.fan.post(scene.general, HOSTILE)
    card = await scene.card()
    assert time.monotonic() - started < 5.0
    assert f"||{HOSTILE}||" in unbold(card)
    assert "Hostile toward Ada Lark" in card.text
    assert message.jump_url in card.text
    assert f"<#{scene.general.id}>" in card.text
    assert f"<@{scene.fan.id}>" in card.text
    assert "Robin" in card.text
    assert "hostile (2 of 3)" in card.text
    assert "0.90" in card.text
    assert "||talentless · hack||" in card.text
    assert scene.model.version in card.text
    assert [button.label for button in card.buttons] == [
        "Take it",
        "Remove",
        "Timeout",
        "Warn",
        "Dismiss",
        "More",
        "Context",
    ]
    flag = await scene.flag_with_card(bot, message)
    assert flag.card_message_id == str(card.id)


async def test_a_fair_message_gets_none(scene: Scene, bot: LiveBot) -> None:
    message = await scene.fan.post(scene.general, FAIR)
    await scene.assessed(bot, FAIR)
    last = await scene.fan.post(scene.general, ABUSIVE)
    card = await scene.card()
    assert last.jump_url in card.text
    assert len(scene.cards()) == 1
    assert await scene.flag_of(bot, message) is None


@pytest.mark.usefixtures("bot")
async def test_hostility_at_a_member_is_queued_where_wanted(scene: Scene) -> None:
    await scene.fan.post(scene.general, AT_MEMBER)
    assert "Hostile toward another member" in (await scene.card()).text


async def test_hostility_at_a_member_passes_where_not_wanted(scene: Scene) -> None:
    scene.member_flags = False
    async with scene.running() as bot:
        await scene.fan.post(scene.general, AT_MEMBER)
        await scene.assessed(bot, AT_MEMBER)
        await scene.fan.post(scene.general, HOSTILE)
        await scene.card()
        assert len(scene.cards()) == 1


async def test_an_edit_into_hostility_gets_a_card(scene: Scene, bot: LiveBot) -> None:
    message = await scene.fan.post(scene.general, FAIR)
    await scene.assessed(bot, FAIR)
    await scene.fan.edit(message, HOSTILE)
    card = await scene.card()
    assert HOSTILE in unbold(card)
    assert message.jump_url in card.text


async def test_an_edit_from_before_the_start_is_read_too(scene: Scene) -> None:
    message = await scene.fan.post(scene.general, FAIR)
    async with scene.running():
        await scene.fan.edit(message, HOSTILE)
        assert message.jump_url in (await scene.card()).text


@pytest.mark.usefixtures("bot")
async def test_an_edit_of_a_flagged_message_updates_its_card(scene: Scene) -> None:
    message = await scene.fan.post(scene.general, HOSTILE)
    card = await scene.card()
    await scene.fan.edit(message, ABUSIVE)
    await scene.server.wait_for(lambda: ABUSIVE in unbold(card))
    assert "revision 2" in card.text
    assert len(scene.cards()) == 1


async def test_a_link_preview_is_no_edit(scene: Scene, bot: LiveBot) -> None:
    message = await scene.fan.post(scene.general, FAIR)
    await scene.assessed(bot, FAIR)
    scene.server.world.edited(message.data, silent=True)
    await scene.fan.post(scene.general, HOSTILE)
    await scene.assessed(bot, HOSTILE)
    assert [text for text, _ in scene.model.seen].count(FAIR) == 1


@pytest.mark.usefixtures("bot")
async def test_a_reply_is_read_with_what_it_answers(scene: Scene) -> None:
    first = await scene.moderator.post(scene.general, FAIR)
    await scene.fan.post(scene.general, "she is talentless", reply_to=first)
    card = await scene.card()
    assert ("she is talentless", FAIR) in scene.model.seen
    assert "Hostile toward Ada Lark" in card.text
    assert f"**Mo**: ||{FAIR}||" in card.text


@pytest.mark.usefixtures("bot")
async def test_a_reply_to_a_deleted_message_is_read_alone(scene: Scene) -> None:
    first = await scene.moderator.post(scene.general, FAIR)
    await scene.moderator.delete(first)
    await scene.fan.post(scene.general, HOSTILE, reply_to=first)
    assert "In reply to" not in (await scene.card()).text


async def test_a_thread_of_a_watched_channel_is_watched(scene: Scene, bot: LiveBot) -> None:
    thread = await scene.fan.start_thread(scene.general, "the clip")
    message = await scene.fan.post(thread, HOSTILE)
    card = await scene.card()
    assert message.jump_url in card.text
    flag = await scene.flag_of(bot, message)
    assert flag is not None
    assert (flag.comment.channel_id, flag.comment.parent_id) == (
        str(thread.id),
        str(scene.general.id),
    )


async def test_a_post_in_a_watched_forum_is_read(scene: Scene) -> None:
    scene.general = scene.guild.add_channel("clips", kind=ChannelType.FORUM)
    async with scene.running() as bot:
        post = await scene.fan.start_post(scene.general, "the clip", HOSTILE)
        await scene.flag_with_card(bot, post.messages[0])
    answer = await scene.fan.post(post, ABUSIVE)
    other = await scene.fan.start_post(scene.general, "another clip", f"{HOSTILE} again")
    async with scene.running() as bot:
        await scene.flag_with_card(bot, answer)
        await scene.flag_with_card(bot, other.messages[0])


@pytest.mark.usefixtures("bot")
async def test_other_channels_are_left_alone(scene: Scene) -> None:
    elsewhere = scene.guild.add_channel("elsewhere")
    await scene.fan.post(elsewhere, HOSTILE)
    await scene.fan.post(scene.general, ABUSIVE)
    await scene.card()
    assert [text for text, _ in scene.model.seen] == [ABUSIVE]


@pytest.mark.usefixtures("bot")
async def test_bots_webhooks_and_notices_are_ignored(scene: Scene) -> None:
    hook = scene.general.add_webhook("news")
    await hook.post(HOSTILE)
    helper = scene.server.add_bot("Helper")
    world = scene.server.world
    world.create_message(scene.general.data, Draft(helper.data.user, HOSTILE))
    world.create_message(scene.general.data, Draft(scene.fan.data.user, HOSTILE, type=7))
    await scene.fan.post(scene.general, ABUSIVE)
    await scene.card()
    assert [text for text, _ in scene.model.seen] == [ABUSIVE]


async def test_proxied_messages_are_read_where_set(scene: Scene) -> None:
    scene.proxies = True
    async with scene.running():
        hook = scene.general.add_webhook("proxy", application_id=466378653216014359)
        await hook.post(HOSTILE, username="Robin's alter")
        card = await scene.card()
        assert "Robin's alter" in card.text


async def test_a_message_without_text_is_passed_over(scene: Scene, bot: LiveBot) -> None:
    message = await scene.fan.post(scene.general, files={"a.png": b"png"})
    await bot.watcher.queue.join()
    await scene.reaches(bot, scene.general, message)
    assert scene.model.seen == []
