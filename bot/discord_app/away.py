"""What moderators are told after a gap: how long it was, how much was read, what was found."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum

import discord

from bot.words import _, ngettext


class Reason(StrEnum):
    """Why history is read instead of live messages."""

    AWAY = "away"
    OVERLOAD = "overload"


@dataclass(slots=True)
class Tally:
    """What is read from a guild's history because of one gap.

    `waiting` are the channels still to be read; `first` is when the oldest message of the gap
    was posted; `cut` says that there were older ones, too old to be read.
    """

    reason: Reason
    waiting: set[int] = field(default_factory=set)
    messages: int = 0
    flags: int = 0
    first: datetime | None = None
    cut: bool = False

    def count(self, message: discord.Message, *, flagged: bool) -> None:
        """Count a message that was assessed."""
        self.messages += 1
        self.flags += flagged
        self.first = min(self.first or message.created_at, message.created_at)

    def is_worth_telling(self, shortest: timedelta) -> bool:
        """Whether moderators are told: of each overload, and of a gap of this length."""
        if self.first is None:
            return self.cut
        return self.reason is Reason.OVERLOAD or datetime.now(UTC) - self.first >= shortest

    def key(self, guild_id: int) -> str:
        """A name of this gap, for a nonce."""
        return f"{self.reason} {guild_id}.{self.first}.{self.messages}"

    def embed(self, hours: int) -> discord.Embed:
        """The line itself; nothing is read that is older than `hours`."""
        lines = [self._line()]
        if self.cut:
            lines.append(
                ngettext(
                    "What was posted more than {count} hour ago was not read.",
                    "What was posted more than {count} hours ago was not read.",
                    hours,
                ).format(count=hours)
            )
        return discord.Embed(description="\n".join(lines), colour=discord.Colour.blurple())

    def _line(self) -> str:
        if self.reason is Reason.OVERLOAD:
            line = ngettext(
                "More was posted than I could read at once. I read it again from history: "
                "{messages} message, {flags} flagged.",
                "More was posted than I could read at once. I read it again from history: "
                "{messages} messages, {flags} flagged.",
                self.messages,
            )
        else:
            line = ngettext(
                "I was away {time}: {messages} message, {flags} flagged.",
                "I was away {time}: {messages} messages, {flags} flagged.",
                self.messages,
            )
        gap = timedelta() if self.first is None else datetime.now(UTC) - self.first
        return line.format(
            time=_length(gap), messages=f"{self.messages:,}", flags=f"{self.flags:,}"
        )


def _length(gap: timedelta) -> str:
    minutes = round(gap.total_seconds() / 60)
    if minutes < 60:  # noqa: PLR2004
        return _("{number} min").format(number=minutes)
    return _("{number} h").format(number=round(minutes / 60))
