"""How words and sentence are weighed against one another, and the files this is kept in.

Beside the classifier of words, a model may have a directory `encoder` with the network
(`encoder.onnx`), its `tokenizer.json` and a `meta.json` of its own: thresholds of the two
together, their weights, and the checksums of all three files it belongs to.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from bot.classifier.encoder import SentenceEncoder
from bot.classifier.estimator import HEADS
from bot.classifier.storage import (
    CLASSIFIER_FILE,
    FORMAT,
    META_FILE,
    REMEDY,
    Meta,
    digest,
    read_meta,
)
from bot.errors import UserError

ENCODER_DIRECTORY: Final = "encoder"
NETWORK_FILE: Final = "encoder.onnx"
TOKENIZER_FILE: Final = "tokenizer.json"

Weights = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Blend:
    """A sentence encoder and, by head, what its log-odds weigh beside those of the words.

    `weights` are (words, sentence, intercept) of a logistic regression that was fitted on
    messages neither had seen; `meta` has the version and thresholds of the whole.
    """

    encoder: SentenceEncoder
    weights: Mapping[str, Weights]
    meta: Meta

    def together(
        self, words: Mapping[str, float], sentence: Mapping[str, float]
    ) -> dict[str, float]:
        """The calibrated log-odds of each head."""
        return {h: a * words[h] + b * sentence[h] + c for h, (a, b, c) in self.weights.items()}


def save_blend(directory: Path, weights: Mapping[str, Weights], meta: Meta) -> None:
    """Write the encoder's `meta.json`, and note in the model's that an encoder belongs to it.

    Network and tokenizer are there already.
    """
    folder = directory / ENCODER_DIRECTORY
    described = {
        **asdict(meta),
        "sha256": digest(folder / NETWORK_FILE),
        "tokenizer_sha256": digest(folder / TOKENIZER_FILE),
        "classifier_sha256": digest(directory / CLASSIFIER_FILE),
        "weights": {head: list(values) for head, values in weights.items()},
    }
    del described["encoder"]
    _write(folder / META_FILE, described)
    _write(directory / META_FILE, asdict(replace(read_meta(directory), encoder=True)))


def _write(path: Path, described: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(described, indent=2) + "\n", encoding="utf-8")


def load_blend(directory: Path) -> Blend | None:
    """The encoder of a model directory and how it is weighed; None for a model of words alone.

    Raises:
        UserError: A file is missing, damaged, of another format or of another model; or
            the whole encoder of a model that has one.
    """
    folder = directory / ENCODER_DIRECTORY
    if not folder.is_dir():
        if read_meta(directory).encoder:
            raise UserError(
                f"The model's sentence encoder {folder} is missing. Put it back (git checkout "
                "models/hostility), or do without it: fast = true under [model] in "
                "config/fanguard.toml; the model then finds much less."
            )
        return None
    found = _read(folder / META_FILE)
    try:
        if found.pop("format") != FORMAT:
            raise UserError(f"{folder} has another format than this Fanguard reads. {REMEDY}")
        weights = {h: (float(a), float(b), float(c)) for h, (a, b, c) in found["weights"].items()}
        parts = {
            folder / NETWORK_FILE: found["sha256"],
            folder / TOKENIZER_FILE: found["tokenizer_sha256"],
            directory / CLASSIFIER_FILE: found["classifier_sha256"],
        }
        of_meta = {k: v for k, v in found.items() if k in Meta.__dataclass_fields__}
        meta = Meta.of(of_meta, folder / META_FILE)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UserError(f"{folder / META_FILE} is damaged. {REMEDY}") from error
    if set(weights) != set(HEADS):
        raise UserError(f"{folder / META_FILE} is damaged. {REMEDY}")
    for path, expected in parts.items():
        if not path.is_file() or digest(path) != expected:
            raise UserError(
                f"{path} is missing, damaged or not the one that {folder} was made for. {REMEDY}"
            )
    try:
        encoder = SentenceEncoder(folder / NETWORK_FILE, folder / TOKENIZER_FILE)
    except Exception as error:  # onnxruntime and tokenizers raise whatever they like
        raise UserError(f"{folder} is damaged ({type(error).__name__}). {REMEDY}") from error
    return Blend(encoder, weights, meta)


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UserError(f"{path} is missing or damaged. {REMEDY}") from error
    if not isinstance(found, dict):
        raise UserError(f"{path} is damaged. {REMEDY}")
    return found
