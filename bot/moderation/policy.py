"""What belongs in the moderators' queue."""

from __future__ import annotations

from bot.comment import Assessment
from bot.store import GuildSettings


def should_flag(assessment: Assessment, settings: GuildSettings) -> bool:
    """Say whether a message is queued: hostile to a person discussed, or to a member.

    Hostility at members counts only where the guild wants it (`member_flags`).
    """
    return assessment.flagged or (settings.member_flags and assessment.member_flagged)
