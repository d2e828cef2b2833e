"""Commands: what may be registered, what members are offered, what their options carry."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from discord import app_commands

from tests.discord_server import Bot, CallbackType, Channel, Guild, Member, NotPossible, Permission
from tests.discord_server.client import Client, fault, refused


def build_commands(tree: app_commands.CommandTree[Any]) -> None:
    @tree.command(description="Say something")
    @app_commands.describe(text="What")
    async def say(interaction: discord.Interaction[Any], text: str) -> None:
        await interaction.response.send_message(text, ephemeral=True)

    people = app_commands.Group(
        name="people",
        description="The roster",
        default_permissions=discord.Permissions(manage_messages=True),
    )

    @people.command(description="Add one")
    async def add(
        interaction: discord.Interaction[Any],
        name: app_commands.Range[str, 1, 20],
        level: app_commands.Choice[int],
        who: discord.Member | None = None,
        where: discord.TextChannel | None = None,
        sure: bool = False,
    ) -> None:
        said = [name, level.value, who and who.display_name, where and where.name, sure]
        await interaction.response.send_message(repr(said))

    app_commands.choices(level=[app_commands.Choice(name="high", value=3)])(add)

    @add.autocomplete("name")
    async def names(
        interaction: discord.Interaction[Any], current: str
    ) -> list[app_commands.Choice[str]]:
        assert interaction.command is not None
        return [app_commands.Choice(name=f"{current}{n}", value=f"{current}{n}") for n in "12"]

    tree.add_command(people)

    @tree.context_menu(name="Flag this")
    async def flag(interaction: discord.Interaction[Any], message: discord.Message) -> None:
        await interaction.response.send_message(f"flagged: {message.content}", ephemeral=True)

    @tree.context_menu(name="Look up")
    async def look_up(interaction: discord.Interaction[Any], member: discord.Member) -> None:
        await interaction.response.send_message(member.display_name)


@pytest.fixture
async def registered(client: Client) -> Client:
    build_commands(client.tree)
    await client.tree.sync()
    return client


@pytest.mark.usefixtures("registered")
async def test_slash_commands(bot: Bot, guild: Guild, channel: Channel, fan: Member) -> None:
    assert set(bot.commands()) == {"say", "people", "Flag this", "Look up"}
    said = await fan.slash(channel, "say", text="hi")
    assert (await said.reply()).content == "hi"
    assert said.ephemeral
    assert fan.offered(channel) == ["Flag this", "Look up", "say"]
    fan.give(guild.add_role("Moderator", Permission.MANAGE_MESSAGES))
    assert "people" in fan.offered(channel)
    added = await fan.slash(
        channel, "people add", name="Ada", level="high", who=guild.owner, where=channel, sure=True
    )
    reply = await added.reply()
    assert reply.content == repr(["Ada", 3, guild.owner.name, "general", True])


@pytest.mark.usefixtures("registered")
async def test_what_the_client_would_not_send(channel: Channel, fan: Member) -> None:
    unsent: list[tuple[str, dict[str, Any], str]] = [
        ("people add", {"name": "Ada", "level": 3}, "not offered"),
        ("nothing", {}, "no command"),
        ("say", {}, "missing"),
        ("say", {"text": 1}, "does not take"),
        ("say", {"typo": "x"}, "no such option"),
    ]
    for name, options, said in unsent:
        with pytest.raises(NotPossible, match=said):
            await fan.slash(channel, name, **options)
    for options, said in [
        ({"name": "x" * 21, "level": 3}, "out of range"),
        ({"name": "x", "level": 4}, "not a choice"),
    ]:
        with pytest.raises(NotPossible, match=said):
            await fan.slash(channel, "people add", force=True, **options)
    forced = await fan.slash(channel, "people add", force=True, name="Ada", level=3)
    assert "Ada" in (await forced.reply()).content


@pytest.mark.usefixtures("registered")
async def test_autocomplete(channel: Channel, guild: Guild) -> None:
    typing = await guild.owner.autocomplete(channel, "people add", "name", "Ad")
    assert await typing.response() is CallbackType.AUTOCOMPLETE
    assert typing.choices == [{"name": f"Ad{n}", "value": f"Ad{n}"} for n in "12"]


@pytest.mark.usefixtures("registered")
async def test_context_menus(channel: Channel, guild: Guild, fan: Member) -> None:
    posted = await guild.owner.post(channel, "rude")
    flagged = await fan.message_menu("Flag this", posted)
    assert (await flagged.reply()).content == "flagged: rude"
    looked = await fan.user_menu("Look up", channel, guild.owner)
    assert (await looked.reply()).content == guild.owner.name


async def test_commands_of_a_guild_and_ids_that_stay(
    client: Client, bot: Bot, guild: Guild, registered: Client
) -> None:
    before = {name: each["id"] for name, each in bot.commands().items()}
    await registered.tree.sync()
    assert {name: each["id"] for name, each in bot.commands().items()} == before
    client.tree.copy_global_to(guild=discord.Object(guild.id))
    await client.tree.sync(guild=discord.Object(guild.id))
    assert set(bot.commands(guild)) == set(before)


@pytest.mark.parametrize(
    ("command", "path", "code"),
    [
        ({"name": "Upper", "description": "x"}, "0.name", "INVALID_NAME"),
        ({"name": "x y", "description": "x"}, "0.name", "INVALID_NAME"),
        ({"name": "x" * 33, "description": "x"}, "0.name", "BAD_LENGTH"),
        ({"name": "x"}, "0.description", "REQUIRED"),
        ({"name": "x", "description": "x" * 101}, "0.description", "BAD_LENGTH"),
        ({"name": "x", "type": 3, "description": "y"}, "0.description", "CONTEXT_MENU"),
        (
            {
                "name": "x",
                "description": "x",
                "options": [
                    {"type": 3, "name": "a", "description": "a"},
                    {"type": 3, "name": "b", "description": "b", "required": True},
                ],
            },
            "0.options.1",
            "REQUIRED_INVALID",
        ),
        (
            {
                "name": "x",
                "description": "x",
                "options": [{"type": 3, "name": f"o{n}", "description": "x"} for n in range(26)],
            },
            "0.options",
            "MAX_LENGTH",
        ),
    ],
)
async def test_bad_commands(
    client: Client, bot: Bot, command: dict[str, Any], path: str, code: str
) -> None:
    putting = client.http.bulk_upsert_global_commands(bot.id, payload=[command])
    error = await refused(putting, 400, 50035)
    assert code in fault(error, *path.split("."))
    assert bot.commands() == {}


async def test_two_commands_of_one_name(client: Client, bot: Bot) -> None:
    one = {"name": "x", "description": "x"}
    putting = client.http.bulk_upsert_global_commands(bot.id, payload=[one, one])
    error = await refused(putting, 400, 50035)
    assert fault(error, "1", "name") == "APPLICATION_COMMANDS_DUPLICATE_NAME"
