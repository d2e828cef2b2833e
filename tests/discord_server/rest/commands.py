"""Application commands: registration, global and per guild."""

from __future__ import annotations

import unicodedata
from collections.abc import MutableMapping

from tests.discord_server.errors import FormErrors, form_error, missing_access, unknown
from tests.discord_server.rest.call import NO_CONTENT, Answer, Call, Handler
from tests.discord_server.state import Json

CHAT_INPUT, USER, MESSAGE = 1, 2, 3
SUB_COMMAND, SUB_COMMAND_GROUP, STRING, INTEGER, NUMBER = 1, 2, 3, 4, 10
LIMITS = {CHAT_INPUT: 100, USER: 15, MESSAGE: 15}
TOTAL_CHARACTERS = 8000
LOCALES = (
    "id",
    "da",
    "de",
    "en-GB",
    "en-US",
    "es-ES",
    "es-419",
    "fr",
    "hr",
    "it",
    "lt",
    "hu",
    "nl",
    "no",
    "pl",
    "pt-BR",
    "ro",
    "fi",
    "sv-SE",
    "vi",
    "tr",
    "cs",
    "el",
    "bg",
    "ru",
    "uk",
    "hi",
    "th",
    "zh-CN",
    "ja",
    "zh-TW",
    "ko",
)
_OPTION_TYPES = tuple(range(1, 12))

Path = list[str | int]


def routes() -> dict[tuple[str, str], Handler]:
    """Method and path of each route."""
    found: dict[tuple[str, str], Handler] = {}
    for base in (
        "/applications/{application_id}/commands",
        "/applications/{application_id}/guilds/{guild_id}/commands",
    ):
        found |= {
            ("GET", base): listing,
            ("PUT", base): overwrite,
            ("POST", base): create,
            ("GET", base + "/{command_id}"): get,
            ("PATCH", base + "/{command_id}"): edit,
            ("DELETE", base + "/{command_id}"): delete,
        }
    return found


def _registered(call: Call) -> MutableMapping[int, Json]:
    """The commands that the path is about."""
    if call.number("application_id") != call.bot.id:
        raise missing_access()
    if "guild_id" not in call.request.match_info:
        return call.bot.commands
    guild = call.world.guilds.get(call.number("guild_id"))
    if guild is None or call.bot.id not in guild.members:
        raise missing_access()
    return call.bot.guild_commands.setdefault(guild.id, {})


def _one(call: Call) -> tuple[MutableMapping[int, Json], int]:
    registered = _registered(call)
    command_id = call.number("command_id")
    if command_id not in registered:
        raise unknown("application command")
    return registered, command_id


async def listing(call: Call) -> Answer:
    """All commands; with texts in other languages only where they are asked for."""
    found = list(_registered(call).values())
    if call.request.query.get("with_localizations") == "true":
        return Answer(found)
    return Answer([_without_localizations(each) for each in found])


def _without_localizations(one: Json) -> Json:
    kept = {key: value for key, value in one.items() if not key.endswith("_localizations")}
    for inner in ("options", "choices"):
        if inner in kept:
            kept[inner] = [_without_localizations(each) for each in kept[inner]]
    return kept


async def overwrite(call: Call) -> Answer:
    """Replace all commands; one that stays by name and type keeps its id."""
    registered = _registered(call)
    bodies = call.body
    if not isinstance(bodies, list):
        raise form_error([], "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
    errors = FormErrors()
    seen: set[tuple[int, str]] = set()
    for index, body in enumerate(bodies):
        key = (body.get("type") or CHAT_INPUT, body.get("name"))
        _validate(body, [index], errors)
        if key in seen:
            message = "Application command names must be unique"
            errors.add([index, "name"], "APPLICATION_COMMANDS_DUPLICATE_NAME", message)
        seen.add(key)
    for kind, highest in LIMITS.items():
        if sum(key[0] == kind for key in seen) > highest:
            message = f"Maximum number of application commands reached ({highest})"
            errors.add([], "MAX_APPLICATION_COMMANDS", message)
    errors.check()
    ids = {(each["type"], each["name"]): each["id"] for each in registered.values()}
    stored = [_stored(call, body, ids) for body in bodies]
    registered.clear()
    registered.update({int(each["id"]): each for each in stored})
    call.world.changed()
    return Answer(stored)


async def create(call: Call) -> Answer:
    """Add a command, or replace the one of its name and type."""
    registered = _registered(call)
    errors = FormErrors()
    _validate(call.form, [], errors)
    errors.check()
    ids = {(each["type"], each["name"]): each["id"] for each in registered.values()}
    stored = _stored(call, call.form, ids)
    existed = int(stored["id"]) in registered
    registered[int(stored["id"])] = stored
    call.world.changed()
    return Answer(stored, 200 if existed else 201)


async def get(call: Call) -> Answer:
    """One command."""
    registered, command_id = _one(call)
    return Answer(registered[command_id])


async def edit(call: Call) -> Answer:
    """Change a command."""
    registered, command_id = _one(call)
    merged = registered[command_id] | call.form
    errors = FormErrors()
    _validate(merged, [], errors)
    errors.check()
    ids = {(merged["type"], merged["name"]): str(command_id)}
    registered[command_id] = _stored(call, merged, ids)
    return Answer(registered[command_id])


async def delete(call: Call) -> Answer:
    """Remove a command."""
    registered, command_id = _one(call)
    del registered[command_id]
    return NO_CONTENT


def _stored(call: Call, body: Json, ids: dict[tuple[int, str], str]) -> Json:
    kind = body.get("type") or CHAT_INPUT
    stored: Json = {
        "id": ids.get((kind, body["name"])) or str(call.world.ids.next()),
        "application_id": str(call.bot.id),
        "version": str(call.world.ids.next()),
        "type": kind,
        "name": body["name"],
        "name_localizations": body.get("name_localizations"),
        "description": body.get("description") or "",
        "description_localizations": body.get("description_localizations"),
        "default_member_permissions": body.get("default_member_permissions"),
        "dm_permission": body.get("dm_permission", True),
        "contexts": body.get("contexts"),
        "integration_types": body.get("integration_types") or [0],
        "nsfw": bool(body.get("nsfw")),
    }
    if stored["default_member_permissions"] is not None:
        stored["default_member_permissions"] = str(stored["default_member_permissions"])
    if body.get("options"):
        stored["options"] = body["options"]
    if "guild_id" in call.request.match_info:
        stored["guild_id"] = call.request.match_info["guild_id"]
    return stored


def is_command_name(name: str) -> bool:
    """Whether a chat-input command or option may bear a name: lower case, no spaces."""
    if not 1 <= len(name) <= 32 or name != name.lower():
        return False
    return all(char in "-_'" or unicodedata.category(char)[0] in "LNM" for char in name)


def _validate(body: Json, path: Path, errors: FormErrors) -> None:
    kind = body.get("type") or CHAT_INPUT
    if not errors.choice([*path, "type"], kind, (CHAT_INPUT, USER, MESSAGE)):
        return
    permissions = body.get("default_member_permissions")
    if permissions is not None and not str(permissions).isdecimal():
        message = f'Value "{permissions}" is not a valid permission.'
        errors.add([*path, "default_member_permissions"], "NUMBER_TYPE_COERCE", message)
    if kind != CHAT_INPUT:
        errors.length([*path, "name"], body.get("name"), 1, 32, needed=True)
        _localized(body, "name", 32, path, errors)
        if body.get("description"):
            message = "Context menu commands cannot have description"
            code = "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_INVALID"
            errors.add([*path, "description"], code, message)
        return
    _name(body, path, errors)
    errors.length([*path, "description"], body.get("description"), 1, 100, needed=True)
    _localized(body, "description", 100, path, errors)
    _options(body.get("options") or [], [*path, "options"], errors, depth=0)
    if _characters(body) > TOTAL_CHARACTERS:
        message = f"Command exceeds maximum size ({TOTAL_CHARACTERS})"
        errors.add(path, "APPLICATION_COMMAND_TOO_LARGE", message)


def _localized(body: Json, field: str, highest: int, path: Path, errors: FormErrors) -> None:
    """Check a text in other languages: known locales, and the limits of the text itself."""
    for locale, text in (body.get(f"{field}_localizations") or {}).items():
        spot = [*path, f"{field}_localizations", locale]
        if errors.choice(spot, locale, LOCALES):
            errors.length(spot, text, 1, highest, needed=True)


def _name(body: Json, path: Path, errors: FormErrors) -> None:
    name = body.get("name")
    for locale, text in (body.get("name_localizations") or {}).items():
        spot = [*path, "name_localizations", locale]
        if errors.choice(spot, locale, LOCALES) and not is_command_name(text):
            errors.add(spot, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    errors.length([*path, "name"], name, 1, 32, needed=True)
    if isinstance(name, str) and 1 <= len(name) <= 32 and not is_command_name(name):
        message = "Command name is invalid"
        errors.add([*path, "name"], "APPLICATION_COMMAND_INVALID_NAME", message)


def _options(options: list[Json], path: Path, errors: FormErrors, *, depth: int) -> None:
    errors.length(path, options, 0, 25)
    names: set[str] = set()
    optional_seen = False
    for index, option in enumerate(options):
        spot = [*path, index]
        if not errors.choice([*spot, "type"], option.get("type"), _OPTION_TYPES):
            continue
        _name(option, spot, errors)
        errors.length([*spot, "description"], option.get("description"), 1, 100, needed=True)
        _localized(option, "description", 100, spot, errors)
        if option.get("name") in names:
            code = "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS"
            errors.add([*spot, "name"], code, "Option name already exists")
        names.add(option.get("name", ""))
        if option["type"] in (SUB_COMMAND, SUB_COMMAND_GROUP):
            _nested(option, spot, errors, depth=depth)
            continue
        if option.get("required") and optional_seen:
            code = "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID"
            errors.add(spot, code, "Required options must be placed before non-required options")
        optional_seen = optional_seen or not option.get("required")
        _choices(option, spot, errors)


def _nested(option: Json, path: Path, errors: FormErrors, *, depth: int) -> None:
    deepest = 1 if option["type"] == SUB_COMMAND else 0
    if depth > deepest:
        code = "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID"
        errors.add([*path, "type"], code, "Sub-command option type is invalid here")
        return
    _options(option.get("options") or [], [*path, "options"], errors, depth=depth + 1)


def _choices(option: Json, path: Path, errors: FormErrors) -> None:
    choices = option.get("choices") or []
    errors.length([*path, "choices"], choices, 0, 25)
    if choices and option.get("autocomplete"):
        code = "APPLICATION_COMMAND_OPTION_AUTOCOMPLETE_WITH_CHOICES"
        errors.add(path, code, "Options with autocomplete cannot have choices")
    if option.get("autocomplete") and option["type"] not in (STRING, INTEGER, NUMBER):
        code = "APPLICATION_COMMAND_OPTION_AUTOCOMPLETE_INVALID_TYPE"
        errors.add(path, code, "This option type cannot have autocomplete")
    for index, choice in enumerate(choices):
        spot = [*path, "choices", index]
        errors.length([*spot, "name"], choice.get("name"), 1, 100, needed=True)
        _localized(choice, "name", 100, spot, errors)
        if option["type"] == STRING:
            errors.length([*spot, "value"], choice.get("value"), 1, 100, needed=True)
    lowest, highest = option.get("min_length"), option.get("max_length")
    if option["type"] == STRING and lowest is not None and highest is not None and lowest > highest:
        message = "min_length must not exceed max_length"
        errors.add([*path, "max_length"], "NUMBER_TYPE_MIN", message)


def _longest(body: Json, field: str) -> int:
    """The characters of a text in the language in which it is longest."""
    texts = [body.get(field) or "", *(body.get(f"{field}_localizations") or {}).values()]
    return max(map(len, texts))


def _characters(body: Json) -> int:
    """The characters that count toward a command's greatest size."""
    own = _longest(body, "name") + _longest(body, "description")
    choices = sum(
        _longest(each, "name") + len(str(each.get("value"))) for each in body.get("choices") or []
    )
    return own + choices + sum(_characters(each) for each in body.get("options") or [])
