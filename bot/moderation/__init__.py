"""The rules: what is flagged, who may decide, and the way of a message to the queue.

Knows neither Discord nor HTML nor SQL.
"""

from bot.moderation.danger import Danger, danger_of
from bot.moderation.days import parse_day
from bot.moderation.decisions import (
    REQUIRED_PERMISSION,
    Moderator,
    NotAllowedError,
    check_undoable,
    decide,
    explain_loss,
    may,
    parse_action,
    reopen,
)
from bot.moderation.joining import (
    SHADOW_TIME,
    apart,
    draft_of,
    in_shadow,
    joined,
    left,
    shadow_is_over,
    with_draft,
    with_moderator_channel,
)
from bot.moderation.pauses import (
    is_paused,
    pause,
    paused_channels,
    resume,
    without_idle_pauses,
)
from bot.moderation.pipeline import Assessor, Pipeline, TakeResult
from bot.moderation.policy import others_meant, removes_at_once, should_flag
from bot.moderation.queue import Queue
from bot.moderation.reporting import Reporting
from bot.moderation.runs import RunLimits
from bot.moderation.thresholds import Preset, Scale, Strictness, Thresholds

__all__ = [
    "REQUIRED_PERMISSION",
    "SHADOW_TIME",
    "Assessor",
    "Danger",
    "Moderator",
    "NotAllowedError",
    "Pipeline",
    "Preset",
    "Queue",
    "Reporting",
    "RunLimits",
    "Scale",
    "Strictness",
    "TakeResult",
    "Thresholds",
    "apart",
    "check_undoable",
    "danger_of",
    "decide",
    "draft_of",
    "explain_loss",
    "in_shadow",
    "is_paused",
    "joined",
    "left",
    "may",
    "others_meant",
    "parse_action",
    "parse_day",
    "pause",
    "paused_channels",
    "removes_at_once",
    "reopen",
    "resume",
    "shadow_is_over",
    "should_flag",
    "with_draft",
    "with_moderator_channel",
    "without_idle_pauses",
]
