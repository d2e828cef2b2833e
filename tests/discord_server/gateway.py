"""The gateway: one connection's conversation, from HELLO to its end."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
import zlib
from collections import deque
from typing import Any, Protocol

import zstandard
from aiohttp import WSCloseCode, WSMsgType, web

from tests.discord_server import intents as intent_bits
from tests.discord_server.sessions import Hub, Session
from tests.discord_server.state import Json

DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, VOICE_STATE, RESUME = 0, 1, 2, 3, 4, 6
RECONNECT, REQUEST_MEMBERS, INVALID_SESSION, HELLO, HEARTBEAT_ACK = 7, 8, 9, 10, 11
MAX_PAYLOAD_BYTES = 4096
SENDS_PER_MINUTE = 120


class Compressor(Protocol):
    """A compressed stream that lasts as long as its connection."""

    def pack(self, text: str) -> bytes: ...


class ZlibStream:
    """`compress=zlib-stream`: each message ends with a sync flush."""

    def __init__(self) -> None:
        self._stream = zlib.compressobj()

    def pack(self, text: str) -> bytes:
        """One message as bytes of the stream."""
        packed = self._stream.compress(text.encode())
        return packed + self._stream.flush(zlib.Z_SYNC_FLUSH)


class ZstdStream:
    """`compress=zstd-stream`: each message ends with a block flush."""

    def __init__(self) -> None:
        self._stream = zstandard.ZstdCompressor().compressobj()

    def pack(self, text: str) -> bytes:
        """One message as bytes of the stream."""
        packed = self._stream.compress(text.encode())
        return packed + self._stream.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)


_COMPRESSORS: dict[str, type[ZlibStream | ZstdStream]] = {
    "zlib-stream": ZlibStream,
    "zstd-stream": ZstdStream,
}


class CloseConnection(Exception):  # noqa: N818 - an order, not an error of this program
    """Ends a connection with one of Discord's close codes."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class Connection:
    """One socket of one shard of a bot."""

    def __init__(self, hub: Hub, request: web.Request) -> None:
        self._hub = hub
        self._request = request
        self._socket = web.WebSocketResponse(compress=False)
        compressor = _COMPRESSORS.get(request.query.get("compress", ""))
        self._compressor: Compressor | None = compressor() if compressor else None
        self._outgoing: asyncio.Queue[Json | None] = asyncio.Queue()
        self._session: Session | None = None
        self._received: deque[float] = deque()
        self._ordered: asyncio.Future[CloseConnection] = asyncio.Future()

    async def run(self) -> web.WebSocketResponse:
        """Talk until either side ends it."""
        await self._socket.prepare(self._request)
        self._hub.connections.add(self)
        self.send({"op": HELLO, "d": {"heartbeat_interval": self._hub.heartbeat_interval_ms}})
        writer = asyncio.create_task(self._write())
        reader = asyncio.create_task(self._read())
        try:
            either: set[asyncio.Future[Any]] = {reader, self._ordered}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            order = self._ordered.result() if self._ordered.done() else await reader
            self._detach(ended_by_client=order is None)
            if order is not None:
                self._outgoing.put_nowait(None)
                await writer
                await self._cancel(reader)
                await self._socket.close(code=order.code, message=order.reason.encode())
        finally:
            self._hub.connections.discard(self)
            self._detach(ended_by_client=False)
            await self._cancel(reader, writer)
        return self._socket

    @staticmethod
    async def _cancel(*tasks: asyncio.Task[Any]) -> None:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _detach(self, *, ended_by_client: bool) -> None:
        if self._session is None or self._session.connection is not self:
            return
        self._hub.detached(self._session)
        clean = self._socket.close_code in (WSCloseCode.OK, WSCloseCode.GOING_AWAY)
        if ended_by_client and clean:
            self._hub.forget(self._session)

    def send(self, payload: Json) -> None:
        """Put a payload on its way; order is kept."""
        self._outgoing.put_nowait(payload)

    def abort(self) -> None:
        """Cut the line without a closing handshake."""
        if self._request.transport is not None:
            self._request.transport.abort()

    def close(self, code: int) -> None:
        """Close from the server's side, as Discord does with its own codes."""
        if not self._ordered.done():
            self._ordered.set_result(CloseConnection(code, ""))

    async def _write(self) -> None:
        with contextlib.suppress(ConnectionError):
            while (payload := await self._outgoing.get()) is not None:
                text = json.dumps({"t": None, "s": None, **payload}, separators=(",", ":"))
                if self._compressor is None:
                    await self._socket.send_str(text)
                else:
                    await self._socket.send_bytes(self._compressor.pack(text))

    async def _read(self) -> CloseConnection | None:
        """Heed what the client sends; None if it ended the connection itself."""
        try:
            await self._listen()
        except CloseConnection as order:
            return order
        return None

    async def _listen(self) -> None:
        patience = self._hub.heartbeat_interval_ms / 1000 * 1.5
        while True:
            try:
                message = await self._socket.receive(timeout=patience)
            except TimeoutError:
                raise CloseConnection(4009, "Session timed out.") from None
            if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                return
            self._check_rate()
            self._handle(self._decode(message.data))

    def _check_rate(self) -> None:
        now = time.monotonic()
        self._received.append(now)
        while self._received[0] < now - 60:
            self._received.popleft()
        if len(self._received) > SENDS_PER_MINUTE:
            raise CloseConnection(4008, "You are being rate limited.")

    @staticmethod
    def _decode(data: str | bytes) -> Json:
        if len(data) > MAX_PAYLOAD_BYTES:
            raise CloseConnection(4002, "Error while decoding payload.")
        try:
            payload = json.loads(data)
        except ValueError:
            raise CloseConnection(4002, "Error while decoding payload.") from None
        if not isinstance(payload, dict):
            raise CloseConnection(4002, "Error while decoding payload.")
        return payload

    def _handle(self, payload: Json) -> None:
        data: Any = payload.get("d")
        match payload.get("op"):
            case 1:
                if not self._hub.deaf_to_heartbeats:
                    self.send({"op": HEARTBEAT_ACK})
            case 2:
                self._identify(data)
            case 6:
                self._resume(data)
            case 3 | 4 if self._session:
                pass
            case 8 if self._session:
                self._hub.send_members(self._session, data)
            case 3 | 4 | 8:
                raise CloseConnection(4003, "Not authenticated.")
            case _:
                raise CloseConnection(4001, "Unknown opcode.")

    def _identify(self, data: Json) -> None:
        if self._session is not None:
            raise CloseConnection(4005, "Already authenticated.")
        bot = self._hub.world.bots.get(data.get("token", ""))
        if bot is None:
            raise CloseConnection(4004, "Authentication failed.")
        intents = data.get("intents")
        if not isinstance(intents, int) or intents & ~intent_bits.KNOWN:
            raise CloseConnection(4013, "Invalid intent(s).")
        if intents & intent_bits.PRIVILEGED & ~bot.privileged:
            raise CloseConnection(4014, "Disallowed intent(s).")
        shard_id, shard_count = data.get("shard", [0, 1])
        if not 0 <= shard_id < shard_count:
            raise CloseConnection(4010, "Invalid shard.")
        if self._hub.take_refusal(bot, "identify"):
            self.send({"op": INVALID_SESSION, "d": False})
            return
        self._session = Session(bot, intents, shard_id, shard_count, self)
        self._hub.start(self._session)

    def _resume(self, data: Json) -> None:
        bot = self._hub.world.bots.get(data.get("token", ""))
        if bot is None:
            raise CloseConnection(4004, "Authentication failed.")
        wanted = data.get("session_id")
        session = next((each for each in self._hub.of(bot) if each.id == wanted), None)
        if session is None or self._hub.take_refusal(bot, "resume"):
            if session is not None:
                self._hub.forget(session)
            self.send({"op": INVALID_SESSION, "d": False})
            return
        seen = data.get("seq") or 0
        if seen > session.sequence:
            self._hub.forget(session)
            raise CloseConnection(4007, "Invalid seq.")
        self._session = session
        self._hub.resume(session, self, seen)
