"""One REST call: who makes it, what it carries, and the look-ups all routes share."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from aiohttp import BodyPartReader, web

from tests.discord_server.errors import (
    ApiError,
    form_error,
    missing_access,
    missing_permissions,
    unauthorized,
    unknown,
)
from tests.discord_server.permissions import Permission, base_permissions
from tests.discord_server.state import Bot, Channel, Guild, Json, Member
from tests.discord_server.world import World

Handler = Callable[["Call"], Awaitable["Answer"]]


@dataclass(frozen=True)
class Answer:
    """A status and a JSON body; None is an empty body."""

    body: Any = None
    status: int = 200


NO_CONTENT = Answer(status=204)
NOTHING = Permission(0)


@dataclass
class Upload:
    """A file of a multipart body."""

    filename: str
    content: bytes
    content_type: str


@dataclass
class Call:
    """A request, read and attributed."""

    world: World
    request: web.Request
    caller: Bot | None
    body: Any = None
    files: dict[int, Upload] = field(default_factory=dict)

    @property
    def bot(self) -> Bot:
        """The bot that calls.

        Raises:
            ApiError: 401, there is no valid token.
        """
        if self.caller is None:
            raise unauthorized()
        return self.caller

    @property
    def form(self) -> Json:
        """The body, which must be an object.

        Raises:
            ApiError: 50035.
        """
        if not isinstance(self.body, dict):
            raise form_error([], "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
        return self.body

    @property
    def query(self) -> dict[str, str]:
        """The query string."""
        return dict(self.request.query)

    @property
    def reason(self) -> str | None:
        """The audit log reason.

        Raises:
            ApiError: it is longer than 512 characters.
        """
        text = self.request.headers.get("X-Audit-Log-Reason")
        if text is None:
            return None
        reason = unquote(text)
        if len(reason) > 512:
            raise form_error(["reason"], "BASE_TYPE_MAX_LENGTH", "Must be 512 or fewer in length.")
        return reason

    def number(self, name: str) -> int:
        """A snowflake of the path.

        Raises:
            ApiError: it is not a snowflake.
        """
        return snowflake(self.request.match_info[name], name)

    def channel(self, needed: Permission = NOTHING) -> Channel:
        """The path's channel, which the bot may see and where it has `needed`.

        Raises:
            ApiError: 10003, 50001 or 50013.
        """
        channel = self.world.channels.get(self.number("channel_id"))
        if channel is None:
            raise unknown("Channel")
        self.demand(channel, needed)
        return channel

    def demand(self, channel: Channel, needed: Permission) -> None:
        """Ask for permissions in a channel.

        Raises:
            ApiError: 50001 or 50013.
        """
        granted = self.world.permissions(self.bot.user, channel)
        if not granted & Permission.VIEW_CHANNEL:
            raise missing_access()
        if needed & ~granted:
            raise missing_permissions()

    def guild(self, needed: Permission = NOTHING) -> Guild:
        """The path's guild, where the bot has `needed`.

        Raises:
            ApiError: 10004 or 50013.
        """
        guild = self.world.guilds.get(self.number("guild_id"))
        if guild is None or self.bot.id not in guild.members:
            raise unknown("Guild")
        if needed & ~base_permissions(guild, self.own(guild), self.world.clock.now()):
            raise missing_permissions()
        return guild

    def own(self, guild: Guild) -> Member:
        """The bot as a member of a guild."""
        return guild.members[self.bot.id]

    def member(self, guild: Guild) -> Member:
        """The path's member of a guild.

        Raises:
            ApiError: 10007, or 10013 for no user at all.
        """
        user_id = self.number("user_id")
        if user_id not in self.world.users:
            raise unknown("User")
        if user_id not in guild.members:
            raise unknown("Member")
        return guild.members[user_id]

    def limit(self, default: int, highest: int) -> int:
        """The query's `limit`.

        Raises:
            ApiError: it is not within 1 and `highest`.
        """
        text = self.query.get("limit", str(default))
        if not text.isdecimal() or not 1 <= int(text) <= highest:
            code = "NUMBER_TYPE_MAX" if text.isdecimal() and int(text) else "NUMBER_TYPE_MIN"
            raise form_error(["limit"], code, f"int value should be between 1 and {highest}.")
        return int(text)


def snowflake(value: object, name: str) -> int:
    """An id out of a path or body.

    Raises:
        ApiError: it is not a snowflake.
    """
    text = str(value)
    if not (text.isascii() and text.isdecimal()):
        message = f'Value "{text}" is not snowflake.'
        raise form_error([name], "NUMBER_TYPE_COERCE", message)
    return int(text)


async def read_body(request: web.Request) -> tuple[Any, dict[int, Upload]]:
    """The JSON of a body and the files that came with it.

    Raises:
        ApiError: 50109, it is no JSON.
    """
    files: dict[int, Upload] = {}
    if not request.content_type.startswith("multipart/"):
        text = await request.text()
        return _parse(text) if text else None, files
    body: Any = None
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            continue
        name = part.name or ""
        if name == "payload_json":
            body = _parse(await part.text())
        elif name.startswith("files["):
            content = bytes(await part.read())
            kind = part.headers.get("Content-Type", "application/octet-stream")
            index = int(name.removeprefix("files[").removesuffix("]"))
            files[index] = Upload(part.filename or "unknown", content, kind)
    return body, files


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise ApiError(400, 50109, "The request body contains invalid JSON.") from None
