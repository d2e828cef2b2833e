"""The HTTP server: it reads a call, lets troubles and limits have their say, and answers."""

from __future__ import annotations

import asyncio
import json
import math
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.discord_server.clock import Clock
from tests.discord_server.errors import ApiError, not_found, unauthorized
from tests.discord_server.faults import Fault, Faults
from tests.discord_server.gateway import Connection
from tests.discord_server.ratelimits import RateLimits, Verdict
from tests.discord_server.rest import channels, commands, guilds, interactions, messages, webhooks
from tests.discord_server.rest.call import Answer, Call, Handler, Upload, read_body
from tests.discord_server.sessions import Hub
from tests.discord_server.state import Bot
from tests.discord_server.world import World

API = "/api/v10"
BODY_LIMIT = 32 * 1024 * 1024
_UNLIMITED = "/interactions/"


@dataclass
class Request:
    """One REST call as it came in and was answered. `status` 0: cut without an answer."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    json: Any
    files: dict[int, Upload]
    bot: Bot | None
    at: float
    status: int = 0
    response: Any = None
    response_headers: dict[str, str] = field(default_factory=dict)

    @property
    def error_code(self) -> int | None:
        """Discord's JSON error code, if the request was refused."""
        body = self.response
        return body.get("code") if self.status >= 400 and isinstance(body, dict) else None


class HttpServer:
    """Serves a world over HTTP and websockets on a loopback port."""

    def __init__(self, *, rate_limits: bool, heartbeat_interval: float) -> None:
        self.clock = Clock()
        self.world = World(self.clock)
        self.hub = Hub(self.world, int(heartbeat_interval * 1000))
        self.faults = Faults()
        self.rate_limits = RateLimits(self.clock, enabled=rate_limits)
        self.requests: list[Request] = []
        self.origin = ""
        self._runner: web.AppRunner | None = None

    async def start(self, host: str, port: int) -> None:
        """Listen; port 0 picks a free one."""
        app = web.Application(client_max_size=BODY_LIMIT)
        for (method, path), handler in self._routes().items():
            app.router.add_route(method, API + path, self._endpoint(path, handler))
        app.router.add_get("/gateway", self._gateway)
        app.router.add_get("/attachments/{channel_id}/{attachment_id}/{name}", self._attachment)
        app.router.add_route("*", "/{path:.*}", self._endpoint("/unknown", _unknown_route))
        self._runner = web.AppRunner(app, shutdown_timeout=0.5)
        await self._runner.setup()
        site = web.TCPSite(self._runner, host, port)
        await site.start()
        bound = self._runner.addresses[0][1]
        self.origin = self.world.origin = f"http://{host}:{bound}"
        self.hub.gateway_url = f"ws://{host}:{bound}/gateway"

    async def stop(self) -> None:
        """Close all connections and the port."""
        for connection in list(self.hub.connections):
            connection.abort()
        if self._runner is not None:
            await self._runner.cleanup()

    def _routes(self) -> dict[tuple[str, str], Handler]:
        found: dict[tuple[str, str], Handler] = {
            ("GET", "/gateway"): self._gateway_address,
            ("GET", "/gateway/bot"): self._gateway_for_bot,
        }
        for area in (channels, messages, guilds, commands, interactions, webhooks):
            found |= area.routes()
        return found

    async def _gateway_address(self, call: Call) -> Answer:
        del call
        return Answer({"url": self.hub.gateway_url})

    async def _gateway_for_bot(self, call: Call) -> Answer:
        limit = {"total": 1000, "remaining": 999, "reset_after": 86_400_000, "max_concurrency": 1}
        return Answer(
            {
                "url": self.hub.gateway_url,
                "shards": call.bot.shards,
                "session_start_limit": limit,
            }
        )

    async def _gateway(self, request: web.Request) -> web.StreamResponse:
        if self.hub.refused_sockets > 0:
            self.hub.refused_sockets -= 1
            return web.Response(status=503)
        return await Connection(self.hub, request).run()

    async def _attachment(self, request: web.Request) -> web.StreamResponse:
        posted = [
            each
            for channel in self.world.channels.values()
            for message in channel.messages.values()
            for each in message.attachments
        ]
        for each in (*posted, *self.world.uploads.values()):
            if str(each.id) == request.match_info["attachment_id"]:
                return web.Response(body=each.content, content_type=each.content_type)
        return web.Response(status=404)

    def _endpoint(self, route: str, handler: Handler) -> Any:
        async def handle(request: web.Request) -> web.StreamResponse:
            record = Request(
                method=request.method,
                path=request.path.removeprefix(API),
                query=dict(request.query),
                headers=dict(request.headers),
                json=None,
                files={},
                bot=None,
                at=self.clock.now(),
            )
            self.requests.append(record)
            try:
                return await self._serve(request, record, route, handler)
            finally:
                self.world.changed()

        return handle

    async def _serve(
        self, request: web.Request, record: Request, route: str, handler: Handler
    ) -> web.StreamResponse:
        headers: dict[str, str] = {}
        fault = self.faults.take(record.method, record.path)
        try:
            record.json, record.files = await read_body(request)
            if fault is not None and not fault.after:
                await self._suffer(fault, request)
            record.bot = self._caller(request)
            verdict = self._spend(record, route, request)
            headers |= verdict.headers
            if not verdict.allowed:
                return _respond(record, _too_many(verdict), headers)
            call = Call(self.world, request, record.bot, record.json, record.files)
            answer = await handler(call)
            record.bot = call.caller
            if fault is not None and fault.after:
                await self._suffer(fault, request)
        except _Refusal as refusal:
            headers |= refusal.headers
            answer = refusal.answer
        except ApiError as error:
            answer = Answer(error.payload(), error.status)
        return _respond(record, answer, headers)

    async def _suffer(self, fault: Fault, request: web.Request) -> None:
        if fault.event is not None:
            fault.event()
        if fault.delay:
            await asyncio.sleep(fault.delay)
        if fault.drop and request.transport is not None:
            request.transport.abort()
            raise asyncio.CancelledError
        if fault.status == 429:
            headers = {"X-RateLimit-Scope": "user"}
            if fault.is_global:
                headers = {"X-RateLimit-Scope": "global", "X-RateLimit-Global": "true"}
            verdict = Verdict(
                allowed=False,
                headers=headers,
                retry_after=fault.retry_after,
                is_global=fault.is_global,
            )
            raise _Refusal(_too_many(verdict), headers)
        if fault.status is not None:
            body = {"message": f"{fault.status}: Internal Server Error", "code": 0}
            raise _Refusal(Answer(body, fault.status), {})

    def _caller(self, request: web.Request) -> Bot | None:
        """The bot of the Authorization header.

        Raises:
            ApiError: 401, the header's token is no bot's.
        """
        header = request.headers.get("Authorization")
        if header is None:
            return None
        bot = self.world.bots.get(header.removeprefix("Bot "))
        if bot is None or not header.startswith("Bot "):
            raise unauthorized()
        return bot

    def _spend(self, record: Request, route: str, request: web.Request) -> Verdict:
        if record.path.startswith(_UNLIMITED):
            return Verdict(allowed=True, headers={})
        who = record.bot.token if record.bot else ""
        parameters = dict(request.match_info)
        return self.rate_limits.take(who, record.method, route, parameters)


class _Refusal(Exception):  # noqa: N818 - an answer, not an error of this program
    """Ends a call with an ordered answer."""

    def __init__(self, answer: Answer, headers: dict[str, str]) -> None:
        super().__init__()
        self.answer = answer
        self.headers = headers


async def _unknown_route(call: Call) -> Answer:
    del call
    raise not_found()


def _too_many(verdict: Verdict) -> Answer:
    body = {
        "message": "You are being rate limited.",
        "retry_after": round(verdict.retry_after, 3),
        "global": verdict.is_global,
    }
    return Answer(body, 429)


def _respond(record: Request, answer: Answer, headers: dict[str, str]) -> web.Response:
    """Write the answer. Discord's JSON has no charset; a 429 names its proxy in Via."""
    headers = {"Via": "1.1 google", **headers}
    if answer.status == 429 and isinstance(answer.body, dict) and "retry_after" in answer.body:
        headers["Retry-After"] = str(math.ceil(answer.body["retry_after"]))
    record.status, record.response = answer.status, answer.body
    record.response_headers = headers
    if answer.body is None:
        return web.Response(status=answer.status, headers=headers)
    headers = {**headers, "Content-Type": "application/json"}
    return web.Response(
        status=answer.status, body=json.dumps(answer.body).encode(), headers=headers
    )
