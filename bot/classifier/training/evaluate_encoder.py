"""Measure words and sentence together, on the groups the encoder was not trained on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from bot.classifier import HostilityModel
from bot.classifier.blend import NETWORK_FILE, TOKENIZER_FILE, Blend, Weights
from bot.classifier.encoder import SentenceEncoder
from bot.classifier.estimator import HostilityClassifier
from bot.classifier.storage import Meta
from bot.classifier.training.blending import hold, weigh
from bot.classifier.training.corpora import Message
from bot.classifier.training.crossval import HELD_OUT, held_out
from bot.classifier.training.evaluate_people import people_figures
from bot.classifier.training.fairness import added_identity, identity_statements
from bot.classifier.training.scored import Scored
from bot.classifier.training.train import SEED, Prepared, calibrated, calibrated_rows
from bot.comment import Level, TargetType

HARMLESS: Final = 200
"""So many harmless messages are tried with an identity added."""

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


def report_encoder(
    prepared: Prepared,
    folder: Path,
    others: Mapping[str, Floats],
    languages: Sequence[str],
    progress: Callable[[str], None],
) -> tuple[Scored, dict[str, Any]]:
    """The scores of the encoder in `folder` beside the words, and their figures, for JSON.

    The few numbers that weigh the two (three for each head) are fitted on the same
    messages. `others` are scores of other tools, `languages` the languages, by message.
    """
    meta = calibrated(prepared)
    progress("reading the held-out messages with the encoder")
    held = hold(prepared.table, calibrated_rows(prepared), folder)
    weights, meta = weigh(held, prepared.table, meta)
    messages = prepared.table.messages
    both = held.by_message(held.together("hostile", weights["hostile"]), len(messages))
    used = np.isfinite(both)
    scored = Scored(
        messages,
        languages,
        {
            "words": held.by_message(held.words["hostile"], len(messages)),
            "sentence": held.by_message(held.sentences["hostile"], len(messages)),
            "both": both,
            **others,
        },
        np.where(used, expit(np.where(used, both, 0.0)), 0.0),
        meta.threshold,
        used,
    )
    progress("resampling")
    figures = scored.figures(SEED)
    progress("fitting the words without the held-out messages")
    model = unseeing_model(prepared, folder, weights, meta)
    progress("asking who is attacked")
    people = people_figures(model, [m for m, u in zip(messages, used, strict=True) if u])
    progress("adding identities to harmless messages")
    return scored, {
        "model": meta.version,
        "method": (
            f"one group in {HELD_OUT} held out of the encoder's training, out of fold for the words"
        ),
        **figures,
        "people": people,
        "added_identity": added_identity(model, harmless(scored)),
        "identity_statements": identity_statements(model),
    }


def unseeing_model(
    prepared: Prepared, folder: Path, weights: Mapping[str, Weights], meta: Meta
) -> HostilityModel:
    """The model that ships, but its words, like its encoder, not fitted on held-out messages."""
    table, full = prepared.table, prepared.classifier
    seen = np.flatnonzero([not held_out(table.messages[i]) for i in table.message.tolist()])
    rows = full.features.transform([table.views[i] for i in seen.tolist()]).tocsr()
    classifier = HostilityClassifier(**full.get_params(deep=False)).fit_heads(
        rows, table.labels[seen], table.weight[seen], table.message[seen]
    )
    classifier.calibrate(full.calibration_)
    encoder = SentenceEncoder(folder / NETWORK_FILE, folder / TOKENIZER_FILE)
    return HostilityModel(classifier, meta, Blend(encoder, weights, meta))


def harmless(scored: Scored) -> list[Message]:
    """Some messages of level 0 that score below half the threshold, evenly drawn."""
    fine = [
        m.level is Level.NONE and m.target_type is not TargetType.MEMBER for m in scored.messages
    ]
    low = scored.probability < scored.threshold / 2
    places = np.flatnonzero(np.array(fine) & low & scored.used)
    step = max(1, len(places) // HARMLESS)
    return [scored.messages[i] for i in places[::step][:HARMLESS].tolist()]
