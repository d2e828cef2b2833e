"""One text sent as several messages: a member's consecutive messages, read together.

“she is”, “such a”, “talentless cow” say nothing each, and together what they say. A run is
what one member posted in a channel with nobody between and little time between. Longer
messages take no part: put together, sentences about different things are easily misread.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import count

from bot.comment import Assessment, Comment, Part, PartKind

_MOST_CHANNELS = 2000
_JOINT = " "
_LONGEST_PIECE = 40
_FRAGMENT_WORDS = 3


@dataclass(frozen=True, slots=True)
class RunLimits:
    """What counts as one run: seconds from one message to the next, messages, characters.

    One message switches the reading of runs off.
    """

    seconds: float = 60.0
    messages: int = 5
    characters: int = 400


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive messages of a member, the newest last.

    `flag_id` is the message whose flag the run has already, if it had one before its last
    message.
    """

    messages: tuple[Comment, ...]
    flag_id: str | None = None

    @property
    def comment(self) -> Comment:
        """The run as one comment, under the id of the message that its flag is for."""
        last = self.messages[-1]
        parts: list[Part] = []
        text = ""
        for message in self.messages:
            start = len(text) + len(_JOINT) if text else 0
            text = f"{text}{_JOINT}{message.text}" if text else message.text
            parts.append(Part(PartKind.MESSAGE, start, len(text), message.id))
        edits = [each.edited_at for each in self.messages if each.edited_at is not None]
        if self.flag_id is not None:
            edits.append(last.created_at)
        replies = (each.reply_to for each in self.messages if each.reply_to is not None)
        links = [each.jump_url for each in self.messages if each.id == self.flag_id]
        return replace(
            last,
            id=self.flag_id or last.id,
            text=text,
            edited_at=max(edits, default=None),
            reply_to=next(replies, None),
            jump_url=links[0] if links else last.jump_url,
            parts=tuple(parts),
        )

    def is_told_by(self, assessment: Assessment) -> bool:
        """Whether the reading is sure and names why: of a flagged run, by the new words."""
        threshold = assessment.threshold
        sure = assessment.score >= min(2 * threshold, (1 + threshold) / 2)
        if not sure and not assessment.member_flagged:
            return False
        telling = [why for why in assessment.why if why.weight > 0]
        if self.flag_id is None:
            return bool(telling)
        start = self.comment.parts[-1].start
        return any(why.end > start for why in telling)


@dataclass(slots=True)
class _Heard:
    comment: Comment
    arrival: int
    closed: bool = False
    run: Run | None = None


@dataclass(slots=True)
class _Channel:
    """The last messages of a channel, by the source they came from."""

    heard: dict[str, list[_Heard]] = field(default_factory=dict)


class Runs:
    """Remembers the last few messages of each channel, as many as a run may need.

    Live messages and those read from history come side by side; each source brings its own
    in their order. What is older than a source's newest message starts no run.
    """

    def __init__(self, limits: RunLimits | None = None) -> None:
        """Remember nothing yet."""
        self._limits = limits or RunLimits()
        self._channels: OrderedDict[tuple[str, str], _Channel] = OrderedDict()
        self._arrivals = count()

    def follow(self, comment: Comment, source: str) -> Run | None:
        """Hear a message, and return the run that ends with it if that is more than itself.

        A text of a member whose messages are not read, or none, is a comment without text.
        """
        if self._limits.messages == 1 or (heard := self._hear(comment, source)) is None:
            return None
        return self._run_to(heard)

    def settle(
        self, comment: Comment, source: str, *, flagged: bool = False, run: Run | None = None
    ) -> None:
        """Note that a message has a flag of its own, or made a run one that is flagged."""
        for each in self._of(comment).heard.get(source, ()):
            if each.comment.id == comment.id:
                each.closed, each.run = flagged, run

    def _of(self, comment: Comment) -> _Channel:
        key = (comment.guild_id, comment.channel_id)
        channel = self._channels.setdefault(key, _Channel())
        self._channels.move_to_end(key)
        if len(self._channels) > _MOST_CHANNELS:
            self._channels.popitem(last=False)
        return channel

    def _hear(self, comment: Comment, source: str) -> _Heard | None:
        window = self._of(comment).heard.setdefault(source, [])
        if len(comment.text) > _LONGEST_PIECE or comment.parts:
            comment = replace(comment, text="", parts=(), reply_to=None)
        for known in window:
            if known.comment.id == comment.id:
                known.comment, known.closed, known.run = comment, False, None
                return known
        if window and comment.created_at < window[-1].comment.created_at:
            return None
        window.append(_Heard(comment, next(self._arrivals)))
        del window[: -self._limits.messages - 1]
        return window[-1]

    def _run_to(self, last: _Heard) -> Run | None:
        if not last.comment.text.strip():
            return None
        messages, length = [last.comment], len(last.comment.text)
        flag_id: str | None = None
        for each in self._before(last):
            now = messages[0]
            gap = now.created_at - each.comment.created_at
            if each.closed or gap > timedelta(seconds=self._limits.seconds):
                break
            if each.comment.author_id != last.comment.author_id or not each.comment.text.strip():
                break
            added = each.run.messages if each.run else (each.comment,)
            length += sum(len(one.text) + len(_JOINT) for one in added)
            fits = length <= self._limits.characters
            if not fits or len(messages) + len(added) > self._limits.messages:
                break
            if each.run is not None and len(messages) > 1:
                break
            messages = [*added, *messages]
            if each.run is not None:
                flag_id = each.run.flag_id or each.run.messages[-1].id
                break
        return Run(tuple(messages), flag_id) if len(messages) > 1 else None

    def _before(self, last: _Heard) -> list[_Heard]:
        """What was posted in the channel before a message, the newest first."""
        found: dict[str, _Heard] = {}
        for window in self._of(last.comment).heard.values():
            for each in window:
                known = found.get(each.comment.id)
                if known is None or known.arrival < each.arrival:
                    found[each.comment.id] = each
        found.pop(last.comment.id, None)
        moment = (last.comment.created_at, last.arrival)
        earlier = [
            each for each in found.values() if (each.comment.created_at, each.arrival) < moment
        ]
        return sorted(earlier, key=lambda e: (e.comment.created_at, e.arrival), reverse=True)


def is_fragment(text: str) -> bool:
    """Whether a text is so short that it rather ends what was said before than says it all."""
    return len(text.split()) <= _FRAGMENT_WORDS


def with_new_wording(whole: Comment, edited: Comment) -> Comment:
    """Return a run's comment with one of its messages as it was edited."""
    part = next(each for each in whole.parts if each.message_id == edited.id)
    grown = len(edited.text) - (part.end - part.start)
    parts = tuple(_moved(each, part, grown) for each in whole.parts)
    text = whole.text[: part.start] + edited.text + whole.text[part.end :]
    if text == whole.text:
        return whole
    return replace(whole, text=text, edited_at=edited.edited_at, parts=parts)


def _moved(each: Part, part: Part, grown: int) -> Part:
    if each.start < part.start:
        return each
    start = each.start if each is part else each.start + grown
    return replace(each, start=start, end=each.end + grown)
