"""Cards go out once, within Discord's limits; a burst ends in a digest."""

from __future__ import annotations

import asyncio

import pytest

from bot.comment import Action, Status
from tests.discord_app.conftest import ABUSIVE, HOSTILE, LiveBot, Scene, eventually, unbold
from tests.discord_server import Message, Permission


def posts(scene: Scene) -> int:
    return sum(
        each.status == 200
        for each in scene.server.calls("POST", rf"/channels/{scene.mods.id}/messages")
    )


async def burst(scene: Scene, number: int, start: int = 0) -> list[Message]:
    return [
        await scene.fan.post(scene.general, f"{HOSTILE}, take {start + each}")
        for each in range(number)
    ]


async def all_shown(scene: Scene, bot: LiveBot, messages: list[Message]) -> None:
    for message in messages:
        await scene.flag_with_card(bot, message)


async def test_five_at_once_get_five_cards(scene: Scene, bot: LiveBot) -> None:
    messages = await burst(scene, 5)
    await all_shown(scene, bot, messages)
    assert posts(scene) == 5
    assert all(card.buttons for card in scene.cards())


async def test_a_burst_ends_in_a_digest_from_which_each_flag_is_reached(
    scene: Scene, bot: LiveBot
) -> None:
    messages = await burst(scene, 20)
    await all_shown(scene, bot, messages)
    assert posts(scene) == 5
    *cards, digest = scene.cards()
    assert all(len(card.buttons) == 7 for card in cards)
    (menu,) = digest.selects
    assert len(menu.options) == 16
    assert "16 further flags" in digest.text
    for message in messages[4:]:
        assert message.jump_url in digest.text
        flag = await scene.flag_of(bot, message)
        assert flag is not None
        (option,) = [each for each in menu.options if each.startswith(f"{flag.id}:")]
    opened = await scene.moderator.select(digest, menu.custom_id, option)
    card = await opened.reply()
    assert card.ephemeral
    assert HOSTILE in unbold(card)
    press = await scene.moderator.click(card, "Remove")
    assert "removed" in (await press.reply()).text
    assert messages[-1].deleted
    await scene.server.wait_for(lambda: "removed by Mo" in digest.text)
    await scene.server.wait_for(lambda: len(digest.selects[0].options) == 15)
    await scene.server.wait_for(lambda: len(card.buttons) == 1)


async def test_a_digest_grows_while_the_window_lasts(scene: Scene, bot: LiveBot) -> None:
    messages = await burst(scene, 8)
    await all_shown(scene, bot, messages)
    messages += await burst(scene, 4, start=8)
    await all_shown(scene, bot, messages)
    assert posts(scene) == 5
    await scene.server.wait_for(lambda: len(scene.cards()[-1].selects[0].options) == 8)


async def test_an_edit_of_a_flag_in_a_digest_shows_there(scene: Scene, bot: LiveBot) -> None:
    messages = await burst(scene, 7)
    await all_shown(scene, bot, messages)
    digest = scene.cards()[-1]
    assert "abusive" not in digest.text
    await scene.fan.edit(messages[-1], ABUSIVE)
    await scene.server.wait_for(lambda: "abusive 0.99" in digest.text)


async def test_the_next_window_has_cards_again(scene: Scene) -> None:
    scene.watch = {"card_window_seconds": 0.5}
    limits = scene.server.rate_limits.limits
    limits["POST", "/channels/{channel_id}/messages"] = (5, 0.5)
    async with scene.running() as bot:
        await all_shown(scene, bot, await burst(scene, 10))
        await asyncio.sleep(0.6)
        await all_shown(scene, bot, await burst(scene, 1, start=10))
        assert scene.cards()[-1].buttons


async def test_a_digest_holds_no_more_than_its_menu(scene: Scene) -> None:
    scene.watch = {"card_window_seconds": 0.5}
    limits = scene.server.rate_limits.limits
    limits["POST", "/channels/{channel_id}/messages"] = (5, 0.5)
    async with scene.running() as bot:
        scene.mods.deny(scene.account, Permission.SEND_MESSAGES)
        await asyncio.sleep(0.1)
        messages = await burst(scene, 60)
        await scene.assessed(bot, messages[-1].content)
        scene.mods.allow(scene.account, Permission.SEND_MESSAGES)
        await asyncio.sleep(0.1)
        bot.outbox.notify(scene.guild.id)
        await all_shown(scene, bot, messages)
        reached = {
            int(option.split(":")[0])
            for card in scene.cards()
            for menu in card.selects
            for option in menu.options
        } | {int(card.buttons[0].custom_id.split(":")[2]) for card in scene.cards() if card.buttons}
        assert reached == set(range(1, 61))


async def test_a_rate_limited_post_is_sent_once_it_may(scene: Scene, bot: LiveBot) -> None:
    scene.server.faults.rate_limit("POST", rf"{scene.mods.id}/messages", retry_after=0.3)
    message = await scene.fan.post(scene.general, HOSTILE)
    await scene.flag_with_card(bot, message)
    assert len(scene.cards()) == 1


@pytest.mark.parametrize("trouble", ["error", "cut"])
async def test_a_lost_answer_makes_no_second_card(scene: Scene, bot: LiveBot, trouble: str) -> None:
    path = rf"{scene.mods.id}/messages"
    if trouble == "error":
        scene.server.faults.fail("POST", path, status=500, after=True)
    else:
        scene.server.faults.drop("POST", path, after=True)
    message = await scene.fan.post(scene.general, HOSTILE)
    await scene.flag_with_card(bot, message)
    second = await scene.fan.post(scene.general, ABUSIVE)
    await scene.flag_with_card(bot, second)
    assert len(scene.cards()) == 2


async def test_a_card_that_a_crash_left_unrecorded_is_recognised(scene: Scene) -> None:
    async with scene.running() as bot:
        messages = await burst(scene, 7)
        await all_shown(scene, bot, messages)
    async with scene.store() as store:
        for flag in await store.flags.list(str(scene.guild.id)):
            await store.flags.card_lost(flag.id)
    before = len(scene.cards())
    async with scene.running() as bot:
        await all_shown(scene, bot, messages)
        assert len(scene.cards()) == before
        assert await store_shows_digest(bot, scene)


async def store_shows_digest(bot: LiveBot, scene: Scene) -> bool:
    digest = scene.cards()[-1]
    return len(await bot.store.flags.in_digest(str(scene.guild.id), str(digest.id))) == 3


async def test_cards_pending_at_the_end_are_posted_at_the_start(scene: Scene) -> None:
    async with scene.running() as bot:
        scene.mods.deny(scene.account, Permission.SEND_MESSAGES)
        await asyncio.sleep(0.1)
        message = await scene.fan.post(scene.general, HOSTILE)
        await scene.assessed(bot, HOSTILE)
    assert scene.cards() == []
    scene.mods.allow(scene.account, Permission.SEND_MESSAGES)
    async with scene.running() as bot:
        await scene.flag_with_card(bot, message)
        assert len(scene.cards()) == 1


async def test_a_missing_permission_is_told_with_the_channel(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    scene.mods.deny(scene.account, Permission.SEND_MESSAGES | Permission.EMBED_LINKS)
    async with scene.running() as bot:
        await scene.fan.post(scene.general, HOSTILE)
        await scene.assessed(bot, HOSTILE)
        await eventually(lambda: "no card can be posted" in caplog.text)
    assert (
        f"no card can be posted in channel {scene.mods.id}: give me Send Messages, Embed Links"
        in caplog.text
    )


async def test_a_decision_made_elsewhere_shows_on_the_card(scene: Scene, bot: LiveBot) -> None:
    message = await scene.fan.post(scene.general, HOSTILE)
    flag = await scene.flag_with_card(bot, message)
    async with scene.store() as other:
        await other.flags.decide(str(scene.guild.id), flag.id, Action.DISMISS, "cli", "Operator")
    bot.outbox.notify(scene.guild.id)
    (card,) = scene.cards()
    await scene.server.wait_for(lambda: not card.buttons)
    assert "Dismissed by Operator" in card.text


async def test_a_decision_made_elsewhere_shows_in_the_digest(scene: Scene, bot: LiveBot) -> None:
    messages = await burst(scene, 8)
    await all_shown(scene, bot, messages)
    flag = await scene.flag_of(bot, messages[-1])
    assert flag is not None
    async with scene.store() as other:
        await other.flags.decide(str(scene.guild.id), flag.id, Action.DISMISS, "cli", "Operator")
    bot.outbox.notify(scene.guild.id)
    digest = scene.cards()[-1]
    await scene.server.wait_for(lambda: "dismissed by Operator" in digest.text)
    await eventually(lambda: len(digest.selects[0].options) == 3)


async def test_a_deleted_card_of_an_open_flag_is_posted_again_when_it_changes(
    scene: Scene, bot: LiveBot
) -> None:
    message = await scene.fan.post(scene.general, HOSTILE)
    await scene.flag_with_card(bot, message)
    (card,) = scene.cards()
    await scene.moderator.delete(card)
    await scene.fan.edit(message, ABUSIVE)
    await scene.card(after=card.id)
    flag = await scene.flag_of(bot, message)
    assert flag is not None
    assert flag.status is Status.OPEN
