"""The log holds ids, never a message's text and never a token."""

from __future__ import annotations

import io
import json
import logging
import re
from collections.abc import Iterator

import pytest

from bot.discord_app import logs
from bot.errors import UserError
from bot.settings import LogSettings
from tests.discord_app.conftest import ABUSIVE, FAIR, HOSTILE, Scene
from tests.discord_server import Permission

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDE.abcdefghijklmnopqrstuvwxyz0"


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    before = (root.handlers[:], root.level)
    levels = {name: logging.getLogger(name).level for name in logging.Logger.manager.loggerDict}
    yield io.StringIO()
    root.handlers[:], root.level = before
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


async def test_a_whole_trip_leaves_no_text_and_no_token_in_the_log(
    scene: Scene, stream: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.discord_app.intake.RETRY_SECONDS", (0.01,))
    logs.configure(LogSettings(level="DEBUG"), stream)
    async with scene.running() as bot:
        scene.model.failures = 2
        await scene.fan.post(scene.general, f"{FAIR} s3cr3t")
        message = await scene.fan.post(scene.general, f"{HOSTILE} s3cr3t")
        await scene.flag_with_card(bot, message)
        await scene.fan.edit(message, f"{ABUSIVE} s3cr3t")
        (card,) = scene.cards()
        scene.server.faults.rate_limit("POST", r"^/webhooks", retry_after=0.1)
        scene.server.faults.fail("DELETE", "/messages/", status=403)
        await (await scene.moderator.click(card, "Remove")).reply()
        scene.mods.deny(scene.account, Permission.SEND_MESSAGES)
        scene.model.failures = 1
        reply = await scene.moderator.slash(scene.mods, "score", text=f"{HOSTILE} s3cr3t")
        await reply.reply()
        scene.account.drop()
        await scene.account.wait_disconnected()
        await scene.account.wait_connected()
    said = stream.getvalue()
    assert "could not be assessed" in said
    assert "rate limited" in said
    assert "s3cr3t" not in said
    assert "talentless" not in said
    assert scene.account.token not in said
    assert not re.search(r"/webhooks/\d+/(?!\[token\])", said)


def test_tokens_are_taken_out(stream: io.StringIO) -> None:
    logs.configure(LogSettings(), stream)
    logging.getLogger("x").warning("login with %s at /interactions/12/abcDEF/callback", TOKEN)
    assert "login with [token] at /interactions/12/[token]/callback" in stream.getvalue()


def test_errors_are_outlined_without_their_message(stream: io.StringIO) -> None:
    logs.configure(LogSettings(format="json"), stream)
    try:
        int("she is talentless")
    except ValueError:
        logging.getLogger("x").exception("message %s failed", 12)
    entry = json.loads(stream.getvalue())
    assert entry["message"] == "message 12 failed"
    assert entry["level"] == "error"
    assert re.fullmatch(r"ValueError at .*test_logs\.py:\d+", entry["error"])


def test_an_error_of_our_own_says_what_to_do() -> None:
    assert logs.where(UserError("Free some space.")) == "Free some space."


def test_the_level_is_obeyed(stream: io.StringIO) -> None:
    logs.configure(LogSettings(level="WARNING"), stream)
    logging.getLogger("discord.gateway").info("connected")
    logging.getLogger("bot").info("logged in")
    assert stream.getvalue() == ""
