"""What a stand-in for the model knows of its own scores."""

from __future__ import annotations

from math import sqrt


class SquareScale:
    """`most` of the ordinary messages score above 0, fewer and fewer further up."""

    version = "words-1"
    threshold = 0.5
    most: float | None = 0.08

    def share_queued(self, threshold: float) -> float | None:
        return None if self.most is None else self.most * (1 - threshold) ** 2

    def threshold_for(self, share: float) -> float:
        return self.threshold if self.most is None else round(1 - sqrt(share / self.most), 4)
