"""A person in a guild, and all that a person does."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from tests.discord_server import actions, message_payloads, state
from tests.discord_server.components import BUTTON
from tests.discord_server.interaction import Interaction
from tests.discord_server.permissions import Permission
from tests.discord_server.places import Channel, HasId, Role
from tests.discord_server.state import ChannelType, InteractionType
from tests.discord_server.views import Message, NotPossible
from tests.discord_server.world import Draft, World

CHAT_INPUT, USER_MENU, MESSAGE_MENU = 1, 2, 3


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

    def direct_messages(self, bot: HasId) -> list[Message]:
        """The direct messages with a bot, oldest first."""
        channel = self.world.direct_channel(self.world.users[bot.id], self.data.user)
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
        described: str | None = None,
        poll: tuple[str, list[str]] | None = None,
    ) -> Message:
        """Post a message; `at` dates it back, `described` is the alt text of its files.

        Raises:
            NotPossible: the member may not post there.
        """
        place = channel.data
        speak = Permission.SEND_MESSAGES_IN_THREADS if place.thread else Permission.SEND_MESSAGES
        if place.type in (ChannelType.CATEGORY, ChannelType.FORUM):
            raise NotPossible(f"{place.name} takes no messages")
        self._require(place, Permission.VIEW_CHANNEL | speak)
        draft = Draft(
            self.data.user,
            content,
            reply_to=reply_to.data if reply_to else None,
            attachments=[
                state.Attachment(
                    self.world.ids.next(), name, body, "application/octet-stream", described
                )
                for name, body in (files or {}).items()
            ],
            at=None if at is None else at.timestamp(),
            poll=None if poll is None else message_payloads.poll(*poll),
        )
        return Message(self.world, self.world.create_message(place, draft))

    async def forward(self, message: Message, channel: Channel) -> Message:
        """Forward a message to a channel: its text without its author."""
        self._check_sees(message)
        self._require(channel.data, Permission.VIEW_CHANNEL | Permission.SEND_MESSAGES)
        reference = {
            "type": 1,
            "message_id": str(message.id),
            "channel_id": str(message.channel_id),
            "guild_id": str(self._guild.id),
        }
        copy = message_payloads.snapshot(message_payloads.message(self.world, message.data))
        draft = Draft(self.data.user, forward=(reference, copy))
        return Message(self.world, self.world.create_message(channel.data, draft))

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
        author = message.data.author
        if author.id != self.id and message.data.webhook_id is None:
            self.world.audit_deletion(self._guild, self.data.user, message.data)

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
        return Channel(self.world, made)

    async def start_post(self, forum: Channel, name: str, content: str) -> Channel:
        """Open a post in a forum: a thread whose first message has the thread's id."""
        if forum.data.type != ChannelType.FORUM:
            raise NotPossible("only a forum takes posts")
        self._require(forum.data, Permission.SEND_MESSAGES)
        made = self.world.create_thread(forum.data, self.data.user, name)
        self.world.create_message(made, Draft(self.data.user, content, id=made.id))
        return Channel(self.world, made)

    def _check_sees(self, message: Message) -> state.Channel:
        if message.deleted:
            raise NotPossible("the message is gone")
        if message.data.ephemeral_to not in (None, self.id):
            raise NotPossible("the message is ephemeral, for someone else")
        place = self.world.channels[message.channel_id]
        if place.guild_id is not None and message.data.ephemeral_to is None:
            self._require(place, Permission.VIEW_CHANNEL)
        return place

    def _bot_of(self, message: Message) -> state.Bot:
        found = self.world.bot(message.author_id)
        if found is None:
            raise NotPossible("the message is no bot's")
        if found.id not in self._guild.members:
            raise NotPossible("the bot is no longer here")
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
        body = message_payloads.message(self.world, message.data)
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
