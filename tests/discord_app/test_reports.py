"""The entries in a message's context menu: scoring, sending to the queue, reporting."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from bot.comment import Action, Level
from bot.moderation.reporting import MOST_REPORTS
from tests.discord_app.conftest import FAIR, HOSTILE, LiveBot, Scene, eventually
from tests.discord_app.test_commands import run
from tests.discord_server import CallbackType, Interaction, Member, Message

REASON = "It hurts to read that about her"


async def report(member: Member, message: Message, reason: str = "") -> Interaction:
    """Report a message, and return the sent form once it is answered."""
    opened = await member.message_menu("Report to moderators", message)
    assert await opened.response() is CallbackType.MODAL
    sent = await member.submit_modal(opened, reason=reason)
    await sent.reply()
    return sent


async def test_a_message_is_scored_and_nothing_kept(scene: Scene, bot: LiveBot) -> None:
    message = await scene.fan.post(scene.guild.add_channel("elsewhere"), HOSTILE)
    menu = await scene.moderator.message_menu("Score this", message)
    assert "It would be queued: hostile, 0.90" in (await menu.reply()).text
    assert menu.deferred
    assert menu.ephemeral
    assert await bot.store.flags.count(str(scene.guild.id)) == 0


async def test_a_moderator_sends_a_message_to_the_queue(scene: Scene, bot: LiveBot) -> None:
    message = await scene.fan.post(scene.general, FAIR)
    for _ in range(2):
        menu = await scene.moderator.message_menu("Send to queue", message)
        assert FAIR in (await menu.reply()).text
    card = await scene.card()
    assert "Sent to the queue" in card.text
    assert card.buttons
    flag = await scene.flag_with_card(bot, message)
    assert flag.assessment.level is Level.NONE
    shown = await run(scene, "flags show", flag=flag.id)
    assert shown.text.count("sent to the queue by Mo") == 1
    assert "1 to decide" in (await run(scene, "queue")).text
    assert len(scene.cards()) == 1


@pytest.mark.parametrize("name", ["Score this", "Send to queue"])
async def test_only_moderators_may(scene: Scene, bot: LiveBot, name: str) -> None:
    message = await scene.fan.post(scene.general, FAIR)
    menu = await scene.fan.message_menu(name, message, force=True)
    assert "You need the permission" in (await menu.reply()).text
    assert await bot.store.flags.count(str(scene.guild.id)) == 0


@pytest.mark.usefixtures("bot")
async def test_reports_join_the_queue_and_their_senders_stay_private(scene: Scene) -> None:
    sam, kit = scene.guild.add_member("Samira"), scene.guild.add_member("Kit")
    message = await scene.fan.post(scene.general, FAIR)
    sent = await report(sam, message, REASON)
    assert sent.ephemeral
    assert "Thank you" in sent.text
    assert "already" in (await report(sam, message)).text
    await report(kit, message)
    card = await scene.card()
    await eventually(lambda: "by 2 members" in card.text)
    assert "Reported to you" in card.text
    assert "score 0.05" in card.text
    shown = await scene.moderator.slash(scene.mods, "flags show", flag=1)
    await scene.server.wait_for(lambda: len(shown.messages) == 2)
    assert f"||{REASON}||" in shown.text
    for text in (card.text, shown.text, (await run(scene, "flags log")).text):
        for reporter in (sam, kit):
            assert reporter.name not in text
            assert str(reporter.id) not in text
    assert len(scene.cards()) == 1
    assert not card.pings


async def test_a_reason_is_encrypted(scene: Scene, bot: LiveBot) -> None:
    message = await scene.fan.post(scene.general, FAIR)
    await report(scene.other_moderator, message, REASON)
    with closing(sqlite3.connect(scene.folder / "fanguard.db")) as database:
        ((stored,),) = database.execute("SELECT reason FROM reports").fetchall()
    assert REASON.encode() not in stored
    assert await bot.store.reports.reasons(str(scene.guild.id), 1) == [REASON]


async def test_a_report_of_a_flagged_message_counts_on_its_card(scene: Scene, bot: LiveBot) -> None:
    sam = scene.guild.add_member("Samira")
    message = await scene.fan.post(scene.general, HOSTILE)
    flag = await scene.flag_with_card(bot, message)
    await bot.store.flags.decide(str(scene.guild.id), flag.id, Action.DISMISS, "7", "Mo")
    await report(sam, message)
    (card,) = scene.cards()
    await eventually(lambda: "by 1 member" in card.text)
    assert "Hostile toward Ada Lark" in card.text
    assert "Dismissed" in card.text


async def test_a_report_of_a_message_deleted_meanwhile_is_taken(scene: Scene, bot: LiveBot) -> None:
    message = await scene.fan.post(scene.guild.add_channel("elsewhere"), FAIR)
    sam = scene.guild.add_member("Samira")
    opened = await sam.message_menu("Report to moderators", message)
    await opened.response()
    await scene.fan.delete(message)
    await (await sam.submit_modal(opened)).reply()
    assert FAIR in (await scene.card()).text
    assert bot.is_ready()


async def test_what_cannot_be_reported_is_said_in_one_line(scene: Scene, bot: LiveBot) -> None:
    own = await scene.fan.post(scene.general, FAIR)
    assert (await report(scene.fan, own)).text.startswith("That is your own message.")
    await scene.fan.post(scene.general, HOSTILE)
    card = await scene.card()
    menu = await scene.moderator.message_menu("Report to moderators", card)
    assert (await menu.reply()).text.startswith("No member wrote that message")
    assert menu.ephemeral
    assert await bot.store.flags.count(str(scene.guild.id)) == 1


async def test_reports_are_limited_for_each_member(scene: Scene, bot: LiveBot) -> None:
    sam, kit = scene.guild.add_member("Samira"), scene.guild.add_member("Kit")
    posts = [await scene.fan.post(scene.general, f"{FAIR} {n}") for n in range(MOST_REPORTS + 1)]
    for message in posts[:-1]:
        assert "Thank you. The" in (await report(sam, message)).text
    assert "within an hour" in (await report(sam, posts[-1])).text
    assert await scene.flag_of(bot, posts[-1]) is None
    assert "Thank you. The" in (await report(kit, posts[-1])).text
