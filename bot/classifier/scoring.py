"""From a reading to log-odds: what a message does to each person it discusses, and to members."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.classifier.blend import Blend
from bot.classifier.estimator import HEADS, HostilityClassifier
from bot.classifier.sentences import Sentences
from bot.classifier.stance import speaks_to_reader_alone
from bot.classifier.views import whole_view
from bot.classifier.windows import windows
from bot.reading import Candidate, Reading, View

_WINDOWS_HEARD = 3
"""Of a long text, so many windows (the worst by their words) are read as sentences."""

_RIVALRY = 2.0
"""How much further, in log-odds, each falls behind the one likeliest meant."""

_ELSEWHERE = 3.0
"""From how much more log-odds for the whole, it is aimed at none of the people found."""


@dataclass(frozen=True, slots=True)
class Seen:
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

    @property
    def part(self) -> str:
        """The text at that place."""
        return self.text[self.span[0] : self.span[1]]

    def unsaid(self) -> Seen:
        """The same with nothing said of any person."""
        return replace(self, odds={**self.odds, "hostile": -math.inf, "attitude": -math.inf})

    def as_hostile_as(self, log_odds: float) -> Seen:
        """The same with other log-odds of being hostile."""
        return replace(self, odds={**self.odds, "hostile": log_odds})


@dataclass(frozen=True, slots=True)
class Scores:
    """All that is asked of a message.

    `people` are those who may be meant, `top` the one likeliest attacked (or nobody known);
    `member` is the place where it is worst for a member, `member_score` a probability;
    `overall` the highest log-odds of each head over the message; `sentences` what the
    encoder has heard of it, if there is one.
    """

    people: Sequence[Seen]
    top: Seen
    member: Seen
    member_score: float
    overall: Mapping[str, float]
    sentences: Sentences | None

    @property
    def score(self) -> float:
        """The probability that the message is hostile at a person discussed."""
        return probability(self.top.hostile)


class Scorer:
    """The classifier of words and, if there is one, the encoder, asked about one reading."""

    def __init__(self, classifier: HostilityClassifier, blend: Blend | None) -> None:
        """Take both, ready to use."""
        self.classifier = classifier
        self.blend = blend

    def score(self, reading: Reading, limit: float, *, with_roster: bool) -> Scores:
        """Ask about everybody in a reading.

        Args:
            reading: The message, read.
            limit: The log-odds from which a message is flagged.
            with_roster: Whether there are people whose channel this is. Then what is said to
                the reader and mentions nobody is a member's matter.
        """
        sentences = Sentences(self.blend.encoder, reading) if self.blend else None
        view = reading.view(None)
        parts = self._parts(None, view, whole_view(view), sentences)
        anyone, member = _worst(parts, "hostile"), _worst(parts, "member")
        overall = {head: max(part.odds[head] for part in parts) for head in HEADS}
        member_score = probability(overall["member"])
        people: list[Seen] = []
        if not view.text:
            anyone = anyone.unsaid()
        elif reading.candidates:
            looks = (
                self._parts(c, asked, asked.text, sentences)
                for c in reading.candidates
                for asked in [reading.view(c)]
            )
            people = _rivals([_worst(parts, "hostile") for parts in looks])
        elif with_roster and speaks_to_reader_alone(anyone.text):
            member_score = 1.0 - (1.0 - member_score) * (1.0 - probability(anyone.hostile))
            if anyone.hostile > overall["member"]:
                member = replace(anyone, head="hostile")
            anyone = anyone.unsaid()
        people = people or [anyone]
        top = max(people, key=lambda seen: seen.hostile)
        if anyone.hostile > top.hostile:
            top = _attributed(anyone, top, limit)
            people = [top if seen.candidate == top.candidate else seen for seen in people]
        return Scores(people, top, member, member_score, overall, sentences)

    def without(
        self, seen: Seen, sentences: Sentences | None, spans: Sequence[tuple[int, int]]
    ) -> float:
        """The log-odds of what was seen, by its head, when spans of its text are taken out."""
        offset = seen.span[0]
        letters = list(seen.part)
        for start, end in spans:
            letters[start - offset : end - offset] = " " * (end - start)
        said = {h: float(v[0]) for h, v in self.classifier.logits(["".join(letters)]).items()}
        if self.blend is None or sentences is None:
            return said[seen.head]
        whole = seen.span == (0, len(seen.text))
        where = None if whole else seen.view.origin(*seen.span)
        removed = [seen.view.origin(*span) for span in spans]
        heard = sentences.hear_without(seen.candidate, where, removed)
        return self.blend.together(said, heard)[seen.head]

    def _parts(
        self, candidate: Candidate | None, view: View, text: str, sentences: Sentences | None
    ) -> list[Seen]:
        """The windows of a view, each read; with an encoder, those worst by their words."""
        spans = windows(text)
        by_head = self.classifier.logits([text[start:end] for start, end in spans])
        answers = [{h: float(v[i]) for h, v in by_head.items()} for i in range(len(spans))]
        read_whole = len(spans) == 1
        if self.blend is not None and sentences is not None:
            worst_first = by_head["hostile"].argsort()[::-1][:_WINDOWS_HEARD].tolist()
            spans = [spans[i] for i in worst_first]
            heard = [
                sentences.hear(candidate, None if read_whole else view.origin(*span))
                for span in spans
            ]
            answers = [
                self.blend.together(answers[i], sentence)
                for i, sentence in zip(worst_first, heard, strict=True)
            ]
        return [
            Seen(candidate, view, text, span, "hostile", odds)
            for span, odds in zip(spans, answers, strict=True)
        ]


def probability(log_odds: float) -> float:
    """Log-odds as a probability."""
    return 1.0 / (1.0 + math.exp(-log_odds)) if log_odds > -700 else 0.0  # noqa: PLR2004


def log_odds(probability: float) -> float:
    """A probability as log-odds, infinite at 0 and 1."""
    if probability <= 0.0:
        return -math.inf
    return math.inf if probability >= 1.0 else math.log(probability / (1.0 - probability))


def _worst(parts: Sequence[Seen], head: str) -> Seen:
    return replace(max(parts, key=lambda part: part.odds[head]), head=head)


def _attributed(anyone: Seen, likeliest: Seen, limit: float) -> Seen:
    """A message more hostile as a whole than toward anyone in it, and who is meant after all.

    That is the likeliest, unless so much more is said than of them that it must be of
    somebody who goes unnamed.
    """
    elsewhere = likeliest.hostile < limit and anyone.hostile - likeliest.hostile > _ELSEWHERE
    meant = None if elsewhere else likeliest.candidate
    odds = {**anyone.odds, "attitude": likeliest.odds["attitude"]}
    return replace(anyone, candidate=meant, odds=odds)


def _rivals(seen: list[Seen]) -> list[Seen]:
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
