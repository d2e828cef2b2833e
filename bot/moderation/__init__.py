"""The rules: what is flagged, who may decide, and the way of a message to the queue.

Knows neither Discord nor HTML nor SQL.
"""

from bot.moderation.days import parse_day
from bot.moderation.decisions import (
    REQUIRED_PERMISSION,
    Moderator,
    NotAllowedError,
    decide,
    explain_loss,
    may,
    parse_action,
    reopen,
)
from bot.moderation.pipeline import Assessor, Pipeline, TakeResult
from bot.moderation.policy import others_meant, should_flag
from bot.moderation.queue import Queue
from bot.moderation.thresholds import Preset, Scale, Strictness, Thresholds

__all__ = [
    "REQUIRED_PERMISSION",
    "Assessor",
    "Moderator",
    "NotAllowedError",
    "Pipeline",
    "Preset",
    "Queue",
    "Scale",
    "Strictness",
    "TakeResult",
    "Thresholds",
    "decide",
    "explain_loss",
    "may",
    "others_meant",
    "parse_action",
    "parse_day",
    "reopen",
    "should_flag",
]
