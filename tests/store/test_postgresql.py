"""What is PostgreSQL's alone, on a real server: locks, errors, and moving there."""

from __future__ import annotations

import asyncio
import multiprocessing
import sqlite3
from pathlib import Path

import pytest

from bot.errors import UserError
from bot.store import Moved, StoreError, check, copy, open_store
from tests.store.postgresql import Server
from tests.store.samples import assessment, comment


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
async def test_one_bot_at_a_time(url: str, key: str) -> None:
    async with open_store(url, key=key, exclusive=True):
        with pytest.raises(StoreError, match="Another Fanguard is using"):
            async with open_store(url, key=key, exclusive=True):
                pass
        async with open_store(url, key=key) as beside:
            assert await beside.flags.count(None) == 0
    async with open_store(url, key=key, exclusive=True):
        pass


def _claim(url: str, key: str, flag_id: int, moderator: str) -> bool:
    async def run() -> bool:
        async with open_store(url, key=key) as store:
            return (await store.flags.claim("10", flag_id, moderator, moderator)).won

    return asyncio.run(run())


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_of_several_processes_one_wins_a_claim(url: str, key: str) -> None:
    async with open_store(url, key=key) as store:
        added = await store.flags.add(comment(), assessment(), source="gateway")
        assert added.flag is not None
        claims = [(url, key, added.flag.id, f"moderator {number}") for number in range(6)]
        with multiprocessing.get_context("spawn").Pool(3) as pool:
            won = await asyncio.to_thread(pool.starmap, _claim, claims)
        assert sum(won) == 1
        flag = await store.flags.get("10", added.flag.id)
        assert flag is not None
        assert flag.claimed_by_name == claims[won.index(True)][3]


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
async def test_a_server_that_says_no_is_told_plainly(url: str, key: str) -> None:
    for wrong, told in (
        (url.replace("/fanguard_", "/nobodys_"), "There is no database"),
        ("postgresql://127.0.0.1:1/fanguard", "cannot be reached"),
    ):
        with pytest.raises(StoreError, match=told) as caught:
            async with open_store(wrong, key=key):
                pass
        assert "postgres:" not in str(caught.value)


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
async def test_a_sound_one_has_no_problems(url: str, key: str) -> None:
    async with open_store(url, key=key):
        pass
    assert (await check(url)).problems == ()


async def test_an_installation_moves_there_and_back(
    postgresql: Server, tmp_path: Path, key: str
) -> None:
    old, back = tmp_path / "old.db", tmp_path / "back.db"
    async with open_store(str(old), key=key) as store:
        for number in range(1, 8):
            await store.flags.add(comment(number), assessment(), source="gateway")
        first = (await store.flags.list(None))[0]
        await store.flags.claim(first.comment.guild_id, first.id, "9", "Ada")
        before = await store.flags.list(None)
    async with postgresql.database(empty=True) as url:
        told: list[Moved] = []
        moved = await copy(str(old), url, told.append)
        assert told == moved
        assert {each.table: each.rows for each in moved}["flags"] == 7
        async with open_store(url, key=key) as store:
            assert await store.flags.list(None) == before
            added = await store.flags.add(comment(99), assessment(), source="gateway")
            assert added.flag is not None
            assert added.flag.id > max(flag.id for flag in before)
        with pytest.raises(StoreError, match="holds an installation already"):
            await copy(str(old), url, told.append)
        await copy(url, str(back), told.append)
    async with open_store(str(back), key=key) as store:
        assert await store.flags.count(None) == 8


async def test_one_in_use_or_the_same_is_not_copied(tmp_path: Path, key: str) -> None:
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    async with open_store(str(old), key=key, exclusive=True):
        with pytest.raises(StoreError, match="Another Fanguard"):
            await copy(str(old), str(new), lambda _: None)
    with pytest.raises(UserError, match="the same database"):
        await copy(str(old), str(old), lambda _: None)
    with sqlite3.connect(new) as other:
        other.execute("CREATE TABLE else_ (a)")
    with pytest.raises(StoreError, match="another program"):
        await copy(str(old), str(new), lambda _: None)
