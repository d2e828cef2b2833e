"""What the server knows: users, guilds, channels, messages, bots, interactions."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

Json = dict[str, Any]


class ChannelType(IntEnum):
    """Discord's channel types, those a moderation bot meets."""

    TEXT = 0
    DM = 1
    VOICE = 2
    CATEGORY = 4
    NEWS = 5
    NEWS_THREAD = 10
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12
    STAGE = 13
    FORUM = 15


class MessageType(IntEnum):
    """Discord's message types, those a moderation bot meets."""

    DEFAULT = 0
    MEMBER_JOIN = 7
    THREAD_CREATED = 18
    REPLY = 19
    CHAT_INPUT_COMMAND = 20
    THREAD_STARTER = 21
    CONTEXT_MENU_COMMAND = 23


class MessageFlag(IntEnum):
    """Bits of a message's flags."""

    SUPPRESS_EMBEDS = 1 << 2
    HAS_THREAD = 1 << 5
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    SUPPRESS_NOTIFICATIONS = 1 << 12
    IS_COMPONENTS_V2 = 1 << 15


class InteractionType(IntEnum):
    """What kind of action a user took."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL_SUBMIT = 5


class CallbackType(IntEnum):
    """What kind of first response a bot gave."""

    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    AUTOCOMPLETE = 8
    MODAL = 9


@dataclass(eq=False)
class User:
    """An account and its client's language. `dms_open` False makes direct messages fail."""

    id: int
    username: str
    global_name: str | None = None
    bot: bool = False
    dms_open: bool = True
    locale: str = "en-US"


@dataclass(eq=False)
class Bot:
    """An application and its bot user. `privileged` are the intents of its portal page."""

    user: User
    token: str
    privileged: int
    owner: User
    shards: int = 1
    commands: dict[int, Json] = field(default_factory=dict)
    guild_commands: dict[int, dict[int, Json]] = field(default_factory=dict)

    @property
    def id(self) -> int:
        """The id of the application, which is also its bot user's."""
        return self.user.id


@dataclass(eq=False)
class Role:
    """A role of a guild; @everyone has the guild's id and position 0."""

    id: int
    name: str
    permissions: int
    position: int
    mentionable: bool = False
    managed_by: int | None = None


@dataclass(eq=False)
class Overwrite:
    """What a channel allows or denies to a role (kind 0) or member (kind 1)."""

    id: int
    kind: int
    allow: int = 0
    deny: int = 0


@dataclass(eq=False)
class ThreadInfo:
    """What a thread has beyond a channel. Times are seconds since the epoch."""

    owner_id: int
    created_at: float
    archive_timestamp: float
    auto_archive_minutes: int = 1440
    archived: bool = False
    locked: bool = False
    members: dict[int, float] = field(default_factory=dict)


@dataclass(eq=False)
class Attachment:
    """An uploaded file."""

    id: int
    filename: str
    content: bytes
    content_type: str
    description: str | None = None


@dataclass(eq=False)
class Pings:
    """Whom a message notifies."""

    everyone: bool = False
    users: list[int] = field(default_factory=list)
    roles: list[int] = field(default_factory=list)

    def __bool__(self) -> bool:
        return self.everyone or bool(self.users) or bool(self.roles)


@dataclass(eq=False)
class Message:
    """A message. `ephemeral_to` is the only user who sees it, if it is ephemeral."""

    id: int
    channel_id: int
    author: User
    created_at: float
    content: str = ""
    type: int = MessageType.DEFAULT
    flags: int = 0
    tts: bool = False
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    reference: Json | None = None
    pings: Pings = field(default_factory=Pings)
    allowed_mentions: Json | None = None
    nonce: str | int | None = None
    edited_at: float | None = None
    webhook_id: int | None = None
    application_id: int | None = None
    interaction_metadata: Json | None = None
    ephemeral_to: int | None = None
    thread_id: int | None = None
    deleted: bool = False
    revisions: list[str] = field(default_factory=list)
    snapshots: list[Json] = field(default_factory=list)
    poll: Json | None = None


@dataclass(eq=False)
class Channel:
    """A guild's channel, a thread (with `thread`) or a direct message (with `recipients`)."""

    id: int
    type: int
    guild_id: int | None = None
    name: str | None = None
    parent_id: int | None = None
    position: int = 0
    topic: str | None = None
    overwrites: dict[int, Overwrite] = field(default_factory=dict)
    thread: ThreadInfo | None = None
    recipients: list[User] = field(default_factory=list)
    messages: dict[int, Message] = field(default_factory=dict)

    @property
    def last_message_id(self) -> int | None:
        """The id of the newest message that still stands."""
        return max(self.messages, default=None)


@dataclass(eq=False)
class Member:
    """A user in a guild."""

    user: User
    guild_id: int
    joined_at: float
    nick: str | None = None
    role_ids: list[int] = field(default_factory=list)
    timed_out_until: float | None = None


@dataclass(eq=False)
class AuditEntry:
    """A line of a guild's audit log. `action` is Discord's number for it."""

    id: int
    action: int
    user_id: int
    target_id: int | None
    reason: str | None
    options: Json | None = None


@dataclass(eq=False)
class Guild:
    """A server. `channels` holds its threads too."""

    id: int
    name: str
    owner_id: int
    roles: dict[int, Role] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    members: dict[int, Member] = field(default_factory=dict)
    bans: dict[int, tuple[User, str | None]] = field(default_factory=dict)
    audit_log: list[AuditEntry] = field(default_factory=list)
    available: bool = True
    preferred_locale: str = "en-US"


@dataclass(eq=False)
class Webhook:
    """An incoming webhook. `application_id` is the application that made it, if one did."""

    id: int
    token: str
    channel_id: int
    name: str
    application_id: int | None = None

    def user(self, username: str | None = None) -> User:
        """The author that its message shows: no real account."""
        return User(id=self.id, username=username or self.name, bot=True)


@dataclass(eq=False)
class Interaction:
    """A user's action, sent to a bot, and what the bot answered."""

    id: int
    token: str
    type: int
    bot: Bot
    user: User
    channel: Channel
    data: Json
    created_at: float
    message: Message | None = None
    parent: Interaction | None = None
    callback: int | None = None
    answered_at: float | None = None
    original: Message | None = None
    followups: list[Message] = field(default_factory=list)
    modal: Json | None = None
    choices: list[Json] | None = None
