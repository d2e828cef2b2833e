"""`fanguard doctor` against Discord: token, intents, servers and their permissions."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE

from bot.discord_app.doctor import Finding, examine
from bot.store import GuildSettings
from tests.discord_app.conftest import Scene
from tests.discord_app.test_run import environment
from tests.discord_server import Intent, Permission
from tests.discord_server.facade import BOT_PERMISSIONS


async def look(scene: Scene, *settings: GuildSettings, token: str = "") -> list[Finding]:
    known = {each.guild_id: each for each in settings}
    token = token or scene.account.token
    return [each async for each in examine(scene.settings.discord, token, known)]


def set_up(scene: Scene) -> GuildSettings:
    return GuildSettings(
        str(scene.guild.id),
        mod_channel_id=str(scene.mods.id),
        watched_channel_ids=(str(scene.general.id),),
    )


async def test_all_is_well(scene: Scene) -> None:
    found = await look(scene, set_up(scene))
    assert [(each.what, each.to_do) for each in found] == [
        ("token", ""),
        ("intents", ""),
        ("server “Fan club”", ""),
    ]
    assert not scene.account.connected
    assert scene.server.calls("PUT", ".*commands") == []


async def test_a_refused_token_is_told(scene: Scene) -> None:
    wrong = scene.account.token[:-4] + "abcd"
    (found,) = await look(scene, token=wrong)
    assert found.what == "token"
    assert "does not accept this token" in found.to_do
    assert wrong not in found.to_do


async def test_a_missing_intent_is_told(scene: Scene) -> None:
    scene.account.data.privileged &= ~Intent.MESSAGE_CONTENT
    found = await look(scene, set_up(scene))
    assert "Message Content Intent" in found[1].to_do


async def test_permissions_are_looked_at_in_each_channel(scene: Scene) -> None:
    news = scene.guild.add_channel("news")
    news.deny(scene.account, Permission.READ_MESSAGE_HISTORY)
    scene.general.deny(scene.account, Permission.MANAGE_MESSAGES)
    scene.mods.deny(scene.account, Permission.EMBED_LINKS)
    own = scene.guild.role_of(scene.account)
    own.set_permissions(BOT_PERMISSIONS & ~Permission.BAN_MEMBERS)
    settings = GuildSettings(
        str(scene.guild.id),
        mod_channel_id=str(scene.mods.id),
        watched_channel_ids=(str(scene.general.id), str(news.id), "404"),
    )
    to_do = (await look(scene, settings))[-1].to_do
    assert f"I cannot post cards in #mods ({scene.mods.id}): give me Embed Links" in to_do
    assert f"I cannot watch #news ({news.id}): give me Read Message History there." in to_do
    assert f"Remove will not work in #general ({scene.general.id})" in to_do
    assert "The watched channel 404 is gone" in to_do
    assert to_do.endswith("Ban will not work: give my role Ban Members.")


async def test_no_server_and_no_setup_are_told(scene: Scene) -> None:
    (*_, server) = await look(scene)
    assert "not set up yet" in server.to_do
    scene.guild.remove_bot(scene.account)
    (*_, servers) = await look(scene, set_up(scene))
    assert "in no server yet" in servers.to_do


async def test_trouble_of_discord_is_told(scene: Scene) -> None:
    scene.server.faults.fail("GET", r"/guilds/\d+/channels", status=403)
    (*_, last) = await look(scene, set_up(scene))
    assert last.what == "Discord"
    assert "403" in last.to_do


async def test_the_command_looks_at_everything(scene: Scene) -> None:
    (scene.folder / "config").mkdir()
    (scene.folder / "config" / "fanguard.toml").write_text("[model]\nfast = true\n")
    async with scene.store() as store:
        await scene.set_up(store)
    more = {
        "DATABASE_URL": scene.settings.database.url,
        "FANGUARD_KEY": (scene.folder / "key").read_text().strip(),
        **scene.server.environment(scene.account),
    }

    async def doctor() -> tuple[int | None, str]:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", "doctor"),
            cwd=scene.folder,
            env=environment(scene.folder, **more),
            stdout=PIPE,
            stderr=PIPE,
        )
        async with asyncio.timeout(60):
            out, errors = await process.communicate()
        assert errors == b""
        return process.returncode, out.decode()

    code, said = await doctor()
    assert code == 0, said
    assert f"client_id={scene.account.id}" in said
    for what in ("model", "people", "disk", "database", "key", "token", "intents", "server"):
        assert f"ok     {what}" in said
    scene.general.deny(scene.account, Permission.VIEW_CHANNEL)
    code, said = await doctor()
    assert code == 1
    assert "to do  server “Fan club”: I cannot watch #general" in said
    assert scene.account.token not in said
