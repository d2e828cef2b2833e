from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.pipeline import FeatureUnion

from bot.classifier import HostilityModel
from bot.classifier.estimator import LABELS, HostilityClassifier
from bot.classifier.features import SpanVectorizer
from bot.classifier.storage import Meta

SHIPPED = Path(__file__).resolve().parents[2] / "models" / "hostility"

INSULTS = ("an idiot", "a clown", "pathetic", "a disgrace", "trash")
PRAISE = ("a star", "a treasure", "wonderful", "so kind", "talented")


@pytest.fixture(scope="session")
def model() -> HostilityModel:
    """The model that is shipped."""
    return HostilityModel.load(SHIPPED)


@pytest.fixture(scope="session")
def small_classifier() -> HostilityClassifier:
    """A classifier fitted on a handful of sentences."""
    views, labels = [], []
    for word in INSULTS:
        views += [
            f"TARGET is {word}",
            f"you are {word} MEMBER",
            f"TARGET is {word}, put PERSON down",
        ]
        labels += [(1, 1, 0, 1, 0, 0, 0, 0), (0, 0, -1, 1, 1, 0, 0, 0), (1, 1, 1, 1, 0, 0, 0, 0)]
    for word in PRAISE:
        views += [
            f"TARGET is {word}",
            f"this song is {word}",
            f"i am {word}",
            f"they are all {word}",
        ]
        labels += [
            (0, 0, -1, 0, -1, 0, 0, 0),
            (0, 0, -1, 0, -1, 0, 1, 0),
            (0, 0, -1, 0, -1, 0, 0, 1),
            (0, 0, -1, 0, -1, 1, 0, 0),
        ]
    features = FeatureUnion(
        [
            ("words", SpanVectorizer("word", 1, 2, min_df=1)),
            ("characters", SpanVectorizer("char", 2, 4, min_df=1)),
            ("stance", SpanVectorizer("stance", min_df=1)),
        ]
    )
    return HostilityClassifier(features, max_features=400).fit(
        views, np.array(labels, dtype=LABELS)
    )


@pytest.fixture
def small_meta() -> Meta:
    return Meta("test-1", 0.5, 0.5, 0.5, 0.5)
