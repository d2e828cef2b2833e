"""The model the bot asks: what does this message do to the people it discusses?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Self

from bot.classifier.blend import Blend, load_blend
from bot.classifier.estimator import HostilityClassifier
from bot.classifier.explain import contributions, telling_words, tried_words
from bot.classifier.scoring import Scorer, Scores, Seen, log_odds, probability
from bot.classifier.sentences import Sentences
from bot.classifier.shares import share_at, threshold_at
from bot.classifier.storage import Meta, load_model
from bot.comment import Assessment, Level, Person, PersonAssessment, TargetType, Why
from bot.reading import Reading, read

_AIMED_AT = (TargetType.GROUP, TargetType.OBJECT, TargetType.SELF)


@dataclass(frozen=True, slots=True)
class Query:
    """A message to assess: see `HostilityModel.assess`."""

    text: str
    context: str | None = None
    people: tuple[Person, ...] = ()
    affection: tuple[str, ...] = ()


class HostilityModel:
    """A trained model. It holds no state between messages, so threads may share it."""

    def __init__(
        self, classifier: HostilityClassifier, meta: Meta, blend: Blend | None = None
    ) -> None:
        """Take a fitted classifier, what is known of it and, if any, an encoder to go with it."""
        self._scorer = Scorer(classifier.prepare(), blend)
        self._meta = meta if blend is None else blend.meta

    @classmethod
    def load(cls, path: Path, *, fast: bool = False) -> Self:
        """Read a model directory; `fast` leaves its sentence encoder out.

        Raises:
            UserError: It is missing, damaged, of another format or holds an untrusted type.
        """
        classifier, meta = load_model(path)
        return cls(classifier, meta, None if fast else load_blend(path))

    @property
    def version(self) -> str:
        """The model's version, as every `Assessment` names it."""
        return self._meta.version

    @property
    def threshold(self) -> float:
        """The score from which a message is flagged, unless a caller has its own."""
        return self._meta.threshold

    @property
    def member_threshold(self) -> float:
        """The member score from which a message is flagged for members."""
        return self._meta.member_threshold

    def share_queued(self, threshold: float) -> float | None:
        """The share of ordinary messages that a threshold queues; None if that is unknown."""
        return share_at(self._meta.shares, threshold) if self._meta.shares else None

    def threshold_for(self, share: float) -> float:
        """The threshold that queues a share of ordinary messages."""
        return threshold_at(self._meta.shares, share) if self._meta.shares else self.threshold

    def assess(
        self,
        text: str,
        *,
        context: str | None = None,
        people: Sequence[Person] = (),
        affection: Sequence[str] = (),
        threshold: float | None = None,
    ) -> Assessment:
        """Read one message. The same input always gets the same answer.

        Args:
            text: The message as written.
            context: The message it answers.
            people: The roster; with none, anyone talked about counts. With one, what is said
                to the reader and mentions nobody counts as said to a member.
            affection: Phrases that are affection where it was written: see `bot.reading.read`.
            threshold: The score from which it is flagged; the model's own by default.
        """
        limit = self.threshold if threshold is None else threshold

        def ask(text: str) -> tuple[Reading, Scores]:
            reading = read(text, context, people, affection)
            return reading, self._scorer.score(reading, log_odds(limit), with_roster=bool(people))

        reading, found = ask(text)
        flagged = found.score >= limit
        member_flagged = found.member_score >= self.member_threshold
        lead = found.top if flagged else max(found.people, key=lambda s: s.odds["attitude"])
        level = self._level(lead, flagged)
        kind = self._target_type(found.overall, level, member_flagged, lead)
        meant = lead.candidate if kind is TargetType.PERSON else None
        why: tuple[Why, ...] = ()
        if flagged:
            why = self._why(
                reading, found.top, found.sentences, limit, lambda left: ask(left)[1].score < limit
            )
        elif member_flagged:
            least = self.member_threshold
            why = self._why(
                reading,
                found.member,
                found.sentences,
                least,
                lambda left: ask(left)[1].member_score < least,
            )
        return Assessment(
            score=found.score,
            level=level,
            flagged=flagged,
            threshold=limit,
            target=meant.name if meant else None,
            target_type=kind,
            people=tuple(self._person(i, p, found.people, limit) for i, p in enumerate(people)),
            member_score=found.member_score,
            member_flagged=member_flagged,
            why=why,
            model=self.version,
            ambiguous=meant is not None and meant.ambiguous,
            foreign=reading.foreign,
        )

    def assess_many(
        self, queries: Iterable[Query], *, threshold: float | None = None
    ) -> list[Assessment]:
        """`assess` for each, with the same answers."""
        return [
            self.assess(
                q.text,
                context=q.context,
                people=q.people,
                affection=q.affection,
                threshold=threshold,
            )
            for q in queries
        ]

    def _level(self, seen: Seen, flagged: bool) -> Level:
        if flagged:
            abusive = probability(seen.odds["abusive"]) >= self._meta.abusive_threshold
            return Level.ABUSIVE if abusive else Level.HOSTILE
        critical = probability(seen.odds["attitude"]) >= self._meta.critical_threshold
        return Level.CRITICAL if critical else Level.NONE

    def _person(
        self, index: int, person: Person, seen: Sequence[Seen], limit: float
    ) -> PersonAssessment:
        found = next(
            (s for s in seen if s.candidate is not None and s.candidate.index == index), None
        )
        if found is None:
            flagged = limit <= 0.0
            return PersonAssessment(
                person.name, 0.0, Level.HOSTILE if flagged else Level.NONE, flagged
            )
        score = probability(found.hostile)
        flagged = score >= limit
        return PersonAssessment(person.name, score, self._level(found, flagged), flagged)

    def _target_type(
        self, overall: Mapping[str, float], level: Level, member_flagged: bool, lead: Seen
    ) -> TargetType:
        if level >= Level.HOSTILE or (level is Level.CRITICAL and lead.candidate is not None):
            return TargetType.PERSON
        if member_flagged:
            return TargetType.MEMBER
        best = max(_AIMED_AT, key=lambda kind: overall[kind.value])
        aimed = probability(overall[best.value]) >= self._meta.aim_threshold
        return best if aimed else TargetType.NONE

    def _why(
        self,
        reading: Reading,
        seen: Seen,
        sentences: Sentences | None,
        limit: float,
        passes: Callable[[str], bool],
    ) -> tuple[Why, ...]:
        classifier, offset = self._scorer.classifier, seen.span[0]
        words = [
            word.moved(offset)
            for word in contributions(classifier.features, classifier.weights(seen.head), seen.part)
        ]
        without = partial(self._scorer.without, seen, sentences)
        if sentences is None:
            return telling_words(reading.text, seen.view, words, without, log_odds(limit))
        score = seen.odds[seen.head]
        return tried_words(reading.text, seen.view, words, score, without, passes)
