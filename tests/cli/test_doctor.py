"""`fanguard doctor` on a machine without network: what it can see, and what it says to do."""

from __future__ import annotations

import shutil
from collections import namedtuple
from pathlib import Path

import discord
import pytest

from bot.discord_app.client import needed_permissions
from tests.cli.conftest import Fanguard

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDE.abcdefghijklmnopqrstuvwxyz0"
DATABASE = Path("data/fanguard.db")
Usage = namedtuple("Usage", "total used free")


@pytest.fixture
def doctor(fanguard: Fanguard, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Fanguard:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    (tmp_path / "config" / "fanguard.toml").write_text("[model]\nfast = true\n")
    return fanguard


def lines(out: str) -> dict[str, str]:
    """What was said of each thing, with whether it is well."""
    found = {}
    for line in out.splitlines():
        if line.startswith(("ok ", "to do ")):
            verdict, _, rest = line.partition("  ")
            what, _, _ = rest.strip().partition(":")
            found[what] = f"{verdict.strip()}: {line}"
    return found


def test_the_machine_alone_is_looked_at(doctor: Fanguard) -> None:
    result = doctor("doctor", "--offline")
    assert result.code == 0, result
    assert set(lines(result.out)) == {"token", "model", "people", "disk", "database", "key"}
    assert not DATABASE.exists()
    assert TOKEN not in result.out + result.err


def test_the_link_asks_for_what_is_needed_and_no_more(doctor: Fanguard) -> None:
    link = next(line for line in doctor("doctor", "--offline").out.splitlines() if "https" in line)
    assert "client_id=123456789012345678" in link
    assert f"permissions={needed_permissions().value}" in link
    assert "scope=bot+applications.commands" in link


def test_a_database_in_use_and_its_key_are_looked_at(doctor: Fanguard) -> None:
    assert doctor("db", "upgrade").code == 0
    result = doctor("doctor", "--offline")
    assert result.code == 0, result
    assert "data/fanguard.db is sound" in result.out
    assert "ok     key: fits" in result.out
    Path("data/fanguard.key").unlink()
    result = doctor("doctor", "--offline")
    assert result.code == 1
    assert "to do  key: The key file data/fanguard.key" in result.out


def test_another_key_is_told(doctor: Fanguard, monkeypatch: pytest.MonkeyPatch) -> None:
    assert doctor("db", "upgrade").code == 0
    monkeypatch.setenv("FANGUARD_KEY", "c2l4dGVlbiBieXRlcyBvciBtb3JlLCB0aGlydHkyISE=")
    result = doctor("doctor", "--offline")
    assert result.code == 1
    assert "to do  key" in result.out
    assert "does not fit" in result.out


def test_what_is_wrong_is_said_line_by_line(
    doctor: Fanguard, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "changeme")
    (tmp_path / "config" / "fanguard.toml").write_text('[model]\npath = "nowhere"\n')
    (tmp_path / "config" / "people.toml").write_text("[[people]]\nnme = 'Ada'\n")
    DATABASE.parent.mkdir()
    DATABASE.write_text("these are my holiday notes, not a database\n" * 100)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**9, 9 * 10**8, 10**6))
    result = doctor("doctor")
    assert result.code == 1
    found = lines(result.out)
    assert "not a bot token" in found["token"]
    assert "there is no model" in found["model"].lower() or "nowhere" in found["model"]
    assert "Did you mean “name”" in found["people"]
    assert "not a Fanguard database" in found["database"]
    assert "Make room" in found["disk"]
    assert all(each.startswith("to do") for each in found.values())
    assert "Traceback" not in result.err


def test_a_discord_that_cannot_be_reached_is_told(
    doctor: Fanguard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discord.http.Route, "BASE", discord.http.Route.BASE)
    gateway = discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY
    monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", gateway)
    monkeypatch.setenv("DISCORD_API_BASE", "http://127.0.0.1:9/api/v10")
    result = doctor("doctor")
    assert result.code == 1
    assert "to do  Discord: Discord cannot be reached" in result.out
    assert "ok     model" in result.out
