"""What a moderator can install today, for comparison: word lists and a small toxicity model."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

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
