"""What tests drive: guilds, channels, members and bots of a running server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

from tests.discord_server import actions, payloads, state
from tests.discord_server.components import BUTTON
from tests.discord_server.interaction import Interaction
from tests.discord_server.permissions import Permission
from tests.discord_server.state import ChannelType, InteractionType, MessageType
from tests.discord_server.views import Message, NotPossible
from tests.discord_server.world import Draft, World

if TYPE_CHECKING:
    from tests.discord_server.sessions import Hub

CHAT_INPUT, USER_MENU, MESSAGE_MENU = 1, 2, 3


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

    def by(self, author: Member | Bot | Webhook) -> list[Message]:
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

    def allow(self, who: Role | Member | Bot, permissions: int) -> None:
        """Allow here what a role or member may not do elsewhere."""
        self._overwrite(who, allow=permissions)

    def deny(self, who: Role | Member | Bot, permissions: int) -> None:
        """Deny here what a role or member may do elsewhere."""
        self._overwrite(who, deny=permissions)

    def _overwrite(self, who: Role | Member | Bot, *, allow: int = 0, deny: int = 0) -> None:
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

    async def wait_message(
        self, author: Member | Bot | Webhook, *, after: int = 0, within: float = 5.0
    ) -> Message:
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


class Member:
    """A person in a guild, and all that the person can do."""

    def __init__(self, world: World, guild: state.Guild, data: state.Member) -> None:
        self.world = world
        self._guild = guild
        self.data = data

    def __repr__(self) -> str:
        return f"<Member {self.name} {self.id}>"

    @property
    def id(self) -> int:
        """The user's snowflake."""
        return self.data.user.id

    @property
    def name(self) -> str:
        """The name shown."""
        user = self.data.user
        return self.data.nick or user.global_name or user.username

    @property
    def mention(self) -> str:
        """What mentions the member in a text."""
        return f"<@{self.id}>"

    @property
    def present(self) -> bool:
        """Whether the member is still in the guild."""
        return self.id in self._guild.members

    @property
    def banned(self) -> bool:
        """Whether the user is banned from the guild."""
        return self.id in self._guild.bans

    @property
    def timed_out_until(self) -> float | None:
        """The end of the timeout, in seconds since the epoch."""
        return self.data.timed_out_until

    def close_dms(self) -> None:
        """Take no more direct messages: a bot gets 50007."""
        self.data.user.dms_open = False

    def give(self, role: Role) -> None:
        """Receive a role."""
        self.data.role_ids = [*self.data.role_ids, role.id]
        self.world.member_changed(self._guild, self.data)

    def take(self, role: Role) -> None:
        """Lose a role."""
        self.data.role_ids = [each for each in self.data.role_ids if each != role.id]
        self.world.member_changed(self._guild, self.data)

    def leave(self) -> None:
        """Leave the guild."""
        self.world.remove_member(self._guild, self.data.user)

    def direct_messages(self, bot: Bot) -> list[Message]:
        """The direct messages with a bot, oldest first."""
        channel = self.world.direct_channel(bot.data.user, self.data.user)
        return Channel(self.world, channel).messages

    def _require(self, channel: state.Channel, needed: Permission) -> None:
        granted = self.world.permissions(self.data.user, channel)
        if needed & ~granted:
            raise NotPossible(f"{self.name} lacks {needed & ~granted!r} in {channel.name}")

    async def post(
        self,
        channel: Channel,
        content: str = "",
        *,
        reply_to: Message | None = None,
        files: dict[str, bytes] | None = None,
        at: datetime | None = None,
    ) -> Message:
        """Post a message; `at` dates it back.

        Raises:
            NotPossible: the member may not post there.
        """
        place = channel.data
        speak = Permission.SEND_MESSAGES_IN_THREADS if place.thread else Permission.SEND_MESSAGES
        self._require(place, Permission.VIEW_CHANNEL | speak)
        draft = Draft(
            self.data.user,
            content,
            reply_to=reply_to.data if reply_to else None,
            attachments=[
                state.Attachment(self.world.ids.next(), name, body, "application/octet-stream")
                for name, body in (files or {}).items()
            ],
            at=None if at is None else at.timestamp(),
        )
        return Message(self.world, self.world.create_message(place, draft))

    async def edit(self, message: Message, content: str) -> None:
        """Edit a message of the member's own."""
        if message.author_id != self.id or message.deleted:
            raise NotPossible("only one's own messages can be edited")
        before = message.content
        message.data.content = content
        self.world.edited(message.data, before=before)

    async def delete(self, message: Message) -> None:
        """Delete a message: one's own, or with Manage Messages another's."""
        if message.deleted:
            raise NotPossible("the message is gone")
        if message.author_id != self.id:
            place = self.world.channels[message.channel_id]
            self._require(place, Permission.MANAGE_MESSAGES)
        self.world.delete_message(message.data)

    async def start_thread(
        self, channel: Channel, name: str, *, on: Message | None = None, private: bool = False
    ) -> Channel:
        """Open a thread in a channel, from a message or on its own."""
        needed = Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS
        self._require(channel.data, needed)
        made = self.world.create_thread(
            channel.data,
            self.data.user,
            name,
            kind=ChannelType.PRIVATE_THREAD if private else ChannelType.PUBLIC_THREAD,
            starter=on.data if on else None,
        )
        if on is None and not private:
            draft = Draft(self.data.user, name, type=MessageType.THREAD_CREATED)
            self.world.create_message(channel.data, draft)
        return Channel(self.world, made)

    def _check_sees(self, message: Message) -> state.Channel:
        if message.deleted:
            raise NotPossible("the message is gone")
        if message.data.ephemeral_to not in (None, self.id):
            raise NotPossible("the message is ephemeral, for someone else")
        place = self.world.channels[message.channel_id]
        if message.data.ephemeral_to is None:
            self._require(place, Permission.VIEW_CHANNEL)
        return place

    def _bot_of(self, message: Message) -> state.Bot:
        found = self.world.bot(message.author_id)
        if found is None:
            raise NotPossible("the message is no bot's")
        return found

    async def click(self, message: Message, button: str) -> Interaction:
        """Press a button, named by its custom id or label.

        Raises:
            NotPossible: there is none, it is disabled, or the member does not see it.
        """
        place = self._check_sees(message)
        found = message.button(button)
        if found.disabled or found.custom_id is None:
            raise NotPossible(f"the button {button!r} cannot be pressed")
        data = {"component_type": BUTTON, "custom_id": found.custom_id}
        return self._component(message, place, data)

    async def select(self, message: Message, menu: str, *values: Any) -> Interaction:
        """Choose in a menu, named by its custom id or placeholder.

        Raises:
            NotPossible: there is no such menu or option.
        """
        place = self._check_sees(message)
        resolver = actions.Resolver(self.world, place, self.data.user)
        data = actions.select_data(message.select(menu), list(values), resolver)
        return self._component(message, place, data)

    def _component(
        self, message: Message, place: state.Channel, data: dict[str, Any]
    ) -> Interaction:
        return actions.send(
            self.world,
            self._bot_of(message),
            self.data.user,
            place,
            InteractionType.COMPONENT,
            data,
            message=message.data,
        )

    async def slash(
        self, channel: Channel, name: str, /, *, force: bool = False, **options: Any
    ) -> Interaction:
        """Run a command, such as "people add", with its options.

        `force` sends it even if Discord would not offer it, so that the bot's own check
        is what refuses.

        Raises:
            NotPossible: it is not registered or offered, or an option is wrong.
        """
        return self._slash(channel, name, options, focused=None, force=force)

    async def autocomplete(
        self, channel: Channel, name: str, option: str, typed: str, /, **others: Any
    ) -> Interaction:
        """Type into an option; the bot's `choices` follow.

        Raises:
            NotPossible: the option has no autocomplete.
        """
        options = {**others, option: typed}
        return self._slash(channel, name, options, focused=option, force=False)

    def _slash(
        self,
        channel: Channel,
        name: str,
        options: dict[str, Any],
        *,
        focused: str | None,
        force: bool,
    ) -> Interaction:
        first, *path = name.removeprefix("/").split()
        bot, command = actions.find_command(self.world, self._guild, first, CHAT_INPUT)
        self._check_offered(channel, command, force=force)
        resolver = actions.Resolver(self.world, channel.data, self.data.user)
        data = resolver.command(command, path, options, focused)
        kind = InteractionType.COMMAND if focused is None else InteractionType.AUTOCOMPLETE
        return actions.send(self.world, bot, self.data.user, channel.data, kind, data)

    def _check_offered(self, channel: Channel, command: dict[str, Any], *, force: bool) -> None:
        offered = actions.is_offered(self.world, self._guild, self.data.user, channel.data, command)
        if not offered and not force:
            raise NotPossible(f"{command['name']!r} is not offered to {self.name}")

    def offered(self, channel: Channel) -> list[str]:
        """The names of the commands that Discord shows the member in a channel."""
        return sorted(
            command["name"]
            for bot in self.world.bots.values()
            if bot.id in self._guild.members
            for command in (
                *bot.commands.values(),
                *bot.guild_commands.get(self._guild.id, {}).values(),
            )
            if actions.is_offered(self.world, self._guild, self.data.user, channel.data, command)
        )

    async def message_menu(
        self, name: str, message: Message, *, force: bool = False
    ) -> Interaction:
        """Pick an application's entry in a message's context menu."""
        place = self._check_sees(message)
        bot, command = actions.find_command(self.world, self._guild, name, MESSAGE_MENU)
        self._check_offered(Channel(self.world, place), command, force=force)
        body = payloads.message(self.world, message.data)
        data = {
            "id": command["id"],
            "name": command["name"],
            "type": MESSAGE_MENU,
            "target_id": str(message.id),
            "resolved": {"messages": {str(message.id): body}},
        }
        return actions.send(self.world, bot, self.data.user, place, InteractionType.COMMAND, data)

    async def user_menu(
        self, name: str, channel: Channel, target: Member, *, force: bool = False
    ) -> Interaction:
        """Pick an application's entry in a user's context menu."""
        bot, command = actions.find_command(self.world, self._guild, name, USER_MENU)
        self._check_offered(channel, command, force=force)
        resolver = actions.Resolver(self.world, channel.data, self.data.user)
        data = {
            "id": command["id"],
            "name": command["name"],
            "type": USER_MENU,
            "target_id": resolver.reference(actions.USER, target),
            "resolved": resolver.resolved,
        }
        return actions.send(
            self.world, bot, self.data.user, channel.data, InteractionType.COMMAND, data
        )

    async def submit_modal(self, interaction: Interaction, /, **values: Any) -> Interaction:
        """Fill in and send the modal that answered an interaction, by custom id.

        Raises:
            NotPossible: no modal is open, or a field is wrong.
        """
        modal = interaction.modal
        if modal is None:
            raise NotPossible("no modal was opened")
        source = interaction.data
        return actions.send(
            self.world,
            source.bot,
            self.data.user,
            source.channel,
            InteractionType.MODAL_SUBMIT,
            actions.modal_data(modal, values),
            message=source.message,
            parent=source,
        )


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
