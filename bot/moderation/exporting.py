"""Flags as a file: a table for spreadsheets (CSV), or records for programs (JSON)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Collection, Sequence

from bot.comment import Flag

COLUMNS = (
    "flag",
    "status",
    "flagged_at",
    "posted_at",
    "channel",
    "channel_id",
    "author",
    "author_id",
    "message_id",
    "link",
    "person",
    "target_type",
    "level",
    "score",
    "member_score",
    "model",
    "action",
    "moderator",
    "moderator_id",
    "decided_at",
    "reason",
    "reports",
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def as_csv(flags: Sequence[Flag], *, text: bool = False, hidden: Collection[int] = ()) -> bytes:
    """A CSV table in UTF-8, with the mark by which spreadsheets know that.

    A field that a spreadsheet would take for a formula gets an apostrophe in front.

    Args:
        flags: what to write.
        text: also what the messages say.
        hidden: the numbers of flags whose text stays empty nevertheless.
    """
    table = io.StringIO(newline="")
    writer = csv.DictWriter(table, [*COLUMNS, *(["text"] if text else [])])
    writer.writeheader()
    for flag in flags:
        values = _record(flag, text=text, hidden=hidden)
        writer.writerow({name: _inert(value) for name, value in values.items()})
    return table.getvalue().encode("utf-8-sig", "replace")


def as_json(flags: Sequence[Flag], *, text: bool = False, hidden: Collection[int] = ()) -> bytes:
    """A JSON array of records in UTF-8; see `as_csv`."""
    records = [_record(flag, text=text, hidden=hidden) for flag in flags]
    return json.dumps(records, ensure_ascii=False, indent=1).encode("utf-8", "replace")


def _record(
    flag: Flag, *, text: bool, hidden: Collection[int]
) -> dict[str, str | int | float | None]:
    comment, assessment, decision = flag.comment, flag.assessment, flag.decision
    record: dict[str, str | int | float | None] = {
        "flag": flag.id,
        "status": str(flag.status),
        "flagged_at": flag.flagged_at.isoformat(),
        "posted_at": comment.created_at.isoformat(),
        "channel": comment.channel_name,
        "channel_id": comment.channel_id,
        "author": comment.author_name,
        "author_id": comment.author_id,
        "message_id": comment.id,
        "link": comment.jump_url,
        "person": assessment.target,
        "target_type": str(assessment.target_type),
        "level": int(assessment.level),
        "score": round(assessment.score, 4),
        "member_score": round(assessment.member_score, 4),
        "model": assessment.model,
        "action": None if decision is None else str(decision.action),
        "moderator": None if decision is None else decision.moderator_name,
        "moderator_id": None if decision is None else decision.moderator_id,
        "decided_at": None if decision is None else decision.decided_at.isoformat(),
        "reason": None if decision is None else decision.reason,
        "reports": flag.reports,
    }
    shown = "" if flag.id in hidden else comment.text
    return record | {"text": shown} if text else record


def _inert(value: str | float | None) -> str | float | None:
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return value
