"""A quick stand-in for the model: flags texts with the word "trash"."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.comment import Assessment, Level, Person, PersonAssessment, TargetType, Why


@dataclass
class KeywordModel:
    """Remembers what it was asked; `delay` is how many seconds one answer takes."""

    delay: float = 0.0
    texts: list[str] = field(default_factory=list)
    contexts: list[str | None] = field(default_factory=list)
    people: set[str] = field(default_factory=set)

    def assess(
        self,
        text: str,
        *,
        context: str | None = None,
        people: Sequence[Person] = (),
        affection: Sequence[str] = (),  # noqa: ARG002
        threshold: float | None = None,
    ) -> Assessment:
        time.sleep(self.delay)
        self.texts.append(text)
        self.contexts.append(context)
        self.people |= {person.name for person in people}
        limit = 0.5 if threshold is None else threshold
        start = text.find("trash")
        score = 0.9 if start >= 0 else 0.1
        level = Level.HOSTILE if score >= limit else Level.NONE
        return Assessment(
            score=score,
            level=level,
            flagged=score >= limit,
            threshold=limit,
            target=people[0].name if people else None,
            target_type=TargetType.PERSON,
            people=tuple(
                PersonAssessment(person.name, score, level, score >= limit) for person in people
            ),
            member_score=0.0,
            member_flagged=False,
            why=(Why(start, start + 5, "trash", 1.0),) if start >= 0 else (),
            model="keyword",
        )
