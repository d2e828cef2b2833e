"""The model's files: what is refused, and what the user is told to do."""

from __future__ import annotations

import copy
import json
import pickle
import shutil
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import FeatureUnion
from skops.io import dump

from bot.classifier import HostilityModel
from bot.classifier.blend import (
    ENCODER_DIRECTORY,
    NETWORK_FILE,
    TOKENIZER_FILE,
    load_blend,
    save_blend,
)
from bot.classifier.estimator import HEADS, HostilityClassifier
from bot.classifier.storage import CLASSIFIER_FILE, META_FILE, Meta, load_model, save_model
from bot.errors import UserError
from tests.classifier.conftest import SHIPPED


@pytest.fixture
def stored(tmp_path: Path, small_classifier: HostilityClassifier, small_meta: Meta) -> Path:
    save_model(tmp_path / "model", small_classifier, small_meta)
    return tmp_path / "model"


def describe(directory: Path, **changes: object) -> None:
    meta = json.loads((directory / META_FILE).read_text())
    meta["sha256"] = sha256((directory / CLASSIFIER_FILE).read_bytes()).hexdigest()
    (directory / META_FILE).write_text(json.dumps({**meta, **changes}))


def test_what_is_stored_answers_as_before(
    stored: Path, small_classifier: HostilityClassifier
) -> None:
    views = ["TARGET is an idiot", "TARGET is a star", "", "nothing known"]
    read_back, meta = load_model(stored)
    assert meta.version == "test-1"
    expected, answers = small_classifier.logits(views), read_back.logits(views)
    for head, values in expected.items():
        np.testing.assert_array_equal(answers[head], values)


def test_storing_the_same_model_twice_gives_the_same_meta(
    stored: Path, tmp_path: Path, small_classifier: HostilityClassifier, small_meta: Meta
) -> None:
    first = {k: v for k, v in json.loads((stored / META_FILE).read_text()).items() if k != "sha256"}
    save_model(tmp_path / "again", small_classifier, small_meta)
    second = json.loads((tmp_path / "again" / META_FILE).read_text())
    assert first.items() <= second.items()


def test_a_missing_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no model in .*nowhere.*git checkout"):
        load_model(tmp_path / "nowhere")


def test_a_missing_classifier_file_is_refused(stored: Path) -> None:
    (stored / CLASSIFIER_FILE).unlink()
    with pytest.raises(UserError, match=r"is missing.*Put back"):
        load_model(stored)


@pytest.mark.parametrize("keep", [0, 100, -1])
def test_a_damaged_classifier_file_is_refused(stored: Path, keep: int) -> None:
    path = stored / CLASSIFIER_FILE
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(UserError, match=r"damaged.*checksum.*Put back"):
        load_model(stored)


def test_damage_under_a_right_checksum_is_refused(stored: Path) -> None:
    (stored / CLASSIFIER_FILE).write_bytes(b"PK\x03\x04 not a zip at all")
    describe(stored)
    with pytest.raises(UserError, match=r"damaged.*Put back"):
        load_model(stored)


@pytest.mark.parametrize(
    "content", ["", "{", "[]", "{}", '{"format": 1}', '{"format": 1, "more": 2}']
)
def test_damaged_meta_is_refused(stored: Path, content: str) -> None:
    (stored / META_FILE).write_text(content)
    with pytest.raises(UserError, match=r"meta\.json is damaged.*Put back"):
        load_model(stored)


@pytest.mark.parametrize("threshold", [-0.1, 1.5, float("nan"), "high", "0.5", True, None])
def test_a_threshold_that_is_no_probability_is_refused(stored: Path, threshold: object) -> None:
    describe(stored, threshold=threshold)
    with pytest.raises(UserError, match="damaged"):
        load_model(stored)


@pytest.mark.parametrize("change", [{"version": 5}, {"sha256": None}, {"encoder": "yes"}])
def test_other_wrong_types_in_meta_are_refused(stored: Path, change: dict[str, object]) -> None:
    describe(stored, **change)
    with pytest.raises(UserError, match=r"meta\.json is damaged.*Put back"):
        load_model(stored)


def test_a_file_from_before_encoders_were_noted_is_read(stored: Path) -> None:
    meta = json.loads((stored / META_FILE).read_text())
    del meta["encoder"]
    (stored / META_FILE).write_text(json.dumps(meta))
    assert load_model(stored)[1].encoder is False
    assert load_blend(stored) is None


def test_a_model_whose_encoder_is_missing_is_refused_unless_fast(stored: Path) -> None:
    assert HostilityModel.load(stored).version == "test-1"
    describe(stored, encoder=True)
    with pytest.raises(UserError, match=r"encoder .*encoder is missing\. Put it back.*fast = true"):
        HostilityModel.load(stored)
    assert HostilityModel.load(stored, fast=True).version == "test-1"


def test_storing_an_encoder_notes_that_it_belongs_to_the_model(
    stored: Path, small_meta: Meta
) -> None:
    folder = stored / ENCODER_DIRECTORY
    folder.mkdir()
    for name in (NETWORK_FILE, TOKENIZER_FILE):
        (folder / name).write_bytes(b"stands for the real one")
    save_blend(stored, dict.fromkeys(HEADS, (0.5, 0.5, 0.0)), small_meta)
    assert load_model(stored)[1].encoder is True
    assert "encoder" not in json.loads((folder / META_FILE).read_text())
    shutil.rmtree(folder)
    with pytest.raises(UserError, match="is missing"):
        load_blend(stored)


@pytest.mark.parametrize(
    "change", [{"threshold": "0.5"}, {"member_threshold": True}, {"version": None}]
)
def test_wrong_types_in_the_encoders_meta_are_refused(
    stored: Path, small_meta: Meta, change: dict[str, object]
) -> None:
    folder = stored / ENCODER_DIRECTORY
    folder.mkdir()
    for name in (NETWORK_FILE, TOKENIZER_FILE):
        (folder / name).write_bytes(b"stands for the real one")
    save_blend(stored, dict.fromkeys(HEADS, (0.5, 0.5, 0.0)), small_meta)
    meta = json.loads((folder / META_FILE).read_text())
    (folder / META_FILE).write_text(json.dumps({**meta, **change}))
    with pytest.raises(UserError, match=r"encoder.meta\.json is damaged.*Put back"):
        load_blend(stored)


def test_a_classifier_that_was_not_fitted_is_refused(
    stored: Path, small_classifier: HostilityClassifier
) -> None:
    half_fitted = copy.deepcopy(small_classifier)
    del half_fitted.heads_["member"]
    unfitted_features = copy.deepcopy(small_classifier)
    unfitted_features.features = clone(small_classifier.features)
    for wrong in (clone(small_classifier), half_fitted, unfitted_features):
        dump(wrong, stored / CLASSIFIER_FILE)
        describe(stored)
        with pytest.raises(UserError, match=r"not fitted, or not wholly.*Put back"):
            load_model(stored)


@pytest.mark.parametrize("number", [0, 2, "1"])
def test_another_format_version_is_refused(stored: Path, number: object) -> None:
    describe(stored, format=number)
    with pytest.raises(UserError, match=r"has format .* and this Fanguard reads format 1\. Update"):
        load_model(stored)


class Untrusted:
    """A type that no model of ours holds."""

    def __init__(self) -> None:
        self.value = 1


def test_an_untrusted_type_is_refused_before_it_is_built(
    stored: Path, small_classifier: HostilityClassifier
) -> None:
    small_classifier.extra_ = Untrusted()
    try:
        dump(small_classifier, stored / CLASSIFIER_FILE)
    finally:
        del small_classifier.extra_
    describe(stored)
    with pytest.raises(UserError, match=r"does not trust \(.*Untrusted\).*not opened"):
        load_model(stored)


def test_a_trusted_type_that_is_no_model_is_refused(stored: Path) -> None:
    dump(FeatureUnion([]), stored / CLASSIFIER_FILE)
    describe(stored)
    with pytest.raises(UserError, match="holds a FeatureUnion"):
        load_model(stored)


def test_a_pickle_is_refused(stored: Path) -> None:
    (stored / CLASSIFIER_FILE).write_bytes(pickle.dumps({"a": 1}))
    describe(stored)
    with pytest.raises(UserError, match="damaged"):
        load_model(stored)


def test_the_shipped_model_is_whole(model: HostilityModel) -> None:
    assert 0 < model.threshold < 1
    assert 0 < model.member_threshold < 1
    assert model.version
    assert load_model(SHIPPED)[1].encoder is (SHIPPED / ENCODER_DIRECTORY).is_dir()
