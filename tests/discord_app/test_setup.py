"""/setup step by step, what it changes, and what the moderators' channel is told."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.moderation import SHADOW_TIME
from tests.discord_app.conftest import (
    ABUSIVE,
    FAIR,
    HOSTILE,
    WITHIN,
    LiveBot,
    Scene,
)
from tests.discord_server import Interaction, Message, Permission


async def begin(scene: Scene, **options: Any) -> Message:
    press = await scene.moderator.slash(scene.mods, "setup", **options)
    reply = await press.reply()
    assert press.deferred
    assert reply.ephemeral
    return reply


async def press(scene: Scene, page: Message, button: str) -> Message:
    return await (await scene.moderator.click(page, button)).update()


async def choose(scene: Scene, page: Message, menu: str, *values: Any) -> Message:
    pressed: Interaction = await scene.moderator.select(page, f"fanguard:setup:{menu}", *values)
    return await pressed.update()


async def test_an_admin_is_walked_through_three_steps(scene: Scene) -> None:
    async with scene.running(set_up=False) as bot:
        news = scene.guild.add_channel("news")
        helpers = scene.guild.add_role("Helpers", Permission.MANAGE_MESSAGES)
        page = await begin(scene)
        assert "Step 1 of 3" in page.text
        assert "none yet" in page.text
        assert len(page.selects) == 1
        page = await choose(scene, page, "watched", scene.general, news)
        assert f"<#{scene.general.id}> <#{news.id}>" in page.text
        page = await press(scene, page, "Next")
        assert "Step 2 of 3" in page.text
        page = await choose(scene, page, "moderators", scene.mods)
        page = await choose(scene, page, "roles", helpers)
        page = await press(scene, page, "Next")
        assert "Step 3 of 3" in page.text
        page = await choose(scene, page, "preset", "strict")
        page = await press(scene, page, "Next")
        assert "Is this right?" in page.text
        assert f"<#{scene.mods.id}>" in page.text
        assert f"<@&{helpers.id}>" in page.text
        assert "strict, from" in page.text
        assert "Shadow mode\noff" in page.text
        before = await bot.store.guilds.get(str(scene.guild.id))
        assert before is not None
        assert (before.mod_channel_id, before.watched_channel_ids) == (None, ())
        page = await press(scene, page, "Save")
        assert "Saved" in page.text
        assert "All set" in page.text
        assert page.buttons == []
        assert page.selects == []
        saved = await bot.guild_settings(scene.guild.id)
        assert saved.mod_channel_id == str(scene.mods.id)
        assert saved.watched_channel_ids == (str(scene.general.id), str(news.id))
        assert saved.moderator_role_ids == (str(helpers.id),)
        assert saved.shadow_until is None
        assert bot.pipeline.thresholds.of(saved).preset == "strict"


async def test_the_steps_outlive_a_restart_and_can_be_cancelled(scene: Scene) -> None:
    async with scene.running() as bot:
        before = await bot.store.guilds.get(str(scene.guild.id))
        page = await press(scene, await begin(scene), "Next")
        page = await choose(scene, page, "roles", scene.team)
    async with scene.running() as bot:
        page = await press(scene, page, "Back")
        page = await press(scene, page, "Next")
        assert f"<@&{scene.team.id}>" in page.text
        page = await press(scene, page, "Cancel")
        assert "everything is as it was" in page.text
        assert await bot.store.guilds.get(str(scene.guild.id)) == before
        other = await begin(scene)
        await press(scene, other, "Cancel")
        answer = await (await scene.moderator.click(await begin(scene), "Next")).update()
        assert "Step 2" in answer.text


async def test_choices_that_were_saved_already_are_told_to_be_so(
    scene: Scene, bot: LiveBot
) -> None:
    page = await begin(scene)
    await bot.store.drafts.drop(str(scene.guild.id), str(scene.moderator.id))
    reply = await (await scene.moderator.click(page, "Next")).reply()
    assert reply.text == "These choices were saved or cancelled already. /setup starts again."


async def test_a_step_refuses_to_have_the_cards_watched(scene: Scene, bot: LiveBot) -> None:
    before = await bot.store.guilds.get(str(scene.guild.id))
    page = await begin(scene)
    pressed = await scene.moderator.select(page, "fanguard:setup:watched", scene.mods)
    reply = await pressed.reply()
    assert "cannot be both watched and the moderators' channel" in reply.text
    assert "\n" not in reply.text
    page = await press(scene, page, "Next")
    pressed = await scene.moderator.select(page, "fanguard:setup:moderators", scene.general)
    assert "cannot be both" in (await pressed.reply()).text
    assert await bot.store.guilds.get(str(scene.guild.id)) == before


async def test_each_step_says_in_one_line_what_is_missing(scene: Scene, bot: LiveBot) -> None:
    news = scene.guild.add_channel("news")
    news.deny(scene.account, Permission.READ_MESSAGE_HISTORY)
    page = await choose(scene, await begin(scene), "watched", scene.general, news)
    assert f"I cannot watch <#{news.id}>: give me Read Message History there." in page.text
    fresh = scene.guild.add_channel("desk")
    fresh.deny(scene.account, Permission.SEND_MESSAGES)
    page = await choose(scene, await press(scene, page, "Next"), "moderators", fresh)
    assert f"I cannot post cards in <#{fresh.id}>: give me Send Messages" in page.text
    assert bot.is_ready()


async def test_more_that_is_missing_than_a_field_holds_is_counted(scene: Scene) -> None:
    many = [scene.guild.add_channel(f"room-{each}") for each in range(25)]
    for channel in many:
        channel.deny(scene.account, Permission.READ_MESSAGE_HISTORY)
    async with scene.running(set_up=False):
        page = await choose(scene, await begin(scene), "watched", *many)
        missing = next(each for each in page.embeds[0]["fields"] if each["name"] == "Missing")
        lines = missing["value"].splitlines()
        assert all(line.endswith(".") for line in lines[:-1])
        assert lines[-1] == f"… and {26 - len(lines) + 1} more"


async def test_only_who_manages_the_server_sets_it_up(scene: Scene, bot: LiveBot) -> None:
    page = await begin(scene)
    scene.moderator.take(scene.team)
    reply = await (await scene.moderator.click(page, "Next")).reply()
    assert "You need the permission Manage Server" in reply.text
    assert bot.is_ready()


async def test_chosen_roles_alone_moderate(scene: Scene, bot: LiveBot) -> None:
    helpers = scene.guild.add_role("Helpers", Permission.MANAGE_MESSAGES)
    others = scene.guild.add_role("Others", Permission.MANAGE_MESSAGES)
    for role in (helpers, others):
        scene.mods.allow(role, Permission.VIEW_CHANNEL)
    helper = scene.guild.add_member("Hal", helpers)
    other = scene.guild.add_member("Olga", others)
    page = await press(scene, await begin(scene), "Next")
    page = await choose(scene, page, "roles", helpers)
    await press(scene, await press(scene, await press(scene, page, "Next"), "Next"), "Save")
    message = await scene.fan.post(scene.general, HOSTILE)
    flag = await scene.flag_with_card(bot, message)
    card = next(each for each in scene.cards() if each.id == int(flag.card_message_id or 0))
    refusal = f"Here only members with one of these roles moderate: <@&{helpers.id}>."
    assert (await (await other.click(card, "Take it")).reply()).text == refusal
    assert (await (await other.slash(scene.mods, "queue")).reply()).text == refusal
    assert (await (await helper.slash(scene.mods, "queue")).reply()).text != refusal
    assert (await (await scene.moderator.slash(scene.mods, "queue")).reply()).text != refusal
    assert "yours" in (await (await helper.click(card, "Take it")).reply()).text


async def test_the_first_message_says_what_the_bot_does_and_does_not(scene: Scene) -> None:
    async with scene.running(set_up=False):
        await begin(scene, moderators=scene.mods, watch=scene.general)
        greeting = await scene.card()
        assert "What I do\n" in greeting.text
        assert "What I do not do\n" in greeting.text
        assert "delete and punish nothing" in greeting.text
        assert f"<#{scene.general.id}>" in greeting.text
        await begin(scene, members=False)
        await scene.fan.post(scene.general, HOSTILE)
        await scene.card(after=greeting.id)
    async with scene.running():
        pass
    assert sum("I am Fanguard" in each.text for each in scene.cards()) == 1


async def test_the_first_message_waits_until_it_can_be_posted(scene: Scene) -> None:
    async with scene.running(set_up=False) as bot:
        scene.mods.deny(scene.account, Permission.SEND_MESSAGES)
        reply = await begin(scene, moderators=scene.mods, watch=scene.general)
        assert "I cannot post cards" in reply.text
        scene.mods.allow(scene.account, Permission.SEND_MESSAGES)
        greeting = await scene.card()
        assert "I am Fanguard" in greeting.text
        async with asyncio.timeout(WITHIN):
            while (await bot.guild_settings(scene.guild.id)).greeting_due:  # noqa: ASYNC110
                await asyncio.sleep(0.01)


async def test_in_shadow_mode_flags_get_no_cards(scene: Scene, bot: LiveBot) -> None:
    page = await begin(scene)
    for _ in range(2):
        page = await press(scene, page, "Next")
    page = await choose(scene, page, "shadow", "on")
    page = await press(scene, await press(scene, page, "Next"), "Save")
    assert "no cards, only the queue" in page.text
    settings = await bot.guild_settings(scene.guild.id)
    assert settings.shadow_until is not None
    left = settings.shadow_until - datetime.now(UTC)
    assert SHADOW_TIME - timedelta(minutes=1) < left <= SHADOW_TIME
    quiet = await scene.fan.post(scene.general, HOSTILE)
    await scene.reaches(bot, scene.general, quiet)
    flag = await scene.flag_of(bot, quiet)
    assert flag is not None
    queue = await (await scene.moderator.slash(scene.mods, "queue")).reply()
    assert "1 to decide" in queue.text
    assert scene.cards() == []

    soon = datetime.now(UTC) + timedelta(seconds=0.3)
    await bot.store.guilds.put(replace(settings, shadow_until=soon))
    told = await scene.card(within=20.0)
    assert "Shadow mode has ended" in told.text
    assert "1 flag waits in `/queue`" in told.text
    loud = await scene.fan.post(scene.general, ABUSIVE)
    await scene.flag_with_card(bot, loud)
    assert len(scene.cards()) == 2
    assert (await bot.guild_settings(scene.guild.id)).shadow_until is None


async def test_shadow_mode_is_ended_by_hand_and_off_unless_chosen(
    scene: Scene, bot: LiveBot
) -> None:
    settings = await bot.guild_settings(scene.guild.id)
    assert settings.shadow_until is None
    later = datetime.now(UTC) + timedelta(days=1)
    await bot.store.guilds.put(replace(settings, shadow_until=later))
    page = await begin(scene)
    for _ in range(2):
        page = await press(scene, page, "Next")
    page = await choose(scene, page, "shadow", "off")
    await press(scene, await press(scene, page, "Next"), "Save")
    message = await scene.fan.post(scene.general, HOSTILE)
    await scene.flag_with_card(bot, message)
    assert len(scene.cards()) == 1


async def test_more_channels_than_a_menu_holds_are_kept(scene: Scene) -> None:
    many = [scene.guild.add_channel(f"room-{each}") for each in range(26)]
    async with scene.running() as bot:
        settings = await bot.guild_settings(scene.guild.id)
        watched = tuple(str(each.id) for each in many)
        await bot.store.guilds.put(replace(settings, watched_channel_ids=watched))
        page = await begin(scene)
        assert page.selects == []
        assert "/setup watch" in page.text
        for button in ("Next", "Next", "Next", "Save"):
            page = await press(scene, page, button)
        assert (await bot.guild_settings(scene.guild.id)).watched_channel_ids == watched


async def test_a_channel_chosen_starts_at_the_present(scene: Scene) -> None:
    async with scene.running(set_up=False) as bot:
        old = await scene.fan.post(scene.general, HOSTILE)
        page = await choose(scene, await begin(scene), "watched", scene.general)
        for button in ("Next", "Next", "Next", "Save"):
            page = await press(scene, page, button)
        assert await scene.checkpoint(bot, scene.general) == old.id
        new = await scene.fan.post(scene.general, FAIR)
        await scene.reaches(bot, scene.general, new)
        assert {text for text, _ in scene.model.seen} == {FAIR}


async def test_threads_start_at_the_present_too(scene: Scene) -> None:
    async with scene.running(set_up=False) as bot:
        await scene.fan.post(scene.general, FAIR)
        active = await scene.fan.start_thread(scene.general, "active")
        archived = await scene.fan.start_thread(scene.general, "archived")
        for thread in (active, archived):
            await scene.fan.post(thread, HOSTILE)
        archived.archive()
        await begin(scene)
        await bot.watcher.queue.join()
        await begin(scene, moderators=scene.mods, watch=scene.general)
        await bot.catch_up.settled()
    async with scene.running() as bot:
        new = await scene.fan.post(active, ABUSIVE)
        await scene.flag_with_card(bot, new)
        assert {text for text, _ in scene.model.seen} == {ABUSIVE}
