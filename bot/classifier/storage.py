"""The model's files: `classifier.skops` and `meta.json` beside it.

The estimator is stored with skops and read back with a fixed list of types, never with
pickle. `meta.json` says what the file is, and its SHA-256, before anything is opened.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Self

from skops.io import dump, get_untrusted_types, load

from bot.classifier.estimator import HostilityClassifier
from bot.classifier.shares import Shares, is_shares
from bot.errors import UserError

FORMAT: Final = 1
"""Raised whenever an older program could not read a newer model, or the other way round."""

CLASSIFIER_FILE: Final = "classifier.skops"
META_FILE: Final = "meta.json"

REMEDY: Final = (
    "Put back the files that came with Fanguard (git checkout models/hostility), or point "
    "`model.path` in config/fanguard.toml at a whole model directory."
)

TRUSTED: Final = (
    "bot.classifier.estimator.HostilityClassifier",
    "bot.classifier.estimator.NaiveBayesLogisticRegression",
    "bot.classifier.features.SpanVectorizer",
    "sklearn.pipeline.FeatureUnion",
)
"""The types a model may hold beside the plain arrays skops knows."""


@dataclass(frozen=True, slots=True)
class Meta:
    """What is known of a model without opening it.

    Thresholds are probabilities; `level_thresholds` are those at which an unflagged
    message is level 1 and a flagged one level 3; `aim_threshold` is that at which what is
    said counts as aimed at a group, an object or the writer.

    `encoder` says that a sentence encoder belongs to the model; older files do not say.
    `shares` is what thresholds queue, for guilds that have set their own.
    """

    version: str
    threshold: float
    member_threshold: float
    critical_threshold: float
    abusive_threshold: float
    aim_threshold: float = 0.5
    sha256: str = ""
    format: int = FORMAT
    encoder: bool = False
    shares: Shares = ()

    @classmethod
    def of(cls, found: Mapping[str, Any], path: Path) -> Self:
        """Make it from what the file at `path` holds.

        Raises:
            UserError: A field is missing, unknown or of the wrong type.
        """
        try:
            meta = cls(**found)
        except TypeError as error:
            raise UserError(f"{path} is damaged. {REMEDY}") from error
        values = asdict(meta)
        kinds = {"version": str, "sha256": str, "encoder": bool}
        thresholds = [value for name, value in values.items() if name.endswith("threshold")]
        if not all(type(values[name]) is kind for name, kind in kinds.items()):
            raise UserError(f"{path} is damaged. {REMEDY}")
        if not all(type(each) in {int, float} and 0.0 <= each <= 1.0 for each in thresholds):
            raise UserError(f"{path} is damaged: a threshold is no probability. {REMEDY}")
        if not is_shares(meta.shares):
            raise UserError(f"{path} is damaged: its shares are none. {REMEDY}")
        return replace(meta, shares=tuple((float(a), float(b)) for a, b in meta.shares))


def save_model(directory: Path, classifier: HostilityClassifier, meta: Meta) -> None:
    """Write both files; the classifier first, so that `meta.json` never promises too much."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / CLASSIFIER_FILE
    partial = path.with_suffix(".partial")
    dump(classifier, partial, compression=8, compresslevel=9)
    partial.replace(path)
    described = {**asdict(meta), "sha256": digest(path)}
    (directory / META_FILE).write_text(json.dumps(described, indent=2) + "\n", encoding="utf-8")


def load_model(directory: Path) -> tuple[HostilityClassifier, Meta]:
    """Read a model back.

    Raises:
        UserError: It is missing, damaged, of another format or holds an untrusted type.
    """
    meta = read_meta(directory)
    path = directory / CLASSIFIER_FILE
    if not path.is_file():
        raise UserError(f"The model file {path} is missing. {REMEDY}")
    if digest(path) != meta.sha256:
        raise UserError(
            f"The model file {path} is damaged: its checksum is not the one in {META_FILE}. "
            f"{REMEDY}"
        )
    return _open(path), meta


def read_meta(directory: Path) -> Meta:
    """What `meta.json` says of the model in a directory.

    Raises:
        UserError: It is missing, damaged or of another format.
    """
    path = directory / META_FILE
    if not path.is_file():
        raise UserError(f"There is no model in {directory}: {META_FILE} is missing. {REMEDY}")
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        stored = found["format"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{path} is damaged. {REMEDY}") from error
    if stored != FORMAT:
        raise UserError(
            f"The model in {directory} has format {stored}, and this Fanguard reads format "
            f"{FORMAT}. Update Fanguard and its model together. {REMEDY}"
        )
    return Meta.of(found, path)


def _open(path: Path) -> HostilityClassifier:
    try:
        unknown = sorted(set(get_untrusted_types(file=path)) - set(TRUSTED))
        classifier = None if unknown else load(path, trusted=list(TRUSTED))
    except Exception as error:  # skops raises whatever its readers do
        raise UserError(
            f"The model file {path} is damaged ({type(error).__name__}). {REMEDY}"
        ) from error
    if unknown:
        raise UserError(
            f"The model file {path} holds types that Fanguard does not trust "
            f"({', '.join(unknown[:3])}) and was not opened. Use only models from a source "
            f"you trust. {REMEDY}"
        )
    if not isinstance(classifier, HostilityClassifier):
        kind = type(classifier).__name__
        raise UserError(
            f"The model file {path} holds a {kind}, not a model of Fanguard's. {REMEDY}"
        )
    try:
        return classifier.prepare()
    except Exception as error:  # whatever comes of parts that are missing or do not fit
        raise UserError(
            f"The model file {path} holds a model that was not fitted, or not wholly. {REMEDY}"
        ) from error


def digest(path: Path) -> str:
    """The SHA-256 of a file, in hex.

    Raises:
        UserError: It cannot be read.
    """
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise UserError(
            f"{path} cannot be read: {error.strerror}. Check its permissions."
        ) from error
