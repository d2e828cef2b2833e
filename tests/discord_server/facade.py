"""The server as tests start it."""

from __future__ import annotations

import base64
import re
import secrets
from collections.abc import Callable
from types import TracebackType
from typing import Self, TypeVar

from tests.discord_server import state
from tests.discord_server.clock import Clock
from tests.discord_server.driver import Bot, Guild
from tests.discord_server.faults import Faults
from tests.discord_server.intents import PRIVILEGED
from tests.discord_server.permissions import MODERATOR, Permission
from tests.discord_server.ratelimits import RateLimits
from tests.discord_server.server import API, HttpServer, Request

T = TypeVar("T")

BOT_PERMISSIONS = (
    MODERATOR
    | Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.SEND_MESSAGES_IN_THREADS
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
)
"""What an invited bot may do unless a test says otherwise."""


class DiscordServer:
    """A Discord on a loopback port, for as long as the block lasts.

    Every bot joins every guild there is, unless told otherwise.
    """

    def __init__(
        self,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        rate_limits: bool = True,
        heartbeat_interval: float = 41.25,
    ) -> None:
        self._host = host
        self._port = port
        self._http = HttpServer(rate_limits=rate_limits, heartbeat_interval=heartbeat_interval)
        self.world = self._http.world
        self.hub = self._http.hub

    async def __aenter__(self) -> Self:
        await self._http.start(self._host, self._port)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._http.stop()

    @property
    def api_base(self) -> str:
        """The address of REST, such as http://127.0.0.1:8080/api/v10."""
        return self._http.origin + API

    @property
    def gateway(self) -> str:
        """The address of the gateway, such as ws://127.0.0.1:8080/gateway."""
        return self.hub.gateway_url

    def environment(self, bot: Bot | None = None) -> dict[str, str]:
        """The variables that put a bot on this server, with its token if one is given."""
        found = {"DISCORD_API_BASE": self.api_base, "DISCORD_GATEWAY": self.gateway}
        return found if bot is None else found | {"DISCORD_TOKEN": bot.token}

    @property
    def requests(self) -> list[Request]:
        """All REST calls, oldest first."""
        return self._http.requests

    def calls(self, method: str, path: str) -> list[Request]:
        """The REST calls of a method whose path matches a regular expression as a whole."""
        pattern = re.compile(path)
        return [
            each for each in self.requests if each.method == method and pattern.fullmatch(each.path)
        ]

    @property
    def faults(self) -> Faults:
        """Troubles to order for REST."""
        return self._http.faults

    @property
    def rate_limits(self) -> RateLimits:
        """The buckets; `rate_limits.limits` may be changed."""
        return self._http.rate_limits

    @property
    def clock(self) -> Clock:
        """The server's time, which can be moved on."""
        return self._http.clock

    def refuse_connections(self, times: int) -> None:
        """Answer the next gateway connections with 503."""
        self.hub.refused_sockets = times

    def ignore_heartbeats(self, *, ignored: bool = True) -> None:
        """Stop acknowledging heartbeats, as a dead connection does."""
        self.hub.deaf_to_heartbeats = ignored

    def add_guild(
        self, name: str = "Fan club", *, join: bool = True, permissions: int = BOT_PERMISSIONS
    ) -> Guild:
        """Make a guild with an owner; the bots there are join it."""
        owner = self.world.add_user(f"{name} owner")
        guild = Guild(self.hub, self.world.add_guild(name, owner))
        for bot in self.world.bots.values() if join else ():
            guild.add_bot(Bot(self.hub, bot), permissions)
        return guild

    def add_bot(
        self,
        name: str = "Fanguard",
        *,
        token: str | None = None,
        privileged: int = PRIVILEGED,
        join: bool = True,
        permissions: int = BOT_PERMISSIONS,
    ) -> Bot:
        """Make an application with a bot user; it joins the guilds there are.

        `privileged` are the intents that its portal page allows.
        """
        user = self.world.add_user(name, bot=True)
        owner = self.world.add_user(f"{name} developer")
        data = state.Bot(user, token or _token(user.id), int(privileged), owner)
        self.world.bots[data.token] = data
        bot = Bot(self.hub, data)
        for guild in self.world.guilds.values() if join else ():
            Guild(self.hub, guild).add_bot(bot, permissions)
        return bot

    async def wait_for(self, predicate: Callable[[], T], within: float = 5.0) -> T:
        """The first truthy answer of `predicate`, asked again after every change.

        Raises:
            TimeoutError: it stayed false.
        """
        return await self.world.wait_for(predicate, within)


def _token(user_id: int) -> str:
    """A token of the form Discord's have: the user's id, a time, a secret."""
    first = base64.urlsafe_b64encode(str(user_id).encode()).decode().rstrip("=")
    return f"{first}.{secrets.token_urlsafe(5)[:6]}.{secrets.token_urlsafe(29)[:38]}"
