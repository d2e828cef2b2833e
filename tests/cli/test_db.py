from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import Fanguard

DATABASE = Path("data/fanguard.db")


@pytest.fixture
def made(fanguard: Fanguard) -> Fanguard:
    result = fanguard("db", "upgrade")
    assert result.code == 0
    assert "data/fanguard.db is up to date" in result.out
    return fanguard


def test_upgrade_makes_the_database_and_can_be_repeated(made: Fanguard) -> None:
    assert made("db", "upgrade").code == 0
    assert made("db", "check").out.startswith("data/fanguard.db is sound (schema ")


def test_a_newer_database_is_refused(made: Fanguard) -> None:
    with closing(sqlite3.connect(DATABASE)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    result = made("db", "upgrade")
    assert result.code == 2
    assert "newer Fanguard" in result.err
    assert "Traceback" not in result.err
    check = made("db", "check")
    assert check.code == 1
    assert "newer version" in check.out


def test_a_damaged_database_is_told(made: Fanguard) -> None:
    DATABASE.write_bytes(b"garbage" * 2000)
    for command in (["upgrade"], ["check"], ["backup"]):
        result = made("db", *command)
        assert result.code == 2
        assert "data/fanguard.db is not a Fanguard database" in result.err
        assert "Traceback" not in result.err
    assert not list(Path("data").glob("backups/*"))


def test_what_the_schema_lacks_is_named(made: Fanguard) -> None:
    with closing(sqlite3.connect(DATABASE)) as connection:
        connection.executescript("DROP TABLE decisions; DROP INDEX ix_flags_card_state")
    check = made("db", "check")
    assert check.code == 1
    assert "the table decisions is missing" in check.out
    assert "the index ix_flags_card_state of flags is missing" in check.out
    for command in (["db", "upgrade"], ["queue"], ["log", "1"]):
        result = made(*command)
        assert result.code == 2
        assert "lacks tables; `fanguard db check` names them." in result.err


def test_two_versions_in_one_database_are_told(made: Fanguard) -> None:
    with closing(sqlite3.connect(DATABASE)) as connection:
        connection.execute("INSERT INTO alembic_version VALUES ('0001')")
        connection.commit()
    check = made("db", "check")
    assert check.code == 1
    assert "does not name exactly one schema version" in check.out
    for command in (["db", "upgrade"], ["queue"]):
        result = made(*command)
        assert result.code == 2
        assert "Restore the last backup." in result.err


@pytest.mark.parametrize("command", [["db", "upgrade"], ["db", "check"], ["queue"]])
def test_a_nul_in_the_url_is_told(fanguard: Fanguard, command: list[str]) -> None:
    Path(".env").write_text("DATABASE_URL=sqlite:///a\0b.db\n", encoding="utf-8")
    result = fanguard(*command)
    assert result.code == 2
    assert "The database URL has a NUL character in it." in result.err


def test_wrong_settings_are_told_in_one_line(fanguard: Fanguard) -> None:
    file = Path("config/fanguard.toml")
    for text in ("path = 5", "path = []", 'threshold = "0.4"', 'fast = "yes"'):
        file.write_text(f"[model]\n{text}\n", encoding="utf-8")
        result = fanguard("db", "upgrade")
        assert result.code == 2
        assert result.err.startswith("fanguard: config/fanguard.toml: “model.")
        assert result.err.count("\n") == 1
    file.unlink()
    Path(".env").write_bytes(b"\x80\x81")
    result = fanguard("db", "upgrade")
    assert (result.code, result.err.count("\n")) == (2, 1)
    assert not Path("data").exists()


def test_backup(made: Fanguard) -> None:
    result = made("db", "backup", "copy.db")
    assert result.code == 0
    assert "Backed up to copy.db" in result.out
    assert "data/fanguard.key" in result.out
    assert made("db", "check", "--db", "sqlite:///copy.db").code == 0
    again = made("db", "backup", "copy.db")
    assert again.code == 2
    assert "exists already" in again.err
    assert made("db", "backup").code == 0
    assert len(list(Path("data/backups").iterdir())) == 1


def test_a_name_that_is_no_text_will_do(fanguard: Fanguard) -> None:
    odd = "./\udcff.db"
    assert fanguard("db", "upgrade", "--db", odd).out == "\ufffd.db is up to date.\n"
    assert fanguard("db", "check", "--db", odd).out.startswith("\ufffd.db is sound")
    assert fanguard("db", "backup", "--db", odd, "./\udcfe.db").out.startswith(
        "Backed up to \ufffd"
    )
    assert Path("\udcfe.db").exists()


@pytest.mark.parametrize("command", ["check", "backup"])
def test_without_a_database(fanguard: Fanguard, command: str) -> None:
    result = fanguard("db", command)
    assert result.code == 2
    assert "There is no database yet" in result.err
    result = fanguard("db", command, "--db", "data/other.db")
    assert result.code == 2
    assert "There is no database at data/other.db" in result.err
    assert not Path("data").exists()
