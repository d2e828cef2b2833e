"""The sentence encoder beside the words: equal answers, names without weight, whole files."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from bot.classifier.blend import load_blend
from bot.classifier.model import HostilityModel
from bot.comment import Person
from bot.errors import UserError
from bot.settings import PROJECT_DIR

SHIPPED = PROJECT_DIR / "models" / "hostility"


@pytest.fixture(scope="module")
def full() -> HostilityModel:
    return HostilityModel.load(SHIPPED)


@pytest.fixture(scope="module")
def fast() -> HostilityModel:
    return HostilityModel.load(SHIPPED, fast=True)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(SHIPPED, tmp_path / "model")
    return tmp_path / "model"


def test_mockery_in_plain_words_is_what_the_encoder_is_for(
    full: HostilityModel, fast: HostilityModel
) -> None:
    people = (Person("Odalys Ferrant", ("Oda",)),)
    text = "somebody tell oda the grown-ups are talking and she can go back to her colouring book"
    assert full.assess(text, people=people).score > fast.assess(text, people=people).score
    assert full.assess(text, people=people).flagged


def test_the_same_text_alone_and_in_company(full: HostilityModel) -> None:
    texts = ["what a class act", "she is a vile excuse for a person", "ok", "he was rude " * 30]
    alone = [full.assess(text) for text in texts]
    for _ in range(2):
        assert [full.assess(text) for text in reversed(texts)] == alone[::-1]


@pytest.mark.parametrize("name", ["Bo", "Zuzanna Kowalczyk-Ito", "D'Angelo Mbeki", "grace"])
def test_a_roster_name_moves_no_score(full: HostilityModel, name: str) -> None:
    template = "{} is such a fake, i can't look at {} without laughing"
    usual = full.assess(template.format("Maren", "Maren"), people=(Person("Maren"),))
    other = full.assess(template.format(name, name), people=(Person(name, (name,)),))
    assert (other.score, other.flagged) == (usual.score, usual.flagged)


def test_of_two_people_the_one_attacked_is_named(full: HostilityModel) -> None:
    people = (Person("Tove Brandt", ("Tove",)), Person("Ruben Achterberg", ("Ruben",)))
    found = full.assess("Ruben deserves better than a leech like Tove", people=people)
    assert found.target == "Tove Brandt"
    assert [p.flagged for p in found.people] == [True, False]


def test_padding_does_not_hide(full: HostilityModel) -> None:
    attack = "Maren is a talentless pig and nobody will miss her."
    padding = "We queued from six in the morning and the weather was lovely. " * 55
    assert full.assess(attack).flagged
    assert full.assess(padding + attack).flagged
    assert full.assess(attack + " " + padding).flagged


def test_taking_the_telling_words_out_lets_it_pass(full: HostilityModel) -> None:
    text = "nobody will miss that talentless cow Maren"
    found = full.assess(text)
    rest = text
    for why in sorted(found.why, key=lambda w: -w.start):
        assert text[why.start : why.end] == why.text
        rest = rest[: why.start] + rest[why.end :]
    assert found.flagged
    assert not full.assess(rest).flagged


@pytest.mark.parametrize("file", ["encoder.onnx", "tokenizer.json"])
def test_a_damaged_file_is_refused(copy: Path, file: str) -> None:
    path = copy / "encoder" / file
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(UserError, match="damaged"):
        HostilityModel.load(copy)
    HostilityModel.load(copy, fast=True)


def test_an_encoder_of_another_classifier_is_refused(copy: Path) -> None:
    meta = copy / "encoder" / "meta.json"
    found = json.loads(meta.read_text(encoding="utf-8"))
    meta.write_text(json.dumps({**found, "classifier_sha256": "0" * 64}), encoding="utf-8")
    with pytest.raises(UserError, match="was made for"):
        HostilityModel.load(copy)


@pytest.mark.parametrize(
    "change",
    [{"format": 99}, {"weights": {}}, {"weights": 3}, {"threshold": None, "sha256": 1}],
)
def test_wrong_particulars_are_refused(copy: Path, change: dict[str, object]) -> None:
    meta = copy / "encoder" / "meta.json"
    found = json.loads(meta.read_text(encoding="utf-8"))
    meta.write_text(json.dumps({**found, **change}), encoding="utf-8")
    with pytest.raises(UserError):
        HostilityModel.load(copy)


def test_a_model_without_an_encoder_is_one_of_words(copy: Path) -> None:
    shutil.rmtree(copy / "encoder")
    meta = json.loads((copy / "meta.json").read_text(encoding="utf-8"))
    (copy / "meta.json").write_text(json.dumps({**meta, "encoder": False}), encoding="utf-8")
    assert load_blend(copy) is None
    assert HostilityModel.load(copy).version == HostilityModel.load(copy, fast=True).version
