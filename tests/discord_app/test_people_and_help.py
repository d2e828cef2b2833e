"""/people import and edit, and /help."""

from __future__ import annotations

from typing import Any

import pytest
from discord import app_commands

from bot.comment import Person
from tests.discord_app.conftest import LiveBot, Scene
from tests.discord_app.test_commands import run
from tests.discord_server import CallbackType, Member, Permission

LIST = "Bo Finch; Bo, The Finch; they/them\nAda Lark\n; nobody\nCy Wren"
ADDED = (
    Person("Bo Finch", aliases=("Bo", "The Finch"), pronouns="they/them"),
    Person("Cy Wren"),
)


async def test_a_file_of_people_is_imported(scene: Scene, bot: LiveBot) -> None:
    reply = await run(scene, "people import", list=("stars.txt", LIST.encode("utf-8-sig")))
    assert "Added 2" in reply.text
    assert "Line 2: “Ada Lark” is already on the roster." in reply.text
    assert "Line 3: A person needs a name." in reply.text
    assert (await bot.store.roster.people(str(scene.guild.id)))[1:] == ADDED
    assert bot.rosters.matching(scene.guild.id, "wren") == ["Cy Wren"]


async def test_pasted_people_are_imported(scene: Scene, bot: LiveBot) -> None:
    opened = await scene.moderator.slash(scene.mods, "people import")
    assert await opened.response() is CallbackType.MODAL
    sent = await scene.moderator.submit_modal(opened, people=LIST)
    assert "Added 2" in (await sent.reply()).text
    assert sent.ephemeral
    assert (await bot.store.roster.people(str(scene.guild.id)))[1:] == ADDED
    opened = await scene.moderator.slash(scene.mods, "people import")
    await opened.response()
    scene.moderator.take(scene.team)
    sent = await scene.moderator.submit_modal(opened, people="Di Rook")
    assert "You need the permission" in (await sent.reply()).text
    assert len(await bot.store.roster.people(str(scene.guild.id))) == 3


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xff\xfe\x00", "no plain text"),
        (b"x" * 100_001, "at most 100 KB"),
        (b"# nobody", "Nobody is in that list"),
    ],
)
async def test_a_file_that_is_no_list_is_refused(
    scene: Scene, bot: LiveBot, content: bytes, said: str
) -> None:
    assert said in (await run(scene, "people import", list=("a.bin", content))).text
    assert len(await bot.store.roster.people(str(scene.guild.id))) == 1


async def test_aliases_and_pronouns_are_edited(scene: Scene, bot: LiveBot) -> None:
    await run(scene, "people add", name="Bo Finch", aliases="Bo", handles="@bo")
    cases: list[tuple[dict[str, Any], Person]] = [
        ({"pronouns": "he/him"}, Person("Bo Finch", ("Bo",), ("@bo",), "he/him")),
        ({"aliases": "Finch, B"}, Person("Bo Finch", ("Finch", "B"), ("@bo",), "he/him")),
        ({"aliases": "-", "pronouns": "-"}, Person("Bo Finch", (), ("@bo",))),
        ({"handles": "-"}, Person("Bo Finch")),
    ]
    for options, expected in cases:
        assert "Changed" in (await run(scene, "people edit", name="bo finch", **options)).text
        assert (await bot.store.roster.people(str(scene.guild.id)))[1] == expected
    clash = await run(scene, "people edit", name="Bo Finch", aliases="Ada Lark")
    assert "is the name of someone on the roster" in clash.text
    assert "Say what to change" in (await run(scene, "people edit", name="Bo Finch")).text
    assert "Nobody called" in (await run(scene, "people edit", name="Di", aliases="-")).text


async def help_of(scene: Scene, who: Member, *, until: str = "", **options: Any) -> str:
    """What /help says in all its parts, the last of which has `until`."""
    press = await who.slash(scene.general, "help", **options)
    await press.reply()
    await scene.server.wait_for(lambda: until in press.text)
    assert press.ephemeral
    return press.text


async def test_members_are_told_how_to_report_and_what_is_stored(
    scene: Scene, bot: LiveBot
) -> None:
    text = await help_of(scene, scene.fan)
    assert "Report to moderators" in text
    assert "What is stored" in text
    assert "/queue" not in text
    assert "With the permission" not in text
    assert "no such command for you" in await help_of(scene, scene.fan, command="queue")
    assert bot.is_ready()


async def test_help_names_every_command_and_who_may_use_it(scene: Scene, bot: LiveBot) -> None:
    text = await help_of(scene, scene.moderator, until="`/setup`")
    for command in bot.tree.walk_commands():
        if isinstance(command, app_commands.Command):
            assert f"`/{command.qualified_name}` {command.description}" in text
    for name in ("Score this", "Send to queue", "Report to moderators", "Flag history"):
        assert f"**{name}**" in text
    assert "With the permission Manage Messages" in text
    assert "With the permission Manage Server" in text
    janitor = scene.guild.add_member(
        "Jan", scene.guild.add_role("Janitor", Permission.MANAGE_MESSAGES)
    )
    assert "`/setup`" not in await help_of(scene, janitor)


@pytest.mark.usefixtures("bot")
async def test_help_explains_one_command(scene: Scene) -> None:
    text = await help_of(scene, scene.moderator, command="/people add")
    assert "`name` (needed): Full name" in text
    assert "`pronouns`: Such as she/her" in text
    press = await scene.moderator.autocomplete(scene.mods, "help", "command", "people ")
    await press.response()
    assert "people import" in [choice["value"] for choice in press.choices or ()]
    press = await scene.fan.autocomplete(scene.general, "help", "command", "queue")
    await press.response()
    assert press.choices == []
