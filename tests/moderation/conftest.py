from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from bot.comment import Assessment, Level, Person, PersonAssessment, TargetType, Why
from bot.moderation import Pipeline
from bot.store import Store, open_store
from tests.scale import SquareScale

OWN_THRESHOLD = 0.5


class WordAssessor(SquareScale):
    """Scores by two words: “trash” is hostile to the first person, “idiot” to a member."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str | None, tuple[str, ...], float | None]] = []
        self.threads: set[str] = set()
        self.affection: tuple[str, ...] = ()

    def assess(
        self,
        text: str,
        *,
        context: str | None = None,
        people: Sequence[Person] = (),
        affection: Sequence[str] = (),
        threshold: float | None = None,
    ) -> Assessment:
        self.calls.append((text, context, tuple(one.name for one in people), threshold))
        self.threads.add(threading.current_thread().name)
        self.affection = tuple(affection)
        cut = OWN_THRESHOLD if threshold is None else threshold
        start = text.find("trash")
        score = 0.8 if start >= 0 else 0.1
        flagged = score >= cut
        level = Level.HOSTILE if flagged else Level.NONE
        member_score = 0.9 if "idiot" in text else 0.1
        return Assessment(
            score=score,
            level=level,
            flagged=flagged,
            threshold=cut,
            target=people[0].name if people else "she",
            target_type=TargetType.PERSON,
            people=tuple(PersonAssessment(one.name, score, level, flagged) for one in people),
            member_score=member_score,
            member_flagged=member_score >= OWN_THRESHOLD,
            why=(Why(start, start + 5, "trash", 1.0),) if flagged else (),
            model="words-1",
        )


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    url = f"sqlite+aiosqlite:///{tmp_path}/fanguard.db"
    async with open_store(url, key=Fernet.generate_key()) as opened:
        yield opened


@pytest.fixture
def model() -> WordAssessor:
    return WordAssessor()


@pytest.fixture
def pipeline(store: Store, model: WordAssessor) -> Iterator[Pipeline]:
    made = Pipeline(store, model)
    yield made
    made.close()
