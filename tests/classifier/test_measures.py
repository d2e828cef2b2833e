from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, cohen_kappa_score, roc_auc_score

from bot.classifier import HostilityModel
from bot.classifier.estimator import HostilityClassifier
from bot.classifier.storage import Meta, save_model
from bot.classifier.training.agreement import agreement
from bot.classifier.training.corpora import Message
from bot.classifier.training.evaluate_people import people_figures
from bot.classifier.training.fairness import (
    DIALECTS,
    IDENTITIES,
    IDENTITY_WORDS,
    added_identity,
    false_alarms_by,
    identity_statements,
)
from bot.classifier.training.languages import OTHER, by_language, language, languages_of
from bot.classifier.training.measures import (
    Ranks,
    auc_of,
    calibration_table,
    largest_gap,
    ranking,
    share,
)
from bot.classifier.training.plots import CALIBRATION, PRECISION_RECALL, draw
from bot.classifier.training.scored import NATURAL, SURE, Scored
from bot.comment import Level, Person, TargetType
from bot.errors import UserError
from tests.cli.conftest import Fanguard, fanguard

__all__ = ["fanguard"]

IONA = Person("Iona Stackpole", ("Iona",))
REUBEN = Person("Reuben Aldous", ("Reuben",))


def message(text: str, level: int = 0, **more: Any) -> Message:
    aim = TargetType.PERSON if level else TargetType.NONE
    made = Message(text, "written", text, Level(level), aim, text, "made")
    return replace(made, **more)


def few_scores() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(3)
    hostile = random.random(300) < 0.2
    scores = np.round(random.random(300) + hostile * 0.4, 1)
    return hostile, scores, random.choice([0.4, 1.0, 3.0], 300)


def test_ranks_measure_as_scikit_learn_does() -> None:
    hostile, scores, weights = few_scores()
    ranks = Ranks(hostile, scores)
    area = average_precision_score(hostile, scores, sample_weight=weights)
    assert ranks.average_precision(weights) == pytest.approx(area)
    assert ranks.auc(weights) == pytest.approx(
        roc_auc_score(hostile, scores, sample_weight=weights)
    )


def test_so_many_fine_ones_pass_as_are_allowed() -> None:
    hostile, scores, weights = few_scores()
    found = Ranks(hostile, scores).found_at(0.1, weights)
    passed = [
        s
        for s in np.unique(scores)
        if weights[~hostile & (scores > s)].sum() <= 0.1 * weights[~hostile].sum()
    ]
    assert found == pytest.approx(
        weights[hostile & (scores > passed[0])].sum() / weights[hostile].sum()
    )


def test_a_message_drawn_twice_counts_as_two() -> None:
    hostile, scores, _ = few_scores()
    drawn = np.random.default_rng(1).integers(0, 300, 300)
    once = Ranks(hostile[drawn], scores[drawn])
    twice = Ranks(hostile, scores)
    times = np.bincount(drawn, minlength=300).astype(float)
    even = np.ones(300)
    assert twice.average_precision(times) == pytest.approx(once.average_precision(even))
    assert twice.found_at(0.05, times) == pytest.approx(once.found_at(0.05, even))


def test_nothing_hostile_has_no_ranking() -> None:
    found = ranking(np.zeros(4, bool), np.arange(4.0), np.ones(4), 1)
    assert (found["messages"], found["hostile"], found["auc"]) == (4, 0, None)
    assert share(np.zeros(4, bool), np.zeros(4, bool), np.ones(4)) is None


def test_a_kind_is_told_from_all_of_the_other_sort() -> None:
    groups = np.array(["insult", "insult", "praise", "news"])
    hostile = np.array([True, True, False, False])
    found = auc_of(groups, hostile, np.array([0.9, 0.3, 0.1, 0.5]))
    assert found["insult"] == {"messages": 2, "hostile_auc": 0.75, "fine_auc": None}
    assert (found["praise"]["fine_auc"], found["news"]["fine_auc"]) == (1.0, 0.5)


def test_the_largest_gap_is_of_full_bins_above_0_3() -> None:
    hostile = np.repeat([True, False, True, False], [30, 30, 1, 60])
    score = np.repeat([0.65, 0.65, 0.35, 0.12], [30, 30, 1, 60])
    table = calibration_table(hostile, score, np.ones(len(score)))
    assert [(row["messages"], row["hostile"]) for row in table] == [(60, 0), (1, 1), (60, 30)]
    assert largest_gap(table) == pytest.approx(0.15)
    assert largest_gap(table[:2]) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mateo es un payaso patético, qué asco de tipo", "Spanish"),
        ("o Nuno fez uma piada de muito mau gosto sobre os bombeiros", "Portuguese"),
        ("Bram ne devrait pas parler comme ça, c'était vraiment impoli", "French"),
        ("die Folge war so gut und sie ist nicht schuld", "German"),
        ("나윤 연기 소름 돋았어 6화 엔딩 대박", "Korean"),
        ("歌がとても上手だった", "Japanese"),
        ("tanvi aur raghav ki jodi zabardast hai yaar", "Hindi"),
        ("grr", OTHER),
    ],
)
def test_languages_are_told(text: str, expected: str) -> None:
    assert language(text) == expected


def test_only_what_is_marked_is_foreign(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text("id,tags\nmarked,ql\nother,q\n")
    spanish = "ella es la mejor de todas"
    messages = [
        message(spanish, id="marked", part="real"),
        message(spanish, id="other", part="real"),
        message(spanish, kind="foreign"),
    ]
    assert languages_of(messages, tmp_path) == ["Spanish", "", "Spanish"]
    assert languages_of(messages, None) == ["", "", "Spanish"]
    found = by_language(
        np.array(["", "Spanish", "Spanish"]),
        np.array([False, True, False]),
        np.array([False, True, True]),
    )
    assert found["Spanish"] == {"hostile": 1, "found": 1, "fine": 1, "fine_flagged": 1}
    assert found["English"]["fine_flagged"] == 0


@pytest.mark.parametrize(
    ("name", "having", "lacking"),
    [
        ("habitual be", "he be lying every week", "will he be lying"),
        ("finna, boutta, tryna", "I'm finna cry", "a final cry"),
        ("ain't", "she ain\u2019t done", "saint of the day"),
        ("double negatives", "they don't know nothing", "I don't know. Nothing helps"),
        ("innit", "lovely innit", "in its time"),
        ("Indian English", "too good yaar", "a year"),
        ("Spanglish", "pero like she won", "perosa"),
    ],
)
def test_dialects_are_found_as_words(name: str, having: str, lacking: str) -> None:
    flagged = np.array([True, False])
    found = false_alarms_by(DIALECTS, [having, lacking], flagged, np.array([1.0, 3.0]))
    assert found[name] == {"fine": 1, "flagged": 1, "rate": 1.0}
    assert found["all"] == {"fine": 2, "flagged": 1, "rate": 0.25}


def test_identity_words_count_whole() -> None:
    texts = ["a Muslim family", "she is blind", "blinding lights"]
    found = false_alarms_by(IDENTITY_WORDS, texts, np.zeros(3, bool), np.ones(3))
    assert (found["Muslim"]["fine"], found["disabled"]["fine"], found["men"]["rate"]) == (
        1,
        1,
        None,
    )


@pytest.fixture
def small_model(small_classifier: HostilityClassifier, small_meta: Meta) -> HostilityModel:
    return HostilityModel(small_classifier, small_meta)


def test_harmless_messages_are_tried_with_each_identity(small_model: HostilityModel) -> None:
    people = (IONA,)
    tried = [message("the song is wonderful"), message("Iona is pathetic", people=people)]
    tried.append(message("Iona is so kind", people=people))
    assert small_model.assess("Iona is pathetic", people=people).flagged
    found = added_identity(small_model, tried)
    assert len(found) == len(IDENTITIES) + 1
    assert {row["messages"] for row in found.values()} == {2}
    assert all(row["flags"] <= 2 for row in found.values())


def test_flags_that_an_identity_makes_are_counted(
    small_model: HostilityModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    assess = HostilityModel.assess

    def touchy(self: HostilityModel, text: str, **more: Any) -> Any:
        found = assess(self, text, **more)
        return replace(found, flagged=True, score=1.0) if "Muslim" in text else found

    monkeypatch.setattr(HostilityModel, "assess", touchy)
    found = added_identity(small_model, [message("the song is wonderful")] * 3)
    assert (found["Muslim"]["flags"], found["Muslim"]["largest_rise"] > 0.5) == (3, True)
    assert found["gay"]["flags"] == found["longtime"]["flags"] == 0
    statements = identity_statements(small_model)
    assert statements["highest_score"] == 1.0
    assert "Robin is a Muslim" in statements["flagged"]


def test_who_is_attacked_is_asked_of_the_whole_model(small_model: HostilityModel) -> None:
    both = (IONA, REUBEN)
    found = people_figures(
        small_model,
        [
            message("Iona is pathetic", 2, people=both, target=IONA.name),
            message("Iona is trash, put Reuben down", 2, people=both, target=IONA.name),
            message("Reuben is talented", people=both),
            message(
                "Iona is pathetic and Reuben is talented",
                2,
                people=both,
                target=IONA.name,
                spared=(REUBEN.name,),
            ),
        ],
    )
    assert found["one_discussed"] == {"messages": 1, "found": 1, "right_person": 1.0}
    assert found["several_discussed"]["messages"] == 2
    assert found["all"]["messages"] == 3
    assert found["spared"]["people"] == 1


def some_scored() -> Scored:
    random = np.random.default_rng(5)
    messages, score = [], []
    for number in range(240):
        hostile = number % 3 == 0
        part = "real" if number % 2 else "written"
        messages.append(
            message(
                f"take {number}",
                2 if hostile else 0,
                part=part,
                kind="insult" if hostile else "praise",
                stratum=("random", "mid", "top")[number % 5 % 3],
                sure=number % 7 != 0,
            )
        )
        score.append(np.clip(0.3 + 0.3 * hostile + random.normal() * 0.2, 0.01, 0.99))
    values = np.array(score)
    scorers = {"both": values, "another tool": random.random(240)}
    return Scored(messages, [""] * 240, scorers, values, 0.5, np.ones(240, bool))


def test_every_set_has_its_figures() -> None:
    scored = some_scored()
    figures = scored.figures(1)
    assert figures["sets"][NATURAL + SURE]["both"]["messages"] == int(
        (scored.real & np.array([m.sure for m in scored.messages])).sum()
    )
    assert scored.natural(scored.real)[~scored.real].sum() == 0
    assert set(figures["auc_by_level"]) == {"0", "2"}
    assert figures["auc_by_kind"]["insult"]["hostile_auc"] > 0.7
    for suffix in ("", "_sure"):
        assert -1 < figures[f"brier_skill{suffix}"] < 1
        assert figures[f"calibration{suffix}"]
    assert json.loads(json.dumps(figures)) == figures


def test_plots_are_small_pictures(tmp_path: Path) -> None:
    scored = some_scored()
    paths = draw(scored, scored.figures(1), "test-1", tmp_path / "new")
    assert [p.name for p in paths] == [PRECISION_RECALL, CALIBRATION]
    for path in paths:
        written = path.read_bytes()
        assert written.startswith(b"\x89PNG")
        assert len(written) < 200_000
    again = draw(scored, scored.figures(1), "test-1", tmp_path / "again")
    assert [p.read_bytes() for p in again] == [p.read_bytes() for p in paths]
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be written"):
        draw(scored, scored.figures(1), "test-1", tmp_path / "file")


LABELS = "id,level,target_type,sure,tags,stratum,reader,batch,reading\n"


def readings(path: Path, *rows: tuple[str, int, str, str, int]) -> None:
    lines = [
        f"{key},{level},{aim},true,,mid,{reader},1,{reading}\n"
        for key, level, aim, reader, reading in rows
    ]
    (path / "labels.csv").write_text(LABELS + "".join(lines))


def test_kappa_is_of_first_and_second_readings(fanguard: Fanguard, tmp_path: Path) -> None:
    one = [0, 2, 3, 1, 2, 0, 0, 2]
    two = [0, 2, 2, 1, 0, 0, 1, 3]
    own = tmp_path / "own"
    own.mkdir()
    rows = [(f"c{i}", level, "person", "R1", 1) for i, level in enumerate(one)]
    rows += [(f"c{i}", level, "person", "R2", 2) for i, level in enumerate(two)]
    rows += [("c0", 3, "person", "R9", 0), ("c9", 3, "person", "R1", 1)]
    readings(own, *rows)
    found = agreement(own)
    assert set(found) == {"all", "R1 and R2"}
    assert found["all"]["comments"] == 8
    assert found["all"]["level"] == round(cohen_kappa_score(one, two, weights="quadratic"), 4)
    assert found["all"]["hostile"] == round(
        cohen_kappa_score([v > 1 for v in one], [v > 1 for v in two]), 4
    )
    assert found["all"]["target_type"] is None
    low, high = found["all"]["interval"]["hostile"]
    assert low <= found["all"]["hostile"] <= high
    result = fanguard("evaluate", "--kappa", "--own", "own")
    assert (result.code, "R1 and R2" in result.out) == (0, True)


def test_labels_without_two_readings_are_refused(fanguard: Fanguard, tmp_path: Path) -> None:
    result = fanguard("evaluate", "--kappa", "--own", "nowhere")
    assert (result.code, "labels.csv cannot be read" in result.err) == (2, True)
    readings(tmp_path, ("a", 0, "none", "R1", 1))
    result = fanguard("evaluate", "--kappa", "--own", ".")
    assert (result.code, "no comment with a reading 1 and a reading 2" in result.err) == (2, True)
    readings(tmp_path, ("a", 7, "none", "R1", 1), ("a", 0, "none", "R2", 2))
    result = fanguard("evaluate", "--kappa", "--own", ".")
    assert (result.code, "is unknown" in result.err) == (2, True)


@pytest.fixture
def stored(tmp_path: Path, small_classifier: HostilityClassifier, small_meta: Meta) -> str:
    save_model(tmp_path / "m", small_classifier, small_meta)
    return "m"


PEOPLE = [{"name": IONA.name, "aliases": ["Iona"]}, {"name": REUBEN.name, "aliases": ["Reuben"]}]


def test_cases_that_come_out_otherwise_are_shown(
    fanguard: Fanguard, tmp_path: Path, stored: str
) -> None:
    bad = {"text": "Iona is pathetic", "people": PEOPLE}
    right = [
        {**bad, "flagged": True, "target": IONA.name, "level": 2, "spared": [REUBEN.name]},
        {"text": "Iona is so kind", "people": PEOPLE, "flag": False},
        {"text": "the song is wonderful", "flagged": False, "target": None},
    ]
    lines = "\n\n".join(json.dumps(row) for row in right)
    (tmp_path / "right.jsonl").write_text(lines + "\n")
    result = fanguard("evaluate", "--cases", "right.jsonl", "--model", stored)
    assert result.code == 0, result.out
    assert "3 cases, 0 came out otherwise" in result.out
    wrong = [{**bad, "flagged": False}, {**bad, "target": REUBEN.name}, {**bad, "level": 0}]
    wrong.append({**bad, "spared": [IONA.name]})
    (tmp_path / "wrong.jsonl").write_text("\n".join(json.dumps(row) for row in wrong))
    result = fanguard(
        "evaluate", "--cases", "right.jsonl", "--cases", "wrong.jsonl", "--model", stored
    )
    assert result.code == 1
    assert "7 cases, 4 came out otherwise" in result.out
    for place in range(1, 5):
        assert f"wrong.jsonl:{place}" in result.out
    assert "target: Reuben Aldous" in result.out


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "not JSON"),
        ('{"flagged": true}', '"text" is missing'),
        ('{"text": "a"}', "says nothing of what is expected"),
        ('{"text": "a", "flagged": 1}', "not true or false"),
        ('{"text": "a", "level": 5}', "not 0, 1, 2 or 3"),
        ('{"text": "a", "target": 5}', "not a name or null"),
        ('{"text": "a", "spared": ["Iona"]}', 'not in its "people"'),
    ],
)
def test_a_line_that_is_no_case_is_named(
    fanguard: Fanguard, tmp_path: Path, stored: str, line: str, problem: str
) -> None:
    (tmp_path / "cases.jsonl").write_text('{"text": "a", "flagged": false}\n' + line + "\n")
    result = fanguard("evaluate", "--cases", "cases.jsonl", "--model", stored)
    assert (result.code, result.out) == (2, "")
    assert "cases.jsonl, line 2" in result.err
    assert problem in result.err


def test_what_evaluate_cannot_do_is_said(fanguard: Fanguard, tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("\n")
    (tmp_path / "file").write_text("")
    for arguments, problem in [
        ((), "Give --data"),
        (("--kappa", "--data", "d"), "--kappa goes without --data"),
        (("--kappa", "--cases", "x"), "either --kappa or --cases"),
        (("--data", "d", "--plots", "file"), "is not a directory"),
    ]:
        result = fanguard("evaluate", *arguments)
        assert (result.code, problem in result.err) == (2, True), result.err
