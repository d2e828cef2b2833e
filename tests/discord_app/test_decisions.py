"""The buttons of a card: who may press them, what they do, and that one moderator wins."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, datetime, timedelta

import pytest

from bot.comment import Action, Status
from bot.store import Store
from tests.discord_app.conftest import ABUSIVE, HOSTILE, LiveBot, Scene
from tests.discord_server import CallbackType, Interaction, Message, Permission
from tests.discord_server.world import Draft


async def flagged(scene: Scene, bot: LiveBot, text: str = HOSTILE) -> tuple[Message, Message]:
    """A hostile message and its card."""
    after = max((card.id for card in scene.cards()), default=0)
    message = await scene.fan.post(scene.general, text)
    card = await scene.card(after=after)
    await scene.flag_with_card(bot, message)
    return message, card


def labels(card: Message) -> list[str]:
    return [button.label for button in card.buttons]


async def answer(press: Interaction) -> str:
    return (await press.reply()).text


async def status(scene: Scene, bot: LiveBot, message: Message) -> Status:
    flag = await scene.flag_of(bot, message)
    assert flag is not None
    return flag.status


async def test_remove_deletes_the_message_in_the_moderators_name(
    scene: Scene, bot: LiveBot
) -> None:
    message, card = await flagged(scene, bot)
    press = await scene.moderator.click(card, "Remove")
    assert await press.response() is CallbackType.DEFERRED_MESSAGE
    assert "removed" in await answer(press)
    assert press.ephemeral
    assert message.deleted
    flag = await scene.flag_of(bot, message)
    assert flag is not None
    assert flag.decision is not None
    assert (flag.decision.action, flag.decision.moderator_id) == (
        Action.REMOVE,
        str(scene.moderator.id),
    )
    reason = scene.guild.audit_log[-1].reason or ""
    assert re.search(rf"flag {flag.id}\b.*\b{scene.moderator.id}\b", reason)
    await scene.server.wait_for(lambda: labels(card) == ["Show the text"])
    assert f"Removed by <@{scene.moderator.id}> (Mo) <t:" in card.text


async def test_dismiss_leaves_the_message(scene: Scene, bot: LiveBot) -> None:
    message, card = await flagged(scene, bot)
    assert "Dismissed" in await answer(await scene.moderator.click(card, "Dismiss"))
    assert not message.deleted
    assert await status(scene, bot, message) is Status.DECIDED
    await scene.server.wait_for(lambda: not card.buttons)
    assert "Dismissed by" in card.text


async def test_a_timeout_lasts_as_long_as_chosen_and_can_be_changed(
    scene: Scene, bot: LiveBot
) -> None:
    message, card = await flagged(scene, bot)
    press = await scene.moderator.click(card, "Timeout")
    reply = await press.reply()
    assert "How long" in reply.text
    assert scene.fan.timed_out_until is None
    assert await status(scene, bot, message) is Status.OPEN
    (menu,) = reply.selects
    early = await scene.moderator.select(reply, menu.custom_id, "0")
    assert "no timeout to lift" in await answer(early)
    chosen = await scene.moderator.select(reply, menu.custom_id, "3600")
    assert "1 hour" in await answer(chosen)
    until = scene.fan.timed_out_until
    assert until is not None
    assert until - scene.server.clock.now() == pytest.approx(3600, abs=60)
    assert await status(scene, bot, message) is Status.DECIDED
    (menu,) = reply.selects
    change = await scene.moderator.select(reply, menu.custom_id, "86400")
    assert "1 day" in await answer(change)
    until = scene.fan.timed_out_until
    assert until is not None
    assert until - scene.server.clock.now() == pytest.approx(86400, abs=60)
    lift = await scene.moderator.select(reply, menu.custom_id, "0")
    assert "lifted" in await answer(lift)
    assert scene.fan.timed_out_until is None
    assert "flag" in (scene.guild.audit_log[-1].reason or "")
    also = await scene.moderator.click(reply, "Remove the message too")
    assert "removed" in await answer(also)
    assert message.deleted


async def test_take_it_shows_who_has_it(scene: Scene, bot: LiveBot) -> None:
    message, card = await flagged(scene, bot)
    assert "yours for 10 minutes" in await answer(await scene.moderator.click(card, "Take it"))
    assert await status(scene, bot, message) is Status.CLAIMED
    await scene.server.wait_for(lambda: "Taken by" in card.text)
    assert labels(card)[:5] == ["Take it", "Remove", "Timeout", "Warn", "Dismiss"]
    for label in ("Take it", "Dismiss", "Remove"):
        line = await answer(await scene.other_moderator.click(card, label))
        assert "being handled by Mo" in line
    assert not message.deleted
    assert "removed" in await answer(await scene.moderator.click(card, "Remove"))
    assert message.deleted


async def test_a_claim_lapses(scene: Scene, bot: LiveBot) -> None:
    message, card = await flagged(scene, bot)
    await answer(await scene.moderator.click(card, "Take it"))
    flags = bot.store.flags
    lapse = flags._claim_lapse
    flags._claim_lapse = lapse * 0
    try:
        assert "Dismissed" in await answer(await scene.other_moderator.click(card, "Dismiss"))
    finally:
        flags._claim_lapse = lapse
    assert await status(scene, bot, message) is Status.DECIDED


async def test_of_two_at_once_one_wins_and_the_other_is_told(scene: Scene, bot: LiveBot) -> None:
    message, card = await flagged(scene, bot)
    scene.server.faults.delay("DELETE", "/messages/", 0.2)
    first, second = await asyncio.gather(
        scene.moderator.click(card, "Remove"), scene.other_moderator.click(card, "Dismiss")
    )
    lines = await asyncio.gather(answer(first), answer(second))
    assert "removed" in lines[0]
    assert "already decided by Mo: remove" in lines[1]
    flag = await scene.flag_of(bot, message)
    assert flag is not None
    assert flag.decision is not None
    assert flag.decision.action is Action.REMOVE


async def test_a_late_press_is_told_who_was_first(scene: Scene, bot: LiveBot) -> None:
    message, card = await flagged(scene, bot)
    await bot.store.flags.decide(str(scene.guild.id), 1, Action.DISMISS, "1", "Operator")
    assert "Operator" in await answer(await scene.moderator.click(card, "Remove"))
    assert not message.deleted


@pytest.mark.parametrize("label", ["Remove", "Dismiss", "Timeout", "Take it"])
async def test_who_lacks_the_permission_is_refused(scene: Scene, bot: LiveBot, label: str) -> None:
    message, card = await flagged(scene, bot)
    guest = scene.guild.add_member("Guest")
    scene.mods.allow(guest, Permission.VIEW_CHANNEL)
    press = await guest.click(card, label)
    assert "You need the permission" in await answer(press)
    assert press.ephemeral
    assert not message.deleted
    assert scene.fan.timed_out_until is None
    assert await status(scene, bot, message) is Status.OPEN


async def take(scene: Scene, store: Store, message: Message, ago: timedelta) -> None:
    """Let the moderator have taken a flag some time ago."""
    flags, guild_id = store.flags, str(scene.guild.id)
    flag = await flags.get_by_message(guild_id, str(message.id))
    assert flag is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flags, "_now", lambda: datetime.now(UTC) - ago)
        await flags.claim(guild_id, flag.id, str(scene.moderator.id), "Mo")


async def test_a_card_says_when_a_claim_lapses(scene: Scene, bot: LiveBot) -> None:
    message, card = await flagged(scene, bot)
    await take(scene, bot.store, message, timedelta(minutes=10, seconds=-3))
    bot.outbox.notify(scene.guild.id)
    await scene.server.wait_for(lambda: "Taken by" in card.text)
    await scene.server.wait_for(lambda: "The claim of Mo has lapsed" in card.text)
    assert "Taken" not in card.text
    assert await status(scene, bot, message) is Status.OPEN
    edits = len(scene.server.calls("PATCH", rf"/channels/\d+/messages/{card.id}"))
    bot.outbox.notify(scene.guild.id)
    await answer(await scene.other_moderator.click(card, "Take it"))
    await scene.server.wait_for(lambda: "Taken by" in card.text)
    assert "lapsed" not in card.text
    assert len(scene.server.calls("PATCH", rf"/channels/\d+/messages/{card.id}")) == edits + 1


async def test_a_claim_that_lapsed_while_the_bot_was_away_is_told(scene: Scene) -> None:
    async with scene.running() as bot:
        message, card = await flagged(scene, bot)
        await answer(await scene.moderator.click(card, "Take it"))
        await scene.server.wait_for(lambda: "Taken by" in card.text)
    async with scene.store() as store:
        await take(scene, store, message, timedelta(minutes=11))
    async with scene.running():
        await scene.server.wait_for(lambda: "The claim of Mo has lapsed" in card.text)


async def test_permission_counts_where_the_message_is(scene: Scene, bot: LiveBot) -> None:
    message, card = await flagged(scene, bot)
    scene.general.deny(scene.other_moderator, Permission.MANAGE_MESSAGES)
    await asyncio.sleep(0.05)
    line = await answer(await scene.other_moderator.click(card, "Remove"))
    assert f"Manage Messages in <#{scene.general.id}>" in line
    assert not message.deleted


async def test_manage_messages_is_not_enough_for_a_timeout(scene: Scene, bot: LiveBot) -> None:
    _, card = await flagged(scene, bot)
    role = scene.guild.add_role("Janitor", Permission.MANAGE_MESSAGES)
    janitor = scene.guild.add_member("Jan", role)
    scene.mods.allow(role, Permission.VIEW_CHANNEL)
    assert "Timeout Members" in await answer(await janitor.click(card, "Timeout"))
    assert scene.fan.timed_out_until is None


async def test_nobody_times_out_a_member_above_them(scene: Scene, bot: LiveBot) -> None:
    message, card = await flagged(scene, bot)
    stars = scene.guild.add_role("Stars")
    stars.move(30)
    scene.fan.give(stars)
    assert "not above theirs" in await answer(await scene.moderator.click(card, "Timeout"))
    assert scene.fan.timed_out_until is None
    assert await status(scene, bot, message) is Status.OPEN


async def test_a_timeout_of_someone_who_left_is_told_kindly(scene: Scene, bot: LiveBot) -> None:
    message, card = await flagged(scene, bot)
    scene.fan.leave()
    assert "not a member here" in await answer(await scene.moderator.click(card, "Timeout"))
    assert await status(scene, bot, message) is Status.OPEN


async def test_a_message_already_gone_leaves_the_flag_to_be_decided(
    scene: Scene, bot: LiveBot
) -> None:
    message, card = await flagged(scene, bot)
    with scene.account.events_lost("MESSAGE_DELETE"):
        await scene.fan.delete(message)
    assert "already gone" in await answer(await scene.moderator.click(card, "Remove"))
    assert await status(scene, bot, message) is Status.OPEN
    await scene.server.wait_for(lambda: "The message is gone" in card.text)
    assert "Dismissed" in await answer(await scene.moderator.click(card, "Dismiss"))


async def test_the_bots_own_missing_permission_is_named(scene: Scene, bot: LiveBot) -> None:
    message, card = await flagged(scene, bot)
    scene.general.deny(scene.account, Permission.MANAGE_MESSAGES)
    await asyncio.sleep(0.05)
    line = await answer(await scene.moderator.click(card, "Remove"))
    assert "I lack Manage Messages" in line
    assert await status(scene, bot, message) is Status.OPEN
    scene.general.allow(scene.account, Permission.MANAGE_MESSAGES)
    await asyncio.sleep(0.05)
    assert "removed" in await answer(await scene.moderator.click(card, "Remove"))


@pytest.mark.parametrize(("code", "words"), [(403, "does not let me"), (400, "refused")])
async def test_what_discord_refuses_leaves_the_flag_open(
    scene: Scene, bot: LiveBot, code: int, words: str
) -> None:
    message, card = await flagged(scene, bot)
    scene.server.faults.fail("DELETE", "/messages/", status=code)
    assert words in await answer(await scene.moderator.click(card, "Remove"))
    assert await status(scene, bot, message) is Status.OPEN
    assert not message.deleted


async def test_a_rate_limit_is_waited_for(scene: Scene, bot: LiveBot) -> None:
    message, card = await flagged(scene, bot)
    scene.server.faults.rate_limit("DELETE", "/messages/", retry_after=0.3)
    assert "removed" in await answer(await scene.moderator.click(card, "Remove"))
    assert message.deleted


async def test_a_rate_limit_that_is_too_long_is_told(scene: Scene, bot: LiveBot) -> None:
    message, card = await flagged(scene, bot)
    scene.server.faults.rate_limit("DELETE", "/messages/", retry_after=300)
    assert "try again in 301 seconds" in await answer(await scene.moderator.click(card, "Remove"))
    assert await status(scene, bot, message) is Status.OPEN


async def test_a_press_is_answered_before_the_database_is_asked(scene: Scene, bot: LiveBot) -> None:
    _, card = await flagged(scene, bot)
    with scene.locked_database():
        press = await scene.moderator.click(card, "Dismiss")
        assert await press.response(within=2.0) is CallbackType.DEFERRED_MESSAGE
        assert press.messages == []
    assert "Dismissed" in await answer(press)


async def test_buttons_work_after_a_restart(scene: Scene) -> None:
    async with scene.running() as bot:
        message, card = await flagged(scene, bot)
    async with scene.running() as bot:
        assert "removed" in await answer(await scene.moderator.click(card, "Remove"))
        assert message.deleted
        await scene.server.wait_for(lambda: labels(card) == ["Show the text"])


async def test_a_card_of_another_database_does_nothing(scene: Scene) -> None:
    async with scene.running() as bot:
        old, card = await flagged(scene, bot)
    (scene.folder / "fanguard.db").unlink()
    async with scene.running() as bot:
        other, _ = await flagged(scene, bot, ABUSIVE)
        assert "no such flag" in await answer(await scene.moderator.click(card, "Remove"))
        assert not old.deleted
        assert not other.deleted


async def test_a_flag_of_another_guild_cannot_be_reached(scene: Scene, bot: LiveBot) -> None:
    message, card = await flagged(scene, bot)
    other = scene.server.add_guild("Other club")
    place = other.add_channel("lobby")
    boss = other.owner
    draft = Draft(scene.account.data.user, embeds=card.embeds, components=card.components)
    copy = scene.server.world.create_message(place.data, draft)
    press = await boss.click(Message(scene.server.world, copy), "Remove")
    assert "no such flag" in await answer(press)
    assert not message.deleted
    assert await status(scene, bot, message) is Status.OPEN


async def test_nobody_is_pinged_by_what_a_card_quotes(scene: Scene, bot: LiveBot) -> None:
    text = f"@everyone {scene.moderator.mention} <@&{scene.team.id}> {HOSTILE} || out || ```x"
    _, card = await flagged(scene, bot, text)
    posts = scene.server.calls("POST", rf"/channels/{scene.mods.id}/messages")
    assert [each.json["allowed_mentions"] for each in posts] == [{"parse": []}]
    assert not card.pings
    press = await scene.moderator.click(card, "Dismiss")
    await answer(press)
    for each in scene.server.requests:
        if (
            each.method in ("POST", "PATCH")
            and isinstance(each.json, dict)
            and ("embeds" in each.json or "content" in each.json)
        ):
            assert each.json.get("allowed_mentions") == {"parse": []}, each.path
    description = card.embeds[0]["description"]
    assert description.startswith("||")
    assert description.endswith("||")
    assert not re.search(r"(?<!\\)\|", description[2:-2])
