"""What was deleted while the bot was away, and the same text by very many members."""

from __future__ import annotations

import contextlib

from bot.comment import Action
from tests.discord_app.conftest import HOSTILE, LiveBot, Scene, eventually

MANY = 40


async def test_what_was_deleted_while_away_is_told_on_its_card(scene: Scene) -> None:
    async with scene.running() as bot:
        lost = await scene.fan.post(scene.general, HOSTILE)
        await scene.flag_with_card(bot, lost)
        kept = await scene.fan.post(scene.general, f"{HOSTILE}, still")
        await scene.flag_with_card(bot, kept)
    await scene.fan.delete(lost)
    first, second = scene.cards()
    async with scene.running():
        await scene.server.wait_for(lambda: "The message is gone" in first.text)
    assert "The message is gone" not in second.text


async def test_a_raid_of_many_members_is_one_decision(scene: Scene, bot: LiveBot) -> None:
    raiders = [scene.guild.add_member(f"raider{number}") for number in range(MANY)]
    messages = [await each.post(scene.general, HOSTILE) for each in raiders]
    await eventually(lambda: bool(scene.cards()))
    for message in messages:
        with contextlib.suppress(TimeoutError):
            await scene.flag_with_card(bot, message)
    card = scene.cards()[0]
    await scene.server.wait_for(lambda: f"posted by {MANY - 1} others" in card.text, 20.0)
    assert len(scene.cards()) < 10
    press = await scene.moderator.click(card, f"Remove this and {MANY - 1} alike")
    line = (await press.reply(within=60.0)).text
    assert f"Removed: {MANY} of the same text" in line
    assert all(each.deleted for each in messages)
    for message in messages:
        flag = await scene.flag_of(bot, message)
        assert flag is not None
        assert flag.decision is not None
        assert flag.decision.action is Action.REMOVE
