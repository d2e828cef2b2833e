"""The model the bot asks: what does this message do to the people it discusses?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from bot.classifier.blend import Blend, load_blend
from bot.classifier.estimator import HostilityClassifier
from bot.classifier.explain import contributions, telling_words, tried_words
from bot.classifier.sentences import Sentences
from bot.classifier.storage import Meta, load_model
from bot.classifier.views import whole_view
from bot.classifier.windows import windows
from bot.comment import Assessment, Level, Person, PersonAssessment, TargetType, Why
from bot.reading import Candidate, Reading, View, read

_WINDOWS_HEARD = 3
"""Of a long text, so many windows (the worst by their words) are read as sentences."""

_RIVALRY = 1.0
"""How much further, in log-odds, each falls behind the one likeliest meant."""

_AIMED_AT = (TargetType.GROUP, TargetType.OBJECT, TargetType.SELF)


@dataclass(frozen=True, slots=True)
class Query:
    """A message to assess: see `HostilityModel.assess`."""

    text: str
    context: str | None = None
    people: tuple[Person, ...] = ()


@dataclass(frozen=True, slots=True)
class _Seen:
    """One view, read: the log-odds of the person heads where it is worst, and that place.

    `text` is what the classifier saw, as long as the view's own text.
    """

    candidate: Candidate | None
    view: View
    text: str
    span: tuple[int, int]
    hostile: float
    attitude: float
    abusive: float

    @property
    def part(self) -> str:
        return self.text[self.span[0] : self.span[1]]


class HostilityModel:
    """A trained model. It holds no state between messages, so threads may share it."""

    def __init__(
        self, classifier: HostilityClassifier, meta: Meta, blend: Blend | None = None
    ) -> None:
        """Take a fitted classifier, what is known of it and, if any, an encoder to go with it."""
        self._classifier = classifier.prepare()
        self._blend = blend
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

    def assess(
        self,
        text: str,
        *,
        context: str | None = None,
        people: Sequence[Person] = (),
        threshold: float | None = None,
    ) -> Assessment:
        """Read one message. The same input always gets the same answer.

        Args:
            text: The message as written.
            context: The message it answers.
            people: The roster; with none, anyone talked about counts.
            threshold: The score from which it is flagged; the model's own by default.
        """
        limit = self.threshold if threshold is None else threshold
        reading = read(text, context, people)
        sentences = Sentences(self._blend.encoder, reading) if self._blend else None
        anyone, overall = self._look_at_all(reading, sentences)
        seen = [self._look(c, reading.view(c), sentences) for c in reading.candidates] or [anyone]
        seen = _rivals(seen)
        top = max(seen, key=lambda s: s.hostile)
        if anyone.hostile > top.hostile:
            worse = replace(anyone, candidate=top.candidate, attitude=top.attitude)
            seen[seen.index(top)] = top = worse
        member_score = _probability(overall["member"])
        score = _probability(top.hostile)
        flagged = score >= limit
        member_flagged = member_score >= self.member_threshold
        lead = top if flagged else max(seen, key=lambda s: s.attitude)
        level = self._level(lead, flagged)
        kind = self._target_type(overall, level, member_flagged, lead)
        named = kind is TargetType.PERSON and lead.candidate is not None
        return Assessment(
            score=score,
            level=level,
            flagged=flagged,
            threshold=limit,
            target=lead.candidate.name if named and lead.candidate else None,
            target_type=kind,
            people=tuple(self._person(i, p, seen, limit) for i, p in enumerate(people)),
            member_score=member_score,
            member_flagged=member_flagged,
            why=self._why(text, top, limit, sentences) if flagged else (),
            model=self.version,
        )

    def assess_many(
        self, queries: Iterable[Query], *, threshold: float | None = None
    ) -> list[Assessment]:
        """`assess` for each, with the same answers."""
        return [
            self.assess(q.text, context=q.context, people=q.people, threshold=threshold)
            for q in queries
        ]

    def _look(self, candidate: Candidate | None, view: View, sentences: Sentences | None) -> _Seen:
        return self._worst(candidate, view, view.text, sentences)[0]

    def _look_at_all(
        self, reading: Reading, sentences: Sentences | None
    ) -> tuple[_Seen, dict[str, float]]:
        """What the message does to anyone, and the highest log-odds of its other heads."""
        view = reading.view(None)
        seen, answers = self._worst(None, view, whole_view(view), sentences)
        return seen, {head: max(a[head] for a in answers) for head in answers[0]}

    def _worst(
        self,
        candidate: Candidate | None,
        view: View,
        text: str,
        sentences: Sentences | None,
    ) -> tuple[_Seen, list[dict[str, float]]]:
        spans = windows(text)
        by_head = self._classifier.logits([text[start:end] for start, end in spans])
        answers = [{h: float(v[i]) for h, v in by_head.items()} for i in range(len(spans))]
        read_whole = len(spans) == 1
        if self._blend is not None and sentences is not None:
            worst_first = by_head["hostile"].argsort()[::-1][:_WINDOWS_HEARD].tolist()
            spans = [spans[i] for i in worst_first]
            heard = [
                sentences.hear(candidate, None if read_whole else view.origin(*span))
                for span in spans
            ]
            answers = [
                self._blend.together(answers[i], sentence)
                for i, sentence in zip(worst_first, heard, strict=True)
            ]
        worst = max(range(len(spans)), key=lambda i: answers[i]["hostile"])
        hostile, attitude, abusive = (
            answers[worst][head] for head in ("hostile", "attitude", "abusive")
        )
        return (
            _Seen(candidate, view, text, spans[worst], hostile, attitude, abusive),
            answers,
        )

    def _level(self, seen: _Seen, flagged: bool) -> Level:
        if flagged:
            abusive = _probability(seen.abusive) >= self._meta.abusive_threshold
            return Level.ABUSIVE if abusive else Level.HOSTILE
        critical = _probability(seen.attitude) >= self._meta.critical_threshold
        return Level.CRITICAL if critical else Level.NONE

    def _person(
        self, index: int, person: Person, seen: Sequence[_Seen], limit: float
    ) -> PersonAssessment:
        found = next(
            (s for s in seen if s.candidate is not None and s.candidate.index == index), None
        )
        if found is None:
            flagged = limit <= 0.0
            return PersonAssessment(
                person.name, 0.0, Level.HOSTILE if flagged else Level.NONE, flagged
            )
        score = _probability(found.hostile)
        flagged = score >= limit
        return PersonAssessment(person.name, score, self._level(found, flagged), flagged)

    def _target_type(
        self, overall: Mapping[str, float], level: Level, member_flagged: bool, lead: _Seen
    ) -> TargetType:
        if level >= Level.HOSTILE or (level is Level.CRITICAL and lead.candidate is not None):
            return TargetType.PERSON
        if member_flagged:
            return TargetType.MEMBER
        best = max(_AIMED_AT, key=lambda kind: overall[kind.value])
        aimed = _probability(overall[best.value]) >= self._meta.aim_threshold
        return best if aimed else TargetType.NONE

    def _why(
        self, text: str, top: _Seen, limit: float, sentences: Sentences | None
    ) -> tuple[Why, ...]:
        part, offset = top.part, top.span[0]
        whole = top.span == (0, len(top.text))
        where = None if whole else top.view.origin(*top.span)
        classifier, blend = self._classifier, self._blend
        words = [
            w.moved(offset)
            for w in contributions(classifier.features, classifier.weights("hostile"), part)
        ]

        def without(spans: Sequence[tuple[int, int]]) -> float:
            letters = list(part)
            for start, end in spans:
                letters[start - offset : end - offset] = " " * (end - start)
            said = classifier.logits(["".join(letters)])
            if blend is None or sentences is None:
                return float(said["hostile"][0])
            removed = [top.view.origin(*span) for span in spans]
            heard = sentences.hear_without(top.candidate, where, removed)
            return blend.together({h: float(v[0]) for h, v in said.items()}, heard)["hostile"]

        if blend is not None:
            return tried_words(text, top.view, words, top.hostile, without, _log_odds(limit))
        return telling_words(text, top.view, words, without, _log_odds(limit))


def _rivals(seen: list[_Seen]) -> list[_Seen]:
    """Where several people of the roster are discussed, the less suspect are less so still.

    A message that attacks one of two people scores for both, as they share its words. The
    one it is likeliest aimed at keeps the score, and people attacked alike keep theirs.
    """
    people = [s for s in seen if s.candidate is not None and s.candidate.in_roster]
    if len(people) < 2:  # noqa: PLR2004
        return seen
    most = max(s.hostile for s in people)
    return [
        replace(s, hostile=s.hostile - _RIVALRY * (most - s.hostile)) if s in people else s
        for s in seen
    ]


def _probability(log_odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-log_odds)) if log_odds > -700 else 0.0  # noqa: PLR2004


def _log_odds(probability: float) -> float:
    if probability <= 0.0:
        return -math.inf
    return math.inf if probability >= 1.0 else math.log(probability / (1.0 - probability))
