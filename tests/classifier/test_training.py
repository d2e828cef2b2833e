from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from skops.io import load

from bot.classifier import HostilityModel
from bot.classifier.storage import CLASSIFIER_FILE, TRUSTED
from bot.classifier.training.corpora import load_messages, text_id
from bot.classifier.training.crossval import folds_of
from bot.classifier.training.names import hide, name_like
from bot.classifier.training.rows import make_table
from bot.comment import Level, Person, TargetType
from bot.errors import UserError
from tests.cli.conftest import Fanguard, fanguard

__all__ = ["fanguard"]

SHIPPED = Path(__file__).resolve().parents[2] / "models" / "hostility"

PEOPLE = [
    {"name": "Iona Stackpole", "aliases": ["Iona"]},
    {"name": "Reuben Aldous", "aliases": ["Reuben"]},
]
THINGS = ["the finale", "the song", "this show", "that hat", "the script", "the stage"]
INSULTS = ["an idiot", "pathetic", "a clown", "trash", "a disgrace", "vile"]
PRAISE = ["a star", "lovely", "a treasure", "kind", "great", "brave"]


def real_rows() -> list[dict[str, Any]]:
    rows = []
    for number in range(40):
        insult, praise, thing = INSULTS[number % 6], PRAISE[number % 6], THINGS[number % 6]
        for text, level, aim in [
            (f"honestly she is {insult} in week {'i' * number}", 2 + number % 2, "person"),
            (f"you are {insult} and wrong about week {'i' * number}", 2, "member"),
            (f"{thing} was {praise} in week {'i' * number}", 0, "none"),
            (f"{thing} was {insult} in week {'i' * number}", 0, "object"),
            (f"i am {insult} since week {'i' * number}", 0, "self"),
            (f"they are all {insult} since week {'i' * number}", 0, "group"),
            (f"he was rude and late in week {'i' * number}", 1, "person"),
        ]:
            rows.append(
                {
                    "id": text_id(text),
                    "source": "somewhere" if number % 2 else "elsewhere",
                    "text": text,
                    "level": level,
                    "target_type": aim,
                    "sure": bool(number % 3),
                    "stratum": ("random", "mid", "top")[number % 3],
                }
            )
    return rows


def written_rows() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for number in range(24):
        insult, praise = INSULTS[number % 6], PRAISE[number % 6]
        for text, level, target, kind in [
            (f"Iona is {insult}, take {number}", 2 + number % 2, "Iona Stackpole", "insult"),
            (f"Reuben is {praise} but Iona is {insult}, {number}", 2, "Iona Stackpole", "insult"),
            (f"Iona is {praise}, take {number}", 0, None, "praise"),
            (f"Reuben was late again, take {number}", 1, "Reuben Aldous", "critical"),
        ]:
            rows.append(
                {
                    "id": f"t{len(rows)}",
                    "group": f"g{number}",
                    "people": PEOPLE,
                    "context": None,
                    "text": text,
                    "level": level,
                    "target": target,
                    "target_type": "person" if level else "none",
                    "kind": kind,
                    **({"spared": ["Reuben Aldous"]} if "but" in text else {}),
                }
            )
    return rows


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    pd.DataFrame(real_rows()).to_parquet(folder / "fan_comments_labelled.parquet")
    toxic = [
        {"source": "surge_toxicity", "text": f"you {w} number {i}", "offensive": float(i % 2)}
        for i, w in enumerate(INSULTS * 4)
    ]
    other = {"source": "goemotions", "text": "not used", "offensive": None}
    pd.DataFrame([*toxic, other]).to_parquet(folder / "public_labelled.parquet")
    (folder / "fan_corpus.jsonl").write_text("".join(json.dumps(r) + "\n" for r in written_rows()))
    return folder


def test_a_model_is_trained_and_answers(fanguard: Fanguard, data: Path, tmp_path: Path) -> None:
    result = fanguard("train", "--data", str(data), "--out", "made", "--own", "own")
    assert result.code == 0, result.err
    assert "flags from a score of" in result.out
    model = HostilityModel.load(tmp_path / "made")
    people = [Person("Iona Stackpole", ("Iona",))]
    bad, good = (model.assess(f"Iona is {w}", people=people).score for w in ("pathetic", "lovely"))
    assert bad > good


def test_the_same_data_gives_the_same_model(fanguard: Fanguard, data: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert fanguard("train", "--data", str(data), "--out", name, "--own", "own").code == 0
    one, two = (
        load(tmp_path / n / CLASSIFIER_FILE, trusted=list(TRUSTED)).prepare()
        for n in ("one", "two")
    )
    views = ["TARGET is trash", "you are vile", "the song was great"]
    for head, values in one.logits(views).items():
        assert values.tolist() == two.logits(views)[head].tolist()
    metas = [json.loads((tmp_path / n / "meta.json").read_text()) for n in ("one", "two")]
    for meta in metas:
        del meta["sha256"]
    assert metas[0] == metas[1]


def test_evaluate_prints_and_writes_the_figures(
    fanguard: Fanguard, data: Path, tmp_path: Path
) -> None:
    result = fanguard("evaluate", "--data", str(data), "--own", "own", "--out", "figures.json")
    assert result.code == 0, result.err
    assert "average precision" in result.out
    figures = json.loads((tmp_path / "figures.json").read_text())
    scorers = figures["sets"]["real, natural mix"]
    assert {"alt-profanity-check", "VADER (negative)"} <= set(scorers)
    for found in scorers.values():
        low, high = found["average_precision"]["interval"]
        assert 0 <= low <= found["average_precision"]["value"] <= high <= 1
    assert set(figures["auc_by_source"]) == {"somewhere", "elsewhere"}
    assert set(figures["flagged_by_kind"]) == {"insult", "praise", "critical"}
    assert figures["target"]["messages_with_several_people"] > 0


def test_the_encoder_is_measured_beside_the_words_and_other_tools(
    fanguard: Fanguard, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.classifier.training.crossval.HELD_OUT", 2)
    own = tmp_path / "own"
    own.mkdir()
    text = real_rows()[0]["text"]
    (own / "labels.csv").write_text(
        "id,level,target_type,sure,tags,stratum,reader,batch,reading\n"
        f"{text_id(text)},2,person,true,,top,R1,1,1\n"
        f"{text_id(text)},0,none,true,l,top,R2,1,2\n"
    )
    options = ("--own", "own", "--model", str(SHIPPED), "--out", "figures.json", "--plots", "p")
    result = fanguard("evaluate", "--data", str(data), *options)
    assert result.code == 0, result.err
    figures = json.loads((tmp_path / "figures.json").read_text())
    both = figures["with_encoder"]
    for scorers in both["sets"].values():
        assert list(scorers) == [
            "words",
            "sentence",
            "both",
            "alt-profanity-check",
            "VADER (negative)",
        ]
        assert len({s["messages"] for s in scorers.values()}) == 1
    assert both["sets"]["written"]["both"]["messages"] < figures["messages"]["written"]
    assert both["people"]["all"]["messages"] > 0
    assert both["identity_statements"]["statements"] > 50
    assert set(both["added_identity"]) > {"gay", "Muslim", "longtime"}
    assert both["false_alarms_by_dialect"]["all"]["fine"] > 0
    assert figures["agreement"]["all"]["comments"] == 1
    assert sorted(p.name for p in (tmp_path / "p").iterdir()) == [
        "calibration.png",
        "precision_recall.png",
    ]


@pytest.mark.parametrize(
    "name", ["fan_comments_labelled.parquet", "public_labelled.parquet", "fan_corpus.jsonl"]
)
def test_a_missing_file_is_named(fanguard: Fanguard, data: Path, name: str) -> None:
    (data / name).unlink()
    result = fanguard("train", "--data", str(data), "--own", "own")
    assert result.code == 2
    assert name in result.err
    assert "is missing" in result.err
    assert "Traceback" not in result.err


def test_files_of_another_form_are_named(fanguard: Fanguard, data: Path) -> None:
    frame = pd.DataFrame({"text": ["a"]})
    frame.to_parquet(data / "public_labelled.parquet")
    result = fanguard("train", "--data", str(data), "--own", "own")
    assert (result.code, "public_labelled.parquet" in result.err) == (2, True)
    (data / "public_labelled.parquet").write_bytes(b"no table")
    result = fanguard("train", "--data", str(data), "--own", "own")
    assert (result.code, "cannot be read as a table" in result.err) == (2, True)
    with (data / "fan_corpus.jsonl").open("a") as corpus:
        corpus.write('{"id": "x"}\n')
    result = fanguard("train", "--data", str(data), "--own", "own")
    assert (result.code, "fan_corpus.jsonl, line 97" in result.err) == (2, True)
    result = fanguard("train", "--data", str(data / "nowhere"))
    assert (result.code, "is not a directory" in result.err) == (2, True)


def test_own_messages_and_labels_are_taken_in(data: Path, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    rows = written_rows()
    (own / "more.jsonl").write_text(json.dumps({**rows[0], "text": "Iona is a swamp"}) + "\n")
    text = real_rows()[0]["text"]
    (own / "labels.csv").write_text(
        f"id,level,target_type,sure,reader,batch\n{text_id(text)},1,object,false,r1,b1\n"
    )
    messages = load_messages(data, own)
    relabelled = next(m for m in messages if m.text == text)
    assert (relabelled.level, relabelled.target_type) == (Level.CRITICAL, TargetType.OBJECT)
    assert not relabelled.sure
    assert sum(m.text == "Iona is a swamp" for m in messages) == 1
    assert sum(m.part == "written" for m in messages) == len(rows) + 1


def test_a_group_is_never_split(data: Path) -> None:
    messages = load_messages(data)
    folds = folds_of(messages, seed=1)
    where: dict[str, set[int]] = {}
    for message, fold in zip(messages, folds.tolist(), strict=True):
        where.setdefault(message.group, set()).add(fold)
    assert all(len(found) == 1 for found in where.values())
    assert {f for m, f in zip(messages, folds.tolist(), strict=True) if m.part == "public"} == {-1}
    assert set(folds.tolist()) == {-1, 0, 1, 2, 3, 4}


def test_rows_ask_about_each_person(data: Path) -> None:
    messages = [m for m in load_messages(data) if "but Iona" in m.text][:1]
    table = make_table(messages, frozenset())
    hostile = {
        p: int(label) for p, label in zip(table.person, table.labels["hostile"], strict=True) if p
    }
    assert hostile == {"Iona Stackpole": 1, "Reuben Aldous": 0}
    assert table.whole.sum() == 1


def test_names_are_told_from_words_by_their_capitals() -> None:
    texts = [
        "I think Jisoo sang",
        "why is Jisoo here",
        "we love Jisoo",
        "so jisoo did",
        "the Show was bad",
    ] * 3
    found = name_like(texts)
    assert "jisoo" in found
    assert not {"show", "think", "love"} & found
    assert "jisoo" not in hide("so jisoo did", found)


def test_an_unreadable_line_is_named(data: Path) -> None:
    (data / "fan_corpus.jsonl").write_text("{\n")
    with pytest.raises(UserError, match="line 1: not a labelled message"):
        load_messages(data)
