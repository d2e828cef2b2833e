"""Messages and scores to store."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from bot.comment import (
    Assessment,
    Comment,
    Level,
    PersonAssessment,
    ReplyTo,
    TargetType,
    Why,
)

POSTED = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
POSTED_TEXT = "Mara is a talentless hagfish"
REPLY_TEXT = "did you see the quarrystone interview"
AUTHOR = "zanzibargoose"


def comment(
    number: int = 1,
    text: str = POSTED_TEXT,
    *,
    guild_id: str = "10",
    author_id: str = "500",
    author_name: str = AUTHOR,
    edits: int = 0,
) -> Comment:
    return Comment(
        id=str(number),
        guild_id=guild_id,
        channel_id="20",
        author_id=author_id,
        text=text,
        created_at=POSTED + timedelta(hours=number),
        author_name=author_name,
        edited_at=POSTED + timedelta(hours=number, minutes=edits) if edits else None,
        channel_name="chat",
        parent_id="19",
        reply_to=ReplyTo("7", REPLY_TEXT, "Replied"),
        jump_url=f"https://discord.com/channels/{guild_id}/20/{number}",
    )


def assessment(
    score: float = 0.9,
    level: Level = Level.HOSTILE,
    *,
    target: str | None = "Mara Vey",
    member_score: float = 0.1,
    member_flagged: bool = False,
) -> Assessment:
    return Assessment(
        score=score,
        level=level,
        flagged=level >= Level.HOSTILE,
        threshold=0.5,
        target=target,
        target_type=TargetType.PERSON,
        people=(
            PersonAssessment("Mara Vey", score, level, level >= Level.HOSTILE),
            PersonAssessment("Jonas Orr", 0.05, Level.NONE, False),
        ),
        member_score=member_score,
        member_flagged=member_flagged,
        why=(Why(10, 20, "talentless", 1.5), Why(21, 28, "hagfish", 2.5)),
        model="test-1",
    )
