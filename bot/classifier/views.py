"""The view that asks about anyone: every person discussed is the one asked about."""

from __future__ import annotations

from bot.reading import View, roles

if len(roles.TARGET) != len(roles.PERSON):
    raise AssertionError("whole_view would move the spans of a view")


def whole_view(view: View) -> str:
    """The text of a view about nobody in particular, turned to ask about anyone in it.

    The two tokens are of one length, so the spans of the view hold.
    """
    return view.text.replace(roles.PERSON, roles.TARGET)
