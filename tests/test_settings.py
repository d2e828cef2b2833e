import re
from pathlib import Path

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
    assert len([line for line in settings if line]) == 13
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


def test_secrets_do_not_show_in_a_representation(tmp_path: Path) -> None:
    settings = load_settings(tmp_path, env={"DISCORD_TOKEN": "abc.def.ghi", "FANGUARD_KEY": "k3y"})
    assert "abc.def.ghi" not in repr(settings)
    assert "k3y" not in repr(settings)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[watch]\nclaim_minuts = 5", "Did you mean “claim_minutes”?"),
        ("[wach]\nclaim_minutes = 5", "Did you mean “watch”?"),
        ("[watch]\nclaim_minutes = 0", "“watch.claim_minutes” is not valid"),
        ("[watch]\nproxies = 'maybe'", "“watch.proxies” is not valid"),
        ("[watch\n", "not valid TOML"),
        ("watch = 3", "must be a table"),
        ("[discord]\ntoken = 'x'", "must hold no secrets"),
        ("token = 'x'", "as DISCORD_TOKEN in the environment or in .env"),
        ("DISCORD_TOKEN = 'x'", "as DISCORD_TOKEN in the environment or in .env"),
        ("key = 'x'", "as FANGUARD_KEY in the environment or in .env"),
        ("FANGUARD_KEY = 'x'", "must hold no secrets"),
        ("[watch]\ncard_burst = 99", "“watch.card_burst” is not valid: must be at most 50."),
        ("[watch]\nclaim_minutes = 'x'", "must be a whole number."),
        ("[watch]\ncard_window_seconds = 'x'", "must be a number."),
        ("[log]\nlevel = 'LOUD'", "must be 'DEBUG', 'INFO', 'WARNING' or 'ERROR'."),
        ("[model]\nthreshold = 1.5", "“model.threshold” is not valid"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, text: str, expected: str) -> None:
    path = write(tmp_path, "fanguard.toml", text)
    with pytest.raises(UserError, match=r"fanguard\.toml") as caught:
        load_settings(tmp_path, env={})
    assert expected in str(caught.value)
    assert str(path) in str(caught.value)
    assert "'x'" not in str(caught.value)


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
        ('[[people]]\nname = ""', "person 1, name: must not be empty."),
        ('[[people]]\nname = "A"\n[[people]]\nname = 3', "person 2, name: must be text"),
        ('[[people]]\nname = "Ada"\naliases = "A"', 'aliases: must be a list, such as ["Ada"].'),
        (
            '[[people]]\nname = "Ada"\nhandles = ["a", 3]',
            "person 1, handles, entry 2: must be text",
        ),
        ('[[people]]\naliases = ["A"]', "person 1, name: is missing."),
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
