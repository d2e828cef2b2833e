"""/calibrate over the wire: from real decisions to a threshold that queues less."""

from __future__ import annotations

import io
from dataclasses import replace

from PIL import Image

from bot.comment import Action
from tests.discord_app.conftest import LiveBot, Scene
from tests.discord_app.test_commands import run
from tests.discord_server import Permission
from tests.store.samples import assessment, comment


async def decided(scene: Scene, bot: LiveBot, *, guild_id: int | None = None) -> None:
    """Thirty decisions: what scored high was removed, most of what scored low dismissed."""
    guild = str(guild_id or scene.guild.id)
    for number in range(1, 31):
        score = 0.95 - number * 0.01
        told = replace(assessment(), score=score, flagged=True, model=bot.pipeline.thresholds.model)
        posted = replace(comment(number, f"text {number}"), guild_id=guild)
        added = await bot.store.flags.add(posted, told, source="gateway")
        assert added.flag is not None
        action = Action.REMOVE if number <= 15 else Action.DISMISS
        await bot.store.flags.decide(guild, added.flag.id, action, "7", "Mo")


async def test_decisions_speak_for_a_threshold(scene: Scene, bot: LiveBot) -> None:
    await decided(scene, bot)
    press = await scene.moderator.slash(scene.mods, "calibrate", colours="light")
    reply = await press.reply(within=30)
    assert press.deferred
    assert reply.ephemeral
    (sent,) = reply.attachments
    assert Image.open(io.BytesIO(sent.content)).format == "PNG"
    assert sent.description
    assert "From 0.72 instead of 0.50, 53% of the dismissed flags" in reply.text
    assert "and 100% of those acted on still would" in reply.text
    assert "15 flags acted on and 15 dismissed" in reply.text
    assert "trains nothing" in reply.text


async def test_the_proposal_is_taken_with_one_press(scene: Scene) -> None:
    async with scene.running() as bot:
        await decided(scene, bot)
        reply = await (await scene.moderator.slash(scene.mods, "calibrate")).reply(within=30)
    async with scene.running() as bot:
        taken = await scene.moderator.click(reply, "Use 0.72")
        assert "score 0.72 or more are queued" in (await taken.reply()).text
        settings = await bot.store.guilds.get(str(scene.guild.id))
        assert settings is not None
        assert settings.threshold == 0.725
        again = await scene.moderator.click(reply, "Use 0.72")
        assert "nothing was changed" in (await again.reply()).text


async def test_who_does_not_manage_the_server_may_look_only(scene: Scene, bot: LiveBot) -> None:
    janitor = scene.guild.add_member(
        "Jan", scene.guild.add_role("Janitor", Permission.MANAGE_MESSAGES)
    )
    await decided(scene, bot)
    reply = await (await janitor.slash(scene.general, "calibrate")).reply(within=30)
    refused = await janitor.click(reply, "Use 0.72")
    assert "You need the permission Manage Server" in (await refused.reply()).text
    settings = await bot.store.guilds.get(str(scene.guild.id))
    assert settings is not None
    assert settings.threshold is None


async def test_few_decisions_or_those_of_another_server_are_not_enough(
    scene: Scene, bot: LiveBot
) -> None:
    other = scene.server.add_guild("Other", join=True)
    await scene.taken_up(bot, other)
    await decided(scene, bot, guild_id=other.id)
    reply = await run(scene, "calibrate")
    assert "Too few decisions yet" in reply.text
    assert reply.attachments == []


async def test_goals_that_cannot_be_met_get_the_nearest(scene: Scene, bot: LiveBot) -> None:
    await decided(scene, bot)
    await bot.store.flags.reopen(str(scene.guild.id), 30, "7", "Mo")
    await bot.store.flags.decide(str(scene.guild.id), 30, Action.REMOVE, "7", "Mo")
    text = (await run(scene, "calibrate", fewer=100, keep=100)).text
    assert "No higher threshold keeps 100 %" in text
