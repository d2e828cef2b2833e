"""A form that was open while the bot restarted is answered, and what was written comes back."""

from __future__ import annotations

import pytest

from bot.discord_app import forms_of_before
from tests.discord_app.conftest import HOSTILE, Scene
from tests.discord_server import CallbackType


async def test_what_was_written_is_given_back(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scene.running() as bot:
        message = await scene.fan.post(scene.general, HOSTILE)
        await scene.flag_with_card(bot, message)
        form = await scene.moderator.click(await scene.card(), "Warn")
        assert await form.response() is CallbackType.MODAL
    monkeypatch.setattr(forms_of_before, "FORMS_OF_THIS_RUN", "fanguard:form:another:")
    async with scene.running():
        sent = await scene.moderator.submit_modal(form, text="Please be `kinder`", way=["dm"])
        reply = await sent.reply()
        assert "Please open it again" in reply.text
        assert "||```\nPlease be 'kinder'\n```||" in reply.text
        assert reply.ephemeral
        assert not scene.fan.direct_messages(scene.account)


async def test_a_form_of_this_run_is_answered_by_itself(scene: Scene) -> None:
    async with scene.running() as bot:
        message = await scene.fan.post(scene.general, HOSTILE)
        await scene.flag_with_card(bot, message)
        form = await scene.moderator.click(await scene.card(), "Warn")
        await form.response()
        sent = await scene.moderator.submit_modal(form, way=["dm"])
        assert "open it again" not in (await sent.reply()).text
