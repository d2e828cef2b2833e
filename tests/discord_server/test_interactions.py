"""Interactions: every kind of action, every kind of response, and the tokens' life."""

from __future__ import annotations

import asyncio
from typing import Any

import discord
import pytest

from tests.discord_server import (
    Bot,
    CallbackType,
    Channel,
    DiscordServer,
    Guild,
    Interaction,
    Member,
    Message,
    NotPossible,
)
from tests.discord_server.client import Client, fault, refused


async def posted_buttons(client: Client, channel: Channel, bot: Bot) -> Message:
    view = discord.ui.View()
    view.add_item(discord.ui.Button(label="Remove", custom_id="remove:1"))
    view.add_item(discord.ui.Button(label="Off", custom_id="off", disabled=True))
    view.add_item(
        discord.ui.Select(
            custom_id="menu",
            max_values=2,
            options=[discord.SelectOption(label=x.upper(), value=x) for x in "abc"],
        )
    )
    view.add_item(discord.ui.UserSelect(custom_id="who"))
    view.stop()
    await client.get_partial_messageable(channel.id).send("card", view=view)
    return channel.by(bot)[-1]


async def heard(client: Client) -> discord.Interaction[Client]:
    interaction: discord.Interaction[Client]
    (interaction,) = await client.hear("interaction")
    return interaction


@pytest.fixture
async def card(client: Client, channel: Channel, bot: Bot) -> Message:
    return await posted_buttons(client, channel, bot)


@pytest.fixture
async def pressed(fan: Member, card: Message) -> Interaction:
    return await fan.click(card, "Remove")


async def test_a_click_carries_who_where_and_what(
    client: Client, pressed: Interaction, card: Message, channel: Channel, fan: Member
) -> None:
    interaction = await heard(client)
    assert interaction.data == {"component_type": 2, "custom_id": "remove:1"}
    assert interaction.user.id == fan.id
    assert isinstance(interaction.user, discord.Member)
    assert interaction.permissions.value == int(
        channel.world.permissions(fan.data.user, channel.data)
    )
    assert interaction.message is not None
    assert interaction.message.id == card.id
    assert interaction.channel_id == channel.id
    assert pressed.callback is None


async def test_an_answer(client: Client, pressed: Interaction, bot: Bot, channel: Channel) -> None:
    interaction = await heard(client)
    answer = await interaction.response.send_message("done")
    assert answer.message_id is not None
    reply = await pressed.reply()
    assert (reply.content, reply.ephemeral) == ("done", False)
    assert pressed.callback is CallbackType.MESSAGE
    assert pressed.seconds_to_answer is not None
    assert pressed.seconds_to_answer < 3
    assert channel.by(bot)[-1] == reply
    assert not reply.pings
    original = await interaction.original_response()
    await original.edit(content="changed")
    assert reply.content == "changed"
    await interaction.delete_original_response()
    assert reply.deleted


async def test_ephemeral_messages_are_one_user_s(
    client: Client, pressed: Interaction, guild: Guild, channel: Channel, bot: Bot, fan: Member
) -> None:
    interaction = await heard(client)
    view = discord.ui.View()
    view.add_item(discord.ui.Button(label="Sure?", custom_id="sure"))
    view.stop()
    await interaction.response.send_message("only you", view=view, ephemeral=True)
    reply = await pressed.reply()
    assert reply.ephemeral
    assert reply not in channel.by(bot)
    (own,) = await client.hear("message")
    while own.id != reply.id:
        (own,) = await client.hear("message")
    assert own.flags.ephemeral
    assert own.guild is None
    place = client.get_partial_messageable(channel.id)
    await refused(place.fetch_message(reply.id), 404, 10008)
    other = guild.add_member("Sam")
    with pytest.raises(NotPossible, match="someone else"):
        await other.click(reply, "Sure?")
    again = await fan.click(reply, "Sure?")
    interaction = await heard(client)
    await interaction.response.edit_message(content="sure", view=None)
    assert (await again.update()).content == "sure"
    assert reply.buttons == []


async def test_a_deferred_answer(client: Client, pressed: Interaction) -> None:
    interaction = await heard(client)
    answer = await interaction.response.defer(thinking=True, ephemeral=True)
    assert answer is not None
    assert answer.is_thinking()
    assert await pressed.response() is CallbackType.DEFERRED_MESSAGE
    assert pressed.deferred
    assert pressed.ephemeral
    assert pressed.messages == []
    await interaction.edit_original_response(content="worked")
    assert (await pressed.reply()).content == "worked"
    extra = await interaction.followup.send("more", wait=True, ephemeral=False)
    assert [(each.content, each.ephemeral) for each in pressed.messages] == [
        ("worked", True),
        ("more", False),
    ]
    await extra.delete()
    assert pressed.text == "worked"


async def test_the_first_follow_up_takes_the_place_of_thinking(
    client: Client, pressed: Interaction
) -> None:
    interaction = await heard(client)
    await interaction.response.defer(thinking=True, ephemeral=True)
    await interaction.followup.send("here", wait=True)
    assert pressed.followups == []
    assert (await pressed.reply()).content == "here"
    assert (await pressed.reply()).ephemeral


async def test_updates_of_the_message(client: Client, card: Message, fan: Member) -> None:
    first = await fan.click(card, "remove:1")
    interaction = await heard(client)
    await interaction.response.defer()
    assert await first.response() is CallbackType.DEFERRED_UPDATE
    await interaction.edit_original_response(content="later")
    assert (await first.update()).content == "later"
    second = await fan.click(card, "remove:1")
    interaction = await heard(client)
    await interaction.response.edit_message(content="at once", view=None)
    assert await second.response() is CallbackType.UPDATE
    assert (card.content, card.buttons) == ("at once", [])
    with pytest.raises(NotPossible, match="no button"):
        await fan.click(card, "remove:1")


async def test_one_first_response_only(client: Client, pressed: Interaction) -> None:
    interaction = await heard(client)
    await interaction.response.defer()
    interaction.response._response_type = None
    await refused(interaction.response.send_message("again"), 400, 40060)
    assert pressed.callback is CallbackType.DEFERRED_UPDATE


async def test_the_first_response_must_come_in_three_seconds(
    server: DiscordServer, client: Client, pressed: Interaction
) -> None:
    interaction = await heard(client)
    server.clock.advance(3.1)
    await refused(interaction.response.defer(), 404, 10062)
    assert pressed.callback is None
    with pytest.raises(TimeoutError):
        await pressed.response(0.01)


async def test_the_token_lives_fifteen_minutes(
    server: DiscordServer, client: Client, pressed: Interaction
) -> None:
    interaction = await heard(client)
    await refused(interaction.followup.send("too early"), 404, 10015)
    await interaction.response.defer(thinking=True)
    server.clock.advance(890)
    await interaction.followup.send("in time")
    server.clock.advance(11)
    await refused(interaction.followup.send("too late"), 401, 50027)
    assert pressed.text == "in time"


async def test_a_refused_answer_leaves_the_interaction_open(
    client: Client, pressed: Interaction
) -> None:
    interaction = await heard(client)
    error = await refused(interaction.response.send_message("x" * 2001), 400, 50035)
    assert fault(error, "data", "content") == "BASE_TYPE_MAX_LENGTH"
    interaction.response._response_type = None
    await interaction.response.send_message("short")
    assert (await pressed.reply()).content == "short"


async def test_menus(client: Client, card: Message, fan: Member, guild: Guild) -> None:
    await fan.select(card, "menu", "A", "b")
    interaction = await heard(client)
    assert interaction.data is not None
    assert interaction.data["values"] == ["a", "b"]  # type: ignore[typeddict-item]
    with pytest.raises(NotPossible, match="no such option"):
        await fan.select(card, "menu", "z")
    with pytest.raises(NotPossible, match="pick 1 to 2"):
        await fan.select(card, "menu", "a", "b", "c")
    with pytest.raises(NotPossible, match="cannot be pressed"):
        await fan.click(card, "Off")
    await fan.select(card, "who", guild.owner)
    interaction = await heard(client)
    assert interaction.data is not None
    assert str(guild.owner.id) in interaction.data["resolved"]["members"]  # type: ignore[typeddict-item]


class Reason(discord.ui.Modal, title="Why?"):
    reason = discord.ui.TextInput[Any](label="Reason", custom_id="reason", max_length=20)
    detail = discord.ui.Label[Any](
        text="Level",
        component=discord.ui.Select(
            custom_id="level", options=[discord.SelectOption(label="high", value="3")]
        ),
    )

    async def on_submit(self, interaction: discord.Interaction[Any], /) -> None:
        menu = self.detail.component
        assert isinstance(menu, discord.ui.Select)
        await interaction.response.edit_message(content=f"{self.reason.value} {menu.values}")


async def test_modals(client: Client, pressed: Interaction, card: Message, fan: Member) -> None:
    interaction = await heard(client)
    await interaction.response.send_modal(Reason())
    assert await pressed.response() is CallbackType.MODAL
    assert pressed.modal is not None
    assert pressed.modal.title == "Why?"
    with pytest.raises(NotPossible, match="1 to 20"):
        await fan.submit_modal(pressed, reason="x" * 21, level=["3"])
    with pytest.raises(NotPossible, match="no such field"):
        await fan.submit_modal(pressed, typo="x")
    sent = await fan.submit_modal(pressed, reason="rude", level=["3"])
    assert (await sent.update()).content == "rude ['3']"
    assert card.content == "rude ['3']"


async def test_a_modal_cannot_answer_a_modal(
    client: Client, pressed: Interaction, fan: Member
) -> None:
    interaction = await heard(client)
    modal = discord.ui.Modal(title="Once", custom_id="once")
    modal.add_item(discord.ui.TextInput(label="Text", custom_id="text"))
    modal.stop()
    await interaction.response.send_modal(modal)
    await fan.submit_modal(pressed, text="x")
    interaction = await heard(client)
    error = await refused(interaction.response.send_modal(modal), 400, 50035)
    assert fault(error, "type") == "BASE_TYPE_CHOICES"


async def test_a_slow_bot_is_not_awaited_for_ever(pressed: Interaction) -> None:
    async with asyncio.timeout(1):
        with pytest.raises(TimeoutError):
            await pressed.reply(0.02)


async def test_a_file_is_given_to_a_command_and_can_be_read(
    client: Client, bot: Bot, channel: Channel, fan: Member
) -> None:
    command = {
        "name": "import",
        "description": "Takes a file",
        "options": [{"type": 11, "name": "list", "description": "The file", "required": True}],
    }
    await client.http.upsert_global_command(bot.id, command)
    await fan.slash(channel, "import", list=("names.txt", b"Ada Lark"))
    interaction = await heard(client)
    data: Any = interaction.data
    (sent,) = data["resolved"]["attachments"].values()
    assert (sent["filename"], sent["size"]) == ("names.txt", 8)
    file = discord.Attachment(data=sent, state=interaction._state)
    assert await file.read() == b"Ada Lark"
    with pytest.raises(NotPossible):
        await fan.slash(channel, "import", list="names.txt")
