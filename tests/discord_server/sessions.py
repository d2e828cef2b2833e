"""Gateway sessions: which bot is told which event, and what a resume replays."""

from __future__ import annotations

import contextlib
import secrets
from collections import Counter, deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from tests.discord_server import message_payloads, payloads
from tests.discord_server.intents import Intent, required
from tests.discord_server.permissions import Permission, base_permissions
from tests.discord_server.state import (
    AuditEntry,
    Bot,
    Channel,
    Guild,
    Interaction,
    Json,
    Member,
    Message,
    Role,
    User,
)
from tests.discord_server.world import World

if TYPE_CHECKING:
    from tests.discord_server.gateway import Connection

CHUNK_SIZE = 1000
SESSION_SECONDS = 180.0


class Session:
    """What one shard of a bot was sent; it outlives the connection until it is forgotten."""

    def __init__(
        self, bot: Bot, intents: int, shard_id: int, shard_count: int, connection: Connection
    ) -> None:
        self.id = secrets.token_hex(16)
        self.bot = bot
        self.intents = intents
        self.shard = (shard_id, shard_count)
        self.connection: Connection | None = connection
        self.sequence = 0
        self.detached_at: float | None = None
        self._sent: deque[Json] = deque(maxlen=5000)

    def dispatch(self, event: str, data: Json) -> None:
        """Send an event, or keep it for a resume."""
        self.sequence += 1
        payload = {"op": 0, "t": event, "s": self.sequence, "d": data}
        self._sent.append(payload)
        if self.connection is not None:
            self.connection.send(payload)

    def replay(self, seen: int) -> None:
        """Send again what came after sequence number `seen`."""
        for payload in self._sent:
            if payload["s"] > seen and self.connection is not None:
                self.connection.send(payload)

    def covers(self, guild_id: int | None) -> bool:
        """Whether this shard is told of a guild; direct messages go to shard 0."""
        number, count = self.shard
        return ((guild_id or 0) >> 22) % count == number if guild_id else number == 0


class Hub:
    """All sessions of all bots. It is the world's listener: see `world.Events`."""

    def __init__(self, world: World, heartbeat_interval_ms: int) -> None:
        self.world = world
        self.heartbeat_interval_ms = heartbeat_interval_ms
        self.gateway_url = ""
        self.sessions: dict[str, Session] = {}
        self.connections: set[Connection] = set()
        self.deaf_to_heartbeats = False
        self.refused_sockets = 0
        self._refusals: Counter[tuple[int, str]] = Counter()
        self._held: list[tuple[set[str], list[Callable[[], None]] | None]] = []
        world.events = self

    def refuse(self, bot: Bot, what: str, times: int) -> None:
        """Answer the bot's next `times` "identify" or "resume" with INVALID_SESSION."""
        self._refusals[(bot.id, what)] += times

    def take_refusal(self, bot: Bot, what: str) -> bool:
        """Whether this attempt is to be refused."""
        if self._refusals[(bot.id, what)] <= 0:
            return False
        self._refusals[(bot.id, what)] -= 1
        return True

    def start(self, session: Session) -> None:
        """Answer IDENTIFY: READY, then each guild."""
        self.sessions[session.id] = session
        guilds = [each for each in self._guilds(session.bot) if session.covers(each.id)]
        session.dispatch(
            "READY",
            {
                "v": 10,
                "user": payloads.user(session.bot.user) | {"verified": True, "mfa_enabled": True},
                "guilds": [{"id": str(each.id), "unavailable": True} for each in guilds],
                "session_id": session.id,
                "resume_gateway_url": self.gateway_url,
                "shard": list(session.shard),
                "application": {
                    "id": str(session.bot.id),
                    "flags": payloads.application_flags(session.bot),
                },
            },
        )
        if session.intents & Intent.GUILDS:
            for guild in guilds:
                if guild.available:
                    self._create(session, guild)
        self.world.changed()

    def resume(self, session: Session, connection: Connection, seen: int) -> None:
        """Answer RESUME: what was missed, then RESUMED."""
        session.connection = connection
        session.detached_at = None
        session.replay(seen)
        session.dispatch("RESUMED", {})
        self.world.changed()

    def detached(self, session: Session) -> None:
        """The session lost its connection and waits for a resume."""
        session.connection = None
        session.detached_at = self.world.clock.now()
        self.world.changed()

    def forget(self, session: Session) -> None:
        """The session can no longer be resumed."""
        self.sessions.pop(session.id, None)
        self.world.changed()

    def of(self, bot: Bot) -> list[Session]:
        """The sessions of a bot; one left alone for three minutes is gone."""
        now = self.world.clock.now()
        for session in list(self.sessions.values()):
            if session.detached_at is not None and session.detached_at < now - SESSION_SECONDS:
                self.forget(session)
        return [each for each in self.sessions.values() if each.bot is bot]

    @contextlib.contextmanager
    def held(self, names: set[str], *, lost: bool) -> Iterator[None]:
        """Keep events back (all if `names` is empty); later deliver them, or lose them."""
        waiting: list[Callable[[], None]] = []
        rule = (names, None if lost else waiting)
        self._held.append(rule)
        try:
            yield
        finally:
            self._held.remove(rule)
            for deliver in waiting:
                deliver()

    def _deliver(self, session: Session, event: str, data: Json) -> None:
        for names, waiting in self._held:
            if not names or event in names:
                if waiting is not None:
                    waiting.append(lambda: session.dispatch(event, data))
                return
        session.dispatch(event, data)

    def _guilds(self, bot: Bot) -> list[Guild]:
        return [each for each in self.world.guilds.values() if bot.id in each.members]

    def _create(self, session: Session, guild: Guild) -> None:
        body = payloads.guild_create(self.world, guild, session.bot, session.intents)
        self._deliver(session, "GUILD_CREATE", body)

    def _audience(self, event: str, guild_id: int | None) -> list[Session]:
        """The sessions that are told of an event in a guild (None: a direct message)."""
        found = []
        needed = required(event, direct=guild_id is None)
        for bot in self.world.bots.values():
            if guild_id is not None and bot.id not in self.world.guilds[guild_id].members:
                continue
            found += [
                each
                for each in self.of(bot)
                if each.covers(guild_id) and (not needed or each.intents & needed)
            ]
        return found

    def _in_channel(self, event: str, channel: Channel) -> list[Session]:
        return [
            each
            for each in self._audience(event, channel.guild_id)
            if self.world.permissions(each.bot.user, channel) & Permission.VIEW_CHANNEL
        ]

    def message(self, name: str, message: Message) -> None:
        """A message was posted or edited."""
        for session in self._readers(name, message):
            body = message_payloads.message_event(self.world, message, session.bot, session.intents)
            self._deliver(session, name, body)

    def deleted(self, message: Message) -> None:
        """A message was deleted."""
        body: Json = {"id": str(message.id), "channel_id": str(message.channel_id)}
        guild_id = self.world.channels[message.channel_id].guild_id
        if guild_id is not None and message.ephemeral_to is None:
            body["guild_id"] = str(guild_id)
        for session in self._readers("MESSAGE_DELETE", message):
            self._deliver(session, "MESSAGE_DELETE", body)

    def _readers(self, name: str, message: Message) -> list[Session]:
        """The sessions that are told of a message.

        Discord tells only its own application of an ephemeral one, and as if it were a
        direct message: see discord-api-docs issue 4557.
        """
        if message.ephemeral_to is None:
            return self._in_channel(name, self.world.channels[message.channel_id])
        own = self.world.bot(message.author.id)
        sessions = self.of(own) if own else []
        return [
            each for each in sessions if each.covers(None) and each.intents & Intent.DIRECT_MESSAGES
        ]

    def in_channel(self, name: str, channel: Channel, body: Json) -> None:
        """Something happened in a channel."""
        full = {"channel_id": str(channel.id), **body}
        if channel.guild_id is not None:
            full["guild_id"] = str(channel.guild_id)
        for session in self._in_channel(name, channel):
            self._deliver(session, name, full)

    def in_guild(self, name: str, guild: Guild, body: Json) -> None:
        """Something happened to a guild, its roles or its channels."""
        for session in self._audience(name, guild.id):
            self._deliver(session, name, {"guild_id": str(guild.id), **body})

    def thread(self, name: str, thread: Channel, *, newly_created: bool = False) -> None:
        """A thread was opened, changed or removed."""
        for session in self._in_channel(name, thread):
            body = payloads.channel(thread, viewer=session.bot.id)
            if newly_created:
                body["newly_created"] = True
            self._deliver(session, name, body)

    def thread_members(
        self, thread: Channel, *, added: int | None = None, removed: int | None = None
    ) -> None:
        """A user joined or left a thread; a bot is always told of itself."""
        body: Json = {
            "id": str(thread.id),
            "guild_id": str(thread.guild_id),
            "member_count": len(thread.thread.members) if thread.thread else 0,
        }
        if added is not None:
            body["added_members"] = [payloads.thread_member(thread, added)]
        if removed is not None:
            body["removed_member_ids"] = [str(removed)]
        for bot in self.world.bots.values():
            for session in self.of(bot):
                own = bot.id in (added, removed) and session.intents & Intent.GUILDS
                told = own or session.intents & Intent.GUILD_MEMBERS
                visible = self.world.permissions(bot.user, thread) & Permission.VIEW_CHANNEL
                if told and visible and session.covers(thread.guild_id):
                    self._deliver(session, "THREAD_MEMBERS_UPDATE", body)

    def channel(self, name: str, channel: Channel) -> None:
        """A channel was made, changed or removed."""
        for session in self._audience(name, channel.guild_id):
            self._deliver(session, name, payloads.channel(channel))

    def member(self, name: str, guild: Guild, member: Member) -> None:
        """A member came, went or changed; a bot is always told of itself."""
        sessions = self._audience(name, guild.id)
        own = self.world.bot(member.user.id)
        if own is not None and name == "GUILD_MEMBER_UPDATE":
            sessions += [each for each in self.of(own) if each not in sessions]
        body: Json = {"guild_id": str(guild.id)}
        if name == "GUILD_MEMBER_REMOVE":
            body |= {"user": payloads.user(member.user)}
        else:
            body |= payloads.member(member)
        for session in sessions:
            self._deliver(session, name, body)

    def role(self, name: str, guild: Guild, role: Role) -> None:
        """A role was made or changed."""
        self.in_guild(name, guild, {"role": payloads.role(role)})

    def ban(self, name: str, guild: Guild, user: User) -> None:
        """A user was banned or unbanned."""
        self.in_guild(name, guild, {"user": payloads.user(user)})

    def audit(self, guild: Guild, entry: AuditEntry) -> None:
        """A line was written to the audit log; only those who may view it are told."""
        body = {"guild_id": str(guild.id), **payloads.audit_entry(entry)}
        for session in self._audience("GUILD_AUDIT_LOG_ENTRY_CREATE", guild.id):
            member = guild.members[session.bot.id]
            granted = base_permissions(guild, member, self.world.clock.now())
            if granted & Permission.VIEW_AUDIT_LOG:
                self._deliver(session, "GUILD_AUDIT_LOG_ENTRY_CREATE", body)

    def interaction(self, interaction: Interaction) -> None:
        """A user acted; the application's bot is told."""
        for session in self.of(interaction.bot):
            if session.covers(interaction.channel.guild_id):
                body = message_payloads.interaction(self.world, interaction, session.intents)
                self._deliver(session, "INTERACTION_CREATE", body)

    def joined(self, bot: Bot, guild: Guild) -> None:
        """A bot was added to a guild, or the guild came back after an outage."""
        for session in self.of(bot):
            if session.covers(guild.id) and session.intents & Intent.GUILDS:
                self._create(session, guild)

    def gone(self, bot: Bot, guild: Guild, *, outage: bool = False) -> None:
        """A bot was removed from a guild, or the guild is out of reach for a while."""
        body: Json = {"id": str(guild.id)}
        if outage:
            body["unavailable"] = True
        for session in self.of(bot):
            if session.covers(guild.id) and session.intents & Intent.GUILDS:
                self._deliver(session, "GUILD_DELETE", body)

    def send_members(self, session: Session, query: Json) -> None:
        """Answer a request for members with chunks of a thousand."""
        guild = self.world.guilds.get(int(query.get("guild_id", 0)))
        if guild is None or session.bot.id not in guild.members:
            return
        found, missing = _matching(guild, query)
        listing_all = "user_ids" not in query and not query.get("query")
        if listing_all and not session.intents & Intent.GUILD_MEMBERS:
            return
        limit = int(query.get("limit") or 0)
        found = found[:limit] if limit else found
        chunks = [found[at : at + CHUNK_SIZE] for at in range(0, len(found), CHUNK_SIZE)] or [[]]
        for index, chunk in enumerate(chunks):
            body: Json = {
                "guild_id": str(guild.id),
                "members": [payloads.member(each) for each in chunk],
                "chunk_index": index,
                "chunk_count": len(chunks),
            }
            if missing:
                body["not_found"] = missing
            if query.get("presences"):
                body["presences"] = []
            if "nonce" in query:
                body["nonce"] = query["nonce"]
            session.dispatch("GUILD_MEMBERS_CHUNK", body)


def _matching(guild: Guild, query: Json) -> tuple[list[Member], list[str]]:
    """The members a request asks for, and the ids that are none."""
    if "user_ids" in query:
        asked = query["user_ids"]
        ids = [int(each) for each in (asked if isinstance(asked, list) else [asked])]
        found = [guild.members[each] for each in ids if each in guild.members]
        return found, [str(each) for each in ids if each not in guild.members]
    prefix = str(query.get("query") or "").lower()
    found = [
        each
        for each in guild.members.values()
        if each.user.username.lower().startswith(prefix)
        or (each.nick or "").lower().startswith(prefix)
    ]
    return found, []
