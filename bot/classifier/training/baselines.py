"""What a moderator can install today, for comparison: word lists and a small toxicity model."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from bot.classifier.training.corpora import Message

Floats = NDArray[np.float64]


def baseline_scores(texts: Sequence[str]) -> dict[str, Floats]:
    """The scores of each baseline that is installed."""
    found: dict[str, Floats] = {}
    if find_spec("profanity_check"):
        from profanity_check import predict_prob  # noqa: PLC0415

        found["alt-profanity-check"] = np.asarray(predict_prob(list(texts)), dtype=np.float64)
    if find_spec("vaderSentiment"):
        from vaderSentiment.vaderSentiment import (  # noqa: PLC0415
            SentimentIntensityAnalyzer,
        )

        analyzer = SentimentIntensityAnalyzer()
        found["VADER (negative)"] = np.array([analyzer.polarity_scores(t)["neg"] for t in texts])
    return found


def baselines_by_message(messages: Sequence[Message]) -> dict[str, Floats]:
    """The scores of each baseline for every message that is no training set's; 0 for those."""
    own = np.flatnonzero([m.part != "public" for m in messages])
    found: dict[str, Floats] = {}
    for name, values in baseline_scores([messages[i].text for i in own.tolist()]).items():
        found[name] = np.zeros(len(messages))
        found[name][own] = values
    return found
