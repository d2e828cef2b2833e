"""The estimator: features of a view, and linear heads that answer the queue's questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import FeatureUnion
from sklearn.utils.validation import check_is_fitted

Floats = NDArray[np.float64]

UNKNOWN: Final = -1
"""A label that a row does not have."""

HEADS: Final = (
    "hostile",
    "attitude",
    "abusive",
    "insult",
    "member",
    "group",
    "object",
    "self",
)
"""The questions, each answered by yes or no.

Of the person asked about: `hostile` (level 2 or 3), `attitude` (level 1 or more) and
`abusive` (level 3 rather than 2, if hostile). Of the message: `insult` (level 2 or 3 at
anybody), `member` (if so, at a member), and whether what it says is aimed at a `group`, an
`object` or the writer's `self`.
"""

LABELS: Final = np.dtype([(head, "i1") for head in HEADS])
"""The labels of a row: 1, 0, or UNKNOWN where it has none."""


def member_probability(insult: Floats, member: Floats) -> Floats:
    """The probability of level 2 or 3 at a member, from the log-odds of the two heads."""
    probability: Floats = expit(insult) * expit(member)
    return probability


class NaiveBayesLogisticRegression(LogisticRegression):  # type: ignore[misc]
    """Logistic regression whose features are first scaled by their naive Bayes log-odds.

    The scale is folded into `coef_`, so the fitted model is a plain linear one.

    Args:
        smoothing: Pseudo-count of each feature in each class.
        power: Exponent of the scale: 0 is plain logistic regression.
    """

    def __init__(
        self,
        *,
        smoothing: float = 1.0,
        power: float = 1.0,
        C: float = 1.0,  # noqa: N803
        max_iter: int = 300,
        tol: float = 2e-3,
        random_state: int | None = 0,
    ) -> None:
        """Keep the parameters, as scikit-learn expects."""
        super().__init__(
            C=C,
            max_iter=max_iter,
            tol=tol,
            solver="liblinear",
            dual=True,
            random_state=random_state,
        )
        self.smoothing = smoothing
        self.power = power

    def fit(self, X: sp.csr_matrix, y: NDArray[Any], sample_weight: Floats | None = None) -> Self:  # noqa: N803
        """Fit to two classes; `X` holds no negative value."""
        weight = np.ones(len(y)) if sample_weight is None else sample_weight
        last = np.unique(y)[-1]
        positive = np.asarray(X[y == last].T @ weight[y == last]).ravel() + self.smoothing
        negative = np.asarray(X[y != last].T @ weight[y != last]).ravel() + self.smoothing
        ratio = np.abs(np.log(positive / positive.sum()) - np.log(negative / negative.sum()))
        ratio = (ratio**self.power).astype(np.float32)
        mean = ratio.mean()
        scale = ratio / mean if mean > 0 else np.ones_like(ratio)
        super().fit((X @ sp.diags(scale)).tocsr(), y, sample_weight=weight)
        self.coef_: NDArray[np.float32] = (self.coef_ * scale).astype(np.float32)
        return self


class HostilityClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Reads a view and answers each of `HEADS`.

    Args:
        features: What turns views into rows. Further blocks (such as a sentence encoder)
            join the union.
        max_features: Columns kept, by their weight in the `hostile` head.
        C: Inverse strength of the regularisation of the `hostile` head.
        power: See `NaiveBayesLogisticRegression`.
    """

    def __init__(
        self,
        features: FeatureUnion,
        *,
        max_features: int = 120_000,
        C: float = 1.0,  # noqa: N803
        power: float = 1.0,
    ) -> None:
        """Keep the parameters, as scikit-learn expects."""
        self.features = features
        self.max_features = max_features
        self.C = C
        self.power = power

    def fit(
        self,
        X: Sequence[str],  # noqa: N803
        y: NDArray[Any],
        sample_weight: Floats | None = None,
        groups: NDArray[np.intp] | None = None,
    ) -> Self:
        """Fit the features and every head.

        Args:
            X: Views.
            y: Their labels, of dtype `LABELS`.
            sample_weight: A weight for each row.
            groups: The message of each row. Where a hostile message does not say which of
                its people it means (UNKNOWN), the one that scores highest is taken.
        """
        rows = self.features.fit_transform(X)
        return self.fit_rows(rows, y, sample_weight, groups)

    def fit_rows(
        self,
        rows: sp.csr_matrix,
        y: NDArray[Any],
        sample_weight: Floats | None = None,
        groups: NDArray[np.intp] | None = None,
    ) -> Self:
        """Fit every head on rows that the fitted features have made."""
        weight = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, np.float64)
        whose = np.arange(len(y)) if groups is None else groups
        rows = sp.csr_matrix(rows)
        if rows.shape[1] > self.max_features:
            hostile = self._fit_hostile(rows, y["hostile"], weight, whose)
            size = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=0)).ravel())
            strength = np.abs(hostile.coef_[0]) * size
            kept = np.sort(np.argsort(-strength, kind="stable")[: self.max_features])
            self._keep(kept)
            rows = rows[:, kept]
        return self.fit_heads(rows, y, weight, whose)

    def fit_heads(
        self, rows: sp.csr_matrix, y: NDArray[Any], weight: Floats, groups: NDArray[np.intp]
    ) -> Self:
        """Fit every head on all columns of rows that the features have made."""
        hostile = self._fit_hostile(rows, y["hostile"], weight, groups)
        self.heads_ = {"hostile": hostile}
        for name in HEADS[1:]:
            known = y[name] >= 0
            self.heads_[name] = self._head().fit(rows[known], y[name][known], weight[known])
        self.classes_ = np.array([0, 1])
        self.calibration_ = {name: np.array([1.0, 0.0]) for name in HEADS}
        self._stack()
        return self

    def _head(self) -> NaiveBayesLogisticRegression:
        return NaiveBayesLogisticRegression(C=self.C, power=self.power)

    def _fit_hostile(
        self, rows: sp.csr_matrix, labels: NDArray[Any], weight: Floats, groups: NDArray[np.intp]
    ) -> NaiveBayesLogisticRegression:
        known = labels >= 0
        head = self._head().fit(rows[known], labels[known], weight[known])
        unsaid = np.flatnonzero((labels == UNKNOWN) & (weight > 0))
        if not len(unsaid):
            return head
        scores = head.decision_function(rows[unsaid])
        meant: dict[int, tuple[float, int]] = {}
        for row, score in zip(unsaid.tolist(), scores.tolist(), strict=True):
            group = int(groups[row])
            if group not in meant or score > meant[group][0]:
                meant[group] = (score, row)
        labels = labels.copy()
        labels[[row for _, row in meant.values()]] = 1
        known = labels >= 0
        return self._head().fit(rows[known], labels[known], weight[known])

    def _keep(self, columns: NDArray[np.intp]) -> None:
        start = 0
        for _, block in self.features.transformer_list:
            end = start + len(block.idf_)
            inside = columns[(columns >= start) & (columns < end)]
            block.keep(inside - start)
            start = end

    def _stack(self) -> None:
        heads = [self.heads_[name] for name in HEADS]
        slopes, intercepts = np.array([self.calibration_[name] for name in HEADS]).T
        self._coef = np.ascontiguousarray(
            np.vstack([h.coef_[0] for h in heads]).T * slopes, dtype=np.float32
        )
        self._intercept = slopes * np.array([h.intercept_[0] for h in heads]) + intercepts

    def calibrate(self, calibration: Mapping[str, Floats]) -> Self:
        """Set slope and intercept of heads: what turns their raw log-odds into honest ones."""
        self.calibration_.update(calibration)
        self._stack()
        return self

    def __getstate__(self) -> dict[str, Any]:
        """The state without what `prepare` builds again."""
        state: dict[str, Any] = super().__getstate__()
        return {k: v for k, v in state.items() if k not in {"_coef", "_intercept"}}

    def prepare(self) -> Self:
        """Build what is not stored. After it, the estimator is only read."""
        check_is_fitted(self, "heads_")
        self._stack()
        for _, block in self.features.transformer_list:
            block.counts("")
        return self

    def weights(self, head: str) -> NDArray[np.float32]:
        """What each feature adds to the calibrated log-odds of a head."""
        return self._coef[:, HEADS.index(head)]

    def logits(self, X: Sequence[str]) -> dict[str, Floats]:  # noqa: N803
        """The calibrated log-odds of each head.

        Each view is taken by itself, so its answer is the same alone and among others.
        """
        answers = np.empty((len(X), len(HEADS)))
        for number, view in enumerate(X):
            total, first = self._intercept.copy(), 0
            for _, block in self.features.transformer_list:
                columns, values = block.row(view)
                total += values @ self._coef[first + columns]
                first += len(block.idf_)
            answers[number] = total
        return dict(zip(HEADS, answers.T, strict=True))

    def logits_of_rows(self, rows: sp.csr_matrix) -> dict[str, Floats]:
        """As `logits`, of rows that the features have made."""
        answers = np.asarray(sp.csr_matrix(rows) @ self._coef, dtype=np.float64) + self._intercept
        return dict(zip(HEADS, answers.T, strict=True))

    def predict_proba(self, X: Sequence[str]) -> Floats:  # noqa: N803
        """The probability that each view is not hostile, and that it is."""
        hostile = expit(self.logits(X)["hostile"])
        return np.column_stack([1 - hostile, hostile])

    def predict(self, X: Sequence[str]) -> NDArray[np.intp]:  # noqa: N803
        """1 where hostile is likelier than not."""
        return (self.predict_proba(X)[:, 1] >= 0.5).astype(np.intp)  # noqa: PLR2004
