"""Days as moderators write them."""

from __future__ import annotations

import re
from datetime import date, timedelta

from bot.errors import UserError
from bot.words import _

_AGO = re.compile(r"(\d{1,4})\s*(d|day|days|w|week|weeks)(\s+ago)?", re.IGNORECASE)


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
