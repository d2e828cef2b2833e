from datetime import date

import pytest

from bot.errors import UserError
from bot.moderation import parse_day

TODAY = date(2026, 5, 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("today", "2026-05-01"),
        ("Yesterday", "2026-04-30"),
        ("7d", "2026-04-24"),
        ("2 weeks ago", "2026-04-17"),
        ("2026-01-31", "2026-01-31"),
    ],
)
def test_a_day_is_read(text: str, expected: str) -> None:
    assert str(parse_day(text, TODAY)) == expected


@pytest.mark.parametrize("text", ["soon", "2026-02-30", "", "9999x", "31.1.2026"])
def test_what_is_no_day_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="2025-03-01"):
        parse_day(text, TODAY)
