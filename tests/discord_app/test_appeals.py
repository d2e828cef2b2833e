"""Appeals over the wire: a member asks, another moderator answers, once."""

from __future__ import annotations

from bot.comment import Action, Status
from bot.moderation.appeals import appeal
from tests.discord_app.conftest import HOSTILE, LiveBot, Scene
from tests.discord_server import Interaction, Message

WORDS = "It was a joke among friends"


async def decided(scene: Scene, bot: LiveBot, action: str = "Timeout") -> tuple[Message, Message]:
    message = await scene.fan.post(scene.general, HOSTILE)
    card = await scene.card()
    await scene.flag_with_card(bot, message)
    press = await scene.moderator.click(card, action)
    if action == "Timeout":
        reply = await press.reply()
        (menu,) = reply.selects
        press = await scene.moderator.select(reply, menu.custom_id, "3600")
    await press.reply()
    return message, card


async def appealed(scene: Scene) -> str:
    menu = await (await scene.fan.slash(scene.general, "appeal")).reply()
    (select,) = menu.selects
    chosen = await scene.fan.select(menu, select.custom_id, select.options[0])
    await chosen.response()
    sent = await scene.fan.submit_modal(chosen, text=WORDS)
    return (await sent.reply()).text


async def press(scene: Scene, card: Message, button: str, *, first: bool = False) -> Interaction:
    who = scene.moderator if first else scene.other_moderator
    opened = await who.click(card, button)
    await opened.response()
    return await who.submit_modal(opened, text="it was a joke")


async def test_a_timeout_is_appealed_and_overturned_by_somebody_else(
    scene: Scene, bot: LiveBot
) -> None:
    message, card = await decided(scene, bot)
    assert scene.fan.timed_out_until is not None
    flag = await scene.flag_of(bot, message)
    assert flag is not None
    await appeal(bot.store, str(scene.guild.id), flag.id, str(scene.fan.id), WORDS)
    bot.outbox.changed(flag)
    await scene.server.wait_for(lambda: "Appealed: another moderator" in card.text)
    read = await (await scene.other_moderator.click(card, "Read the appeal")).reply()
    assert f"||{WORDS}||" in read.text
    refused = await (await press(scene, card, "Uphold", first=True)).reply()
    assert "Somebody else has to answer" in refused.text
    done = await (await press(scene, card, "Overturn")).reply()
    assert "Overturned. The timeout is lifted." in done.text
    assert scene.fan.timed_out_until is None
    flag = await scene.flag_of(bot, message)
    assert flag is not None
    assert flag.status is Status.OVERTURNED
    *_before, told = scene.fan.direct_messages(bot.user)
    assert "overturned" in told.text
    assert "it was a joke" in told.text
    assert scene.other_moderator.name not in told.text
    await scene.server.wait_for(lambda: "Appealed, and overturned" in card.text)
    again = await (await scene.fan.slash(scene.general, "appeal")).reply()
    assert "Nothing was decided about you" in again.text


async def test_a_member_appeals_and_the_moderators_are_told(scene: Scene, bot: LiveBot) -> None:
    _message, card = await decided(scene, bot, "Remove")
    assert "Another moderator" in await appealed(scene)
    await scene.server.wait_for(
        lambda: any("An appeal against flag" in each.text for each in scene.mods.messages)
    )
    await scene.server.wait_for(lambda: "Appealed: another moderator" in card.text)
    done = await (await press(scene, card, "Overturn")).reply()
    assert "cannot be undone" in done.text
    late = await (await scene.fan.slash(scene.general, "appeal")).reply()
    assert "Nothing was decided about you" in late.text


async def test_two_answers_at_once(scene: Scene, bot: LiveBot) -> None:
    message, card = await decided(scene, bot, "Remove")
    await appealed(scene)
    await scene.server.wait_for(lambda: "Appealed: another moderator" in card.text)
    third = scene.guild.owner
    presses = [
        await scene.other_moderator.click(card, "Uphold"),
        await third.click(card, "Overturn"),
    ]
    for each in presses:
        await each.response()
    sent = [
        await scene.other_moderator.submit_modal(presses[0], text=""),
        await third.submit_modal(presses[1], text=""),
    ]
    lines = [(await each.reply()).text for each in sent]
    assert sum("was first" in line for line in lines) == 1
    flag = await scene.flag_of(bot, message)
    assert flag is not None
    assert flag.status in (Status.UPHELD, Status.OVERTURNED)


async def test_the_card_says_if_the_member_cannot_be_told_also_after_a_restart(
    scene: Scene,
) -> None:
    async with scene.running() as bot:
        message, card = await decided(scene, bot, "Remove")
        await appealed(scene)
        await scene.server.wait_for(lambda: "Appealed: another moderator" in card.text)
    scene.fan.close_dms()
    async with scene.running() as bot:
        done = await (await press(scene, card, "Uphold")).reply()
        assert "Upheld. They take no direct messages" in done.text
        flag = await scene.flag_of(bot, message)
        assert flag is not None
        assert (flag.status, flag.decision and flag.decision.action) == (
            Status.UPHELD,
            Action.REMOVE,
        )
        await scene.server.wait_for(lambda: "do not know yet" in card.text)


async def test_who_is_timed_out_appeals_from_the_direct_message(scene: Scene, bot: LiveBot) -> None:
    message, card = await decided(scene, bot)
    (told,) = scene.fan.direct_messages(bot.user)
    assert "time-out" in told.text
    opened = await scene.fan.click(told, "Appeal")
    await opened.response()
    sent = await scene.fan.submit_modal(opened, text=WORDS)
    assert "Another moderator" in (await sent.reply()).text
    await scene.server.wait_for(lambda: "Appealed: another moderator" in card.text)
    flag = await scene.flag_of(bot, message)
    assert flag is not None
    assert flag.status is Status.APPEALED


async def test_who_is_banned_was_told_first_and_an_overturned_ban_is_lifted(
    scene: Scene, bot: LiveBot
) -> None:
    message = await scene.fan.post(scene.general, HOSTILE)
    card = await scene.card()
    flag = await scene.flag_with_card(bot, message)
    member = await bot.guilds[0].fetch_member(scene.moderator.id)
    line = await bot.actions.decide(member, flag.id, None, Action.BAN)
    assert "not told" not in line
    assert scene.fan.banned
    (told,) = scene.fan.direct_messages(bot.user)
    assert "ban you" in told.text
    opened = await scene.fan.click(told, "Appeal")
    await opened.response()
    sent = await scene.fan.submit_modal(opened, text=WORDS)
    assert "Another moderator" in (await sent.reply()).text
    await scene.server.wait_for(lambda: "Appealed: another moderator" in card.text)
    done = await (await press(scene, card, "Overturn")).reply()
    assert "The ban is lifted" in done.text
    assert not scene.fan.banned
