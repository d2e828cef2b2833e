"""A stand-in for the model that knows the labels of the demo chat."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from bot.comment import Assessment, Level, Person, TargetType, Why
from bot.sources.demo import EventKind, Truth, load_chat, load_truth

_OF_SEVERAL = Truth("", 0, Level.NONE, TargetType.NONE, None, "read together, none is hostile")


class Oracle:
    """Flags what the labels call hostile, except the texts given; and flags `also`."""

    def __init__(self, missed: Sequence[str] = (), also: Sequence[str] = ()) -> None:
        labels = load_truth()
        self.labels = {
            event.comment.text: labels[event.comment.id, event.revision]
            for event in load_chat(datetime.now(UTC))
            if event.kind is not EventKind.DELETE and not event.automatic
        }
        self.missed, self.also = set(missed), set(also)

    def assess(
        self,
        text: str,
        *,
        context: str | None = None,  # noqa: ARG002
        people: Sequence[Person] = (),  # noqa: ARG002
        affection: Sequence[str] = (),  # noqa: ARG002
        threshold: float | None = None,  # noqa: ARG002
    ) -> Assessment:
        label = self.labels.get(text, _OF_SEVERAL)
        hostile = (label.queued and text not in self.missed) or text in self.also
        member = hostile and label.target_type is TargetType.MEMBER
        flagged = hostile and not member
        return Assessment(
            score=0.9 if flagged else 0.1,
            level=max(label.level, Level.HOSTILE) if flagged else Level.NONE,
            flagged=flagged,
            threshold=0.5,
            target=label.target,
            target_type=label.target_type,
            people=(),
            member_score=0.8 if member else 0.1,
            member_flagged=member,
            why=(Why(0, len(text), text, 1.0),) if flagged else (),
            model="oracle",
        )
