"""`fanguard run` as a process of its own, and what it says when it cannot run."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.discord_app.login import check_token
from bot.discord_app.service import serve
from bot.errors import UserError
from bot.settings import PROJECT_DIR, DiscordSettings
from tests.discord_app.conftest import Scene
from tests.discord_server import DiscordServer, Permission

START_SECONDS = 60.0
HATEFUL = "Ada Lark is a disgusting talentless pig and everyone should despise her"
KIND = "Ada Lark sang beautifully tonight, what a voice"


def environment(folder: Path, **more: str) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("DISCORD_", "FANGUARD_", "DATABASE_"))
    }
    return kept | {
        "PYTHONPATH": str(PROJECT_DIR),
        "OMP_NUM_THREADS": "1",
        "DATABASE_URL": f"sqlite+aiosqlite:///{folder}/data/fanguard.db",
        **more,
    }


@asynccontextmanager
async def process(folder: Path, **more: str) -> AsyncIterator[Process]:
    started = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "run", cwd=folder, env=environment(folder, **more), stderr=PIPE
    )
    try:
        yield started
    finally:
        if started.returncode is None:
            started.kill()
            await started.wait()


async def failure(folder: Path, **more: str) -> tuple[int | None, str]:
    """The exit code and stderr of a bot that does not start."""
    async with process(folder, **more) as bot:
        async with asyncio.timeout(START_SECONDS):
            _, errors = await bot.communicate()
        return bot.returncode, errors.decode()


def assert_clear(code: int | None, errors: str, *words: str) -> None:
    assert code == 2, errors
    assert "Traceback" not in errors
    for word in words:
        assert word in errors


async def test_the_whole_trip_with_the_shipped_model(scene: Scene) -> None:
    folder = scene.folder
    (folder / "config").mkdir()
    (folder / "config" / "people.toml").write_text('[[people]]\nname = "Ada Lark"\n')
    await scene.fan.post(scene.general, "hello")
    async with process(folder, **scene.server.environment(scene.account)) as bot:
        await scene.account.wait_connected(within=START_SECONDS)
        await scene.server.wait_for(lambda: "setup" in scene.account.commands(), 10.0)
        setup = await scene.moderator.slash(
            scene.mods, "setup", moderators=scene.mods, watch=scene.general
        )
        assert "All set" in (await setup.reply(within=20.0)).text
        greeting = await scene.card(within=20.0)
        await scene.fan.post(scene.general, KIND)
        hateful = await scene.fan.post(scene.general, HATEFUL)
        card = await scene.card(after=greeting.id, within=20.0)
        assert hateful.jump_url in card.text
        assert "toward Ada Lark" in card.text
        press = await scene.moderator.click(card, "Remove")
        assert "removed" in (await press.reply()).text
        assert hateful.deleted
        log = await (await scene.moderator.slash(scene.mods, "flags log")).reply()
        assert "removed by Mo" in log.text
        bot.send_signal(signal.SIGTERM)
        async with asyncio.timeout(20):
            _, errors = await bot.communicate()
    said = errors.decode()
    assert bot.returncode == 0, said
    assert "Traceback" not in said
    assert "talentless" not in said
    assert "voice" not in said
    assert scene.account.token not in said
    assert scene.cards() == [greeting, card]


async def test_a_second_bot_on_the_same_database_is_refused(scene: Scene) -> None:
    async with scene.running():
        with pytest.raises(UserError, match=r"Another Fanguard.*Stop it first"):
            await serve(scene.settings, scene.account.token, scene.model)


async def test_no_token_is_refused(tmp_path: Path) -> None:
    assert_clear(*await failure(tmp_path), "DISCORD_TOKEN", "discord.com/developers")


async def test_a_wrong_token_is_refused(server: DiscordServer, tmp_path: Path) -> None:
    right = server.add_bot()
    address = server.environment(right)
    address["DISCORD_TOKEN"] = right.token[:-4] + "abcd"
    code, errors = await failure(tmp_path, **address)
    assert_clear(code, errors, "does not accept this token", "Reset Token")
    assert address["DISCORD_TOKEN"] not in errors


async def test_a_missing_intent_is_named(scene: Scene) -> None:
    scene.account.data.privileged = 0
    with pytest.raises(UserError, match=r"Message Content Intent.*Privileged Gateway Intents"):
        await serve(scene.settings, scene.account.token, scene.model)


async def test_an_unreachable_discord_is_told(scene: Scene) -> None:
    nowhere = DiscordSettings(api_base="http://127.0.0.1:9/api/v10", gateway="ws://127.0.0.1:9")
    settings = scene.settings.model_copy(update={"discord": nowhere})
    with pytest.raises(UserError, match="cannot be reached"):
        await serve(settings, scene.account.token, scene.model)


async def test_a_missing_permission_is_told_on_stderr(scene: Scene) -> None:
    scene.general.deny(scene.account, Permission.VIEW_CHANNEL)
    async with scene.store() as store:
        await scene.set_up(store)
    more = {
        "DATABASE_URL": scene.settings.database.url,
        "FANGUARD_KEY": (scene.folder / "key").read_text().strip(),
    }
    async with process(scene.folder, **scene.server.environment(scene.account), **more) as bot:
        assert bot.stderr is not None
        wanted = re.compile(rf"channel {scene.general.id}: give me View Channel")
        async with asyncio.timeout(START_SECONDS):
            while not wanted.search(line := (await bot.stderr.readline()).decode()):
                assert line, "the bot ended"


@pytest.mark.parametrize(
    ("token", "words"),
    [
        (None, "No Discord token"),
        ("   ", "No Discord token"),
        ("changeme", "not a bot token"),
        ("a" * 72, "not a bot token"),
        ("MTIz.abcdef", "not a bot token"),
        ("MTIz.abc def.ghijkl", "not a bot token"),
        ("Bot MTIzNDU2Nzg5.abcdef.ghijklmnopq", "without the word"),
    ],
)
def test_a_malformed_token_is_refused_unquoted(token: str | None, words: str) -> None:
    with pytest.raises(UserError, match=words) as caught:
        check_token(token)
    if token and token.strip():
        assert token not in str(caught.value)


def test_a_token_is_taken_without_its_blanks() -> None:
    token = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDE.abcdefghijklmnopqrstuvwxyz0"
    assert check_token(f" {token}\n") == token
