"""/privacy and /erase: what is stored of a member, and how it goes."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import timedelta
from typing import Any

from bot.comment import Action, Status
from tests.discord_app.conftest import ABUSIVE, FAIR, HOSTILE, LiveBot, Scene
from tests.discord_app.test_commands import flagged, run
from tests.discord_app.test_reports import report
from tests.discord_server import Member, Message


async def ask(scene: Scene, who: Member, name: str, **options: Any) -> Message:
    press = await who.slash(scene.general, name, **options)
    reply = await press.reply()
    assert press.deferred
    assert reply.ephemeral
    return reply


async def test_members_see_what_is_stored_of_them(scene: Scene, bot: LiveBot) -> None:
    sam = scene.guild.add_member("Samira")
    await flagged(scene, bot, HOSTILE, ABUSIVE)
    await bot.store.flags.decide(str(scene.guild.id), 1, Action.DISMISS, "7", "Mo")
    await report(sam, await scene.fan.post(scene.general, FAIR), "why not")
    mine = (await ask(scene, scene.fan, "privacy show")).text
    assert "**3** of your messages were flagged or reported: 2 open, 1 dismissed." in mine
    assert "**0** reports that you sent." in mine
    theirs = (await ask(scene, sam, "privacy show")).text
    assert "**0** of your messages" in theirs
    assert "**1** reports that you sent." in theirs


async def test_members_get_all_of_it_as_a_file(scene: Scene, bot: LiveBot) -> None:
    sam = scene.guild.add_member("Samira")
    (message,) = await flagged(scene, bot, HOSTILE)
    await scene.fan.edit(message, ABUSIVE)
    await scene.assessed(bot, ABUSIVE)
    await report(sam, message, "it hurts")
    await bot.store.flags.decide(
        str(scene.guild.id), 1, Action.DISMISS, str(scene.moderator.id), "Mo", reason="a joke"
    )
    (file,) = (await ask(scene, scene.fan, "privacy export")).attachments
    content = file.content.decode()
    record = json.loads(content)
    (one,) = record["flagged_messages"]
    assert (one["text"], one["wordings"]) == (ABUSIVE, [HOSTILE, ABUSIVE])
    assert (one["outcome"], one["reports"]) == ("dismiss", 1)
    assert record["member"] == str(scene.fan.id)
    for private in ("Mo", str(scene.moderator.id), "Samira", str(sam.id), "it hurts", "a joke"):
        assert private not in content
    (file,) = (await ask(scene, sam, "privacy export")).attachments
    record = json.loads(file.content)
    assert [each["reason"] for each in record["reports_you_sent"]] == ["it hurts"]
    assert record["flagged_messages"] == []
    (file,) = (await ask(scene, scene.moderator, "privacy export")).attachments
    assert [each["reason"] for each in json.loads(file.content)["flags_you_handled"]] == ["a joke"]


async def test_what_is_stored_elsewhere_is_not_shown_here(scene: Scene, bot: LiveBot) -> None:
    await flagged(scene, bot, HOSTILE)
    other = scene.server.add_guild("Other club")
    lobby = other.add_channel("lobby")
    press = await other.owner.slash(lobby, "privacy show")
    assert "**0** of your messages" in (await press.reply()).text


def texts_on_disk(scene: Scene) -> str:
    with closing(sqlite3.connect(scene.folder / "fanguard.db")) as database:
        return "\n".join(database.iterdump())


async def test_closed_flags_of_a_member_are_erased(scene: Scene, bot: LiveBot) -> None:
    sam, guild_id = scene.guild.add_member("Samira"), str(scene.guild.id)
    first, second = await flagged(scene, bot, HOSTILE, ABUSIVE)
    await report(sam, first, "it hurts")
    await bot.store.flags.decide(guild_id, 1, Action.REMOVE, "7", "Mo")
    bot.outbox.notify(scene.guild.id)
    asked = await run(scene, "erase member", member=str(scene.fan.id))
    assert "1 closed flag would lose text, name and link for good" in asked.text
    assert "1 open case stays until it is closed" in asked.text
    press = await scene.moderator.click(asked, "Erase")
    said = (await press.update()).text
    assert said.startswith(f"Erased: 1 closed flag of <@{scene.fan.id}>.")
    flag = await bot.store.flags.get(guild_id, 1)
    assert flag is not None
    assert flag.erased
    assert flag.status is Status.DECIDED
    assert flag.decision is not None
    comment, assessment = flag.comment, flag.assessment
    assert (comment.text, comment.author_name, comment.jump_url) == ("", "", None)
    assert (assessment.why, assessment.target, assessment.score) == ((), "Ada Lark", 0.9)
    (wording,) = await bot.store.flags.revisions(guild_id, 1)
    assert (wording.text, wording.assessment.why) == ("", ())
    assert await bot.store.reports.reasons(guild_id, 1) == []
    assert f"'{first.id}'" not in texts_on_disk(scene)
    assert f"'{second.id}'" in texts_on_disk(scene)
    await scene.server.wait_for(lambda: "The text was erased" in scene.cards()[0].text)
    assert "talentless" not in scene.cards()[0].text
    assert first.jump_url not in scene.cards()[0].text
    page = await run(scene, "member history", member=str(scene.fan.id))
    assert "1 open, 1 removed" in page.text
    assert (
        "The words of 1 of them were erased" in (await ask(scene, scene.fan, "privacy show")).text
    )
    third = await scene.fan.post(scene.general, HOSTILE)
    await scene.flag_with_card(bot, third)
    for card in scene.cards()[1:]:
        await (await scene.moderator.click(card, "Dismiss")).reply()
    await scene.server.wait_for(lambda: "The text was erased" in scene.cards()[1].text)
    story = (await run(scene, "flags show", flag=2)).text
    assert "text erased by Mo" in story
    last = await bot.store.flags.get(guild_id, 3)
    assert last is not None
    assert (last.erased, last.comment.text) == (False, HOSTILE)
    asked = await run(scene, "erase member", member=str(scene.fan.id))
    await (await scene.moderator.click(asked, "Erase")).update()
    nothing = await run(scene, "erase member", member=str(scene.fan.id))
    assert "nothing to erase" in nothing.text


async def test_an_erased_message_read_again_makes_no_second_flag(
    scene: Scene, bot: LiveBot
) -> None:
    guild_id = str(scene.guild.id)
    (message,) = await flagged(scene, bot, HOSTILE)
    before = await bot.store.flags.get(guild_id, 1)
    assert before is not None
    await bot.store.flags.decide(guild_id, 1, Action.DISMISS, "7", "Mo")
    await bot.store.erasure.erase(guild_id, str(scene.fan.id), "7", "Mo")
    taken = await bot.pipeline.take(before.comment, source="scan")
    assert (taken.created, taken.updated) == (False, False)
    assert await bot.store.flags.count(guild_id) == 1
    await scene.fan.edit(message, FAIR)
    await scene.assessed(bot, FAIR)
    flag = await bot.store.flags.get(guild_id, 1)
    assert flag is not None
    assert flag.erased
    assert flag.revisions == 1
    await scene.fan.edit(message, ABUSIVE)
    await scene.assessed(bot, ABUSIVE)
    flag = await bot.store.flags.get(guild_id, 1)
    assert flag is not None
    assert (flag.erased, flag.status) == (False, Status.OPEN)
    assert (flag.comment.text, flag.comment.id) == (ABUSIVE, str(message.id))


async def test_only_managers_press_the_button(scene: Scene, bot: LiveBot) -> None:
    await flagged(scene, bot, HOSTILE)
    await bot.store.flags.decide(str(scene.guild.id), 1, Action.DISMISS, "7", "Mo")
    asked = await run(scene, "erase member", member=str(scene.fan.id))
    scene.moderator.take(scene.team)
    press = await scene.moderator.click(asked, "Erase")
    assert "You need the permission" in (await press.reply()).text
    flag = await bot.store.flags.get(str(scene.guild.id), 1)
    assert flag is not None
    assert not flag.erased


async def test_own_reports_of_closed_flags_are_erased(scene: Scene, bot: LiveBot) -> None:
    sam, guild_id = scene.guild.add_member("Samira"), str(scene.guild.id)
    first, second = await flagged(scene, bot, HOSTILE, ABUSIVE)
    for message in (first, second):
        await report(sam, message, "it hurts")
    await bot.store.flags.decide(guild_id, 1, Action.DISMISS, "7", "Mo")
    done = await bot.store.erasure.erase(guild_id, str(sam.id), "7", "Mo")
    assert (done.closed, done.open, done.reports) == (0, 1, 1)
    left = await bot.store.reports.by(guild_id, str(sam.id))
    assert [each.message_id for each in left] == [str(second.id)]
    flag = await bot.store.flags.get(guild_id, 1)
    assert flag is not None
    assert flag.reports == 1
    await bot.store.flags.decide(guild_id, 2, Action.DISMISS, "7", "Mo")
    await bot.store.erasure.finish(guild_id)
    assert await bot.store.reports.by(guild_id, str(sam.id)) == []


async def test_what_can_still_be_undone_is_not_erased_yet(scene: Scene, bot: LiveBot) -> None:
    await flagged(scene, bot, HOSTILE)
    await bot.store.flags.decide(
        str(scene.guild.id), 1, Action.TIMEOUT, "7", "Mo", undo_for=timedelta(minutes=5)
    )
    asked = await run(scene, "erase member", member=str(scene.fan.id))
    assert "0 closed flags would" in asked.text
    assert "1 open case stays until it is closed, and is erased then" in asked.text
    await (await scene.moderator.click(asked, "Erase")).update()
    flag = await bot.store.flags.get(str(scene.guild.id), 1)
    assert flag is not None
    assert (flag.status, flag.comment.text) == (Status.DECIDED, HOSTILE)
