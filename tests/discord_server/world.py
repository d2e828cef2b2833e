"""The whole of the server's state, and the operations that change it and tell the bots.

Nothing here asks who may do what: REST and the test-side driver do that first.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.discord_server.clock import DISCORD_EPOCH_MS
from tests.discord_server.permissions import (
    ALL,
    EVERYONE,
    Permission,
)
from tests.discord_server.registry import Registry
from tests.discord_server.state import (
    Attachment,
    AuditEntry,
    Channel,
    ChannelType,
    Guild,
    Json,
    Member,
    Message,
    MessageFlag,
    MessageType,
    Pings,
    Role,
    ThreadInfo,
    User,
    Webhook,
)

_MENTION = re.compile(r"<@!?(\d+)>")
_ROLE_MENTION = re.compile(r"<@&(\d+)>")
_EVERYONE = re.compile(r"@(everyone|here)\b")


MERGED_SECONDS = 300.0


@dataclass
class Draft:
    """What a new message is made of."""

    author: User
    content: str = ""
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    flags: int = 0
    tts: bool = False
    nonce: str | int | None = None
    allowed_mentions: Json | None = None
    reply_to: Message | None = None
    silent_reply: bool = False
    type: int = MessageType.DEFAULT
    webhook: Webhook | None = None
    application_id: int | None = None
    interaction_metadata: Json | None = None
    ephemeral_to: int | None = None
    at: float | None = None
    id: int | None = None
    poll: Json | None = None
    forward: tuple[Json, Json] | None = None
    """The reference to a forwarded message, and its snapshot."""


class World(Registry):
    """The state, and what can happen to it."""

    def pings(self, draft: Draft, channel: Channel) -> Pings:
        """Whom a message notifies: what it mentions, less what is not allowed."""
        allowed = draft.allowed_mentions
        parse = ["users", "roles", "everyone"] if allowed is None else allowed.get("parse", [])
        named = allowed or {}
        texts = [draft.content, *text_displays(draft.components)]
        text = "\n".join(texts)
        guild = self.guild_of(channel)
        may = ALL if draft.webhook else self.permissions(draft.author, channel)
        users = [int(each) for each in _MENTION.findall(text) if int(each) in self.users]
        if "users" not in parse:
            listed = {int(each) for each in named.get("users", [])}
            users = [each for each in users if each in listed]
        replied = not draft.silent_reply and (allowed is None or bool(named.get("replied_user")))
        if draft.reply_to is not None and replied and draft.reply_to.webhook_id is None:
            users.append(draft.reply_to.author.id)
        roles = [
            int(each)
            for each in _ROLE_MENTION.findall(text)
            if guild is not None
            and (role := guild.roles.get(int(each))) is not None
            and (role.mentionable or may & Permission.MENTION_EVERYONE)
        ]
        if "roles" not in parse:
            listed = {int(each) for each in named.get("roles", [])}
            roles = [each for each in roles if each in listed]
        everyone = (
            "everyone" in parse
            and bool(may & Permission.MENTION_EVERYONE)
            and _EVERYONE.search(text) is not None
        )
        return Pings(everyone, list(dict.fromkeys(users)), list(dict.fromkeys(roles)))

    def create_message(self, channel: Channel, draft: Draft) -> Message:
        """Post a message; an ephemeral one is kept apart from the channel."""
        message_id = draft.id or self.ids.next(draft.at)
        reference = None
        if draft.reply_to is not None:
            reference = {
                "type": 0,
                "message_id": str(draft.reply_to.id),
                "channel_id": str(draft.reply_to.channel_id),
            }
            if channel.guild_id is not None:
                reference["guild_id"] = str(channel.guild_id)
        if draft.forward is not None:
            reference = draft.forward[0]
        message = Message(
            id=message_id,
            channel_id=channel.id,
            author=draft.author,
            created_at=self.clock.now() if draft.at is None else draft.at,
            content=draft.content,
            type=MessageType.REPLY if draft.reply_to and not draft.type else draft.type,
            flags=draft.flags,
            tts=draft.tts,
            embeds=draft.embeds,
            components=draft.components,
            attachments=draft.attachments,
            reference=reference,
            pings=self.pings(draft, channel),
            allowed_mentions=draft.allowed_mentions,
            nonce=draft.nonce,
            webhook_id=draft.webhook.id if draft.webhook else draft.application_id,
            application_id=draft.application_id,
            interaction_metadata=draft.interaction_metadata,
            ephemeral_to=draft.ephemeral_to,
            snapshots=[draft.forward[1]] if draft.forward else [],
            poll=draft.poll,
        )
        if draft.webhook is not None:
            message.application_id = draft.webhook.application_id
        if draft.ephemeral_to is not None:
            self.ephemeral[message.id] = message
        else:
            channel.messages[message.id] = message
            self._unarchive(channel)
        self.events.message("MESSAGE_CREATE", message)
        self.changed()
        return message

    def _unarchive(self, channel: Channel) -> None:
        if channel.thread is not None and channel.thread.archived:
            channel.thread.archived = False
            channel.thread.archive_timestamp = self.clock.now()
            self.events.thread("THREAD_UPDATE", channel)

    def edited(self, message: Message, *, before: str | None = None, silent: bool = False) -> None:
        """Tell of an edit. `before` is the content it had; `silent` leaves no edit time."""
        if before is not None:
            message.revisions.append(before)
        if not silent:
            message.edited_at = self.clock.now()
        self.events.message("MESSAGE_UPDATE", message)
        self.changed()

    def delete_message(self, message: Message) -> None:
        """Take a message away."""
        message.deleted = True
        self.ephemeral.pop(message.id, None)
        self.channels[message.channel_id].messages.pop(message.id, None)
        self.events.deleted(message)
        self.changed()

    def audit_deletion(self, guild: Guild, actor: User, message: Message) -> None:
        """Write that one user deleted another's message.

        As Discord does, deletions of one actor, author and channel within five minutes are one
        entry that counts on, and of that no event tells.
        """
        now = self.clock.now()
        for entry in reversed(guild.audit_log):
            options = entry.options or {}
            same = (entry.action, entry.user_id, entry.target_id) == (
                72,
                actor.id,
                message.author.id,
            )
            recent = now - ((entry.id >> 22) + DISCORD_EPOCH_MS) / 1000 < MERGED_SECONDS
            if same and recent and options.get("channel_id") == str(message.channel_id):
                options["count"] = str(int(options["count"]) + 1)
                return
        options = {"channel_id": str(message.channel_id), "count": "1"}
        self.audit(guild, actor, 72, message.author.id, None, options)

    def delete_messages(self, channel: Channel, messages: Iterable[Message]) -> None:
        """Take several messages of a channel away at once."""
        gone = list(messages)
        for message in gone:
            message.deleted = True
            channel.messages.pop(message.id, None)
        body = {"ids": [str(message.id) for message in gone]}
        self.events.in_channel("MESSAGE_DELETE_BULK", channel, body)
        self.changed()

    def create_thread(
        self,
        parent: Channel,
        owner: User,
        name: str,
        *,
        kind: int = ChannelType.PUBLIC_THREAD,
        starter: Message | None = None,
        auto_archive_minutes: int = 1440,
    ) -> Channel:
        """Open a thread below a channel, from a message of it or on its own."""
        now = self.clock.now()
        thread = Channel(
            id=starter.id if starter else self.ids.next(),
            type=kind,
            guild_id=parent.guild_id,
            name=name,
            parent_id=parent.id,
            thread=ThreadInfo(owner.id, now, now, auto_archive_minutes, members={owner.id: now}),
        )
        guild = self.guilds[parent.guild_id or 0]
        guild.channels[thread.id] = thread
        self.channels[thread.id] = thread
        self.events.thread("THREAD_CREATE", thread, newly_created=True)
        if starter is not None:
            self._link(thread, starter)
        elif kind == ChannelType.PUBLIC_THREAD and parent.type != ChannelType.FORUM:
            self.create_message(parent, Draft(owner, name, type=MessageType.THREAD_CREATED))
        self.changed()
        return thread

    def _link(self, thread: Channel, starter: Message) -> None:
        """Tie a thread to its message: a flag on it, and an empty message that points to it."""
        starter.thread_id = thread.id
        starter.flags |= MessageFlag.HAS_THREAD
        self.edited(starter, silent=True)
        pointer = Draft(
            starter.author, reply_to=starter, silent_reply=True, type=MessageType.THREAD_STARTER
        )
        self.create_message(thread, pointer)

    def join_thread(self, thread: Channel, info: ThreadInfo, user: User) -> None:
        """Make a user a member of a thread."""
        if user.id not in info.members:
            info.members[user.id] = self.clock.now()
            self.events.thread_members(thread, added=user.id)

    def leave_thread(self, thread: Channel, info: ThreadInfo, user: User) -> None:
        """Take a user out of a thread."""
        if info.members.pop(user.id, None) is not None:
            self.events.thread_members(thread, removed=user.id)

    def channel_changed(self, channel: Channel) -> None:
        """Tell of a channel's new name, topic or overwrites."""
        self.events.channel("CHANNEL_UPDATE", channel)
        self.changed()

    def delete_channel(self, channel: Channel) -> None:
        """Take a channel away with its threads, or a single thread."""
        guild = self.guilds[channel.guild_id or 0]
        below = [each for each in guild.channels.values() if each.parent_id == channel.id]
        self.events.channel("THREAD_DELETE" if channel.thread else "CHANNEL_DELETE", channel)
        for gone in [channel, *(each for each in below if each.thread)]:
            del guild.channels[gone.id], self.channels[gone.id]
        self.changed()

    def direct_channel(self, one: User, other: User) -> Channel:
        """The direct-message channel of two users, made on first use."""
        for channel in self.channels.values():
            if channel.type == ChannelType.DM and {one, other} == set(channel.recipients):
                return channel
        channel = Channel(id=self.ids.next(), type=ChannelType.DM, recipients=[one, other])
        self.channels[channel.id] = channel
        return channel

    def create_webhook(
        self, channel: Channel, name: str, *, application_id: int | None = None
    ) -> Webhook:
        """Make an incoming webhook."""
        webhook = Webhook(
            self.ids.next(), secrets.token_urlsafe(48), channel.id, name, application_id
        )
        self.webhooks[webhook.id] = webhook
        return webhook

    def audit(
        self,
        guild: Guild,
        actor: User,
        action: int,
        target_id: int | None,
        reason: str | None,
        options: Json | None = None,
    ) -> None:
        """Write a line of the guild's audit log."""
        entry = AuditEntry(self.ids.next(), action, actor.id, target_id, reason, options)
        guild.audit_log.append(entry)
        self.events.audit(guild, entry)

    def add_user(self, username: str, *, bot: bool = False) -> User:
        """Make an account."""
        display = None if bot else username
        handle = re.sub(r"[^a-z0-9_.]", "", username.lower()) or "user"
        user = User(self.ids.next(), username if bot else handle, display, bot=bot)
        self.users[user.id] = user
        return user

    def add_member(self, guild: Guild, user: User, role_ids: list[int]) -> Member:
        """A user joins a guild."""
        member = Member(user, guild.id, self.clock.now(), role_ids=role_ids)
        guild.members[user.id] = member
        self.events.member("GUILD_MEMBER_ADD", guild, member)
        self.changed()
        return member

    def add_role(
        self, guild: Guild, name: str, permissions: int, *, managed_by: int | None = None
    ) -> Role:
        """Make a role, above all roles there are."""
        position = max(each.position for each in guild.roles.values()) + 1
        role = Role(self.ids.next(), name, int(permissions), position, managed_by=managed_by)
        guild.roles[role.id] = role
        self.events.role("GUILD_ROLE_CREATE", guild, role)
        return role

    def add_channel(
        self, guild: Guild, name: str, *, kind: int, parent_id: int | None = None
    ) -> Channel:
        """Make a channel at the end of the list."""
        channel = Channel(
            self.ids.next(),
            kind,
            guild.id,
            name,
            parent_id,
            position=len(guild.channels),
        )
        guild.channels[channel.id] = channel
        self.channels[channel.id] = channel
        self.events.channel("CHANNEL_CREATE", channel)
        return channel

    def add_guild(self, name: str, owner: User) -> Guild:
        """Make a guild with its owner and the @everyone role."""
        guild = Guild(self.ids.next(), name, owner.id)
        guild.roles[guild.id] = Role(guild.id, "@everyone", int(EVERYONE), 0)
        self.guilds[guild.id] = guild
        guild.members[owner.id] = Member(owner, guild.id, self.clock.now())
        return guild

    def member_changed(self, guild: Guild, member: Member) -> None:
        """Tell of a member's new nickname, roles or timeout."""
        self.events.member("GUILD_MEMBER_UPDATE", guild, member)
        self.changed()

    def ban(self, guild: Guild, user: User, reason: str | None) -> None:
        """Ban a user, who leaves if a member."""
        guild.bans[user.id] = (user, reason)
        self.events.ban("GUILD_BAN_ADD", guild, user)
        self.remove_member(guild, user)

    def unban(self, guild: Guild, user_id: int) -> None:
        """Lift a ban."""
        user, _ = guild.bans.pop(user_id)
        self.events.ban("GUILD_BAN_REMOVE", guild, user)
        self.changed()

    def remove_member(self, guild: Guild, user: User) -> None:
        """A member leaves, by choice or not."""
        member = guild.members.pop(user.id, None)
        if member is not None:
            self.events.member("GUILD_MEMBER_REMOVE", guild, member)
        self.changed()


def text_displays(components: list[Json]) -> list[str]:
    """The texts of all text displays in a tree of components."""
    texts: list[str] = []
    for component in components:
        if component.get("type") == 10:
            texts.append(component.get("content", ""))
        texts += text_displays(component.get("components", []))
    return texts
