"""Days as moderators write them."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta

from bot.errors import UserError
from bot.words import _

_SHORT_AGO = re.compile(r"(\d{1,4})\s*(h|hour|hours|min|minute|minutes)(\s+ago)?", re.IGNORECASE)
_AGO = re.compile(r"(\d{1,4})\s*(d|day|days|w|week|weeks)(\s+ago)?", re.IGNORECASE)


def parse_moment(value: str, now: datetime) -> datetime:
    """Read a moment in the past: as `parse_day` does (its beginning in UTC), or 12 hours, 90 min.

    Raises:
        UserError: it is none, or is not in the past; the message shows the forms there are.
    """
    if short := _SHORT_AGO.fullmatch(value.strip()):
        unit = timedelta(hours=1) if short[2].casefold().startswith("h") else timedelta(minutes=1)
        return now - int(short[1]) * unit
    moment = datetime.combine(parse_day(value, now.date()), time(), UTC)
    if moment >= now:
        raise UserError(_("That is not in the past. Give a day such as 2025-03-01, or 12 hours."))
    return moment


def parse_day(value: str, today: date) -> date:
    """Read a day: 2025-03-01, today, yesterday, 7d, 2 weeks ago.

    Raises:
        UserError: it is none; the message shows the forms there are.
    """
    text = value.strip().casefold()
    named = {"today": 0, "yesterday": 1}
    try:
        if text in named:
            return today - timedelta(days=named[text])
        if ago := _AGO.fullmatch(text):
            return today - timedelta(days=int(ago[1]) * (7 if ago[2][0] == "w" else 1))
        return date.fromisoformat(text)
    except (ValueError, OverflowError):
        raise UserError(
            _(
                "“{value}” is not a day. Write it as 2025-03-01, today, yesterday, 7d or 2 weeks "
                "ago."
            ).format(value=value)
        ) from None
