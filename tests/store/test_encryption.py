"""Nothing that people wrote can be read without the key."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from bot.comment import Action
from bot.errors import UserError
from bot.store import back_up, load_or_create_key, open_store
from bot.store.crypto import Cipher
from tests.store.samples import AUTHOR, POSTED_TEXT, REPLY_TEXT, assessment, comment

TARGET = "that Whistledown woman"
PHRASE = "our bumbling nincompoop"
REASON = "seventh warning for gallimaufry"
SECRETS = [
    POSTED_TEXT,
    "hagfish",
    REPLY_TEXT,
    "quarrystone",
    AUTHOR,
    TARGET,
    REASON,
    "edited mire",
    "bumbling",
]


async def test_no_text_in_any_file(tmp_path: Path, url: str, key: str, path: Path) -> None:
    async with open_store(url, key=key) as store:
        scored = assessment(target=TARGET)
        flag = (await store.flags.add(comment(), scored, source="gateway")).flag
        assert flag is not None
        edited = comment(text="an edited mire", edits=1)
        await store.flags.add(edited, scored, source="gateway", hostile=False)
        await store.flags.decide("10", flag.id, Action.REMOVE, "1", "Ann", reason=REASON)
        await store.flags.note("10", flag.id, f"about {REASON}")
        await store.phrases.add("10", PHRASE)
        backup = await back_up(url, tmp_path / "copy.db")
        files = [path, path.with_name(f"{path.name}-wal"), backup]
        for file in files:
            content = file.read_bytes()
            assert content
            for secret in SECRETS:
                assert secret.encode() not in content
                assert secret.encode("utf-16-le") not in content
    assert sum(b"https://discord.com" in file.read_bytes() for file in (path, backup)) == 2


def test_text_of_any_kind_comes_back(key: str) -> None:
    cipher = Cipher(key)
    for text in ("", "naïve 🦊 \u202etext", "a\x00b", "\ud800 alone", "x" * 100_000):
        assert cipher.open(cipher.seal(text)) == text


@pytest.mark.parametrize("key", ["", "password", " , ", "é" * 44])
def test_a_wrong_key_says_how_to_make_one(key: str) -> None:
    with pytest.raises(UserError, match=r"Fernet\.generate_key"):
        Cipher(key)


async def test_another_key_than_the_databases_is_told_and_where_it_lies(
    url: str, key: str, tmp_path: Path
) -> None:
    async with open_store(url, key=key):
        pass
    file = tmp_path / "other.key"
    other = load_or_create_key(None, file)
    with pytest.raises(UserError, match=rf"not the one in {file}\. Put your backup of the key"):
        async with open_store(url, key=other, key_place=str(file)):
            pass


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"half-a-key\n", b"\n"])
def test_a_damaged_key_file_is_told_with_what_helps(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "fanguard.key"
    file.touch(mode=0o600)
    file.write_bytes(content)
    with pytest.raises(UserError, match=r"Put your backup of the key back there") as caught:
        load_or_create_key(None, file)
    assert str(file) in str(caught.value)
    assert "flags written with one key cannot be read with another" in str(caught.value)
    assert file.read_bytes() == content


def test_the_first_run_makes_a_key_only_its_owner_reads(tmp_path: Path) -> None:
    file = tmp_path / "new" / "fanguard.key"
    key = load_or_create_key(None, file)
    Fernet(key)
    assert load_or_create_key(None, file) == key
    assert file.stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in file.parent.iterdir()] == ["fanguard.key"]


def test_the_environment_wins(tmp_path: Path) -> None:
    assert load_or_create_key("from the environment", tmp_path / "k") == "from the environment"
    assert not (tmp_path / "k").exists()


def test_a_key_others_can_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "k"
    load_or_create_key(None, file)
    file.chmod(0o644)
    with pytest.raises(UserError, match="chmod 600"):
        load_or_create_key(None, file)


def test_unusable_key_files_are_told(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.touch(mode=0o600)
    with pytest.raises(UserError, match="is empty"):
        load_or_create_key(None, empty)
    folder = tmp_path / "folder"
    folder.mkdir(mode=0o700)
    with pytest.raises(UserError, match="cannot be used"):
        load_or_create_key(None, folder)
    with pytest.raises(UserError, match="cannot be used"):
        load_or_create_key(None, empty / "below" / "a file")
