"""The server's state: look-ups, permissions, and word of every change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol, TypeVar

from tests.discord_server.clock import Clock, Snowflakes
from tests.discord_server.errors import unknown
from tests.discord_server.permissions import (
    DIRECT_MESSAGE,
    Permission,
    channel_permissions,
)
from tests.discord_server.state import (
    Attachment,
    AuditEntry,
    Bot,
    Channel,
    ChannelType,
    Guild,
    Interaction,
    Json,
    Member,
    Message,
    Role,
    User,
    Webhook,
)

T = TypeVar("T")


class Events(Protocol):
    """Where events go: the gateway."""

    def message(self, name: str, message: Message) -> None: ...
    def deleted(self, message: Message) -> None: ...
    def in_channel(self, name: str, channel: Channel, body: Json) -> None: ...
    def in_guild(self, name: str, guild: Guild, body: Json) -> None: ...
    def thread(self, name: str, thread: Channel, *, newly_created: bool = False) -> None: ...
    def thread_members(
        self, thread: Channel, *, added: int | None = None, removed: int | None = None
    ) -> None: ...
    def channel(self, name: str, channel: Channel) -> None: ...
    def role(self, name: str, guild: Guild, role: Role) -> None: ...
    def member(self, name: str, guild: Guild, member: Member) -> None: ...
    def ban(self, name: str, guild: Guild, user: User) -> None: ...
    def audit(self, guild: Guild, entry: AuditEntry) -> None: ...
    def interaction(self, interaction: Interaction) -> None: ...


class Registry:
    """Everything the server knows."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.ids = Snowflakes(clock)
        self.origin = ""
        self.users: dict[int, User] = {}
        self.bots: dict[str, Bot] = {}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.webhooks: dict[int, Webhook] = {}
        self.interactions: dict[int, Interaction] = {}
        self.uploads: dict[int, Attachment] = {}
        self.ephemeral: dict[int, Message] = {}
        self.nonces: dict[tuple[int, str], tuple[float, Message]] = {}
        self.events: Events
        self._changed = asyncio.Event()

    def changed(self) -> None:
        """Wake whoever waits for something to happen."""
        self._changed.set()
        self._changed = asyncio.Event()

    async def wait_for(self, predicate: Callable[[], T], within: float) -> T:
        """The first truthy answer of `predicate`, asked again after every change.

        Raises:
            TimeoutError: it stayed false for `within` seconds.
        """
        async with asyncio.timeout(within):
            while not (answer := predicate()):
                await self._changed.wait()
        return answer

    def bot(self, application_id: int) -> Bot | None:
        """The bot of an application."""
        return next((bot for bot in self.bots.values() if bot.id == application_id), None)

    def guild_of(self, channel: Channel) -> Guild | None:
        """The guild of a channel; None for a direct message."""
        return None if channel.guild_id is None else self.guilds[channel.guild_id]

    def message(self, channel_id: int, message_id: int) -> Message:
        """A message that stands in a channel.

        Raises:
            ApiError: there is none.
        """
        found = self.channels[channel_id].messages.get(message_id)
        if found is None:
            raise unknown("Message")
        return found

    def referenced(self, message: Message) -> Message | None:
        """The message that `message` answers, if it still stands."""
        reference = message.reference or {}
        place = self.channels.get(int(reference.get("channel_id", 0)))
        return None if place is None else place.messages.get(int(reference["message_id"]))

    def permissions(self, user: User, channel: Channel) -> Permission:
        """What a user may do in a channel: nothing, unless a member of it."""
        guild = self.guild_of(channel)
        if guild is None:
            return DIRECT_MESSAGE if user in channel.recipients else Permission(0)
        member = guild.members.get(user.id)
        if member is None:
            return Permission(0)
        granted = channel_permissions(guild, member, channel, self.clock.now())
        if (
            channel.type == ChannelType.PRIVATE_THREAD
            and channel.thread is not None
            and user.id not in channel.thread.members
            and not granted & Permission.MANAGE_THREADS
        ):
            return Permission(0)
        return granted
