"""What is opened, what is refused, and how it says so."""

# ruff: noqa: ASYNC220, ASYNC240
from __future__ import annotations

import asyncio
import errno
import os
import sqlite3
import subprocess
import sys
import textwrap
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from alembic import op
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from cryptography.fernet import Fernet
from sqlalchemy import Connection, delete, event
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.comment import Action
from bot.errors import UserError
from bot.store import GuildSettings, Intake, Store, StoreError, back_up, check, migrate, open_store
from bot.store import engine as engine_module
from bot.store.crypto import Cipher
from bot.store.engine import Database, create_engine, parse_url
from bot.store.records import comment_values, person_values
from bot.store.schema import metadata
from tests.store.samples import assessment, comment


async def open_and_close(
    url: str, key: str, *, upgrade: bool = True, exclusive: bool = False
) -> None:
    async with open_store(url, key=key, upgrade=upgrade, exclusive=exclusive):
        pass


async def test_what_was_written_is_there_after_reopening(url: str, key: str, path: Path) -> None:
    async with open_store(url, key=key, exclusive=True) as store:
        added = await store.flags.add(comment(), assessment(), source="gateway")
    async with open_store(url, key=key, upgrade=False) as store:
        assert await store.flags.get_by_message("10", "1") == added.flag
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_the_connection_is_set_up(store: Store) -> None:
    pragmas = {"journal_mode": "wal", "foreign_keys": 1, "synchronous": 2, "busy_timeout": 10_000}

    async def read(connection: AsyncConnection) -> dict[str, object]:
        return {
            name: (await connection.exec_driver_sql(f"PRAGMA {name}")).scalar() for name in pragmas
        }

    assert await store._database.read(read) == pragmas


async def test_a_plain_sqlite_url_will_do(path: Path, key: str) -> None:
    await open_and_close(f"sqlite:///{path}", key)
    assert path.exists()


@pytest.mark.parametrize(
    "url",
    [
        "nonsense",
        "mysql://host/db",
        "sqlite://",
        "sqlite://host:port/db",
        "sqlite+aiosqlite:///:memory:",
        "sqlite:///data/a\0b.db",
        "data/a\0b.db",
    ],
)
async def test_a_wrong_url_is_refused(url: str, key: str) -> None:
    with pytest.raises(UserError, match=r"sqlite\+aiosqlite:///data/fanguard\.db"):
        await open_and_close(url, key)


async def test_a_missing_database_is_not_made_unasked(url: str, key: str, path: Path) -> None:
    with pytest.raises(StoreError, match="There is no database at"):
        await open_and_close(url, key, upgrade=False)
    assert not path.exists()


async def test_another_key_is_refused(url: str, key: str) -> None:
    await open_and_close(url, key)
    with pytest.raises(UserError, match="key does not fit"):
        await open_and_close(url, Fernet.generate_key().decode())


async def test_a_key_is_replaced_by_putting_the_new_one_first(url: str, key: str) -> None:
    async with open_store(url, key=key) as store:
        await store.flags.add(comment(1), assessment(), source="gateway")
    keys = f"{Fernet.generate_key().decode()},{key}"
    async with open_store(url, key=keys) as store:
        await store.flags.add(comment(2), assessment(), source="gateway")
        found = await store.flags.list("10", person="Mara Vey")
        assert [flag.comment for flag in found] == [comment(2), comment(1)]


async def test_a_newer_schema_is_refused(url: str, key: str, path: Path) -> None:
    await open_and_close(url, key)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    with pytest.raises(StoreError, match="newer Fanguard"):
        await open_and_close(url, key)


async def test_another_programs_database_is_refused(url: str, key: str, path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE bookmarks (title TEXT)")
    with pytest.raises(StoreError, match="another program"):
        await open_and_close(url, key)
    with closing(sqlite3.connect(path)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master").fetchall()
    assert tables == [("bookmarks",)]


async def test_a_file_of_another_kind_is_refused(url: str, key: str, path: Path) -> None:
    path.write_bytes(b"these are my holiday notes, not a database\n" * 100)
    before = path.read_bytes()
    with pytest.raises(StoreError, match="not a Fanguard database"):
        await open_and_close(url, key)
    assert path.read_bytes() == before


async def test_a_damaged_file_is_refused(url: str, key: str, path: Path) -> None:
    async with open_store(url, key=key) as store:
        await store.flags.add_many(
            [Intake(comment(number), assessment()) for number in range(300)], source="scan"
        )
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 8192] = b"\xa5" * 8192
    path.write_bytes(content)
    with pytest.raises(StoreError, match="damaged"):
        await open_and_close(url, key, exclusive=True)


async def test_a_truncated_file_is_refused(url: str, key: str, path: Path) -> None:
    async with open_store(url, key=key) as store:
        await store.flags.add(comment(), assessment(), source="gateway")
    path.write_bytes(path.read_bytes()[: 3 * 4096])
    with pytest.raises(StoreError, match="damaged"):
        await open_and_close(url, key)


async def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path, key: str) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    with pytest.raises(StoreError, match="cannot be written"):
        await open_and_close(f"sqlite:///{tmp_path}/data/fanguard.db", key)


async def test_a_folder_in_place_of_the_file_is_refused(url: str, key: str, path: Path) -> None:
    path.mkdir()
    for work in (open_and_close(url, key), check(url), back_up(url)):
        with pytest.raises(StoreError, match=f"{path} cannot be opened"):
            await work


def test_a_refused_file_leaves_no_thread_that_complains(
    url: str, key: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.mkdir()
    complaints: list[object] = []
    monkeypatch.setattr(threading, "excepthook", complaints.append)
    for _ in range(50):
        with pytest.raises(StoreError, match="cannot be opened"):
            asyncio.run(open_and_close(url, key))
    assert complaints == []


@pytest.mark.parametrize(
    "change",
    [
        "INSERT INTO alembic_version VALUES ('0001')",
        "DELETE FROM alembic_version",
    ],
)
async def test_a_database_of_no_one_version_is_refused(
    url: str, key: str, path: Path, change: str
) -> None:
    await open_and_close(url, key)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(change)
        connection.commit()
    with pytest.raises(StoreError, match=r"exactly one schema version.*Restore"):
        await open_and_close(url, key)


@pytest.mark.parametrize("table", ["flags", "decisions", "secrets"])
async def test_a_database_that_lacks_a_table_is_refused(
    url: str, key: str, path: Path, table: str
) -> None:
    await open_and_close(url, key)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"DROP TABLE {table}")
        connection.commit()
    with pytest.raises(StoreError, match="lacks tables; `fanguard db check` names them"):
        await open_and_close(url, key)


async def test_a_table_or_column_that_goes_missing_meanwhile_is_told(
    store: Store, path: Path
) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("ALTER TABLE flags DROP COLUMN jump_url")
        connection.execute("DROP TABLE checkpoints")
        connection.commit()
    with pytest.raises(StoreError, match=r"no such column: flags\.jump_url.*fanguard db check"):
        await store.flags.list(None)
    with pytest.raises(StoreError, match=r"no such table: checkpoints.*fanguard db check"):
        await store.checkpoints.get("10", "20")


async def test_a_second_bot_is_kept_out(url: str, key: str, path: Path) -> None:
    program = textwrap.dedent(
        """
        import asyncio, sys
        from bot.store import open_store

        async def main():
            async with open_store(sys.argv[1], key=sys.argv[2], exclusive=True):
                print("open", flush=True)
                await asyncio.to_thread(sys.stdin.read)

        asyncio.run(main())
        """
    )
    first = subprocess.Popen(
        [sys.executable, "-c", program, url, key],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert first.stdout is not None
        assert await asyncio.to_thread(first.stdout.readline) == "open\n"
        with pytest.raises(StoreError, match=rf"process {first.pid}\) is using {path}"):
            await open_and_close(url, key, exclusive=True)
        async with open_store(url, key=key) as store:
            await store.flags.add(comment(), assessment(), source="scan")
    finally:
        first.kill()
        first.communicate()
    await open_and_close(url, key, exclusive=True)


async def test_two_at_once_make_one_database(url: str, key: str) -> None:
    await asyncio.gather(*(open_and_close(url, key) for _ in range(4)))
    async with open_store(url, key=key, upgrade=False) as store:
        assert await store.flags.count(None) == 0


async def test_a_process_that_dies_while_writing_leaves_nothing_half_done(
    url: str, key: str
) -> None:
    program = textwrap.dedent(
        """
        import asyncio, os, sys
        from bot.store import flag_intake, open_store, Intake
        from tests.store.samples import assessment, comment

        def die(*_):
            os._exit(9)

        async def main():
            async with open_store(sys.argv[1], key=sys.argv[2]) as store:
                await store.flags.add(comment(1), assessment(), source="scan")
                flag_intake.event_values = die
                items = [Intake(comment(n), assessment()) for n in range(2, 300)]
                await store.flags.add_many(items, source="scan")

        asyncio.run(main())
        """
    )
    done = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", program, url, key], check=False
    )
    assert done.returncode == 9
    async with open_store(url, key=key, exclusive=True) as store:
        assert await store.flags.count(None) == 1
        assert len((await store.flags.list(None))[0].assessment.people) == 2


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_a_full_disk_is_told_and_loses_nothing(store: Store) -> None:
    added = await store.flags.add(comment(1), assessment(), source="gateway")
    assert added.flag is not None
    await store._database._engine.dispose()
    limits = {"pages": 0}

    @event.listens_for(store._database._engine.sync_engine, "checkout")
    def limit(connection, _entry, _proxy) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
        cursor = connection.cursor()
        cursor.execute("PRAGMA page_count")
        pages = limits["pages"] or cursor.fetchone()[0]
        cursor.execute(f"PRAGMA max_page_count = {pages}")
        cursor.close()

    items = [Intake(comment(number), assessment()) for number in range(2, 200)]
    with pytest.raises(StoreError, match="is full"):
        await store.flags.add_many(items, source="scan")
    assert await store.flags.list(None) == [added.flag]

    limits["pages"] = 1_000_000
    await store.flags.add_many(items, source="scan")
    assert await store.flags.count(None) == 199


async def test_a_disk_that_is_full_at_the_start_is_told(
    url: str, key: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_space(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "pwrite", no_space)
    with pytest.raises(StoreError, match=rf"disk of {path} is full"):
        await open_and_close(url, key, exclusive=True)
    monkeypatch.undo()
    await open_and_close(url, key, exclusive=True)


async def test_a_cancelled_caller_leaves_no_lock_and_nothing_half_done(store: Store) -> None:
    for round_ in range(12):
        writing = [
            asyncio.create_task(
                store.flags.add_many(
                    [
                        Intake(comment(round_ * 1000 + part * 100 + n), assessment())
                        for n in range(20)
                    ],
                    source="scan",
                )
            )
            for part in range(3)
        ]
        await asyncio.sleep(round_ * 0.002)
        for _ in range(2):
            for task in writing:
                task.cancel()
            await asyncio.sleep(0)
        outcomes = await asyncio.gather(*writing, return_exceptions=True)
        assert all(isinstance(one, asyncio.CancelledError | list) for one in outcomes)
        await asyncio.wait_for(store.checkpoints.advance("10", "20", str(round_ + 1)), 5)
        assert await store.flags.count(None) % 20 == 0


async def test_closing_waits_for_what_a_cancelled_caller_began(url: str, key: str) -> None:
    async with open_store(url, key=key) as store:
        adding = asyncio.create_task(
            store.flags.add_many([Intake(comment(n), assessment()) for n in range(50)], source="x")
        )
        await asyncio.sleep(0)
        adding.cancel()
    async with open_store(url, key=key) as store:
        assert await store.flags.count(None) == 50


async def test_a_locked_database_is_told(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_module, "BUSY_TIMEOUT_SECONDS", 0.05)
    engine = create_engine(parse_url(f"sqlite:///{path}"))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="locked by another program"):
            await Database(engine, path).execute(delete(metadata.tables["flags"]))
        assert await store.flags.count(None) == 0
        other.execute("ROLLBACK")
    await engine.dispose()


async def test_readers_see_the_last_commit_while_another_writes(store: Store) -> None:
    flag = (await store.flags.add(comment(), assessment(), source="gateway")).flag
    assert flag is not None

    async def write(connection: AsyncConnection) -> None:
        await connection.exec_driver_sql("UPDATE flags SET status = 'decided'")
        assert await asyncio.wait_for(store.flags.get("10", flag.id), 2) == flag

    await store._database.write(write)
    assert (await store.flags.decide("10", flag.id, Action.BAN, "1", "Ann")).won is False


async def test_migrations_end_in_the_schema_of_the_code(url: str, key: str) -> None:
    def differences(connection: Connection) -> object:
        return compare_metadata(MigrationContext.configure(connection), metadata)

    async with open_store(url, key=key) as store:
        assert await store._database.read(lambda view: view.run_sync(differences)) == []


async def test_data_of_the_first_schema_survives_every_migration(
    url: str, key: str, path: Path
) -> None:
    await asyncio.to_thread(path.touch)
    await migrate.upgrade(parse_url(url), "0001")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO checkpoints VALUES ('10', '20', 77, '2026-01-01 00:00:00')")
        connection.execute("INSERT INTO guilds VALUES ('10', 'Fans', '30', '[]', 0.7, 1, 0, 1)")
        connection.execute("INSERT INTO guilds VALUES ('11', '', NULL, '[]', NULL, 1, 0, 1)")
        for table, row in _rows_of_a_flag(Cipher(key)):
            columns = connection.execute(f"SELECT name FROM pragma_table_info('{table}')")
            names = [name for (name,) in columns if name in row]
            marks = ", ".join(f":{name}" for name in names)
            connection.execute(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})", row)
        connection.commit()
    async with open_store(url, key=key) as store:
        assert await store.checkpoints.get("10", "20") == "77"
        assert await store.guilds.all() == [
            GuildSettings("10", "Fans", "30", threshold=0.7, seeded=True),
            GuildSettings("11", seeded=True),
        ]
        (kept,) = await store.flags.list("10")
        assert kept.comment == comment()
        assert kept.assessment == replace(
            assessment(), people=assessment().people[:1], ambiguous=False, foreign=False
        )
        await store.phrases.add("10", "our clown")
        assert await store.notices.pending("10") is None
    assert (await check(url)).problems == ()


def _rows_of_a_flag(cipher: Cipher) -> list[tuple[str, dict[str, Any]]]:
    """A flag and the person it is about as they lie in their tables."""
    scored = replace(assessment(), people=assessment().people[:1])
    row = comment_values(comment(), scored, cipher) | {
        "id": 1,
        "guild_id": "10",
        "message_id": "1",
        "source": "gateway",
        "revisions": 1,
        "flagged_at": comment().created_at,
        "status": "open",
        "card_state": "none",
    }
    for name in ("author_name", "text", "reply_text", "reply_author_name", "target", "why"):
        row[name] = cipher.seal(row[name])
    for name in ("created_at", "flagged_at"):
        row[name] = f"{row[name]:%Y-%m-%d %H:%M:%S.%f}"
    return [("flags", row), *(("flag_people", one) for one in person_values(1, scored, cipher))]


async def test_a_migration_that_fails_leaves_the_old_schema(
    url: str, key: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, made = op.create_table, []

    def fails_at_the_third(name: str, *columns: object, **options: object) -> object:
        made.append(name)
        if len(made) == 3:
            raise RuntimeError("the migration stops here")
        return real(name, *columns, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(op, "create_table", fails_at_the_third)
    with pytest.raises(RuntimeError):
        await open_and_close(url, key)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == []
    monkeypatch.undo()
    await open_and_close(url, key)
