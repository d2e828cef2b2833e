"""/queue in its forms, searching and exporting flags, a member's history, and autocomplete."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from bot.comment import Action, Level, Person, Status
from bot.discord_app.commands.flag_filters import LogFilter
from tests.discord_app.conftest import ABUSIVE, AT_MEMBER, HOSTILE, LiveBot, Scene
from tests.discord_app.test_commands import flagged, run, turned
from tests.discord_server import Interaction, Permission

BO = "Bo Finch is talentless"


async def choices(press: Interaction) -> list[Any]:
    await press.response()
    return [choice["value"] for choice in press.choices or ()]


def numbers(text: str) -> set[str]:
    return {each for each in "12345" if f"**{each}**" in text}


async def test_the_queue_shows_what_is_open_mine_or_about_someone(
    scene: Scene, bot: LiveBot
) -> None:
    await bot.store.roster.add(str(scene.guild.id), Person("Bo Finch"))
    await flagged(scene, bot, HOSTILE, ABUSIVE, BO)
    await (await scene.moderator.click(scene.cards()[0], "Take it")).reply()
    cases: list[tuple[dict[str, Any], set[str]]] = [
        ({}, {"1", "2", "3"}),
        ({"show": "open"}, {"2", "3"}),
        ({"show": "mine"}, {"1"}),
        ({"person": "bo finch"}, {"3"}),
        ({"person": "Ada Lark", "show": "open"}, {"2"}),
    ]
    for options, expected in cases:
        page = await run(scene, "queue", **options)
        assert numbers(page.text) == expected, options
    other = await scene.other_moderator.slash(scene.mods, "queue", show="mine")
    assert "Nothing of that" in (await other.reply()).text


async def test_next_gives_each_moderator_the_oldest_that_is_open(
    scene: Scene, bot: LiveBot
) -> None:
    await bot.store.roster.add(str(scene.guild.id), Person("Bo Finch"))
    await flagged(scene, bot, HOSTILE, ABUSIVE, BO)
    first = await run(scene, "queue", show="next", person="Bo Finch")
    assert "Flag 3" in first.text
    assert "toward Bo Finch" in first.text
    press = await scene.moderator.click(first, "Dismiss")
    await press.reply()
    second = await run(scene, "queue", show="next")
    assert "Flag 1" in second.text
    third = await (await scene.other_moderator.slash(scene.mods, "queue", show="next")).reply()
    assert "Flag 2" in third.text
    flag = await bot.store.flags.get(str(scene.guild.id), 2)
    assert flag is not None
    assert (flag.status, flag.claimed_by_name) == (Status.CLAIMED, "Kim")
    last = await run(scene, "queue", show="next")
    assert last.text == "Nothing more is open. You have taken 1: /queue show:mine."


async def test_next_leaves_out_channels_one_may_not_moderate(scene: Scene, bot: LiveBot) -> None:
    await flagged(scene, bot, HOSTILE)
    scene.general.deny(scene.team, Permission.MANAGE_MESSAGES)
    assert "Nothing more is open" in (await run(scene, "queue", show="next")).text
    assert bot.is_ready()


async def test_a_filtered_queue_keeps_its_filter_on_the_next_page(
    scene: Scene, bot: LiveBot
) -> None:
    await flagged(scene, bot, ABUSIVE, *(f"{HOSTILE} {each}" for each in range(11)))
    for number in range(2, 13):
        await bot.store.flags.claim(str(scene.guild.id), number, str(scene.moderator.id), "Mo")
    page = await run(scene, "queue", show="mine", first="oldest", person="Ada Lark")
    assert "11 taken by you about Ada Lark, the oldest first" in page.text
    page = await turned(await scene.moderator.click(page, "Next"))
    assert numbers(page.text) == set()
    assert "**12**" in page.text
    assert "Page 2 of 2" in page.text


async def test_flags_are_searched_by_everything_but_their_text(scene: Scene, bot: LiveBot) -> None:
    sam = scene.guild.add_member("Sam")
    await flagged(scene, bot, HOSTILE, AT_MEMBER)
    by_sam = await sam.post(scene.general, ABUSIVE)
    await scene.flag_with_card(bot, by_sam)
    guild_id = str(scene.guild.id)
    await bot.store.flags.decide(guild_id, 1, Action.DISMISS, str(scene.moderator.id), "Mo")
    await bot.store.flags.claim(guild_id, 2, str(scene.other_moderator.id), "Kim")
    sam.leave()
    cases: list[tuple[dict[str, Any], set[str]]] = [
        ({}, {"1", "2", "3"}),
        ({"status": "decided"}, {"1"}),
        ({"level": int(Level.ABUSIVE)}, {"3"}),
        ({"level": int(Level.HOSTILE)}, {"1", "2"}),
        ({"member": "sam"}, {"3"}),
        ({"member": str(sam.id)}, {"3"}),
        ({"member": sam.mention}, {"3"}),
        ({"moderator": scene.moderator}, {"1"}),
        ({"moderator": scene.other_moderator}, {"2"}),
        ({"person": "Ada Lark", "since": "today"}, {"1", "3"}),
        ({"until": "yesterday"}, set()),
    ]
    for options, expected in cases:
        page = await run(scene, "flags search", **options)
        assert numbers(page.embeds[0]["description"]) == expected, options
    unknown = await scene.moderator.slash(scene.mods, "flags search", member="nobody")
    assert (await unknown.reply()).text.startswith("I know no such member.")


def test_every_part_of_a_filter_survives_the_turn_of_a_page() -> None:
    longest = str(2**64 - 1)
    wanted = LogFilter(
        status=Status.DECIDED, level=Level.NONE, member=longest, moderator=longest, person="A, b"
    )
    assert LogFilter.decode(wanted.encode()) == wanted
    assert len(LogFilter(person="x" * 99, member=longest, moderator=longest).encode()) <= 65


async def test_a_search_with_every_filter_has_pages(scene: Scene, bot: LiveBot) -> None:
    await flagged(scene, bot, *(f"{HOSTILE} {each}" for each in range(11)))
    for number in range(1, 12):
        await bot.store.flags.claim(str(scene.guild.id), number, str(scene.moderator.id), "Mo")
    page = await run(
        scene,
        "flags search",
        member=str(scene.fan.id),
        person="Ada Lark",
        status="claimed",
        level=2,
        since="7d",
        until="today",
        moderator=scene.moderator,
    )
    assert "11 flags" in page.text
    page = await turned(await scene.moderator.click(page, "Next"))
    assert "Page 2 of 2" in page.text
    assert numbers(page.text) == {"1"}


async def test_flags_are_exported_for_the_one_who_asked(scene: Scene, bot: LiveBot) -> None:
    await flagged(scene, bot, HOSTILE, ABUSIVE)
    await bot.store.flags.decide(str(scene.guild.id), 1, Action.DISMISS, "7", "=Mo")
    reply = await run(scene, "flags export", format="CSV", with_texts=True)
    (file,) = reply.attachments
    assert file.filename.startswith("SPOILER_flags-")
    rows = list(csv.DictReader(io.StringIO(file.content.decode("utf-8-sig"))))
    assert [row["flag"] for row in rows] == ["1", "2"]
    assert rows[0]["text"] == HOSTILE
    assert rows[0]["moderator"] == "'=Mo"
    reply = await run(scene, "flags export", format="JSON", status="open")
    (file,) = reply.attachments
    (record,) = json.loads(file.content)
    assert record["flag"] == 2
    assert record["person"] == "Ada Lark"
    assert "text" not in record
    nothing = await run(scene, "flags export", format="CSV", until="yesterday")
    assert "No flag matches" in nothing.text


async def test_texts_are_exported_from_where_one_may_moderate(scene: Scene, bot: LiveBot) -> None:
    secret = scene.guild.add_channel("secret")
    await run(scene, "channels add", channel=secret)
    await flagged(scene, bot, HOSTILE)
    await scene.flag_with_card(bot, await scene.fan.post(secret, ABUSIVE))
    secret.deny(scene.team, Permission.MANAGE_MESSAGES)
    reply = await run(scene, "flags export", format="JSON", with_texts=True)
    assert "1 without text: you may not manage messages where they are." in reply.text
    (file,) = reply.attachments
    assert [each["text"] for each in json.loads(file.content)] == [HOSTILE, ""]


async def test_an_export_has_this_servers_flags_alone(scene: Scene, bot: LiveBot) -> None:
    await flagged(scene, bot, HOSTILE)
    other = scene.server.add_guild("Other club")
    lobby = other.add_channel("lobby")
    reply = await (await other.owner.slash(lobby, "flags export", format="JSON")).reply()
    assert reply.attachments == []
    assert "No flag matches" in reply.text


async def test_a_members_history_says_how_their_flags_ended(scene: Scene, bot: LiveBot) -> None:
    sam = scene.guild.add_member("Sam")
    await flagged(scene, bot, *(f"{HOSTILE} {each}" for each in range(11)))
    by_sam = await sam.post(scene.general, ABUSIVE)
    await scene.flag_with_card(bot, by_sam)
    for number, action in ((1, Action.REMOVE), (2, Action.DISMISS), (3, Action.DISMISS)):
        await bot.store.flags.decide(str(scene.guild.id), number, action, "7", "Mo")
    page = await run(scene, "member history", member=str(scene.fan.id))
    assert "11 flags" in page.text
    assert f"<@{scene.fan.id}> ({scene.fan.id}): 8 open, 2 dismissed, 1 removed" in page.text
    page = await turned(await scene.moderator.click(page, "Next"))
    assert numbers(page.text) == {"1"}
    sam.leave()
    menu = await scene.moderator.user_menu("Flag history", scene.mods, sam)
    reply = await menu.reply()
    assert menu.ephemeral
    assert numbers(reply.text) == set()
    assert "1 flag\n" in reply.text
    assert "**12**" in reply.text
    refused = await scene.fan.user_menu("Flag history", scene.general, sam, force=True)
    assert "You need the permission" in (await refused.reply()).text


async def test_flags_and_members_are_completed_from_memory(scene: Scene, bot: LiveBot) -> None:
    sam = scene.guild.add_member("Sam")
    await flagged(scene, bot, HOSTILE)
    await scene.flag_with_card(bot, await sam.post(scene.general, ABUSIVE))
    with scene.locked_database():
        who, where = scene.moderator, scene.mods
        assert await choices(await who.autocomplete(where, "flags show", "flag", "")) == [2, 1]
        assert await choices(await who.autocomplete(where, "flags show", "flag", "1")) == [1]
        assert await choices(await who.autocomplete(where, "flags show", "flag", "rob")) == [1]
        for name, option in (("flags search", "member"), ("member history", "member")):
            assert await choices(await who.autocomplete(where, name, option, "sa")) == [str(sam.id)]
        assert await choices(await who.autocomplete(where, "queue", "person", "ada")) == [
            "Ada Lark"
        ]
    async with scene.store() as store:
        assert await store.flags.count(str(scene.guild.id)) == 2


async def test_what_is_completed_outlives_a_restart(scene: Scene) -> None:
    async with scene.running() as bot:
        await flagged(scene, bot, HOSTILE)
    async with scene.running() as bot:
        press = await scene.moderator.autocomplete(scene.mods, "flags show", "flag", "robin")
        assert await choices(press) == [1]
        assert bot.recent.members(scene.guild.id, "Robin") == [(str(scene.fan.id), "Robin")]
