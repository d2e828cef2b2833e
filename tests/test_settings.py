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
    uncommented = "\n".join(
        line.removeprefix("# ") if " = " in line else line for line in shipped.splitlines()
    )
    write(tmp_path, "fanguard.toml", uncommented)
    assert load_settings(tmp_path, env={}).watch == load_settings(tmp_path / "no", env={}).watch


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
        ("[model]\nthreshold = 1.5", "“model.threshold” is not valid"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, text: str, expected: str) -> None:
    path = write(tmp_path, "fanguard.toml", text)
    with pytest.raises(UserError, match=r"fanguard\.toml") as caught:
        load_settings(tmp_path, env={})
    assert expected in str(caught.value)
    assert str(path) in str(caught.value)


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
        ('[[people]]\nname = ""', "“people.0.name” is not valid"),
        ('people = "Ada"', "“people” is not valid"),
    ],
)
def test_a_wrong_roster_is_refused(tmp_path: Path, text: str, expected: str) -> None:
    path = write(tmp_path, "people.toml", text)
    with pytest.raises(UserError) as caught:
        load_people(path)
    assert expected in str(caught.value)
