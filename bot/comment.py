"""The vocabulary of the whole project: Comment, Person, Assessment, Flag, Decision.

Plain frozen data with no I/O and nothing of the outside world. A source makes a
`Comment`; the classifier answers with an `Assessment`; the policy turns it into a
`Flag` or lets it pass; a moderator's `Decision` closes the flag.

Ids of guilds, channels, messages and members are opaque strings here: Discord's
snowflakes in decimal, or whatever a chat export uses.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum, StrEnum


class Level(IntEnum):
    """How hostile a message is toward a person. The queue is for 2 and 3."""

    NONE = 0
    CRITICAL = 1
    HOSTILE = 2
    ABUSIVE = 3


class TargetType(StrEnum):
    """What kind of thing the hostility of a message is aimed at."""

    PERSON = "person"
    MEMBER = "member"
    GROUP = "group"
    OBJECT = "object"
    SELF = "self"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Person:
    """A public person the channel talks about: one entry of the roster.

    `pronouns` is free text as the roster gives it ("she/her"); None means unknown,
    and no gender is ever guessed from the name. `channels` are the channel ids the
    entry applies to; empty means all.
    """

    name: str
    aliases: tuple[str, ...] = ()
    handles: tuple[str, ...] = ()
    pronouns: str | None = None
    channels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReplyTo:
    """The message a comment answers."""

    id: str
    text: str
    author_name: str = ""


class PartKind(StrEnum):
    """Where a piece of a comment's text comes from, if it was not simply written there."""

    FORWARDED = "forwarded"
    POLL = "poll"
    DESCRIPTION = "description"
    TITLE = "title"
    MESSAGE = "message"


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a comment's text: a half-open span in code points.

    `message_id` is which message said it where several are read as one (`PartKind.MESSAGE`);
    `gone` says that this message has disappeared.
    """

    kind: PartKind
    start: int
    end: int
    message_id: str | None = None
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Comment:
    """One message of a channel in one revision, whatever its source.

    `id` is unique within its guild; `edited_at` is None for the first revision.
    `channel_id` is where it was posted (a thread, if in one); `parent_id` is the
    thread's channel, else None. `author_joined_at` is when the author joined, where known.
    `parts` are the pieces of the text that were not simply written in this message.
    """

    id: str
    guild_id: str
    channel_id: str
    author_id: str
    text: str
    created_at: datetime
    author_name: str = ""
    edited_at: datetime | None = None
    channel_name: str = ""
    parent_id: str | None = None
    reply_to: ReplyTo | None = None
    jump_url: str | None = None
    author_joined_at: datetime | None = None
    parts: tuple[Part, ...] = ()

    @property
    def message_ids(self) -> tuple[str, ...]:
        """The messages that say it: those of a run that are still there, else its own."""
        pieces = [each for each in self.parts if each.message_id is not None]
        return tuple(each.message_id or "" for each in pieces if not each.gone) or (self.id,)


@dataclass(frozen=True, slots=True)
class Why:
    """Words that raise the score: a half-open span in code points of the text given."""

    start: int
    end: int
    text: str
    weight: float


@dataclass(frozen=True, slots=True)
class PersonAssessment:
    """What a message does to one person discussed. `score` is a probability."""

    name: str
    score: float
    level: Level
    flagged: bool


@dataclass(frozen=True, slots=True)
class Assessment:
    """The classifier's reading of one message.

    `score` is the highest over the people discussed and `level >= 2` exactly when
    `flagged` (score >= threshold). `target` is a roster name or the words that name
    the person. `people` has one entry for each person of the roster given, in its
    order. `member_score` is hostility at other members of the channel. `ambiguous` says
    that the person it is aimed at is pointed at only by words that may mean others of the
    roster, `foreign` that the message is hardly English, which is not read as well.
    """

    score: float
    level: Level
    flagged: bool
    threshold: float
    target: str | None
    target_type: TargetType
    people: tuple[PersonAssessment, ...]
    member_score: float
    member_flagged: bool
    why: tuple[Why, ...]
    model: str
    ambiguous: bool = False
    foreign: bool = False


class Status(StrEnum):
    """Where a flag stands in its life."""

    OPEN = "open"
    CLAIMED = "claimed"
    DECIDED = "decided"
    APPEALED = "appealed"
    UPHELD = "upheld"
    OVERTURNED = "overturned"

    @property
    def is_final(self) -> bool:
        """Whether a decision stands or was answered for: neither waiting nor under appeal."""
        return self in (Status.DECIDED, Status.UPHELD, Status.OVERTURNED)

    @property
    def is_waiting(self) -> bool:
        """Whether nobody has decided yet."""
        return self in (Status.OPEN, Status.CLAIMED)


class Action(StrEnum):
    """What a moderator decided."""

    REMOVE = "remove"
    DISMISS = "dismiss"
    TIMEOUT = "timeout"
    WARN = "warn"
    KICK = "kick"
    BAN = "ban"
    NO_ACTION = "no_action"


@dataclass(frozen=True, slots=True)
class Decision:
    """A moderator's word on a flag. There is at most one for each flag."""

    flag_id: int
    action: Action
    moderator_id: str
    moderator_name: str
    decided_at: datetime
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Flag:
    """A message in the moderators' queue: one message, one flag, one decision.

    `claim_lapsed_of` is the name of who took the flag and let it lapse, None once
    somebody takes or decides it. `gone_at` is when the message was found to have disappeared
    before a decision, `gone_by_id` and `gone_by_name` who deleted it, where that is known.
    Until `undo_until` its decision can be undone. `reports` is how many members reported the
    message; `erased` says that its text was erased, which leaves the decision.
    """

    id: int
    comment: Comment
    assessment: Assessment
    status: Status
    flagged_at: datetime
    claimed_by_id: str | None = None
    claimed_by_name: str | None = None
    claimed_at: datetime | None = None
    decision: Decision | None = None
    card_channel_id: str | None = None
    card_message_id: str | None = None
    revisions: int = field(default=1)
    claim_lapsed_of: str | None = None
    gone_at: datetime | None = None
    gone_by_id: str | None = None
    gone_by_name: str | None = None
    undo_until: datetime | None = None
    reports: int = 0
    erased: bool = False
