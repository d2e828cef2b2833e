import errno
import os
import re
from pathlib import Path
from unittest.mock import Mock

import pytest

from bot.errors import UserError
from bot.settings import PROJECT_DIR, load_people, load_settings


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_without_any_file_the_defaults_hold(tmp_path: Path) -> None:
    settings = load_settings(tmp_path, env={})
    assert settings.discord.token is None
    assert not settings.database.configured
    assert settings.watch.claim_minutes == 10


def test_the_shipped_configuration_is_valid() -> None:
    load_settings(PROJECT_DIR / "config", env={})
    assert load_people(PROJECT_DIR / "config" / "people.toml") == ()


def test_every_commented_default_in_the_shipped_file_is_the_default(tmp_path: Path) -> None:
    shipped = (PROJECT_DIR / "config" / "fanguard.toml").read_text(encoding="utf-8")
    settings = re.findall(r"^\[\w+\]$|^# (\w+ = .+)$", shipped, re.MULTILINE)
    assert len([line for line in settings if line]) == 20
    uncommented = [
        line.removeprefix("# ") if re.match(r"# \w+ = ", line) else line
        for line in shipped.splitlines()
    ]
    write(
        tmp_path, "fanguard.toml", "\n".join(line for line in uncommented if "example" not in line)
    )
    shown, default = load_settings(tmp_path, env={}), load_settings(tmp_path / "no", env={})
    assert shown.watch == default.watch
    assert shown.model == default.model
    assert shown.log == default.log
    assert shown.database.url == default.database.url
    assert shown.key_file == default.key_file

    write(tmp_path, "fanguard.toml", "\n".join(uncommented))
    assert load_settings(tmp_path, env={}).model.threshold == 0.5


def test_the_environment_wins_over_the_dotenv_file(tmp_path: Path) -> None:
    write(tmp_path, ".env", "DISCORD_TOKEN=from-file\nDATABASE_URL=sqlite+aiosqlite:///file.db\n")
    settings = load_settings(tmp_path, env={"DISCORD_TOKEN": "from-environment"})
    assert settings.discord.token is not None
    assert settings.discord.token.get_secret_value() == "from-environment"
    assert settings.database.url == "sqlite+aiosqlite:///file.db"
    assert settings.database.configured


@pytest.mark.parametrize("content", [b"\xff\xfeD\x00I\x00", b"DISCORD_TOKEN=\xe9"])
def test_a_dotenv_file_that_is_no_text_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / ".env").write_bytes(content)
    with pytest.raises(UserError, match=r"\.env cannot be read: it is not text in UTF-8\. Make it"):
        load_settings(tmp_path, env={})


def test_a_folder_in_place_of_the_dotenv_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".env").mkdir()
    with pytest.raises(UserError, match=r"\.env cannot be read: Is a directory\. Make it a text"):
        load_settings(tmp_path, env={})


def test_a_dotenv_file_that_may_not_be_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, ".env", "DISCORD_TOKEN=a").chmod(0)
    if os.access(".env", os.R_OK):  # whoever runs this may read anything
        denied = PermissionError(errno.EACCES, "Permission denied")
        monkeypatch.setattr(Path, "read_text", Mock(side_effect=denied))
    with pytest.raises(UserError, match=r"\.env cannot be read: Permission denied\."):
        load_settings(tmp_path, env={})


def test_a_dotenv_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"\xef\xbb\xbfFANGUARD_KEY=k3y\n")
    key = load_settings(tmp_path, env={}).key
    assert key is not None
    assert key.get_secret_value() == "k3y"


def test_the_folder_of_the_configuration_must_exist(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for named in (tmp_path / "nowhere", tmp_path / "file"):
        with pytest.raises(UserError, match=rf"FANGUARD_CONFIG names {named}, and there is no"):
            load_settings(env={"FANGUARD_CONFIG": str(named)})
    write(tmp_path, "fanguard.toml", "[watch]\nclaim_minutes = 7")
    settings = load_settings(env={"FANGUARD_CONFIG": str(tmp_path)})
    assert settings.watch.claim_minutes == 7


def test_a_model_is_looked_for_beside_the_file_that_names_it(tmp_path: Path) -> None:
    write(tmp_path, "fanguard.toml", '[model]\npath = "mine"\nthreshold = 0.25')
    model = load_settings(tmp_path, env={}).model
    assert (model.path, model.threshold) == (tmp_path / "mine", 0.25)


def test_secrets_do_not_show_in_a_representation(tmp_path: Path) -> None:
    settings = load_settings(tmp_path, env={"DISCORD_TOKEN": "abc.def.ghi", "FANGUARD_KEY": "k3y"})
    assert "abc.def.ghi" not in repr(settings)
    assert "k3y" not in repr(settings)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[watch]\nclaim_minuts = 5", "Did you mean “claim_minutes”?"),
        ("[wach]\nclaim_minutes = 5", "Did you mean “watch”?"),
        ("[watch]\nclaim_minutes = 0", "“watch.claim_minutes” is 0, but must be at least 1."),
        ("[watch]\nproxies = 'yes'", 'is the text "yes", but must be true or false (without'),
        ("[watch]\nproxies = 1", "“watch.proxies” is 1, but must be true or false"),
        ("[watch\n", "not valid TOML"),
        ("watch = 3", "must be a table"),
        ("[discord]\ntoken = 'such a secret'", "must hold no secrets"),
        ("token = 'such a secret'", "as DISCORD_TOKEN in the environment or in .env"),
        ("DISCORD_TOKEN = 'such a secret'", "as DISCORD_TOKEN in the environment or in .env"),
        ("key = 'such a secret'", "as FANGUARD_KEY in the environment or in .env"),
        ("FANGUARD_KEY = 'such a secret'", "must hold no secrets"),
        ("[watch]\ncard_burst = 99", "“watch.card_burst” is 99, but must be at most 50."),
        ("[watch]\nclaim_minutes = 'x'", 'is the text "x", but must be a whole number'),
        ("[watch]\nclaim_minutes = 5.0", "is 5.0, but must be a whole number"),
        ("[watch]\nclaim_minutes = 2026-01-01", "is the date or time 2026-01-01, but must be"),
        ("[watch]\ncard_window_seconds = true", "is true, but must be a number"),
        ("[log]\nlevel = 'LOUD'", "but must be 'DEBUG', 'INFO', 'WARNING' or 'ERROR'."),
        ("[log]\nformat = 5", "“log.format” is 5, but must be 'text' or 'json'."),
        ("[model]\nthreshold = 1.5", "“model.threshold” is 1.5, but must be less than 1."),
        ("[model]\nthreshold = '0.4'", 'is the text "0.4", but must be a number, such as 0.5'),
        ("[model]\nfast = 'true'", "“model.fast” is the text"),
        ("[model]\npath = 5", "“model.path” is 5, but must be text in quotes."),
        ("[model]\npath = []", "“model.path” is a list, but must be text in quotes."),
        ('[model]\npath = "a\\u0000b"', "must not have a NUL character in it."),
        ("[database]\nurl = 5", "“database.url” is 5, but must be text in quotes."),
        ("[database]\nkey_file = {}", "“database.key_file” is a table, but must be text"),
        (f"[watch]\nclaim_minutes = 1{'0' * 5000}", "not valid TOML"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, text: str, expected: str) -> None:
    path = write(tmp_path, "fanguard.toml", text)
    with pytest.raises(UserError, match=r"fanguard\.toml") as caught:
        load_settings(tmp_path, env={})
    assert expected in str(caught.value)
    assert str(path) in str(caught.value)
    assert "such a secret" not in str(caught.value)
    assert "Input should" not in str(caught.value)


def test_a_roster_is_read(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "people.toml",
        '[[people]]\nname = "Ada Lark"\naliases = ["Ada"]\npronouns = "she/her"\n',
    )
    (person,) = load_people(path)
    assert (person.name, person.aliases, person.pronouns) == ("Ada Lark", ("Ada",), "she/her")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[[people]]\nname = "Ada"\n[[people]]\nname = "ADA"', "given twice"),
        ('[[people]]\nnmae = "Ada"', "Did you mean “name”?"),
        ('[[peple]]\nname = "Ada"', "Did you mean “people”?"),
        ('[[people]]\nname = ""', 'person 1, name is the text "", but must not be empty.'),
        ('[[people]]\nname = "A"\n[[people]]\nname = 3', "person 2, name is 3, but must be text"),
        ('[[people]]\nname = "Ada"\naliases = "A"', 'but must be a list, such as ["Ada"].'),
        (
            '[[people]]\nname = "Ada"\nhandles = ["a", 3]',
            "person 1, handles, entry 2 is 3, but must be text",
        ),
        ('[[people]]\naliases = ["A"]', "person 1, name is missing."),
        (f'[[people]]\nname = "{"A" * 101}"', "must have at most 100 characters."),
        ('people = "Ada"', "“people” must be tables, each written as [[people]]."),
        ('people = ["Ada"]', "“people” must be tables, each written as [[people]]."),
        ('people = {name = "Ada"}', "“people” must be tables, each written as [[people]]."),
    ],
)
def test_a_wrong_roster_is_refused(tmp_path: Path, text: str, expected: str) -> None:
    path = write(tmp_path, "people.toml", text)
    with pytest.raises(UserError) as caught:
        load_people(path)
    assert expected in str(caught.value)
