"""One typed `Settings`, read from the environment, `.env` and config/fanguard.toml.

Secrets come from the environment or `.env` (the environment wins) and never from the
TOML file; everything else has a default here and may be set in the file. A key that
does not exist is refused with the nearest one that does.
"""

from __future__ import annotations

import difflib
import json
import os
import tomllib
from collections.abc import Iterable, Mapping
from datetime import date, time
from io import StringIO
from pathlib import Path
from typing import Annotated, Any, Literal

from dotenv import dotenv_values
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, ValidationError
from pydantic_core import PydanticCustomError

from bot.comment import Person
from bot.errors import UserError

PROJECT_DIR = Path(__file__).resolve().parent.parent
CONFIG_FILE = "fanguard.toml"
PEOPLE_FILE = "people.toml"
ENVIRONMENT_FILE = Path(".env")


def _without_nul(path: Path) -> Path:
    if "\0" in str(path):
        raise PydanticCustomError("nul", "NUL in a path")
    return path


_Path = Annotated[Path, Field(strict=False), AfterValidator(_without_nul)]
_Words = Annotated[tuple[str, ...], Field(strict=False)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True, strict=True)


class DiscordSettings(_Section):
    """Where and as whom to log in. Each comes from the environment alone."""

    token: SecretStr | None = None
    api_base: str | None = None
    gateway: str | None = None


class DatabaseSettings(_Section):
    """Where the flags live. `configured` is false while the default is in use."""

    url: str = "sqlite+aiosqlite:///data/fanguard.db"
    key_file: _Path | None = None
    configured: bool = False


class ModelSettings(_Section):
    """Which model scores; `threshold` None means the model's own.

    `fast` leaves the sentence encoder out, for very small machines.
    """

    path: _Path = PROJECT_DIR / "models" / "hostility"
    threshold: float | None = Field(default=None, gt=0.0, lt=1.0)
    member_flags: bool = True
    fast: bool = False


class WatchSettings(_Section):
    """How the live bot reads channels and posts cards."""

    proxies: bool = False
    claim_minutes: int = Field(default=10, ge=1, le=1440)
    card_burst: int = Field(default=5, ge=1, le=50)
    card_window_seconds: float = Field(default=5.0, gt=0.0, le=300.0)
    catch_up_hours: int = Field(default=24, ge=0, le=720)
    edits_look_back: int = Field(default=100, ge=0, le=10_000)
    away_minutes: int = Field(default=5, ge=0, le=1440)
    run_seconds: float = Field(default=60.0, ge=0.0, le=3600.0)
    run_messages: int = Field(default=5, ge=1, le=10)
    run_characters: int = Field(default=400, ge=0, le=2000)
    queue_size: int = Field(default=2000, ge=10, le=100_000)


class KeepSettings(_Section):
    """How many days things are kept."""

    text_days: int = Field(default=90, ge=1, le=3650)
    left_days: int = Field(default=30, ge=1, le=3650)


class LogSettings(_Section):
    """How much the bot says of itself, and in which form."""

    level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    format: Literal["text", "json"] = "text"


class Settings(_Section):
    """Everything that can be set, checked once at the start."""

    config_dir: Path
    discord: DiscordSettings = DiscordSettings()
    database: DatabaseSettings = DatabaseSettings()
    model: ModelSettings = ModelSettings()
    watch: WatchSettings = WatchSettings()
    keep: KeepSettings = KeepSettings()
    log: LogSettings = LogSettings()
    key: SecretStr | None = None
    demo_database: Path = Path("data/demo.db")

    @property
    def people_file(self) -> Path:
        """The roster that seeds a new guild."""
        return self.config_dir / PEOPLE_FILE

    @property
    def key_file(self) -> Path:
        """The key of the texts at rest, unless FANGUARD_KEY gives it."""
        return self.database.key_file or Path("data/fanguard.key")


class _PersonEntry(_Section):
    name: str = Field(min_length=1, max_length=100)
    aliases: _Words = ()
    handles: _Words = ()
    pronouns: str | None = None
    channels: _Words = ()


class _PeopleFile(_Section):
    people: Annotated[tuple[_PersonEntry, ...], Field(strict=False)] = ()


_FILE_SECTIONS: dict[str, type[_Section]] = {
    "database": DatabaseSettings,
    "model": ModelSettings,
    "watch": WatchSettings,
    "keep": KeepSettings,
    "log": LogSettings,
}
_FILE_ONLY_FROM_ENVIRONMENT = {"configured"}
_SECRETS = {
    "discord": "DISCORD_TOKEN",
    "discord_token": "DISCORD_TOKEN",
    "token": "DISCORD_TOKEN",
    "fanguard_key": "FANGUARD_KEY",
    "key": "FANGUARD_KEY",
}
_REASONS = {
    "string_type": "must be text in quotes",
    "path_type": "must be text in quotes",
    "nul": "must not have a NUL character in it",
    "tuple_type": 'must be a list, such as ["Ada"]',
    "bool_type": "must be true or false (without quotes)",
    "int_type": "must be a whole number, such as 10 (without quotes)",
    "float_type": "must be a number, such as 0.5 (without quotes)",
    "string_too_short": "must not be empty",
    "string_too_long": "must have at most {max_length} characters",
    "greater_than": "must be more than {gt:g}",
    "greater_than_equal": "must be at least {ge:g}",
    "less_than": "must be less than {lt:g}",
    "less_than_equal": "must be at most {le:g}",
    "literal_error": "must be {expected}",
}
_SHOWN = 40


def load_settings(config_dir: Path | None = None, env: Mapping[str, str] | None = None) -> Settings:
    """Read the settings.

    Args:
        config_dir: the folder of fanguard.toml and people.toml; by default
            FANGUARD_CONFIG, or `config` in the working directory, or the project's.
        env: the environment, os.environ by default. `.env` in the working directory
            adds what the environment does not have.

    Raises:
        UserError: an unreadable file, a missing folder in FANGUARD_CONFIG, an unknown key
            (with the nearest known one) or a value of the wrong kind.
    """
    environment = _environment(env)
    folder = config_dir or _config_dir(environment)
    raw = _read_toml(folder / CONFIG_FILE)
    _refuse_unknown_keys(raw, folder / CONFIG_FILE)
    database = dict(raw.get("database", {}))
    if environment.get("DATABASE_URL"):
        database["url"] = environment["DATABASE_URL"]
    database["configured"] = "url" in database
    model = dict(raw.get("model", {}))
    if isinstance(model.get("path"), str):
        model["path"] = folder / model["path"]
    values: dict[str, Any] = {
        "config_dir": folder,
        "discord": {
            "token": environment.get("DISCORD_TOKEN") or None,
            "api_base": environment.get("DISCORD_API_BASE") or None,
            "gateway": environment.get("DISCORD_GATEWAY") or None,
        },
        "database": database,
        "model": model,
        "watch": raw.get("watch", {}),
        "keep": raw.get("keep", {}),
        "log": raw.get("log", {}),
        "key": environment.get("FANGUARD_KEY") or None,
    }
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        raise UserError(_first_problem(error, folder / CONFIG_FILE)) from None


def load_people(path: Path) -> tuple[Person, ...]:
    """Read a roster file: `[[people]]` tables with name, aliases, handles, pronouns, channels.

    A file that does not exist is an empty roster.

    Raises:
        UserError: the file cannot be read, has an unknown key, or gives a name twice.
    """
    raw = _read_toml(path)
    entries: object = raw.get("people", [])
    if isinstance(entries, list):
        _suggest_for_unknown(raw, {"people"}, path, "")
        for entry in entries:
            if isinstance(entry, dict):
                _suggest_for_unknown(entry, set(_PersonEntry.model_fields), path, "people")
    try:
        parsed = _PeopleFile.model_validate(raw)
    except ValidationError as error:
        raise UserError(_first_problem(error, path)) from None
    seen: set[str] = set()
    for person in parsed.people:
        folded = person.name.casefold().strip()
        if folded in seen:
            msg = f"{path}: the name “{person.name}” is given twice. Keep one of the two entries."
            raise UserError(msg)
        seen.add(folded)
    return tuple(Person(**entry.model_dump()) for entry in parsed.people)


def _environment(env: Mapping[str, str] | None) -> dict[str, str]:
    from_file = {key: value for key, value in _read_env_file(ENVIRONMENT_FILE).items() if value}
    return from_file | dict(os.environ if env is None else env)


def _read_env_file(path: Path) -> Mapping[str, str | None]:
    try:
        return dotenv_values(stream=StringIO(path.read_text(encoding="utf-8-sig")))
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError:
        reason = "it is not text in UTF-8"
    except OSError as error:
        reason = str(error.strerror)
    msg = (
        f"{path.absolute()} cannot be read: {reason}. Make it a text file with lines such as "
        "DISCORD_TOKEN=…, or move it away."
    )
    raise UserError(msg)


def _config_dir(environment: Mapping[str, str]) -> Path:
    if environment.get("FANGUARD_CONFIG"):
        named = Path(environment["FANGUARD_CONFIG"])
        if not named.is_dir():
            msg = (
                f"FANGUARD_CONFIG names {named}, and there is no such folder. Set it to the "
                f"folder of {CONFIG_FILE} and {PEOPLE_FILE}, or unset it."
            )
            raise UserError(msg)
        return named
    local = Path("config")
    return local if local.is_dir() else PROJECT_DIR / "config"


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return {}
    except ValueError as error:  # TOML or UTF-8 that is none, and numbers beyond all bounds
        msg = f"{path} is not valid TOML: {error}. Mend that line and start again."
        raise UserError(msg) from None
    except OSError as error:
        msg = f"{path} cannot be read: {error.strerror}. Check the file and its permissions."
        raise UserError(msg) from None


def _refuse_unknown_keys(raw: Mapping[str, Any], path: Path) -> None:
    for key in raw:
        if secret := _SECRETS.get(key.casefold()):
            msg = (
                f"{path} must hold no secrets: put this one as {secret} in the environment or "
                f"in .env, and remove “{key}” from this file."
            )
            raise UserError(msg)
    _suggest_for_unknown(raw, _FILE_SECTIONS.keys(), path, "")
    for section, model in _FILE_SECTIONS.items():
        table = raw.get(section, {})
        if not isinstance(table, dict):
            msg = f"{path}: “{section}” must be a table, written as [{section}]."
            raise UserError(msg)
        known = set(model.model_fields) - _FILE_ONLY_FROM_ENVIRONMENT
        _suggest_for_unknown(table, known, path, section)


def _suggest_for_unknown(
    table: Mapping[str, Any], known: Iterable[str], path: Path, section: str
) -> None:
    names = sorted(known)
    for key in table:
        if key in names:
            continue
        where = f"[{section}] {key}" if section else key
        nearest = difflib.get_close_matches(key, names, n=1, cutoff=0.5)
        hint = f"Did you mean “{nearest[0]}”?" if nearest else f"Known here: {', '.join(names)}."
        msg = f"{path}: unknown key “{where}”. {hint}"
        raise UserError(msg)


def _first_problem(error: ValidationError, path: Path) -> str:
    problem = error.errors(include_url=False)[0]
    section, *inner = problem["loc"]
    if section == "people":
        if len(inner) < 2:  # noqa: PLR2004
            return f"{path}: “people” must be tables, each written as [[people]]."
        parts = [f"person {int(inner[0]) + 1}", str(inner[1])]
        where = ", ".join(parts + [f"entry {int(part) + 1}" for part in inner[2:]])
    else:
        where = f"“{'.'.join(map(str, problem['loc']))}”"
    if problem["type"] == "missing":
        return f"{path}: {where} is missing."
    reason = _REASONS.get(problem["type"], "must be of another kind")
    reason = reason.format(**problem.get("ctx", {}))
    return f"{path}: {where} is {_in_words(problem['input'])}, but {reason}."


def _in_words(value: object) -> str:
    """A TOML value as an error names it."""
    match value:
        case str() | Path():
            text = json.dumps(str(value), ensure_ascii=False)
            return f"the text {text}" if len(text) <= _SHOWN else f"the text {text[:_SHOWN]}…"
        case bool():
            return str(value).lower()
        case list():
            return "a list"
        case dict():
            return "a table"
        case date() | time():
            return f"the date or time {value}"
        case _:
            return str(value)
