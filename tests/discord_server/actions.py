"""Builds the interactions that a person's actions send: commands, clicks, modals."""

from __future__ import annotations

import secrets
from typing import Any

from tests.discord_server import message_payloads, payloads, state
from tests.discord_server.components import (
    ACTION_ROW,
    CHANNEL_SELECT,
    FILE_UPLOAD,
    LABEL,
    MENTIONABLE_SELECT,
    ROLE_SELECT,
    STRING_SELECT,
    TEXT_DISPLAY,
    TEXT_INPUT,
    USER_SELECT,
)
from tests.discord_server.interaction import Interaction
from tests.discord_server.permissions import Permission, base_permissions
from tests.discord_server.state import InteractionType, Json
from tests.discord_server.views import Modal, NotPossible, Select
from tests.discord_server.world import World

SUB_COMMAND, SUB_COMMAND_GROUP = 1, 2
STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER = 3, 4, 5, 6, 7, 8, 9, 10
ATTACHMENT = 11
_IDS = (USER, CHANNEL, ROLE, MENTIONABLE)
_KINDS_OF_VALUE: dict[int, tuple[type, ...]] = {
    STRING: (str,),
    INTEGER: (int,),
    BOOLEAN: (bool,),
    NUMBER: (int, float),
}


def send(
    world: World,
    bot: state.Bot,
    user: state.User,
    channel: state.Channel,
    kind: InteractionType,
    data: Json,
    *,
    message: state.Message | None = None,
    parent: state.Interaction | None = None,
) -> Interaction:
    """Make an interaction and hand it to the bot."""
    made = state.Interaction(
        id=world.ids.next(),
        token=secrets.token_urlsafe(64),
        type=kind,
        bot=bot,
        user=user,
        channel=channel,
        data=data,
        created_at=world.clock.now(),
        message=message,
        parent=parent,
    )
    world.interactions[made.id] = made
    world.events.interaction(made)
    return Interaction(world, made)


def find_command(world: World, guild: state.Guild, name: str, kind: int) -> tuple[state.Bot, Json]:
    """The registered command of a name; the guild's own goes before a global one.

    Raises:
        NotPossible: no bot of the guild registered it.
    """
    bots = [each for each in world.bots.values() if each.id in guild.members]
    for bot in bots:
        for command in (*bot.guild_commands.get(guild.id, {}).values(), *bot.commands.values()):
            if command["name"] == name and command["type"] == kind:
                return bot, command
    known = [c["name"] for b in bots for c in (*b.commands.values(),)]
    known += [c["name"] for b in bots for c in b.guild_commands.get(guild.id, {}).values()]
    raise NotPossible(f"no command {name!r} is registered; there are {sorted(known)}")


def is_offered(
    world: World, guild: state.Guild, user: state.User, channel: state.Channel, command: Json
) -> bool:
    """Whether Discord shows a command to a member in a channel."""
    if not world.permissions(user, channel) & Permission.USE_APPLICATION_COMMANDS:
        return False
    needed = command.get("default_member_permissions")
    if needed is None:
        return True
    granted = base_permissions(guild, guild.members[user.id], world.clock.now())
    if granted & Permission.ADMINISTRATOR:
        return True
    return int(needed) != 0 and not int(needed) & ~granted


class Resolver:
    """Turns a test's option values into Discord's, and collects the resolved objects."""

    def __init__(self, world: World, channel: state.Channel, acting: state.User) -> None:
        self._world = world
        self._channel = channel
        self._guild = world.guilds[channel.guild_id or 0]
        self._acting = self._guild.members[acting.id]
        self.resolved: Json = {}

    def command(self, command: Json, path: list[str], options: Json, focused: str | None) -> Json:
        """The data of a chat-input command; `path` names its subcommands.

        Raises:
            NotPossible: the client would not send it.
        """
        body: Json = {"id": command["id"], "name": command["name"], "type": 1}
        nested, level = body, command
        for name in path:
            level = next((each for each in level.get("options", []) if each["name"] == name), {})
            if level.get("type") not in (SUB_COMMAND, SUB_COMMAND_GROUP):
                raise NotPossible(f"/{command['name']} has no subcommand {name!r}")
            inner: Json = {"name": name, "type": level["type"]}
            nested["options"] = [inner]
            nested = inner
        declared = level.get("options", [])
        if any(each["type"] in (SUB_COMMAND, SUB_COMMAND_GROUP) for each in declared):
            raise NotPossible(f"/{command['name']} needs one of its subcommands")
        nested["options"] = self._options(declared, options, focused)
        if self.resolved:
            body["resolved"] = self.resolved
        if "guild_id" in command:
            body["guild_id"] = command["guild_id"]
        return body

    def _options(self, declared: list[Json], given: Json, focused: str | None) -> list[Json]:
        known = {each["name"]: each for each in declared}
        if unknown := set(given) - set(known):
            raise NotPossible(f"no such option: {sorted(unknown)}; there are {sorted(known)}")
        missing = [n for n, each in known.items() if each.get("required") and n not in given]
        if missing and focused is None:
            raise NotPossible(f"required options are missing: {missing}")
        sent = []
        for name, value in given.items():
            option = known[name]
            body: Json = {"name": name, "type": option["type"]}
            if name == focused:
                if not option.get("autocomplete"):
                    raise NotPossible(f"option {name!r} has no autocomplete")
                body |= {"value": str(value), "focused": True}
            else:
                body["value"] = self._value(option, value)
            sent.append(body)
        return sent

    def _value(self, option: Json, value: Any) -> Any:
        kind = option["type"]
        if kind in _IDS:
            return self.reference(kind, value)
        if kind == ATTACHMENT:
            return self._upload(value)
        if choices := option.get("choices"):
            for each in choices:
                if value in (each["value"], each["name"]):
                    return each["value"]
            raise NotPossible(f"{value!r} is not a choice of option {option['name']!r}")
        expected = _KINDS_OF_VALUE.get(kind)
        if expected is None:
            raise NotPossible(f"options of type {kind} are not offered here")
        if not isinstance(value, expected) or (isinstance(value, bool) and kind != BOOLEAN):
            raise NotPossible(f"option {option['name']!r} does not take {value!r}")
        _check_range(option, value)
        return value

    def reference(self, kind: int, value: Any) -> str:
        """The id of a user, channel or role, which is put among the resolved objects."""
        number = int(getattr(value, "id", value))
        now = self._world.clock.now()
        if kind in (USER, MENTIONABLE) and number in self._world.users:
            user = self._world.users[number]
            self._put("users", number, payloads.user(user))
            if member := self._guild.members.get(number):
                _, partial = payloads.resolved_member(self._guild, member, self._channel, now)
                self._put("members", number, partial)
        elif kind == CHANNEL and number in self._guild.channels:
            found = self._guild.channels[number]
            body = payloads.resolved_channel(self._guild, found, self._acting, now)
            self._put("channels", number, body)
        elif kind in (ROLE, MENTIONABLE) and number in self._guild.roles:
            self._put("roles", number, payloads.role(self._guild.roles[number]))
        else:
            raise NotPossible(f"{value!r} cannot be picked here")
        return str(number)

    def _upload(self, value: Any) -> str:
        """The id of a file given as its name and bytes, which the server keeps."""
        if not (isinstance(value, tuple) and len(value) == 2):
            raise NotPossible(f"{value!r} is no file: give its name and its bytes")
        name, content = value
        made = state.Attachment(self._world.ids.next(), name, content, "text/plain")
        self._world.uploads[made.id] = made
        body = message_payloads.attachment(self._world, made, self._channel.id, ephemeral=True)
        self._put("attachments", made.id, body)
        return str(made.id)

    def _put(self, group: str, number: int, body: Json) -> None:
        self.resolved.setdefault(group, {})[str(number)] = body


def _check_range(option: Json, value: Any) -> None:
    size = len(value) if isinstance(value, str) else value
    names = ("min_length", "max_length") if isinstance(value, str) else ("min_value", "max_value")
    lowest, highest = (option.get(name) for name in names)
    if (lowest is not None and size < lowest) or (highest is not None and size > highest):
        raise NotPossible(f"{value!r} is out of range for option {option['name']!r}")


_SELECT_KINDS = {
    USER_SELECT: USER,
    ROLE_SELECT: ROLE,
    MENTIONABLE_SELECT: MENTIONABLE,
    CHANNEL_SELECT: CHANNEL,
}


def select_data(menu: Select, values: list[Any], resolver: Resolver) -> Json:
    """The data of a choice in a menu; options go by value or label.

    Raises:
        NotPossible: the client would not send it.
    """
    if menu.disabled:
        raise NotPossible(f"the menu {menu.custom_id!r} is disabled")
    if not menu.min_values <= len(values) <= menu.max_values:
        raise NotPossible(f"pick {menu.min_values} to {menu.max_values} options")
    data: Json = {"component_type": menu.type, "custom_id": menu.custom_id}
    if menu.type == STRING_SELECT:
        by_label = dict(zip(menu.labels, menu.options, strict=True))
        picked = [by_label.get(each, each) for each in values]
        if unknown := [each for each in picked if each not in menu.options]:
            raise NotPossible(f"no such option: {unknown}; there are {list(menu.options)}")
        return data | {"values": picked}
    picked = [resolver.reference(_SELECT_KINDS[menu.type], each) for each in values]
    return data | {"values": picked, "resolved": resolver.resolved}


def modal_data(modal: Modal, values: dict[str, Any]) -> Json:
    """The data of a submitted modal; fields left out are sent as they stood.

    Raises:
        NotPossible: the client would not send it.
    """
    if unknown := set(values) - set(modal.fields):
        raise NotPossible(f"no such field: {sorted(unknown)}; there are {sorted(modal.fields)}")
    rows = []
    for component in modal.components:
        row: Json = {"type": component["type"], "id": component.get("id", 0)}
        if component["type"] == ACTION_ROW:
            row["components"] = [_filled(each, values) for each in component["components"]]
        elif component["type"] == LABEL:
            row["component"] = _filled(component["component"], values)
        elif component["type"] == TEXT_DISPLAY:
            row["content"] = component["content"]
        rows.append(row)
    return {"custom_id": modal.custom_id, "components": rows}


def _filled(component: Json, values: dict[str, Any]) -> Json:
    custom_id = component["custom_id"]
    body: Json = {
        "type": component["type"],
        "custom_id": custom_id,
        "id": component.get("id", 0),
    }
    required = component.get("required", True)
    value = values.get(custom_id)
    if component["type"] == TEXT_INPUT:
        text = str(component.get("value") or "") if value is None else str(value)
        _check_text(component, text, required=required)
        return body | {"value": text}
    if component["type"] == FILE_UPLOAD:
        raise NotPossible("file uploads in modals are not offered here")
    if value is None:
        default = [o["value"] for o in component.get("options") or [] if o.get("default")]
        value = default
    if isinstance(value, list | tuple):
        if required and not value:
            raise NotPossible(f"field {custom_id!r} must be filled in")
        return body | {"values": [str(getattr(each, "id", each)) for each in value]}
    return body | {"value": value}


def _check_text(component: Json, text: str, *, required: bool) -> None:
    if not text and not required:
        return
    lowest = max(component.get("min_length") or 0, 1 if required else 0)
    highest = component.get("max_length") or 4000
    if not lowest <= len(text) <= highest:
        name = component["custom_id"]
        raise NotPossible(f"field {name!r} takes {lowest} to {highest} characters")
