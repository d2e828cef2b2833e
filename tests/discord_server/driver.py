"""Guilds and bots, as tests drive them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tests.discord_server import state
from tests.discord_server.people import Member
from tests.discord_server.places import Channel, Role
from tests.discord_server.sessions import Hub
from tests.discord_server.state import ChannelType


class Bot:
    """A bot's side of the server: its token, its connections, its commands."""

    def __init__(self, hub: Hub, data: state.Bot) -> None:
        self._hub = hub
        self.world = hub.world
        self.data = data

    @property
    def id(self) -> int:
        """The application's snowflake, which is also the user's."""
        return self.data.id

    @property
    def token(self) -> str:
        """What it logs in with."""
        return self.data.token

    @property
    def connected(self) -> bool:
        """Whether a session of it has a connection."""
        return any(each.connection is not None for each in self._hub.of(self.data))

    @property
    def session_ids(self) -> list[str]:
        """The sessions that exist, connected or resumable."""
        return [each.id for each in self._hub.of(self.data)]

    def commands(self, guild: Guild | None = None) -> dict[str, state.Json]:
        """The commands it registered, globally or in a guild, by name."""
        found = self.data.commands
        if guild is not None:
            found = self.data.guild_commands.get(guild.id, {})
        return {each["name"]: each for each in found.values()}

    def reset_token(self, token: str) -> None:
        """Give it a new token: the old one answers 401, and open connections close with 4004."""
        del self.world.bots[self.data.token]
        self.data.token = token
        self.world.bots[token] = self.data
        self.close(4004)

    async def wait_connected(self, within: float = 10.0) -> None:
        """Wait until it has a session that is connected."""
        await self.world.wait_for(lambda: self.connected, within)

    async def wait_disconnected(self, within: float = 10.0) -> None:
        """Wait until no session of it is connected."""
        await self.world.wait_for(lambda: not self.connected, within)

    def drop(self) -> None:
        """Cut its connections without a goodbye, as a broken network does."""
        for session in self._hub.of(self.data):
            if session.connection is not None:
                session.connection.abort()

    def close(self, code: int = 4000) -> None:
        """Close its connections with a code, such as 4009 (session timed out)."""
        for session in self._hub.of(self.data):
            if session.connection is not None:
                session.connection.close(code)

    def order_reconnect(self) -> None:
        """Ask it to reconnect and resume (op 7)."""
        for session in self._hub.of(self.data):
            if session.connection is not None:
                session.connection.send({"op": 7, "d": None})

    def invalidate_session(self, *, resumable: bool = False) -> None:
        """Tell it that its session is invalid (op 9)."""
        for session in self._hub.of(self.data):
            if session.connection is not None:
                session.connection.send({"op": 9, "d": resumable})
            if not resumable:
                self._hub.forget(session)

    def refuse_resume(self, times: int = 1) -> None:
        """Answer its next resumes with an invalid session: missed events are gone."""
        self._hub.refuse(self.data, "resume", times)

    @contextmanager
    def events_held(self, *names: str) -> Iterator[None]:
        """Deliver these events (all if none is named) only at the end of the block."""
        with self._hub.held(set(names), lost=False):
            yield

    @contextmanager
    def events_lost(self, *names: str) -> Iterator[None]:
        """Never deliver these events (all if none is named) of the block."""
        with self._hub.held(set(names), lost=True):
            yield


class Guild:
    """A server with its channels, roles and members."""

    def __init__(self, hub: Hub, data: state.Guild) -> None:
        self._hub = hub
        self.world = hub.world
        self.data = data

    @property
    def id(self) -> int:
        """The snowflake."""
        return self.data.id

    @property
    def name(self) -> str:
        """The name."""
        return self.data.name

    @property
    def everyone(self) -> Role:
        """The @everyone role."""
        return Role(self.world, self.data, self.data.roles[self.id])

    @property
    def owner(self) -> Member:
        """The owner, who may do everything."""
        return Member(self.world, self.data, self.data.members[self.data.owner_id])

    @property
    def audit_log(self) -> list[state.AuditEntry]:
        """The audit log, oldest first."""
        return self.data.audit_log

    @property
    def bans(self) -> dict[int, str | None]:
        """The reasons of all bans, by user id."""
        return {user_id: reason for user_id, (_, reason) in self.data.bans.items()}

    def add_channel(
        self, name: str, *, kind: int = ChannelType.TEXT, category: Channel | None = None
    ) -> Channel:
        """Make a channel."""
        parent_id = category.id if category else None
        made = self.world.add_channel(self.data, name, kind=kind, parent_id=parent_id)
        return Channel(self.world, made)

    def add_role(self, name: str, permissions: int = 0) -> Role:
        """Make a role, above all roles there are."""
        return Role(self.world, self.data, self.world.add_role(self.data, name, permissions))

    def add_member(self, name: str, *roles: Role, user: Member | None = None) -> Member:
        """Let a new person join, or one who is in another guild already."""
        account = user.data.user if user else self.world.add_user(name)
        made = self.world.add_member(self.data, account, [each.id for each in roles])
        return Member(self.world, self.data, made)

    def add_bot(self, bot: Bot, permissions: int) -> Role:
        """Invite a bot; it gets a managed role of its own with these permissions."""
        role = self.world.add_role(
            self.data, bot.data.user.username, permissions, managed_by=bot.id
        )
        self.world.add_member(self.data, bot.data.user, [role.id])
        self._hub.joined(bot.data, self.data)
        return Role(self.world, self.data, role)

    def role_of(self, bot: Bot) -> Role:
        """A bot's managed role."""
        found = next(each for each in self.data.roles.values() if each.managed_by == bot.id)
        return Role(self.world, self.data, found)

    def remove_bot(self, bot: Bot) -> None:
        """Throw a bot out."""
        self.world.remove_member(self.data, bot.data.user)
        self._hub.gone(bot.data, self.data)

    @contextmanager
    def outage(self) -> Iterator[None]:
        """Be out of reach for a while, as in an outage of Discord's."""
        self.data.available = False
        bots = [each for each in self.world.bots.values() if each.id in self.data.members]
        for bot in bots:
            self._hub.gone(bot, self.data, outage=True)
        try:
            yield
        finally:
            self.data.available = True
            for bot in bots:
                self._hub.joined(bot, self.data)
