"""What belongs in the moderators' queue, and what they must know of a reading."""

from __future__ import annotations

from bot.comment import Assessment, Level
from bot.store import ChannelSettings, GuildSettings

_ALIKE = 0.8


def should_flag(
    assessment: Assessment, settings: GuildSettings, channel: ChannelSettings | None = None
) -> bool:
    """Say whether a message is queued: hostile to a person discussed, or to a member.

    Hostility at members counts only where the guild wants it (`member_flags`). A channel that
    follows some people of the roster queues what is hostile to them alone.
    """
    if settings.member_flags and assessment.member_flagged:
        return True
    if not assessment.flagged or channel is None or not channel.people:
        return assessment.flagged
    return any(one.flagged and one.name in channel.people for one in assessment.people)


def removes_at_once(assessment: Assessment, settings: GuildSettings) -> bool:
    """Say whether a message is removed before anybody looks at it: only where a guild chose so."""
    limit = settings.remove_above
    abusive = assessment.flagged and assessment.level is Level.ABUSIVE
    return limit is not None and abusive and assessment.score >= limit


def others_meant(assessment: Assessment) -> tuple[str, ...]:
    """Return who else of the roster an ambiguous message may be aimed at, the likeliest first.

    Those count who scored nearly as much as the one it names.
    """
    if not assessment.ambiguous:
        return ()
    others = [one for one in assessment.people if one.name != assessment.target]
    alike = [one for one in others if 0 < one.score >= _ALIKE * assessment.score]
    return tuple(one.name for one in sorted(alike, key=lambda one: -one.score))
