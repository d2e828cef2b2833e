"""/report week over the wire: a real picture with its text alternative, of this server alone."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from bot.comment import Action, Person
from bot.drawing import DrawingError
from tests.discord_app.conftest import ABUSIVE, HOSTILE, LiveBot, Scene
from tests.discord_app.test_commands import flagged, run


async def test_a_week_is_a_picture_with_words_beside_it(scene: Scene, bot: LiveBot) -> None:
    await bot.store.roster.add(str(scene.guild.id), Person("Bo Finch"))
    await flagged(scene, bot, HOSTILE, ABUSIVE, "Bo Finch is talentless")
    await bot.store.flags.decide(str(scene.guild.id), 1, Action.DISMISS, "7", "Mo")
    press = await scene.moderator.slash(
        scene.mods, "report week", time_zone="Asia/Kolkata", colours="light"
    )
    reply = await press.reply(within=30)
    assert press.deferred
    assert reply.ephemeral
    (sent,) = reply.attachments
    image = Image.open(io.BytesIO(sent.content))
    image.load()
    assert image.format == "PNG"
    assert image.width == 1000
    assert 1000 < image.height < 3000
    assert len(sent.content) < 1_000_000
    assert sent.filename.endswith(".png")
    assert sent.description is not None
    assert len(sent.description) <= 1024
    assert "Ada Lark 2, Bo Finch 1" in sent.description
    assert "Asia/Kolkata" in sent.description
    assert "3 flags from <t:" in reply.text
    assert "1 decided, 100% of them dismissed" in reply.text
    assert "1. Ada Lark 2, 2. Bo Finch 1" in reply.text


async def test_another_servers_flags_are_not_in_it(scene: Scene, bot: LiveBot) -> None:
    await flagged(scene, bot, HOSTILE)
    other = scene.server.add_guild("Other", join=True)
    lobby = other.add_channel("lobby")
    await scene.taken_up(bot, other)
    press = await other.owner.slash(lobby, "report week")
    reply = await press.reply()
    assert "A quiet week" in reply.text
    assert reply.attachments == []
    assert "Ada" not in reply.text


async def test_an_empty_week_and_a_wrong_time_zone_are_one_line(scene: Scene, bot: LiveBot) -> None:
    await flagged(scene, bot, HOSTILE)
    assert "A quiet week" in (await run(scene, "report week", weeks_back=3)).text
    refused = await run(scene, "report week", time_zone="Mars/Olympus")
    assert "I do not know that time zone" in refused.text
    press = await scene.moderator.autocomplete(scene.mods, "report week", "time_zone", "berl")
    await press.response()
    assert [each["value"] for each in press.choices or ()] == ["Europe/Berlin"]


async def test_members_are_refused(scene: Scene, bot: LiveBot) -> None:
    press = await scene.fan.slash(scene.general, "report week", force=True)
    assert "You need the permission" in (await press.reply()).text
    assert bot.is_ready()


async def test_a_picture_that_fails_is_one_kind_line(
    scene: Scene, bot: LiveBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_given: object, **_named: object) -> bytes:
        raise DrawingError("The picture took too long to draw. Please try again in a minute.")

    await flagged(scene, bot, HOSTILE)
    monkeypatch.setattr(bot.studio, "draw", fails)
    assert "took too long" in (await run(scene, "report week")).text
