"""What the flag tables hold, as plain data, and the way between rows and that data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import RowMapping

from bot.comment import (
    Action,
    Assessment,
    Comment,
    Decision,
    Flag,
    Level,
    Part,
    PersonAssessment,
    ReplyTo,
    Status,
    TargetType,
    Why,
)
from bot.store.crypto import Cipher

_WHY = TypeAdapter(tuple[Why, ...])
_ASSESSMENT = TypeAdapter(Assessment)
_PARTS = TypeAdapter(tuple[Part, ...])


class CardState(StrEnum):
    """How a flag stands to its card in the moderators' channel."""

    NONE = "none"
    PENDING = "pending"
    POSTED = "posted"
    STALE = "stale"
    DIGEST = "digest"
    STALE_DIGEST = "stale_digest"


class EventKind(StrEnum):
    """A step in a flag's life."""

    FLAGGED = "flagged"
    REVISED = "revised"
    REASSESSED = "assessed again"
    CLAIMED = "claimed"
    RELEASED = "released"
    DECIDED = "decided"
    REOPENED = "reopened"
    NOTED = "noted"
    REPORTED = "reported by a member"
    SENT = "sent to the queue"
    ERASED = "text erased"
    GONE = "gone"
    APPEALED = "appealed"
    UPHELD = "upheld"
    OVERTURNED = "overturned"


@dataclass(frozen=True, slots=True)
class Event:
    """One step of a flag's story. `by_id` is empty when the bot itself took it."""

    kind: EventKind
    at: datetime
    by_id: str = ""
    by_name: str = ""
    action: Action | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Revision:
    """One wording of a flagged message, the first one being number 1."""

    number: int
    text: str
    edited_at: datetime | None
    assessment: Assessment
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class AddResult:
    """What adding a message did.

    `flag` is None when the message was not to be flagged and has no flag. `updated`: a
    new wording was recorded beneath an existing flag. `reopened`: the new wording is
    worse by a level than the one a moderator had decided on, so the flag is open again.
    `reassessed`: a known wording was scored differently than before.
    """

    flag: Flag | None
    created: bool = False
    updated: bool = False
    reopened: bool = False
    reassessed: bool = False


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """`won` is false when someone else has it; `flag` then says who."""

    won: bool
    flag: Flag


@dataclass(frozen=True, slots=True)
class DecideResult:
    """`won` is false when another's decision or claim stands; `flag` then says whose."""

    won: bool
    flag: Flag


@dataclass(frozen=True, slots=True)
class FlagPage:
    """One page of the flag log, and how many flags match in all."""

    flags: tuple[Flag, ...]
    total: int


def comment_values(comment: Comment, assessment: Assessment, cipher: Cipher) -> dict[str, Any]:
    """Return the columns of `flags` that say what was posted and how it was scored."""
    reply = comment.reply_to
    return assessment_values(assessment, cipher) | {
        "channel_id": comment.channel_id,
        "channel_name": comment.channel_name,
        "parent_id": comment.parent_id,
        "author_id": comment.author_id,
        "author_name": comment.author_name,
        "author_joined_at": comment.author_joined_at,
        "author_index": cipher.blind_index(comment.author_name),
        "text": comment.text,
        "created_at": comment.created_at,
        "edited_at": comment.edited_at,
        "reply_id": reply.id if reply else None,
        "reply_text": reply.text if reply else None,
        "reply_author_name": reply.author_name if reply else None,
        "jump_url": comment.jump_url,
        "parts": parts_json(comment.parts),
    }


def parts_json(parts: tuple[Part, ...]) -> str:
    """Write the parts of a text as `flags` keeps them."""
    return _PARTS.dump_json(parts).decode()


def assessment_values(assessment: Assessment, cipher: Cipher) -> dict[str, Any]:
    """Return the columns of `flags` that say how a message was scored."""
    target = assessment.target
    return {
        "score": assessment.score,
        "level": int(assessment.level),
        "flagged": assessment.flagged,
        "threshold": assessment.threshold,
        "target": target,
        "target_index": None if target is None else cipher.blind_index(target),
        "target_type": str(assessment.target_type),
        "member_score": assessment.member_score,
        "member_flagged": assessment.member_flagged,
        "why": _WHY.dump_json(assessment.why).decode(),
        "model": assessment.model,
        "ambiguous": assessment.ambiguous,
        "foreign": assessment.foreign,
    }


def person_values(flag_id: int, assessment: Assessment, cipher: Cipher) -> list[dict[str, Any]]:
    """Return the rows of `flag_people` for one flag."""
    return [
        {
            "flag_id": flag_id,
            "position": position,
            "name": person.name,
            "name_index": cipher.blind_index(person.name),
            "score": person.score,
            "level": int(person.level),
            "flagged": person.flagged,
        }
        for position, person in enumerate(assessment.people)
    ]


def message_values(flag_id: int, comment: Comment) -> list[dict[str, Any]]:
    """Return the rows of `flag_messages`: the messages of a run, each once."""
    ids = dict.fromkeys(part.message_id for part in comment.parts if part.message_id is not None)
    return [{"flag_id": flag_id, "message_id": each, "guild_id": comment.guild_id} for each in ids]


def revision_key(comment: Comment) -> str:
    """Tell one wording of a message from another: the moment of the edit, or nothing."""
    return "" if comment.edited_at is None else str(int(comment.edited_at.timestamp() * 1000))


def revision_values(
    flag_id: int, number: int, comment: Comment, assessment: Assessment, now: datetime
) -> dict[str, Any]:
    """Return the row of `flag_revisions` for one wording."""
    return {
        "flag_id": flag_id,
        "revision": revision_key(comment),
        "number": number,
        "edited_at": comment.edited_at,
        "text": comment.text,
        "assessment": assessment_json(assessment),
        "recorded_at": now,
    }


def assessment_json(assessment: Assessment) -> str:
    """Write an assessment as `flag_revisions` keeps it."""
    return _ASSESSMENT.dump_json(assessment).decode()


OPEN_VALUES: dict[str, Any] = {
    "status": Status.OPEN,
    "claimed_by_id": None,
    "claimed_by_name": None,
    "claimed_at": None,
    "undo_until": None,
}


def event_values(
    flag_id: int,
    kind: EventKind,
    at: datetime,
    *,
    by: tuple[str, str] = ("", ""),
    action: Action | None = None,
    note: str = "",
) -> dict[str, Any]:
    """Return a row of `flag_events`; `by` is a moderator's id and name."""
    return {
        "flag_id": flag_id,
        "kind": kind,
        "at": at,
        "by_id": by[0],
        "by_name": by[1],
        "action": action,
        "note": note,
    }


def revision_of(row: RowMapping) -> Revision:
    """Read a row of `flag_revisions`."""
    return Revision(
        number=row["number"],
        text=row["text"],
        edited_at=row["edited_at"],
        assessment=_ASSESSMENT.validate_json(row["assessment"]),
        recorded_at=row["recorded_at"],
    )


def event_of(row: RowMapping) -> Event:
    """Read a row of `flag_events`."""
    return Event(
        kind=EventKind(row["kind"]),
        at=row["at"],
        by_id=row["by_id"],
        by_name=row["by_name"],
        action=None if row["action"] is None else Action(row["action"]),
        note=row["note"],
    )


def flag_of(row: RowMapping, people: Iterable[RowMapping], lapsed: datetime) -> Flag:
    """Read a row of `flags` joined with its decision.

    A claim made before `lapsed` no longer counts: the flag reads as open. It does so too
    once its status says so and only the claim's maker is left.
    """
    status = Status(row["status"])
    claimed_at = row["claimed_at"]
    claim_lapsed = claimed_at is not None and (
        status is Status.OPEN or (status is Status.CLAIMED and claimed_at < lapsed)
    )
    return Flag(
        id=row["id"],
        comment=_comment_of(row),
        assessment=_assessment_of(row, [_person_of(person) for person in people]),
        status=Status.OPEN if claim_lapsed else status,
        flagged_at=row["flagged_at"],
        claimed_by_id=None if claim_lapsed else row["claimed_by_id"],
        claimed_by_name=None if claim_lapsed else row["claimed_by_name"],
        claimed_at=None if claim_lapsed else claimed_at,
        claim_lapsed_of=row["claimed_by_name"] if claim_lapsed else None,
        gone_at=row["gone_at"],
        gone_by_id=row["gone_by_id"],
        gone_by_name=row["gone_by_name"],
        undo_until=row["undo_until"],
        reports=row["reports"],
        erased=row["erased_at"] is not None,
        decision=_decision_of(row),
        card_channel_id=row["card_channel_id"],
        card_message_id=row["card_message_id"],
        revisions=row["revisions"],
    )


def _comment_of(row: RowMapping) -> Comment:
    reply = None
    if row["reply_id"] is not None:
        reply = ReplyTo(row["reply_id"], row["reply_text"], row["reply_author_name"])
    return Comment(
        id=row["message_id"],
        guild_id=row["guild_id"],
        channel_id=row["channel_id"],
        author_id=row["author_id"],
        text=row["text"],
        created_at=row["created_at"],
        author_name=row["author_name"],
        author_joined_at=row["author_joined_at"],
        edited_at=row["edited_at"],
        channel_name=row["channel_name"],
        parent_id=row["parent_id"],
        reply_to=reply,
        jump_url=row["jump_url"],
        parts=_PARTS.validate_json(row["parts"]),
    )


def _assessment_of(row: RowMapping, people: Sequence[PersonAssessment]) -> Assessment:
    return Assessment(
        score=row["score"],
        level=Level(row["level"]),
        flagged=row["flagged"],
        threshold=row["threshold"],
        target=row["target"],
        target_type=TargetType(row["target_type"]),
        people=tuple(people),
        member_score=row["member_score"],
        member_flagged=row["member_flagged"],
        why=_WHY.validate_json(row["why"]),
        model=row["model"],
        ambiguous=row["ambiguous"],
        foreign=row["foreign"],
    )


def _person_of(row: RowMapping) -> PersonAssessment:
    return PersonAssessment(row["name"], row["score"], Level(row["level"]), row["flagged"])


def _decision_of(row: RowMapping) -> Decision | None:
    if row["action"] is None:
        return None
    return Decision(
        flag_id=row["id"],
        action=Action(row["action"]),
        moderator_id=row["moderator_id"],
        moderator_name=row["moderator_name"],
        decided_at=row["decided_at"],
        reason=row["reason"],
    )
