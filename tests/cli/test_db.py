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
        assert "not a Fanguard database" in result.err
        assert "Traceback" not in result.err
    assert not list(Path("data").glob("backups/*"))


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


@pytest.mark.parametrize("command", ["check", "backup"])
def test_without_a_database(fanguard: Fanguard, command: str) -> None:
    result = fanguard("db", command)
    assert result.code == 2
    assert "There is no database yet" in result.err
    result = fanguard("db", command, "--db", "data/other.db")
    assert result.code == 2
    assert "There is no database at data/other.db" in result.err
    assert not Path("data").exists()
