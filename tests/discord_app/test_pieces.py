"""Forwards, polls, descriptions, titles, and one text sent as several messages."""

from __future__ import annotations

import pytest

from bot.comment import PartKind, Status
from tests.discord_app.conftest import FAIR, HOSTILE, LiveBot, Scene, unbold
from tests.discord_server import ChannelType, Message

PIECES = ("Ada Lark is", "such a", "talentless", "cow")


async def post_piece(scene: Scene, kind: str) -> Message:
    if kind == "forwarded":
        elsewhere = scene.guild.add_channel("elsewhere")
        original = await scene.moderator.post(elsewhere, HOSTILE)
        return await scene.fan.forward(original, scene.general)
    if kind == "poll":
        return await scene.fan.post(scene.general, poll=("Ada Lark is", ["fine", "a hack"]))
    return await scene.fan.post(scene.general, FAIR, files={"a.png": b"p"}, described=HOSTILE)


@pytest.mark.parametrize("kind", ["forwarded", "poll", "description"])
@pytest.mark.parametrize("while_away", [False, True])
async def test_pieces_are_read_and_named_on_the_card(
    scene: Scene, kind: str, *, while_away: bool
) -> None:
    if while_away:
        async with scene.running():
            pass
        message = await post_piece(scene, kind)
    async with scene.running() as bot:
        if not while_away:
            message = await post_piece(scene, kind)
        flag = await scene.flag_with_card(bot, message)
        card = await scene.card()
    assert [part.kind for part in flag.comment.parts] == [PartKind(kind)]
    part = flag.comment.parts[0]
    assert "hack" in flag.comment.text[part.start : part.end]
    assert "What it is made of" in card.text
    assert {"forwarded": "Forwarded", "poll": "A poll", "description": "an attachment"}[
        kind
    ] in card.text
    async with scene.running() as bot:
        await bot.catch_up.settled()
        found = await scene.flag_of(bot, message)
        assert found is not None
        assert found.revisions == 1


async def test_titles_of_threads_and_posts_are_read(scene: Scene, bot: LiveBot) -> None:
    thread = await scene.fan.start_thread(scene.general, HOSTILE)
    first = await scene.card()
    assert "The title of a thread" in first.text
    starter = await scene.moderator.post(scene.general, FAIR)
    on_message = await scene.fan.start_thread(scene.general, f"{HOSTILE} too", on=starter)
    second = await scene.card(after=first.id)
    assert f"<@{scene.fan.id}>" in second.text
    assert f"{on_message.id}" in second.text
    assert thread.id != on_message.id
    assert bot.is_ready()


async def test_a_forum_posts_title_is_read_with_its_starter(scene: Scene) -> None:
    scene.general = scene.guild.add_channel("clips", kind=ChannelType.FORUM)
    async with scene.running() as bot:
        post = await scene.fan.start_post(scene.general, HOSTILE, "what do you think?")
        flag = await scene.flag_with_card(bot, post.messages[0])
        assert flag.comment.text == f"{HOSTILE}\nwhat do you think?"
        assert flag.comment.parts[0].kind is PartKind.TITLE


@pytest.mark.parametrize("kind", [ChannelType.NEWS, ChannelType.VOICE, ChannelType.STAGE], ids=str)
async def test_other_kinds_of_channels_are_read(scene: Scene, kind: ChannelType) -> None:
    scene.general = scene.guild.add_channel("other", kind=kind)
    async with scene.running() as bot:
        message = await scene.fan.post(scene.general, HOSTILE)
        await scene.flag_with_card(bot, message)
    late = await scene.fan.post(scene.general, f"{HOSTILE} again")
    async with scene.running() as bot:
        await scene.flag_with_card(bot, late)


async def post_run(scene: Scene, pieces: tuple[str, ...] = PIECES) -> list[Message]:
    return [await scene.fan.post(scene.general, piece) for piece in pieces]


# The stand-in tells by one word alone; these tests need words that tell only together.
@pytest.fixture
def split(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scene.model, "words", {"such a talentless": 0.9, "talentless cow": 0.95})


@pytest.mark.usefixtures("split")
@pytest.mark.parametrize("while_away", [False, True])
async def test_one_text_in_several_messages_is_one_card(scene: Scene, *, while_away: bool) -> None:
    if while_away:
        async with scene.running():
            pass
        messages = await post_run(scene)
    async with scene.running() as bot:
        if not while_away:
            messages = await post_run(scene)
        await scene.assessed(bot, " ".join(PIECES))
        flag = await scene.flag_with_card(bot, messages[2])
        card = scene.cards()[0]
        await scene.server.wait_for(lambda: "4 messages in a row" in card.text)
        flag = await scene.flag_with_card(bot, messages[2])
        assert flag.comment.text == " ".join(PIECES)
        assert flag.comment.message_ids == tuple(str(each.id) for each in messages)
        assert all(each.jump_url in card.text for each in messages)
        assert len(scene.cards()) == 1
        await scene.fan.delete(messages[0])
        await scene.server.wait_for(lambda: "(gone)" in card.text)
        assert "The message is gone" not in card.text
        press = await scene.moderator.click(card, "Remove")
        assert "removed" in (await press.reply()).text
    assert all(each.deleted for each in messages)


@pytest.mark.usefixtures("split")
async def test_somebody_between_ends_a_run(scene: Scene, bot: LiveBot) -> None:
    await scene.fan.post(scene.general, "Ada Lark is such a")
    await scene.moderator.post(scene.general, "hi")
    await scene.fan.post(scene.general, "talentless")
    await scene.assessed(bot, "talentless")
    assert "Ada Lark is such a talentless" not in [text for text, _ in scene.model.seen]
    assert not scene.cards()


@pytest.mark.usefixtures("split")
async def test_a_run_goes_on_over_a_restart(scene: Scene) -> None:
    async with scene.running() as bot:
        first = await scene.fan.post(scene.general, "Ada Lark is such a")
        await scene.reaches(bot, scene.general, first)
    last = await scene.fan.post(scene.general, "talentless")
    async with scene.running() as bot:
        flag = await scene.flag_with_card(bot, last)
        assert flag.comment.text == "Ada Lark is such a talentless"


@pytest.mark.usefixtures("split")
async def test_an_edited_piece_is_a_new_wording_of_the_run(scene: Scene, bot: LiveBot) -> None:
    messages = await post_run(scene, PIECES[:3])
    await scene.flag_with_card(bot, messages[2])
    await scene.fan.edit(messages[0], "Ada Lark and Bo are")
    await scene.assessed(bot, "Ada Lark and Bo are such a talentless")
    flag = await scene.flag_of(bot, messages[2])
    assert flag is not None
    assert flag.revisions == 2
    assert await scene.flag_of(bot, messages[0]) is None
    for message in messages:
        await scene.fan.delete(message)
    card = scene.cards()[0]
    await scene.server.wait_for(lambda: "The message is gone" in unbold(card))
    flag = await scene.flag_of(bot, messages[2])
    assert flag is not None
    assert flag.status is Status.OPEN
