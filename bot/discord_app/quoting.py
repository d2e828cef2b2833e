"""Quoting other people's words on Discord so that nothing in them takes effect.

A quoted text may hold spoiler marks, code fences, mentions, masked links or characters
that reverse the writing direction. Here each of them is shown as written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from bot.words import _, ngettext

SPOILER = "||"
_PART = 1900

# discord.utils.escape_markdown leaves marks inside links and `[a](b)` as they are,
# which is enough to break out of a spoiler.
_ALWAYS = re.compile(r"[\\*_~`|<>\[\]@]")
_LINE_START = re.compile(r"^(\s*)(#{1,3}|[-+])(?=\s|#)", re.MULTILINE)
_NUMBERED = re.compile(r"^(\s*\d+)(\.)(?=\s)", re.MULTILINE)
_INVISIBLE = re.compile(
    r"[\u0000-\u0008\u000b-\u001f\u007f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)


def escape(text: str) -> str:
    """The text with every mark-up character of Discord made inert."""
    visible = _INVISIBLE.sub("", text.replace("\r\n", "\n"))
    escaped = _ALWAYS.sub(r"\\\g<0>", visible)
    escaped = _LINE_START.sub(r"\1\\\2", escaped)
    return _NUMBERED.sub(r"\1\\\2", escaped)


def quote(text: str, limit: int) -> tuple[str, int]:
    """Escape as much of a text as fits in `limit` characters.

    Returns:
        The escaped text, and how many code points of the original did not fit.
    """
    escaped = escape(text)
    if len(escaped) <= limit:
        return escaped, 0
    low, high = 0, min(len(text), limit)
    while low < high:
        middle = (low + high + 1) // 2
        if len(escape(text[:middle])) <= limit - 1:
            low = middle
        else:
            high = middle - 1
    return escape(text[:low].rstrip()) + "…", len(text) - low


def spoiler(text: str, limit: int, bold: Iterable[tuple[int, int]] = ()) -> str:
    """A text behind a spoiler, cut to `limit` characters in all, with a note if cut.

    Args:
        text: the text.
        limit: how long all of it may be.
        bold: half-open spans of the text, in code points, to be shown in bold; they are
            left plain where the marks would not fit.
    """
    if not text.strip():
        return _("*(no text)*")
    note = ""
    quoted, missing = quote(text, limit - 2 * len(SPOILER))
    if missing:
        room = limit - 2 * len(SPOILER) - len(_note(len(text)))
        quoted, missing = quote(text, room)
        note = _note(missing)
    stressed = _stress(text[: len(text) - missing].rstrip() if missing else text, bold)
    stressed = f"{SPOILER}{stressed}{'…' if missing else ''}{SPOILER}{note}"
    return stressed if len(stressed) <= limit else f"{SPOILER}{quoted}{SPOILER}{note}"


def _note(count: int) -> str:
    more = ngettext(
        "*({count} more character: open the message to read on)*",
        "*({count} more characters: open the message to read on)*",
        count,
    )
    return f"\n{more.format(count=count)}"


def _stress(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text escaped, with these spans in bold; those that touch become one."""
    merged: list[list[int]] = []
    for start, end in sorted(spans):
        first, last = max(0, start), min(end, len(text))
        if merged and first <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], last)
        elif first < last:
            merged.append([first, last])
    parts: list[str] = []
    reached = 0
    for first, last in merged:
        words = escape(text[first:last])
        mark = "**" if words.strip() == words and words else ""
        parts += [escape(text[reached:first]), mark, words, mark]
        reached = last
    return "".join((*parts, escape(text[reached:])))


def whole(text: str) -> list[str]:
    """All of a text, behind spoilers, in parts that fit into an embed each."""
    parts = [text[start : start + _PART] for start in range(0, len(text), _PART)]
    return [spoiler(part, 2 * _PART + 2 * len(SPOILER)) for part in parts] or [spoiler("", 50)]


def short(text: str, limit: int) -> str:
    """A name or label as plain text in one line, cut to `limit` characters."""
    line = " ".join(_INVISIBLE.sub("", text).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def label(text: str, limit: int) -> str:
    """A name or label in one line, escaped, of at most `limit` characters."""
    return quote(short(text, limit), limit)[0]
