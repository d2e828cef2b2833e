# ruff: noqa: ASYNC240
from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.errors import UserError
from bot.store import Intake, Store, StoreError, back_up, check, migrate, open_store
from tests.store.samples import assessment, comment


async def test_a_sound_database_has_no_problems(store: Store, url: str, path: Path) -> None:
    await store.flags.add(comment(), assessment(), source="gateway")
    report = await check(url)
    assert report.problems == ()
    assert report.place == path
    assert report.revision == report.newest


async def test_loose_ends_old_schema_and_damage_are_found(
    store: Store, url: str, path: Path
) -> None:
    await store.flags.add_many(
        [Intake(comment(number), assessment()) for number in range(50)], source="scan"
    )
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM flags WHERE id = 7")
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("DELETE FROM sqlite_master WHERE name = 'ix_flags_card_state'")
        connection.commit()
    problems = (await check(url)).problems
    assert any("belongs to no row of flags" in problem for problem in problems)
    assert any("newer version" in problem for problem in problems)
    assert any(problem.startswith("damage: ") for problem in problems)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("DROP TABLE decisions", ["the table decisions is missing"]),
        ("DROP TABLE flag_people", ["the table flag_people is missing"]),
        ("ALTER TABLE flags DROP COLUMN jump_url", ["the column jump_url of flags is missing"]),
        (
            "ALTER TABLE guilds ADD COLUMN motto TEXT NOT NULL DEFAULT ''",
            ["the column motto of guilds is none of Fanguard's"],
        ),
        (
            "ALTER TABLE guilds DROP COLUMN name; ALTER TABLE guilds ADD COLUMN name TEXT",
            ["the column name of guilds is of another type than it must be"],
        ),
        (
            "DROP INDEX ix_flags_card_state",
            ["the index ix_flags_card_state of flags is missing"],
        ),
        (
            "INSERT INTO alembic_version VALUES ('0001')",
            [f"the database {migrate.MUDDLED}"],
        ),
        ("CREATE TABLE notes (text); CREATE INDEX mine ON flags (score)", []),
    ],
)
async def test_what_the_schema_lacks_is_named(
    store: Store, url: str, path: Path, change: str, found: list[str]
) -> None:
    del store
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(change)
    problems = (await check(url)).problems
    assert [problem.removesuffix("; restore the last backup") for problem in problems] == found


@pytest.mark.parametrize("part", ["first page", "middle", "end"])
async def test_a_backup_of_a_damaged_database_names_the_database(
    url: str, key: str, path: Path, part: str
) -> None:
    async with open_store(url, key=key) as store:
        await store.flags.add_many(
            [Intake(comment(number), assessment()) for number in range(100)], source="scan"
        )
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    match part:
        case "first page":
            content[100:3000] = b"\xa5" * 2900
        case "middle":
            content[middle : middle + 8192] = b"\xa5" * 8192
        case "end":
            del content[middle + 100 :]
    path.write_bytes(content)
    with pytest.raises(StoreError, match=f"The database {path} is damaged"):
        await back_up(url, path.with_name("copy.db"))
    assert not list(path.parent.glob("copy.db*"))


async def test_checking_nothing(url: str, path: Path) -> None:
    with pytest.raises(StoreError, match="no database"):
        await check(url)
    path.write_bytes(b"x" * 5000)
    with pytest.raises(StoreError, match="not a Fanguard database"):
        await check(url)


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_a_backup_while_the_bot_writes_is_whole(
    store: Store, url: str, key: str, tmp_path: Path
) -> None:
    people = len(assessment().people)

    async def write() -> None:
        for number in range(0, 240, 30):
            batch = [Intake(comment(n), assessment()) for n in range(number, number + 30)]
            await store.flags.add_many(batch, source="scan")

    writing = asyncio.create_task(write())
    copies: list[Path] = []
    while not writing.done():
        copies.append(await back_up(url, tmp_path / f"copy{len(copies)}.db"))
    await writing
    copies.append(await back_up(url, tmp_path / "last.db"))

    assert len(copies) > 2
    counts = []
    for copy in copies:
        assert copy.stat().st_mode & 0o077 == 0
        assert (await check(f"sqlite:///{copy}")).problems == ()
        async with open_store(f"sqlite:///{copy}", key=key, upgrade=False) as opened:
            flags = await opened.flags.list(None, limit=None)
            counts.append(len(flags))
            assert all(len(flag.assessment.people) == people for flag in flags)
    assert all(count % 30 == 0 for count in counts)
    assert counts == sorted(counts)
    assert counts[-1] == 240


async def test_where_backups_go(store: Store, url: str, path: Path, tmp_path: Path) -> None:
    del store
    by_default = await back_up(url)
    assert by_default.parent == path.parent / "backups"
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    assert (await back_up(url, folder)).parent == folder
    with pytest.raises(UserError, match="exists already"):
        await back_up(url, by_default)
    with pytest.raises(UserError, match="exists already"):
        await back_up(url, path)
    for missing in (by_default / "below", tmp_path / "nope" / "dir" / "x.db"):
        with pytest.raises(UserError, match=rf"There is no folder {missing.parent}"):
            await back_up(url, missing)
    assert not (tmp_path / "nope").exists()
    assert list(tmp_path.rglob("*.partial*")) == []
