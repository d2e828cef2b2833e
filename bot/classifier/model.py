"""The model the bot asks: what does this message do to the people it discusses?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from bot.classifier.blend import Blend, load_blend
from bot.classifier.estimator import HEADS, HostilityClassifier
from bot.classifier.explain import contributions, telling_words, tried_words
from bot.classifier.sentences import Sentences
from bot.classifier.shares import share_at, threshold_at
from bot.classifier.stance import speaks_to_reader_alone
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
    affection: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Seen:
    """One view, read: the log-odds of every head at the place where it is worst by `head`.

    `text` is what the classifier saw, as long as the view's own text.
    """

    candidate: Candidate | None
    view: View
    text: str
    span: tuple[int, int]
    head: str
    odds: Mapping[str, float]

    @property
    def hostile(self) -> float:
        """The log-odds that it is hostile at the person asked about."""
        return self.odds["hostile"]

    def unsaid(self) -> _Seen:
        """The same with nothing said of any person."""
        return replace(self, odds={**self.odds, "hostile": -math.inf, "attitude": -math.inf})

    def as_hostile_as(self, log_odds: float) -> _Seen:
        """The same with other log-odds of being hostile."""
        return replace(self, odds={**self.odds, "hostile": log_odds})

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
        reading = read(text, context, people, affection)
        sentences = Sentences(self._blend.encoder, reading) if self._blend else None
        anyone, at_member, overall = self._look_at_all(reading, sentences)
        member_score = _probability(overall["member"])
        if not anyone.text:
            anyone = anyone.unsaid()
        elif people and not reading.candidates and speaks_to_reader_alone(anyone.text):
            member_score = _either(member_score, _probability(anyone.hostile))
            if anyone.hostile > overall["member"]:
                at_member = replace(anyone, head="hostile")
            anyone = anyone.unsaid()
        people_seen = [self._look(c, reading.view(c), sentences) for c in reading.candidates]
        seen = people_seen if people_seen and anyone.text else [anyone]
        seen = _rivals(seen)
        top = max(seen, key=lambda s: s.hostile)
        if anyone.hostile > top.hostile:
            worse = {**anyone.odds, "attitude": top.odds["attitude"]}
            seen[seen.index(top)] = top = replace(anyone, candidate=top.candidate, odds=worse)
        score = _probability(top.hostile)
        flagged = score >= limit
        member_flagged = member_score >= self.member_threshold
        lead = top if flagged else max(seen, key=lambda s: s.odds["attitude"])
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
            why=self._why(text, top, limit, sentences)
            if flagged
            else self._why(text, at_member, self.member_threshold, sentences)
            if member_flagged
            else (),
            model=self.version,
            ambiguous=named and lead.candidate is not None and lead.candidate.ambiguous,
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

    def _look(self, candidate: Candidate | None, view: View, sentences: Sentences | None) -> _Seen:
        return _worst(self._parts(candidate, view, view.text, sentences), "hostile")

    def _look_at_all(
        self, reading: Reading, sentences: Sentences | None
    ) -> tuple[_Seen, _Seen, dict[str, float]]:
        """What the message does to anyone, and to a member, and the highest log-odds by head."""
        view = reading.view(None)
        parts = self._parts(None, view, whole_view(view), sentences)
        highest = {head: max(part.odds[head] for part in parts) for head in HEADS}
        return _worst(parts, "hostile"), _worst(parts, "member"), highest

    def _parts(
        self, candidate: Candidate | None, view: View, text: str, sentences: Sentences | None
    ) -> list[_Seen]:
        """The windows of a view, each read; with an encoder, those worst by their words."""
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
        return [
            _Seen(candidate, view, text, span, "hostile", odds)
            for span, odds in zip(spans, answers, strict=True)
        ]

    def _level(self, seen: _Seen, flagged: bool) -> Level:
        if flagged:
            abusive = _probability(seen.odds["abusive"]) >= self._meta.abusive_threshold
            return Level.ABUSIVE if abusive else Level.HOSTILE
        critical = _probability(seen.odds["attitude"]) >= self._meta.critical_threshold
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
        self, text: str, seen: _Seen, limit: float, sentences: Sentences | None
    ) -> tuple[Why, ...]:
        part, offset = seen.part, seen.span[0]
        whole = seen.span == (0, len(seen.text))
        where = None if whole else seen.view.origin(*seen.span)
        classifier, blend = self._classifier, self._blend
        words = [
            w.moved(offset)
            for w in contributions(classifier.features, classifier.weights(seen.head), part)
        ]

        def without(spans: Sequence[tuple[int, int]]) -> float:
            letters = list(part)
            for start, end in spans:
                letters[start - offset : end - offset] = " " * (end - start)
            said = {h: float(v[0]) for h, v in classifier.logits(["".join(letters)]).items()}
            if blend is None or sentences is None:
                return said[seen.head]
            removed = [seen.view.origin(*span) for span in spans]
            heard = sentences.hear_without(seen.candidate, where, removed)
            return blend.together(said, heard)[seen.head]

        if blend is not None:
            score = seen.odds[seen.head]
            return tried_words(text, seen.view, words, score, without, _log_odds(limit))
        return telling_words(text, seen.view, words, without, _log_odds(limit))


def _worst(parts: Sequence[_Seen], head: str) -> _Seen:
    return replace(max(parts, key=lambda part: part.odds[head]), head=head)


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
        s.as_hostile_as(s.hostile - _RIVALRY * (most - s.hostile)) if s in people else s
        for s in seen
    ]


def _either(one: float, other: float) -> float:
    return 1.0 - (1.0 - one) * (1.0 - other)


def _probability(log_odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-log_odds)) if log_odds > -700 else 0.0  # noqa: PLR2004


def _log_odds(probability: float) -> float:
    if probability <= 0.0:
        return -math.inf
    return math.inf if probability >= 1.0 else math.log(probability / (1.0 - probability))
