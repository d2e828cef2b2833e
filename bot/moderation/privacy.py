"""What is stored of one member of one guild, for that member."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any

from bot.comment import Flag
from bot.store import Appeal, Report, Revision, Store


@dataclass(frozen=True, slots=True)
class Stored:
    """All that is stored of a member: what they wrote, what they reported, what they decided.

    Who else had to do with it is left out: it is theirs.
    """

    guild_id: str
    member_id: str
    flags: tuple[Flag, ...]
    wordings: dict[int, list[Revision]]
    reports: tuple[Report, ...]
    handled: tuple[Flag, ...]
    appeals: tuple[Appeal, ...] = ()

    @property
    def endings(self) -> Counter[str]:
        """How many of the member's flags were decided how, undecided ones as "open"."""
        return Counter(
            "open" if flag.decision is None else str(flag.decision.action) for flag in self.flags
        )

    def as_json(self) -> bytes:
        """Everything, for the member to keep."""
        record = {
            "server": self.guild_id,
            "member": self.member_id,
            "flagged_messages": [self._flag(flag) for flag in self.flags],
            "reports_you_sent": [
                {
                    "message_id": report.message_id,
                    "channel_id": report.channel_id,
                    "reason": report.reason,
                    "at": report.reported_at.isoformat(),
                }
                for report in self.reports
            ],
            "your_appeals": [
                {
                    "flag": each.flag_id,
                    "text": each.text,
                    "at": each.appealed_at.isoformat(),
                    "outcome": None if each.outcome is None else str(each.outcome),
                    "reason": each.reason,
                }
                for each in self.appeals
            ],
            "flags_you_handled": [self._handled(flag) for flag in self.handled],
        }
        return json.dumps(record, ensure_ascii=False, indent=1).encode("utf-8", "replace")

    def _flag(self, flag: Flag) -> dict[str, Any]:
        comment, decision = flag.comment, flag.decision
        return {
            "message_id": comment.id,
            "channel_id": comment.channel_id,
            "channel": comment.channel_name,
            "link": comment.jump_url,
            "your_name_then": comment.author_name,
            "posted_at": comment.created_at.isoformat(),
            "flagged_at": flag.flagged_at.isoformat(),
            "text": comment.text,
            "wordings": [wording.text for wording in self.wordings.get(flag.id, [])],
            "level": int(flag.assessment.level),
            "score": flag.assessment.score,
            "reports": flag.reports,
            "status": str(flag.status),
            "outcome": None if decision is None else str(decision.action),
            "decided_at": None if decision is None else decision.decided_at.isoformat(),
        }

    def _handled(self, flag: Flag) -> dict[str, Any]:
        decision = flag.decision
        own = decision if decision and decision.moderator_id == self.member_id else None
        return {
            "flag": flag.id,
            "action": None if own is None else str(own.action),
            "at": None if own is None else own.decided_at.isoformat(),
            "reason": None if own is None else own.reason,
        }


async def stored_of(store: Store, guild_id: str, member_id: str) -> Stored:
    """Collect what is stored of a member in this guild."""
    flags = await store.flags.list(guild_id, author_id=member_id, order="oldest", limit=None)
    edited = [flag.id for flag in flags if flag.revisions > 1]
    return Stored(
        guild_id=guild_id,
        member_id=member_id,
        flags=tuple(flags),
        wordings={each: await store.flags.revisions(guild_id, each) for each in edited},
        reports=tuple(await store.reports.by(guild_id, member_id)),
        appeals=tuple(await store.appeals.by(guild_id, member_id)),
        handled=tuple(
            await store.flags.list(guild_id, moderator_id=member_id, order="oldest", limit=None)
        ),
    )
