"""The slash commands: who may run them, and what they do and show."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from bot.comment import Action, Person
from bot.discord_app.commands.flags import LogFilter
from tests.discord_app.conftest import ABUSIVE, AT_MEMBER, FAIR, HOSTILE, LiveBot, Scene, unbold
from tests.discord_server import Interaction, Message, Permission

COMMANDS = {
    "setup": {},
    "people list": {},
    "people add": {"name": "Bo Finch"},
    "people remove": {"name": "Ada Lark"},
    "strictness": {},
    "phrases list": {},
    "phrases add": {"phrase": "our clown"},
    "phrases remove": {"phrase": "our clown"},
    "queue": {},
    "flags log": {},
    "flags show": {"flag": 1},
    "flags search": {},
    "flags export": {"format": "CSV"},
    "member history": {"member": "123456789012345678"},
    "people edit": {"name": "Ada Lark", "aliases": "-"},
    "people import": {},
    "score": {"text": HOSTILE},
}


async def run(scene: Scene, name: str, /, **options: Any) -> Message:
    """Run a command as the moderator and wait for the private answer."""
    interaction = await scene.moderator.slash(scene.mods, name, **options)
    reply = await interaction.reply()
    assert interaction.deferred
    assert reply.ephemeral
    return reply


async def flagged(scene: Scene, bot: LiveBot, *texts: str) -> list[Message]:
    messages = [await scene.fan.post(scene.general, text) for text in texts]
    for message in messages:
        await scene.flag_with_card(bot, message)
    return messages


async def turned(press: Interaction) -> Message:
    return await press.update()


async def test_the_commands_are_registered_once(scene: Scene) -> None:
    for _ in range(2):
        async with scene.running() as bot:
            names = sorted(each.name for each in bot.tree.get_commands())
    assert sorted(scene.account.commands()) == names
    puts = scene.server.calls("PUT", r"/applications/\d+/commands")
    assert len(puts) == 1


async def test_a_changed_command_is_registered_again(scene: Scene) -> None:
    async with scene.running():
        pass
    scene.account.commands()["queue"]["description"] = "as an older version had it"
    async with scene.running():
        pass
    assert "wait for a decision" in scene.account.commands()["queue"]["description"]


async def test_discord_offers_them_to_moderators_only(scene: Scene, bot: LiveBot) -> None:
    assert scene.fan.offered(scene.general) == ["Report to moderators", "appeal", "help", "privacy"]
    janitor = scene.guild.add_member(
        "Jan", scene.guild.add_role("Janitor", Permission.MANAGE_MESSAGES)
    )
    assert janitor.offered(scene.general) == [
        "Flag history",
        "Report to moderators",
        "Score this",
        "Send to queue",
        "appeal",
        "calibrate",
        "flags",
        "help",
        "member",
        "people",
        "phrases",
        "privacy",
        "queue",
        "report",
        "score",
        "strictness",
    ]
    assert "setup" in scene.moderator.offered(scene.general)
    assert bot.tree.get_commands()


@pytest.mark.parametrize("name", COMMANDS)
async def test_the_bot_itself_refuses_everyone_else(scene: Scene, bot: LiveBot, name: str) -> None:
    interaction = await scene.fan.slash(scene.general, name, force=True, **COMMANDS[name])
    assert "You need the permission" in (await interaction.reply()).text
    assert interaction.ephemeral
    people = await bot.store.roster.people(str(scene.guild.id))
    assert [person.name for person in people] == ["Ada Lark"]
    assert await bot.store.phrases.of(str(scene.guild.id)) == ()


async def test_setup_chooses_channels_and_new_ones_start_at_the_present(scene: Scene) -> None:
    async with scene.running(set_up=False) as bot:
        news = scene.guild.add_channel("news")
        await scene.fan.post(scene.general, HOSTILE)
        first = await run(scene, "setup")
        assert "none yet" in first.text
        reply = await run(scene, "setup", moderators=scene.mods, watch=scene.general)
        assert f"<#{scene.mods.id}>" in reply.text
        assert f"<#{scene.general.id}>" in reply.text
        assert "All set" in reply.text
        greeting = await scene.card()
        await scene.fan.post(scene.general, ABUSIVE)
        await scene.card(after=greeting.id)
        assert {text for text, _ in scene.model.seen} == {ABUSIVE}
        await run(scene, "setup", watch=news, members=False, proxies=True)
        settings = await bot.guild_settings(scene.guild.id)
        assert settings.watched_channel_ids == (str(scene.general.id), str(news.id))
        assert (settings.member_flags, settings.proxies) == (False, True)
        await run(scene, "setup", unwatch=scene.general)
        settings = await bot.guild_settings(scene.guild.id)
        assert settings.watched_channel_ids == (str(news.id),)


async def test_setup_does_not_have_the_cards_watched(scene: Scene, bot: LiveBot) -> None:
    before = await bot.guild_settings(scene.guild.id)
    refusal = "cannot be both watched and the moderators' channel"
    for options in ({"watch": scene.mods}, {"moderators": scene.general}):
        reply = await run(scene, "setup", **options)
        assert refusal in reply.text
        assert "\n" not in reply.text
    assert await bot.guild_settings(scene.guild.id) == before
    await run(scene, "setup", moderators=scene.general, watch=scene.mods, unwatch=scene.general)
    changed = await bot.guild_settings(scene.guild.id)
    assert changed.mod_channel_id == str(scene.general.id)
    assert changed.watched_channel_ids == (str(scene.mods.id),)


async def test_setup_says_what_is_missing(scene: Scene, bot: LiveBot) -> None:
    scene.mods.deny(scene.account, Permission.EMBED_LINKS)
    scene.general.deny(scene.account, Permission.MANAGE_MESSAGES)
    scene.guild.role_of(scene.account).set_permissions(
        Permission.VIEW_CHANNEL | Permission.SEND_MESSAGES | Permission.READ_MESSAGE_HISTORY
    )
    await scene.fan.post(scene.general, FAIR)
    await scene.assessed(bot, FAIR)
    text = (await run(scene, "setup")).text
    assert f"I cannot post cards in <#{scene.mods.id}>: give me Embed Links there" in text
    assert f"Remove will not work in <#{scene.general.id}>: give me Manage Messages" in text
    assert "Timeout will not work: give my role Timeout Members" in text


async def test_the_roster_file_seeds_a_new_guild_once(scene: Scene) -> None:
    async with scene.running(set_up=False) as bot:
        await run(scene, "people remove", name="ada lark")
    scene.people = (Person("Ada Lark"), Person("Bo Finch"))
    async with scene.running(set_up=False) as bot:
        assert await bot.store.roster.people(str(scene.guild.id)) == ()


async def test_people_are_added_listed_and_removed(scene: Scene, bot: LiveBot) -> None:
    await run(
        scene,
        "people add",
        name="Bo Finch",
        aliases="Bo, The Finch",
        handles="@bofinch",
        pronouns="they/them",
        channel=scene.general,
    )
    assert (await bot.store.roster.people(str(scene.guild.id)))[1] == Person(
        "Bo Finch",
        aliases=("Bo", "The Finch"),
        handles=("@bofinch",),
        pronouns="they/them",
        channels=(str(scene.general.id),),
    )
    listed = (await run(scene, "people list")).text
    assert "2 on the roster" in listed
    assert "**Bo Finch** (they/them): Bo, The Finch, \\@bofinch" in listed
    assert "already" in (await run(scene, "people add", name="BO FINCH")).text
    await scene.fan.post(scene.general, "Bo Finch is talentless")
    assert "Hostile toward Bo Finch" in (await scene.card()).text
    assert "Removed" in (await run(scene, "people remove", name="bo finch")).text
    assert "Nobody called" in (await run(scene, "people remove", name="Bo Finch")).text


async def test_names_are_completed_from_memory(scene: Scene, bot: LiveBot) -> None:
    await run(scene, "people add", name="Bo Finch")
    await run(scene, "people add", name="Lark Bo")
    with scene.locked_database():
        press = await scene.moderator.autocomplete(scene.mods, "people remove", "name", "bo")
        await press.response()
    assert [choice["value"] for choice in press.choices or ()] == ["Bo Finch", "Lark Bo"]
    for name, option in (("flags log", "person"), ("score", "person")):
        others = {"text": "x"} if name == "score" else {}
        press = await scene.moderator.autocomplete(scene.mods, name, option, "ada", **others)
        await press.response()
        assert [choice["value"] for choice in press.choices or ()] == ["Ada Lark"]
    assert bot.rosters.matching(scene.guild.id, "nobody") == []


async def test_a_long_roster_has_pages(scene: Scene, bot: LiveBot) -> None:
    for each in range(23):
        await bot.store.roster.add(str(scene.guild.id), Person(f"Star {each:02}"))
    page = await run(scene, "people list")
    assert "Page 1 of 3" in page.text
    page = await turned(await scene.moderator.click(page, "Next"))
    page = await turned(await scene.moderator.click(page, "Next"))
    assert "Star 22" in page.text
    assert page.button("Next").disabled
    page = await turned(await scene.moderator.click(page, "Previous"))
    assert "Page 2 of 3" in page.text


async def test_the_queue_shows_the_gravest_first_and_opens_a_flag(
    scene: Scene, bot: LiveBot
) -> None:
    first, second = await flagged(scene, bot, HOSTILE, ABUSIVE)
    page = await run(scene, "queue")
    assert "2 to decide, the gravest first" in page.text
    lines = page.embeds[0]["description"].splitlines()
    assert second.jump_url in lines[0]
    assert first.jump_url in lines[1]
    assert f"[card]({scene.cards()[1].jump_url})" in lines[0]
    oldest = await run(scene, "queue", first="oldest")
    assert first.jump_url in oldest.embeds[0]["description"].splitlines()[0]
    (menu,) = page.selects
    card = await (await scene.moderator.select(page, menu.custom_id, menu.options[0])).reply()
    assert ABUSIVE in unbold(card)
    press = await scene.moderator.click(card, "Dismiss")
    assert "Dismissed" in (await press.reply()).text
    await scene.server.wait_for(lambda: not scene.cards()[1].buttons)
    assert "1 to decide" in (await run(scene, "queue")).text


async def test_a_long_queue_has_pages_that_outlive_a_restart(scene: Scene) -> None:
    async with scene.running() as bot:
        await flagged(scene, bot, *(f"{HOSTILE} {each}" for each in range(12)))
        page = await run(scene, "queue")
        assert "Page 1 of 2" in page.text
    async with scene.running() as bot:
        page = await turned(await scene.moderator.click(page, "Next"))
        assert "Page 2 of 2" in page.text
        assert len(page.selects[0].options) == 2


async def test_an_empty_queue_is_said_to_be_empty(scene: Scene, bot: LiveBot) -> None:
    assert "The queue is empty" in (await run(scene, "queue")).text
    assert bot.is_ready()


async def test_the_log_is_filtered(scene: Scene, bot: LiveBot) -> None:
    other = scene.guild.add_member("Sam")
    await flagged(scene, bot, HOSTILE, AT_MEMBER)
    by_other = await other.post(scene.general, ABUSIVE)
    await scene.flag_with_card(bot, by_other)
    await bot.store.flags.decide(str(scene.guild.id), 1, Action.DISMISS, "1", "Mo")
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    cases: list[tuple[dict[str, Any], set[str]]] = [
        ({}, {"1", "2", "3"}),
        ({"status": "open"}, {"2", "3"}),
        ({"status": "decided"}, {"1"}),
        ({"status": "claimed"}, set()),
        ({"person": "Ada Lark"}, {"1", "3"}),
        ({"person": "ada lark", "status": "open"}, {"3"}),
        ({"member": other}, {"3"}),
        ({"since": today}, {"1", "2", "3"}),
        ({"until": "yesterday"}, set()),
        ({"since": "2000-01-01", "until": "2099-12-31"}, {"1", "2", "3"}),
        ({"since": "7d", "until": "today", "member": scene.fan}, {"1", "2"}),
    ]
    for options, expected in cases:
        page = await run(scene, "flags log", **options)
        description = page.embeds[0]["description"]
        shown = {each for each in "123" if f"**{each}**" in description}
        assert shown == expected, options


async def test_the_log_turns_pages_and_keeps_its_filter(scene: Scene, bot: LiveBot) -> None:
    name = "Anna Theresia von Hohenfels-Rosenberg"
    await bot.store.roster.add(str(scene.guild.id), Person(name))
    texts = [f"{name} is talentless {each}" for each in range(11)]
    await flagged(scene, bot, *texts, HOSTILE)
    page = await run(
        scene, "flags log", person=name, member=scene.fan, status="open", since="7d", until="today"
    )
    assert "11 flags" in page.text
    page = await turned(await scene.moderator.click(page, "Next"))
    assert "Page 2 of 2" in page.text
    assert page.embeds[0]["description"].count("→") == 1
    assert name in page.text


def test_the_days_of_a_filter_survive_the_turn_of_a_page() -> None:
    for day in (date(2000, 1, 1), date(2026, 2, 28), date(2099, 12, 31)):
        wanted = LogFilter(since=day, until=day)
        assert LogFilter.decode(wanted.encode()) == wanted


async def test_a_day_that_is_none_is_refused(scene: Scene, bot: LiveBot) -> None:
    press = await scene.moderator.slash(scene.mods, "flags log", since="soon")
    assert "is not a day" in (await press.reply()).text
    for far in ({"until": "9999-12-31"}, {"since": "0001-01-01"}, {"until": "2100-01-01"}):
        press = await scene.moderator.slash(scene.mods, "flags log", **far)
        said = (await press.reply()).text
        assert said == "The log has days from 2000-01-01 to 2099-12-31 only. Choose one of them."
    day = await scene.moderator.autocomplete(scene.mods, "flags log", "since", "7")
    await day.response()
    week_ago = f"{datetime.now(UTC) - timedelta(days=7):%Y-%m-%d}"
    assert f"7 days ago ({week_ago})" in [choice["name"] for choice in day.choices or ()]
    assert bot.is_ready()


async def test_a_flag_is_shown_with_its_story(scene: Scene, bot: LiveBot) -> None:
    await flagged(scene, bot, HOSTILE)
    press = await scene.moderator.click(scene.cards()[0], "Take it")
    await press.reply()
    shown = await run(scene, "flags show", flag=1)
    assert HOSTILE in unbold(shown)
    assert "claimed by Mo" in shown.text
    assert len(shown.buttons) == 7
    assert "no such flag" in (await run(scene, "flags show", flag=99)).text


async def test_a_guild_sees_its_own_flags_alone(scene: Scene, bot: LiveBot) -> None:
    await flagged(scene, bot, HOSTILE)
    other = scene.server.add_guild("Other club")
    lobby = other.add_channel("lobby")
    for name, options in (("queue", {}), ("flags log", {}), ("people list", {})):
        reply = await (await other.owner.slash(lobby, name, **options)).reply()
        assert scene.general.messages[0].jump_url not in reply.text
        assert "1 to decide" not in reply.text
        assert "1 flag" not in reply.text
    reply = await (await other.owner.slash(lobby, "flags show", flag=1)).reply()
    assert "no such flag" in reply.text
    assert HOSTILE not in reply.text


async def test_score_tries_a_text(scene: Scene, bot: LiveBot) -> None:
    reply = await run(scene, "score", text=HOSTILE)
    assert "It would be queued: hostile, 0.90" in reply.text
    assert "Aimed at Ada Lark" in reply.text
    assert "talentless" in reply.text
    assert "It would pass" in (await run(scene, "score", text=FAIR)).text
    about = await run(scene, "score", text="she is talentless", person="ada lark", reply_to=FAIR)
    assert "Ada Lark\n0.90, hostile" in about.text
    about = await run(scene, "score", text=HOSTILE, person="ada")
    assert "Ada Lark\n0.90, hostile" in about.text
    free = await run(scene, "score", text="Bo Finch is talentless", person=" Bo Finch ")
    assert "Bo Finch\n0.90, hostile" in free.text
    assert [each.name for each in await bot.store.roster.people(str(scene.guild.id))] == [
        "Ada Lark"
    ]
    assert await bot.store.flags.count(str(scene.guild.id)) == 0


@pytest.mark.logs_an_error
async def test_an_unexpected_error_is_told_without_a_word_of_the_text(
    scene: Scene, bot: LiveBot, caplog: pytest.LogCaptureFixture
) -> None:
    scene.model.failures = 1
    reply = await run(scene, "score", text=HOSTILE)
    assert "Something went wrong on my side" in reply.text
    assert "ValueError at " in caplog.text
    assert "talentless" not in caplog.text
    assert bot.is_ready()
