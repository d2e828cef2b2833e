"""Channels, threads, roles and webhooks, as tests drive them."""

from __future__ import annotations

from typing import Protocol

from tests.discord_server import state
from tests.discord_server.views import Message, NotPossible
from tests.discord_server.world import Draft, World


class HasId(Protocol):
    """A member, a bot or a webhook."""

    @property
    def id(self) -> int: ...


class Channel:
    """A guild's channel, a thread or a direct message."""

    def __init__(self, world: World, data: state.Channel) -> None:
        self.world = world
        self.data = data

    def __repr__(self) -> str:
        return f"<Channel {self.data.name} {self.id}>"

    @property
    def id(self) -> int:
        """The snowflake."""
        return self.data.id

    @property
    def name(self) -> str:
        """The name; empty for a direct message."""
        return self.data.name or ""

    @property
    def messages(self) -> list[Message]:
        """The messages that stand, oldest first."""
        found = self.data.messages
        return [Message(self.world, found[each]) for each in sorted(found)]

    def by(self, author: HasId) -> list[Message]:
        """The messages of one author, oldest first."""
        return [each for each in self.messages if each.author_id == author.id]

    @property
    def threads(self) -> list[Channel]:
        """Its threads."""
        return [
            Channel(self.world, each)
            for each in self.world.channels.values()
            if each.parent_id == self.id and each.thread is not None
        ]

    def allow(self, who: Role | HasId, permissions: int) -> None:
        """Allow here what a role or member may not do elsewhere."""
        self._overwrite(who, allow=permissions)

    def deny(self, who: Role | HasId, permissions: int) -> None:
        """Deny here what a role or member may do elsewhere."""
        self._overwrite(who, deny=permissions)

    def _overwrite(self, who: Role | HasId, *, allow: int = 0, deny: int = 0) -> None:
        kind = 0 if isinstance(who, Role) else 1
        found = self.data.overwrites.setdefault(who.id, state.Overwrite(who.id, kind))
        found.allow = found.allow & ~int(deny) | int(allow)
        found.deny = found.deny & ~int(allow) | int(deny)
        self.world.channel_changed(self.data)

    def archive(self, *, locked: bool = False) -> None:
        """Archive a thread."""
        if self.data.thread is None:
            raise NotPossible("only a thread can be archived")
        self.data.thread.archived = True
        self.data.thread.locked = locked
        self.data.thread.archive_timestamp = self.world.clock.now()
        self.world.events.thread("THREAD_UPDATE", self.data)

    def delete(self) -> None:
        """Take the channel or thread away."""
        self.world.delete_channel(self.data)

    def add_webhook(self, name: str, *, application_id: int | None = None) -> Webhook:
        """Make a webhook, such as a proxy bot's."""
        made = self.world.create_webhook(self.data, name, application_id=application_id)
        return Webhook(self.world, made)

    async def wait_message(self, author: HasId, *, after: int = 0, within: float = 5.0) -> Message:
        """Wait for a message of `author` that is newer than the id `after`.

        Raises:
            TimeoutError: none came.
        """

        def found() -> list[Message]:
            return [each for each in self.by(author) if each.id > after and not each.loading]

        return (await self.world.wait_for(found, within))[0]


class Role:
    """A role of a guild."""

    def __init__(self, world: World, guild: state.Guild, data: state.Role) -> None:
        self.world = world
        self._guild = guild
        self.data = data

    @property
    def id(self) -> int:
        """The snowflake."""
        return self.data.id

    def set_permissions(self, permissions: int) -> None:
        """Change what the role may do."""
        self.data.permissions = int(permissions)
        self.world.events.role("GUILD_ROLE_UPDATE", self._guild, self.data)

    def move(self, position: int) -> None:
        """Stand at a position of the hierarchy, such as above or below a bot's role."""
        self.data.position = position
        self.world.events.role("GUILD_ROLE_UPDATE", self._guild, self.data)


class Webhook:
    """A webhook that posts."""

    def __init__(self, world: World, data: state.Webhook) -> None:
        self.world = world
        self.data = data

    @property
    def id(self) -> int:
        """The snowflake, which is also its messages' author id."""
        return self.data.id

    async def post(self, content: str, *, username: str | None = None) -> Message:
        """Post, under a name of choice."""
        draft = Draft(self.data.user(username), content, webhook=self.data)
        channel = self.world.channels[self.data.channel_id]
        return Message(self.world, self.world.create_message(channel, draft))
