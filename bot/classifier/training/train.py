"""Make a model: read the data, fit, calibrate, choose the thresholds, store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.pipeline import FeatureUnion

from bot.classifier.blend import ENCODER_DIRECTORY, save_blend
from bot.classifier.estimator import HostilityClassifier
from bot.classifier.features import SpanVectorizer
from bot.classifier.lexicon import words
from bot.classifier.model import HostilityModel
from bot.classifier.shares import measure_shares
from bot.classifier.storage import Meta, save_model
from bot.classifier.training.blending import hold, weigh
from bot.classifier.training.calibrate import fit_calibration, natural_weights, threshold_for
from bot.classifier.training.corpora import load_messages, unlabelled_texts
from bot.classifier.training.crossval import (
    OutOfFold,
    by_message,
    is_clear,
    is_hostile,
    out_of_fold,
)
from bot.classifier.training.names import name_like
from bot.classifier.training.rows import Table, make_table
from bot.errors import UserError

SEED = 20261
VERSION = "2026.12-linear"
FALSE_ALARMS = 0.02
MEMBER_FALSE_ALARMS = 0.003


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


def train(
    data: Path, own: Path, out: Path, progress: Callable[[str], None], *, encoder: bool = False
) -> Meta:
    """Train a model from the files of `data` and `own` and store it in `out`.

    With `encoder` its sentence encoder is trained too, the model that is in `out`, if any,
    its teacher on unlabelled comments; otherwise an encoder that is there is kept, and
    weighed anew.

    Raises:
        UserError: A file is missing or unreadable, or the `train` extra is not installed.
    """
    prepared = prepare(data, own, progress)
    meta = calibrated(prepared)
    folder = out / ENCODER_DIRECTORY
    if encoder:
        try:
            from bot.classifier.training.finetune import finetune  # noqa: PLC0415
            from bot.classifier.training.pretrain import pretrain  # noqa: PLC0415
        except ImportError as error:
            raise UserError(
                "Training the encoder needs more packages: pip install 'fanguard[train]'."
            ) from error
        earlier = HostilityModel.load(out) if folder.is_dir() else None
        with TemporaryDirectory() as scratch:
            warm = pretrain(data, Path(scratch), progress, earlier)
            finetune(prepared.table.messages, folder, progress, warm)
    progress(f"storing the model in {out}")
    save_model(out, prepared.classifier, meta)
    if folder.is_dir():
        progress("weighing the encoder against the words")
        held = hold(prepared.table, calibrated_rows(prepared), folder)
        weights, meta = weigh(held, prepared.table, meta)
        save_blend(out, weights, meta)
    return meta


def calibrated_rows(prepared: Prepared) -> dict[str, NDArray[np.float64]]:
    """The out-of-fold log-odds of every row by head, as the calibrated classifier gives them."""
    calibration = prepared.classifier.calibration_
    return {
        head: calibration[head][0] * scores + calibration[head][1]
        for head, scores in prepared.scores.scores.items()
    }


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
    member = table.labels["member"][whole] == 1
    for name in ("member", "group", "object", "self"):
        labels = table.labels[name][whole] == 1
        calibration[name] = fit_calibration(scores[name][whole], labels, weights[of_whole])
    member_odds = calibration["member"][0] * scores["member"][whole] + calibration["member"][1]

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
            threshold_for(
                hostile_odds,
                real & ~hostile & np.array([is_clear(m) for m in messages]),
                weights,
                FALSE_ALARMS,
            ),
            4,
        ),
        member_threshold=round(
            threshold_for(
                member_odds, ~member & real[of_whole], weights[of_whole], MEMBER_FALSE_ALARMS
            ),
            4,
        ),
        critical_threshold=0.5,
        abusive_threshold=0.5,
        shares=measure_shares(expit(hostile_odds[real]), weights[real]),
    )
