"""/channels and /exempt: what is watched, how each channel differs, and whom nobody reads."""

from __future__ import annotations

from typing import Any

import pytest

from bot.comment import Person
from tests.discord_app.conftest import ABUSIVE, AT_MEMBER, HOSTILE, LiveBot, Scene
from tests.discord_app.test_commands import run
from tests.discord_server import Permission

BO = "Bo Finch is talentless"


async def test_channels_are_added_listed_and_removed(scene: Scene, bot: LiveBot) -> None:
    news = scene.guild.add_channel("news")
    assert "watched from now on" in (await run(scene, "channels add", channel=news)).text
    assert "is watched already" in (await run(scene, "channels add", channel=news)).text
    assert "cannot be both" in (await run(scene, "channels add", channel=scene.mods)).text
    await run(scene, "channels set", channel=news, strictness="0.95")
    listed = (await run(scene, "channels list")).text
    assert f"<#{scene.general.id}>: as the server" in listed
    assert f"<#{news.id}>: queued from 0.95" in listed
    await scene.fan.post(news, ABUSIVE)
    assert "queued from 0.95" in (await scene.card()).text
    assert "no longer" in (await run(scene, "channels remove", channel=news)).text
    assert "is not watched" in (await run(scene, "channels remove", channel=news)).text
    assert str(news.id) not in (await run(scene, "channels list")).text
    assert await bot.store.channels.all(str(scene.guild.id)) == {}


async def test_a_channel_has_a_strictness_of_its_own(scene: Scene, bot: LiveBot) -> None:
    reply = await run(scene, "channels set", channel=scene.general, strictness="0.95")
    assert "queued from 0.95" in reply.text
    thread = await scene.fan.start_thread(scene.general, "tonight")
    passed = [await scene.fan.post(place, HOSTILE) for place in (scene.general, thread)]
    hostile = await scene.fan.post(thread, ABUSIVE)
    flag = await scene.flag_with_card(bot, hostile)
    assert flag.assessment.threshold == 0.95
    assert [await scene.flag_of(bot, each) for each in passed] == [None, None]
    await run(scene, "channels set", channel=scene.general, strictness="server")
    await scene.flag_with_card(bot, await scene.fan.post(scene.general, HOSTILE))


async def test_a_channel_follows_some_people_alone(scene: Scene, bot: LiveBot) -> None:
    await bot.store.roster.add(str(scene.guild.id), Person("Bo Finch", aliases=("Finch",)))
    reply = await run(scene, "channels set", channel=scene.general, people="finch")
    assert "follows Bo Finch" in reply.text
    passed = await scene.fan.post(scene.general, HOSTILE)
    for text in (BO, AT_MEMBER):
        await scene.flag_with_card(bot, await scene.fan.post(scene.general, text))
    assert await scene.flag_of(bot, passed) is None
    said = await run(scene, "score", text=HOSTILE)
    assert "It would be queued" in said.text
    score = await scene.moderator.slash(scene.general, "score", text=HOSTILE)
    assert "It would pass" in (await score.reply()).text
    await run(scene, "people remove", name="Bo Finch")
    await scene.flag_with_card(bot, await scene.fan.post(scene.general, HOSTILE))
    await run(scene, "channels set", channel=scene.general, people="all")
    assert await bot.store.channels.all(str(scene.guild.id)) == {}


async def test_a_channel_is_switched_off_and_starts_at_the_present(
    scene: Scene, bot: LiveBot
) -> None:
    off = await run(scene, "channels set", channel=scene.general, off=True)
    assert f"<#{scene.general.id}>: off" in off.text
    missed = await scene.fan.post(scene.general, HOSTILE)
    on = await run(scene, "channels set", channel=scene.general, off=False)
    assert "as the server" in on.text
    await scene.flag_with_card(bot, await scene.fan.post(scene.general, ABUSIVE))
    assert await scene.flag_of(bot, missed) is None


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"strictness": "mild"}, "is no strictness"),
        ({"strictness": "0"}, "is no strictness"),
        ({"strictness": "nan"}, "is no strictness"),
        ({"people": "Di Rook"}, "Nobody called “Di Rook” is on the roster"),
        ({"people": ","}, "Name someone of the roster"),
    ],
)
async def test_what_a_channel_cannot_set_is_refused(
    scene: Scene, bot: LiveBot, options: dict[str, Any], said: str
) -> None:
    assert said in (await run(scene, "channels set", channel=scene.general, **options)).text
    assert await bot.store.channels.all(str(scene.guild.id)) == {}


@pytest.mark.usefixtures("bot")
async def test_what_a_channel_sets_is_completed(scene: Scene) -> None:
    await run(scene, "people add", name="Bo Finch")
    for option, typed, expected in (
        ("people", "", ["Ada Lark", "Bo Finch", "all"]),
        ("people", "Ada Lark,bo", ["Ada Lark, Bo Finch"]),
        ("strictness", "se", ["server"]),
    ):
        press = await scene.moderator.autocomplete(
            scene.mods, "channels set", option, typed, channel=scene.general
        )
        await press.response()
        assert [choice["value"] for choice in press.choices or ()] == expected


async def test_members_with_an_exempt_role_are_not_read(scene: Scene, bot: LiveBot) -> None:
    cast = scene.guild.add_role("Cast")
    star = scene.guild.add_member("Star", cast)
    assert "are not read from now on" in (await run(scene, "exempt add", role=cast)).text
    assert "is exempt already" in (await run(scene, "exempt add", role=cast)).text
    assert f"<@&{cast.id}>" in (await run(scene, "exempt list")).text
    spared = await star.post(scene.general, HOSTILE)
    await scene.flag_with_card(bot, await scene.fan.post(scene.general, ABUSIVE))
    assert await scene.flag_of(bot, spared) is None
    assert [text for text, _ in scene.model.seen] == [ABUSIVE]
    assert "are read from now on" in (await run(scene, "exempt remove", role=cast)).text
    assert "is not exempt" in (await run(scene, "exempt remove", role=cast)).text
    assert "None: everyone" in (await run(scene, "exempt list")).text
    await scene.flag_with_card(bot, await star.post(scene.general, HOSTILE))
    everyone = await run(scene, "exempt add", role=scene.guild.everyone)
    assert "Everyone has that role" in everyone.text


async def test_exempt_members_are_spared_in_history_too(scene: Scene) -> None:
    cast = scene.guild.add_role("Cast")
    star = scene.guild.add_member("Star", cast)
    async with scene.running() as bot:
        await run(scene, "exempt add", role=cast)
        first = await scene.fan.post(scene.general, ABUSIVE)
        await scene.flag_with_card(bot, first)
    spared = [await star.post(scene.general, HOSTILE) for _ in range(3)]
    hostile = await scene.fan.post(scene.general, HOSTILE)
    async with scene.running() as bot:
        await scene.flag_with_card(bot, hostile)
        assert [await scene.flag_of(bot, each) for each in spared] == [None] * 3
    asked = scene.server.calls("GET", rf"/guilds/\d+/members/{star.id}")
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("channels list", {}),
        ("channels add", {"channel": "general"}),
        ("channels remove", {"channel": "general"}),
        ("channels set", {"channel": "general", "off": True}),
        ("exempt list", {}),
        ("exempt add", {"role": "team"}),
        ("exempt remove", {"role": "team"}),
        ("erase member", {"member": "123456789012345678"}),
    ],
)
async def test_they_need_manage_server(
    scene: Scene, bot: LiveBot, name: str, options: dict[str, Any]
) -> None:
    janitor = scene.guild.add_member(
        "Jan", scene.guild.add_role("Janitor", Permission.MANAGE_MESSAGES)
    )
    given = {
        key: getattr(scene, value) if isinstance(value, str) and hasattr(scene, value) else value
        for key, value in options.items()
    }
    press = await janitor.slash(scene.general, name, force=True, **given)
    assert "You need the permission Manage Guild" in (await press.reply()).text
    settings = await bot.guild_settings(scene.guild.id)
    assert settings.watched_channel_ids == (str(scene.general.id),)
