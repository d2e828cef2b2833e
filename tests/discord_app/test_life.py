"""A flag's life on its card: warnings, kicks and bans, undoing, batches, what disappears."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import replace
from datetime import timedelta

import discord
import pytest

from bot.comment import Action, Flag, Status
from bot.store import EventKind
from tests.discord_app.conftest import ABUSIVE, HOSTILE, LiveBot, Scene, eventually
from tests.discord_app.test_decisions import answer, flagged, labels, status
from tests.discord_server import CallbackType, Interaction, Member, Message, Permission
from tests.discord_server.world import Draft


async def flag_of(scene: Scene, bot: LiveBot, message: Message) -> Flag:
    flag = await scene.flag_of(bot, message)
    assert flag is not None
    return flag


def held_by(scene: Scene, bot: LiveBot) -> discord.Permissions:
    """What the bot may do in the watched channel, as far as it knows."""
    guild = bot.get_guild(scene.guild.id)
    assert guild is not None
    channel = guild.get_channel(scene.general.id)
    assert channel is not None
    return channel.permissions_for(guild.me)


async def more(scene: Scene, card: Message, choice: str, by: Member | None = None) -> Interaction:
    """Choose under More."""
    moderator = by or scene.moderator
    reply = await (await moderator.click(card, "More")).reply()
    (menu,) = reply.selects
    return await moderator.select(reply, menu.custom_id, choice)


async def filled(scene: Scene, press: Interaction, **values: object) -> str:
    """Fill in the form that a press opened, and return the answer."""
    assert await press.response() is CallbackType.MODAL
    return await answer(await scene.moderator.submit_modal(press, **values))


async def time_out(scene: Scene, card: Message, seconds: str = "3600") -> str:
    reply = await (await scene.moderator.click(card, "Timeout")).reply()
    return await answer(await scene.moderator.select(reply, reply.selects[0].custom_id, seconds))


# Decisions


async def test_a_warning_goes_by_direct_message_as_it_was_edited(
    scene: Scene, bot: LiveBot
) -> None:
    message, card = await flagged(scene, bot)
    press = await scene.moderator.click(card, "Warn")
    assert await press.response() is CallbackType.MODAL
    assert press.modal is not None
    template = press.modal.fields["text"]["value"]
    assert "Fan club" in template
    line = await filled(scene, press, text="Please be kinder to Ada.", way=["dm"])
    assert "Warned by direct message" in line
    (told,) = scene.fan.direct_messages(scene.account)
    assert told.text.startswith("Please be kinder to Ada.")
    assert message.jump_url in told.text
    assert not told.pings
    flag = await flag_of(scene, bot, message)
    assert flag.decision is not None
    assert (flag.decision.action, flag.decision.reason) == (Action.WARN, "Please be kinder to Ada.")
    assert not message.deleted
    await scene.server.wait_for(lambda: "Warned by" in card.text)


async def test_a_warning_in_the_channel_answers_the_message(scene: Scene, bot: LiveBot) -> None:
    message, card = await flagged(scene, bot)
    press = await scene.moderator.click(card, "Warn")
    assert "Warned in the channel" in await filled(scene, press, way=["channel"])
    (posted,) = scene.general.by(scene.account)
    assert posted.reply_to_id == message.id
    assert not posted.pings
    assert await status(scene, bot, message) is Status.DECIDED


async def test_a_closed_dm_leaves_the_flag_and_names_the_other_way(
    scene: Scene, bot: LiveBot
) -> None:
    message, card = await flagged(scene, bot)
    scene.fan.close_dms()
    line = await filled(scene, await scene.moderator.click(card, "Warn"), way=["dm"])
    assert "choose the channel" in line
    assert await status(scene, bot, message) is Status.OPEN


async def test_a_warning_where_the_bot_may_not_write_is_refused(scene: Scene, bot: LiveBot) -> None:
    message, card = await flagged(scene, bot)
    scene.general.deny(scene.account, Permission.SEND_MESSAGES)
    await eventually(
        lambda: (
            not bot.get_channel(scene.general.id)  # type: ignore[union-attr]
            .permissions_for(bot.get_guild(scene.guild.id).me)  # type: ignore[union-attr]
            .send_messages
        )
    )
    line = await filled(scene, await scene.moderator.click(card, "Warn"), way=["channel"])
    assert "I cannot write in" in line
    assert await status(scene, bot, message) is Status.OPEN


@pytest.mark.parametrize("choice", ["satire", "quote", "banter", "wrong"])
async def test_what_is_not_hostile_is_dismissed_with_the_reason(
    scene: Scene, bot: LiveBot, choice: str
) -> None:
    message, card = await flagged(scene, bot)
    assert "Dismissed" in await answer(await more(scene, card, choice))
    flag = await flag_of(scene, bot, message)
    assert flag.decision is not None
    assert flag.decision.action is Action.DISMISS
    assert flag.decision.reason == ("wrong person" if choice == "wrong" else choice)
    assert not message.deleted


async def test_no_action_closes_a_flag(scene: Scene, bot: LiveBot) -> None:
    message, card = await flagged(scene, bot)
    assert "Closed" in await answer(await more(scene, card, "no_action"))
    flag = await flag_of(scene, bot, message)
    assert flag.decision is not None
    assert flag.decision.action is Action.NO_ACTION


async def test_a_note_stands_on_the_card_and_decides_nothing(scene: Scene, bot: LiveBot) -> None:
    message, card = await flagged(scene, bot)
    line = await filled(scene, await more(scene, card, "note"), text="Seen *before*, ask Kim")
    assert "note is on the card" in line
    assert await status(scene, bot, message) is Status.OPEN
    await scene.server.wait_for(lambda: r"Mo: Seen \*before\*, ask Kim" in card.text)


async def test_a_kick_carries_the_reason_and_the_moderator(scene: Scene, bot: LiveBot) -> None:
    message, card = await flagged(scene, bot)
    line = await filled(scene, await more(scene, card, "kick"), text="third time")
    assert "Kicked" in line
    assert not scene.fan.present
    reason = scene.guild.audit_log[-1].reason or ""
    assert str(scene.moderator.id) in reason
    assert reason.endswith("third time")
    assert (await flag_of(scene, bot, message)).undo_until is None


# Undoing


async def test_a_ban_can_be_undone_for_five_minutes(scene: Scene, bot: LiveBot) -> None:
    message, card = await flagged(scene, bot)
    assert "Banned" in await filled(scene, await more(scene, card, "ban"))
    assert scene.fan.banned
    assert not message.deleted
    await scene.server.wait_for(lambda: labels(card) == ["Undo"])
    line = await answer(await scene.moderator.click(card, "Undo"))
    assert "ban is lifted" in line
    assert not scene.fan.banned
    assert await status(scene, bot, message) is Status.OPEN
    await scene.server.wait_for(lambda: "Take it" in labels(card))
    flag = await flag_of(scene, bot, message)
    story = await bot.store.flags.story(str(scene.guild.id), flag.id)
    assert [event.kind for event in story[-2:]] == [EventKind.DECIDED, EventKind.REOPENED]


async def test_a_timeout_can_be_undone(scene: Scene, bot: LiveBot) -> None:
    message, card = await flagged(scene, bot)
    assert "1 hour" in await time_out(scene, card)
    await scene.server.wait_for(lambda: labels(card) == ["Undo"])
    assert "lifted" in await answer(await scene.other_moderator.click(card, "Undo"))
    assert scene.fan.timed_out_until is None
    assert await status(scene, bot, message) is Status.OPEN


async def test_what_can_be_undone_ends_by_itself_also_over_a_restart(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.moderation.decisions.UNDO_WINDOW", timedelta(seconds=4))
    async with scene.running() as bot:
        message, card = await flagged(scene, bot)
        await time_out(scene, card)
        await scene.server.wait_for(lambda: labels(card) == ["Undo"])
        draft = Draft(
            scene.account.data.user, embeds=card.embeds, components=deepcopy(card.components)
        )
    old = Message(scene.server.world, scene.server.world.create_message(scene.mods.data, draft))
    async with scene.running() as bot:
        await scene.server.wait_for(lambda: not card.buttons, within=10)
        assert "are over" in await answer(await scene.moderator.click(old, "Undo"))
        assert scene.fan.timed_out_until is not None
        assert await status(scene, bot, message) is Status.DECIDED


async def test_a_removal_says_that_it_cannot_be_undone_and_shows_its_text(
    scene: Scene, bot: LiveBot
) -> None:
    _, card = await flagged(scene, bot, f"{HOSTILE} || loud || " + "word " * 500)
    line = await answer(await scene.moderator.click(card, "Remove"))
    assert "cannot be undone" in line
    await scene.server.wait_for(lambda: labels(card) == ["Show the text"])
    assert "cannot be undone" in card.text
    press = await scene.moderator.click(card, "Show the text")
    await scene.server.wait_for(lambda: len(press.messages) == 2)
    shown = [each.embeds[0]["description"] for each in press.messages]
    assert all(each.startswith("||") and each.endswith("||") for each in shown)
    assert "".join(shown).count("word") == 500
    assert press.ephemeral
    guest = scene.guild.add_member("Guest")
    scene.mods.allow(guest, Permission.VIEW_CHANNEL)
    assert "You need the permission" in await answer(await guest.click(card, "Show the text"))


# Batches


async def copies(
    scene: Scene, bot: LiveBot, texts: list[str]
) -> tuple[list[Message], list[Message]]:
    """The same text by as many members, and the cards."""
    messages = []
    for number, text in enumerate(texts):
        member = scene.guild.add_member(f"Raider {number}")
        messages.append(await member.post(scene.general, text))
        await scene.flag_with_card(bot, messages[-1])
    return messages, scene.cards()


async def test_equal_texts_are_removed_together(scene: Scene, bot: LiveBot) -> None:
    texts = [HOSTILE, f"  {HOSTILE.upper().lower()}!! ".replace("ada lark", "Ada Lark"), HOSTILE]
    messages, cards = await copies(scene, bot, texts)
    _, other = await flagged(scene, bot, ABUSIVE)
    for card in cards:
        await scene.server.wait_for(lambda card=card: "Also posted by 2 others" in card.text)
    assert "Remove this and 2 alike" in labels(cards[0])
    assert "alike" not in "".join(labels(other))
    line = await answer(await scene.moderator.click(cards[0], "Remove this and 2 alike"))
    assert "Removed: 3" in line
    assert all(message.deleted for message in messages)
    for message in messages:
        assert await status(scene, bot, message) is Status.DECIDED
    for card in cards:
        await scene.server.wait_for(lambda card=card: labels(card) == ["Show the text"])


async def test_a_raid_is_one_decision_from_any_of_its_cards(scene: Scene, bot: LiveBot) -> None:
    raiders = [scene.guild.add_member(f"Raider {number}") for number in range(12)]
    for each in raiders:
        await each.post(scene.general, HOSTILE)
    card = await scene.card(within=60)
    await scene.server.wait_for(lambda: "Also posted by 11 others" in card.text, within=60)
    press = await scene.moderator.click(card, "Dismiss this and 11 alike")
    assert "Dismissed: 12" in (await press.reply(within=60)).text
    waiting = (Status.OPEN, Status.CLAIMED)
    assert await bot.store.flags.count(str(scene.guild.id), status=waiting) == 0


async def test_what_another_has_taken_is_left_out_of_a_batch(scene: Scene, bot: LiveBot) -> None:
    messages, cards = await copies(scene, bot, [HOSTILE, HOSTILE])
    await answer(await scene.other_moderator.click(cards[1], "Take it"))
    await scene.server.wait_for(lambda: "Dismiss this and 1 alike" in labels(cards[0]))
    line = await answer(await scene.moderator.click(cards[0], "Dismiss this and 1 alike"))
    assert "Dismissed: 1" in line
    assert "handled by Kim" in line
    assert await status(scene, bot, messages[1]) is Status.CLAIMED
    await scene.server.wait_for(lambda: "alike" not in "".join(labels(cards[1])))


async def test_a_text_of_another_day_is_another_case(scene: Scene, bot: LiveBot) -> None:
    first, _ = await flagged(scene, bot)
    flag = await flag_of(scene, bot, first)
    old = replace(
        flag.comment,
        id="77",
        author_id="78",
        created_at=flag.comment.created_at - timedelta(days=1, minutes=5),
    )
    await bot.pipeline.take(old, source="test", card=False)
    around = await bot.store.flags.surroundings(str(scene.guild.id), flag.id)
    assert (around.others, around.alike) == (0, 0)


# What disappears


async def test_the_card_says_who_deleted_the_message(scene: Scene, bot: LiveBot) -> None:
    message, card = await flagged(scene, bot)
    await scene.other_moderator.delete(message)
    await scene.server.wait_for(lambda: "The message is gone" in card.text)
    await scene.server.wait_for(
        lambda: f"deleted by <@{scene.other_moderator.id}> (Kim)" in card.text
    )
    assert "talentless" in card.text
    assert await status(scene, bot, message) is Status.OPEN
    second, card = await flagged(scene, bot, f"{HOSTILE}, again")
    await scene.other_moderator.delete(second)
    await scene.server.wait_for(
        lambda: f"deleted by <@{scene.other_moderator.id}> (Kim)" in card.text
    )


async def test_nobody_is_named_for_a_message_that_its_author_deleted(
    scene: Scene, bot: LiveBot
) -> None:
    message, _ = await flagged(scene, bot)
    await scene.other_moderator.delete(message)
    await eventually(lambda: bool(scene.server.calls("GET", r"/guilds/\d+/audit-logs")))
    second, card = await flagged(scene, bot, f"{HOSTILE}, again")
    asked = len(scene.server.calls("GET", r"/guilds/\d+/audit-logs"))
    await scene.fan.delete(second)
    await scene.server.wait_for(lambda: "The message is gone" in card.text)
    await eventually(lambda: len(scene.server.calls("GET", r"/guilds/\d+/audit-logs")) >= asked + 2)
    assert "deleted by" not in card.text


@pytest.mark.parametrize("kind", ["channel", "thread"])
async def test_a_message_that_went_with_its_channel_is_told(
    scene: Scene, bot: LiveBot, kind: str
) -> None:
    thread = await scene.fan.start_thread(scene.general, "the clip")
    message = await scene.fan.post(thread, HOSTILE)
    card = await scene.card()
    await scene.flag_with_card(bot, message)
    (scene.general if kind == "channel" else thread).delete()
    await scene.server.wait_for(lambda: "The message is gone" in card.text)
    assert await status(scene, bot, message) is Status.OPEN
    assert "channel is gone" in await answer(await scene.moderator.click(card, "Context"))


async def test_what_the_bot_removed_is_not_told_as_gone(scene: Scene, bot: LiveBot) -> None:
    message, card = await flagged(scene, bot)
    await answer(await scene.moderator.click(card, "Remove"))
    await scene.server.wait_for(lambda: labels(card) == ["Show the text"])
    assert "is gone" not in card.text
    assert (await flag_of(scene, bot, message)).gone_at is None


# Context and author


async def test_context_shows_what_was_answered_and_three_before(scene: Scene, bot: LiveBot) -> None:
    question = await scene.moderator.post(scene.general, "How was || Ada || yesterday?")
    for number in range(4):
        await scene.moderator.post(scene.general, f"line {number}")
    after = max((each.id for each in scene.cards()), default=0)
    message = await scene.fan.post(scene.general, HOSTILE, reply_to=question)
    card = await scene.card(after=after)
    await scene.flag_with_card(bot, message)
    press = await scene.moderator.click(card, "Context")
    shown = await press.reply()
    assert press.ephemeral
    values = [field["value"] for field in shown.embeds[0]["fields"]]
    assert len(values) == 4
    assert r"How was \|\| Ada \|\| yesterday?" in values[0]
    assert re.findall(r"line \d", " ".join(values)) == ["line 1", "line 2", "line 3"]
    assert all("||" in value for value in values)
    await scene.moderator.delete(question)
    shown = await (await scene.moderator.click(card, "Context")).reply()
    assert "gone since" in shown.text
    guest = scene.guild.add_member("Guest")
    scene.mods.allow(guest, Permission.VIEW_CHANNEL)
    assert "You need the permission" in await answer(await guest.click(card, "Context"))


async def test_context_names_the_permission_that_is_missing(scene: Scene, bot: LiveBot) -> None:
    _, card = await flagged(scene, bot)
    scene.general.deny(scene.account, Permission.READ_MESSAGE_HISTORY)
    await eventually(lambda: not held_by(scene, bot).read_message_history)
    line = await answer(await scene.moderator.click(card, "Context"))
    assert "give me Read Message History" in line


async def test_the_card_tells_of_the_author(scene: Scene, bot: LiveBot) -> None:
    _, first = await flagged(scene, bot)
    assert "no earlier flags" in first.text
    await answer(await scene.moderator.click(first, "Remove"))
    await flagged(scene, bot, f"{HOSTILE}, again")
    _, card = await flagged(scene, bot, ABUSIVE)
    assert "2 earlier flags: " in card.text
    assert "1 removed" in card.text
    assert "1 undecided" in card.text
    assert re.search(r"account from <t:\d+:d>", card.text)
    assert re.search(r"here since <t:\d+:d>", card.text)


async def test_telling_words_are_bold_within_the_spoiler(scene: Scene, bot: LiveBot) -> None:
    _, card = await flagged(scene, bot)
    description = card.embeds[0]["description"]
    assert description == "||Ada Lark is a **talentless** **hack**||"


# Settings


@pytest.fixture
async def chosen(scene: Scene, bot: LiveBot) -> LiveBot:
    """A bot whose guild removes at once from 0.95 on, and pings its team."""
    done = await scene.moderator.slash(scene.mods, "desk remove", score=0.95)
    assert "0.95 or more" in await answer(done)
    done = await scene.moderator.slash(scene.mods, "desk ping", role=scene.team)
    assert "is pinged" in await answer(done)
    return bot


async def test_nothing_is_removed_or_pinged_unless_chosen(scene: Scene, bot: LiveBot) -> None:
    shown = await answer(await scene.moderator.slash(scene.mods, "desk show"))
    assert "Nothing is removed" in shown
    assert "Nobody is pinged" in shown
    message, card = await flagged(scene, bot, f"{ABUSIVE}, I will kill her")
    assert not message.deleted
    assert not card.pings


async def test_abuse_is_removed_at_once_where_chosen(scene: Scene, chosen: LiveBot) -> None:
    kept, _ = await flagged(scene, chosen, HOSTILE)
    message, card = await flagged(scene, chosen, ABUSIVE)
    assert message.deleted
    assert not kept.deleted
    assert "vermin" in card.text
    assert "Removed at once" in card.text
    assert f"deleted by <@{scene.account.id}>" in card.text
    assert "removed at once" in (scene.guild.audit_log[-1].reason or "")
    assert await status(scene, chosen, message) is Status.OPEN
    assert "already gone" in await answer(await scene.moderator.click(card, "Remove"))
    off = await scene.moderator.slash(scene.mods, "desk remove")
    assert "Nothing is removed" in await answer(off)
    message, _ = await flagged(scene, chosen, f"{ABUSIVE}!!")
    assert not message.deleted


async def test_only_what_may_not_wait_pings_the_role(scene: Scene, bot: LiveBot) -> None:
    scene.team.data.mentionable = True
    await answer(await scene.moderator.slash(scene.mods, "desk ping", role=scene.team))
    text = f"{ABUSIVE}, I will find her @everyone {scene.moderator.mention}"
    _, urgent = await flagged(scene, bot, text)
    assert urgent.pings.roles == [scene.team.id]
    assert not urgent.pings.everyone
    assert not urgent.pings.users
    _, abusive = await flagged(scene, bot, ABUSIVE)
    _, hostile = await flagged(scene, bot, f"{HOSTILE}, I will find her")
    assert not abusive.pings
    assert not hostile.pings


# Refusals


async def test_a_role_that_was_taken_away_counts_at_the_press(scene: Scene, bot: LiveBot) -> None:
    message, card = await flagged(scene, bot)
    reply = await (await scene.moderator.click(card, "Timeout")).reply()
    form = await scene.moderator.click(card, "Warn")
    await form.response()
    scene.moderator.take(scene.team)
    late = await scene.moderator.select(reply, reply.selects[0].custom_id, "3600")
    assert "You need the permission" in await answer(late)
    line = await answer(await scene.moderator.submit_modal(form, way=["dm"]))
    assert "You need the permission" in line
    assert scene.fan.timed_out_until is None
    assert not scene.fan.direct_messages(scene.account)
    assert await status(scene, bot, message) is Status.OPEN


@pytest.mark.parametrize("choice", ["warn", "kick"])
async def test_an_author_who_left_is_told_and_the_flag_stays(
    scene: Scene, bot: LiveBot, choice: str
) -> None:
    message, card = await flagged(scene, bot)
    scene.fan.leave()
    press = (
        await scene.moderator.click(card, "Warn")
        if choice == "warn"
        else await more(scene, card, choice)
    )
    assert "not a member here" in await filled(scene, press)
    assert await status(scene, bot, message) is Status.OPEN


@pytest.mark.parametrize("choice", ["kick", "ban"])
async def test_nobody_acts_on_a_member_above_them(scene: Scene, bot: LiveBot, choice: str) -> None:
    message, card = await flagged(scene, bot)
    stars = scene.guild.add_role("Stars")
    stars.move(30)
    scene.fan.give(stars)
    line = await filled(scene, await more(scene, card, choice))
    assert f"you cannot {choice} them" in line
    assert scene.fan.present
    assert await status(scene, bot, message) is Status.OPEN


@pytest.mark.parametrize(("choice", "lacking"), [("kick", "Kick Members"), ("ban", "Ban Members")])
async def test_missing_permissions_are_named(
    scene: Scene, bot: LiveBot, choice: str, lacking: str
) -> None:
    message, card = await flagged(scene, bot)
    janitor = scene.guild.add_role("Janitor", Permission.MANAGE_MESSAGES)
    jan = scene.guild.add_member("Jan", janitor)
    scene.mods.allow(janitor, Permission.VIEW_CHANNEL)
    assert f"You need the permission {lacking}" in await answer(
        await more(scene, card, choice, by=jan)
    )
    role = scene.guild.role_of(scene.account)
    granted = role.data.permissions
    role.set_permissions(granted & ~(Permission.KICK_MEMBERS | Permission.BAN_MEMBERS))
    guild = bot.get_guild(scene.guild.id)
    assert guild is not None
    await eventually(lambda: not guild.me.guild_permissions.kick_members)
    assert f"I lack {lacking}" in await filled(scene, await more(scene, card, choice))
    assert scene.fan.present
    assert await status(scene, bot, message) is Status.OPEN


async def test_a_lost_moderator_channel_is_told_and_flags_can_be_decided(
    scene: Scene, bot: LiveBot
) -> None:
    message, card = await flagged(scene, bot)
    flag = await flag_of(scene, bot, message)
    scene.mods.delete()
    guild = bot.get_guild(scene.guild.id)
    assert guild is not None
    await eventually(lambda: guild.get_channel(scene.mods.id) is None)
    del card
    shown = await (await scene.moderator.slash(scene.general, "flags show", flag=flag.id)).reply()
    assert "choose a moderator channel with /setup" in shown.text
    assert "removed" in await answer(await scene.moderator.click(shown, "Remove"))
    assert message.deleted
