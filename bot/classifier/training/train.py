"""Make a model: read the data, fit, calibrate, choose the thresholds, store."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.special import logit
from sklearn.pipeline import FeatureUnion

from bot.classifier.estimator import Floats, HostilityClassifier, member_probability
from bot.classifier.features import SpanVectorizer
from bot.classifier.lexicon import words
from bot.classifier.storage import Meta, save_model
from bot.classifier.training.calibrate import fit_calibration, natural_weights, threshold_for
from bot.classifier.training.corpora import Message, load_messages, unlabelled_texts
from bot.classifier.training.crossval import OutOfFold, by_message, is_hostile, out_of_fold
from bot.classifier.training.names import name_like
from bot.classifier.training.rows import Table, make_table
from bot.comment import Level, TargetType

SEED = 20261
VERSION = "2026.12-linear"
FALSE_ALARMS = 0.02
MEMBER_FALSE_ALARMS = 0.002


@dataclass(frozen=True, slots=True)
class Prepared:
    """The data in the form in which a model is fitted and measured."""

    table: Table
    classifier: HostilityClassifier
    scores: OutOfFold


def new_classifier() -> HostilityClassifier:
    """The estimator, not yet fitted."""
    features = FeatureUnion(
        [
            ("words", SpanVectorizer("word", 1, 2, min_df=3)),
            ("characters", SpanVectorizer("char", 2, 5, min_df=5)),
            ("stance", SpanVectorizer("stance", min_df=3, weight=0.5)),
        ]
    )
    return HostilityClassifier(features, power=0.6)


def prepare(data: Path, own: Path, progress: Callable[[str], None]) -> Prepared:
    """Read the data, fit the model and score every message out of fold.

    Raises:
        UserError: A file of `data` or `own` is missing or unreadable.
    """
    progress("reading the labelled messages")
    messages = load_messages(data, own)
    real = [m.text for m in messages if m.part == "real"]
    names = name_like([*unlabelled_texts(data), *real])
    progress(f"finding the people in {len(messages):,} messages")
    table = make_table(messages, names | words("identity"))
    progress(f"taking the features of {len(table.views):,} views")
    classifier = new_classifier()
    rows = classifier.features.fit_transform(table.views).tocsr()
    scores = out_of_fold(classifier, rows, table, seed=SEED, progress=progress)
    progress("fitting the model")
    classifier.fit_rows(rows, table.labels, table.weight, table.message)
    return Prepared(table, classifier, scores)


def train(data: Path, own: Path, out: Path, progress: Callable[[str], None]) -> Meta:
    """Train a model from the files of `data` and `own` and store it in `out`."""
    prepared = prepare(data, own, progress)
    meta = calibrated(prepared)
    progress(f"storing the model in {out}")
    save_model(out, prepared.classifier, meta)
    return meta


def calibrated(prepared: Prepared) -> Meta:
    """Set the classifier's calibration and choose its thresholds, on out-of-fold scores."""
    table, scores = prepared.table, prepared.scores.scores
    messages = table.messages
    raw = by_message(table, scores["hostile"])
    weights = natural_weights(messages, raw)
    hostile = np.array([is_hostile(m) for m in messages])
    calibration = {"hostile": fit_calibration(raw, hostile, weights)}
    hostile_odds = calibration["hostile"] @ np.vstack([raw, np.ones_like(raw)])

    whole = table.whole & (table.labels["group"] >= 0)
    of_whole = table.message[whole]
    for name in ("insult", "group", "object", "self"):
        labels = table.labels[name][whole] == 1
        calibration[name] = fit_calibration(scores[name][whole], labels, weights[of_whole])
    insults = whole & (table.labels["member"] >= 0)
    calibration["member"] = fit_calibration(
        scores["member"][insults],
        table.labels["member"][insults] == 1,
        weights[table.message[insults]],
    )
    members = member_scores(prepared.scores, calibration)[whole]

    for name in ("attitude", "abusive"):
        known = table.scored & (table.labels[name] >= 0) & (prepared.scores.fold >= 0)
        calibration[name] = fit_calibration(
            scores[name][known], table.labels[name][known] == 1, table.weight[known]
        )
    prepared.classifier.calibrate(calibration)
    real = np.array([m.part == "real" for m in messages])
    return Meta(
        version=VERSION,
        threshold=round(
            threshold_for(hostile_odds, real & ~hostile & _clear(messages), weights, FALSE_ALARMS),
            4,
        ),
        member_threshold=round(
            threshold_for(
                logit(members),
                (table.labels["member"][whole] != 1) & real[of_whole],
                weights[of_whole],
                MEMBER_FALSE_ALARMS,
            ),
            4,
        ),
        critical_threshold=0.5,
        abusive_threshold=0.5,
    )


def member_scores(scores: OutOfFold, calibration: Mapping[str, Floats]) -> Floats:
    """The calibrated probability of hostility at a member, of each row."""
    insult, member = (
        calibration[name][0] * scores.scores[name] + calibration[name][1]
        for name in ("insult", "member")
    )
    return member_probability(insult, member)


def _clear(messages: Sequence[Message]) -> np.ndarray:
    """Messages that are not hostile at a group, which may be a band or a cast."""
    return np.array(
        [not (m.level >= Level.HOSTILE and m.target_type is TargetType.GROUP) for m in messages]
    )
