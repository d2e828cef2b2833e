"""What the encoder makes of one message, each view read once."""

from __future__ import annotations

from collections.abc import Sequence

from bot.classifier.encoder import SentenceEncoder
from bot.reading import Candidate, Reading, View

Span = tuple[int, int]


class Sentences:
    """The encoder's answers for one reading.

    People of the roster are asked about one by one, strangers only together: the message
    as a whole stands for them. So a message is read once, and once more for each person of
    the roster whom it discusses.
    """

    def __init__(self, encoder: SentenceEncoder, reading: Reading) -> None:
        """Take a reading; nothing is computed yet."""
        self._encoder = encoder
        self._reading = reading
        self._views: dict[Candidate | None, View] = {}
        self._heard: dict[tuple[Candidate | None, Span | None], dict[str, float]] = {}

    def hear(self, candidate: Candidate | None, span: Span | None) -> dict[str, float]:
        """The log-odds of each head, asked about a candidate, in a span of the original text."""
        asked = _asked(candidate)
        if (asked, span) not in self._heard:
            view = self._view(asked)
            text = view.text if span is None else view.within(*span)
            self._heard[asked, span] = self._encoder.logits(text, view.context)
        return self._heard[asked, span]

    def hear_without(
        self, candidate: Candidate | None, span: Span | None, removed: Sequence[Span]
    ) -> dict[str, float]:
        """As `hear`, of what is left when other spans of the original are taken out."""
        view = self._view(_asked(candidate))
        start, end = span or (0, len(self._reading.text))
        parts = []
        for first, last in sorted(removed):
            parts.append(view.within(start, first))
            start = max(start, last)
        parts.append(view.within(start, end))
        return self._encoder.logits(" ".join(part for part in parts if part), view.context)

    def _view(self, asked: Candidate | None) -> View:
        if asked not in self._views:
            self._views[asked] = self._reading.view(asked, strangers=True)
        return self._views[asked]


def _asked(candidate: Candidate | None) -> Candidate | None:
    return candidate if candidate is not None and candidate.in_roster else None
