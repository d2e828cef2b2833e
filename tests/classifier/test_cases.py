"""Every line of tests/cases is a test: they are kinds that a release must get right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.classifier import HostilityModel
from bot.comment import Assessment, Person

CASES = Path(__file__).resolve().parents[1] / "cases"

NOT_YET: dict[tuple[str, str], str] = {
    ("v2", "level"): "criticism that names nobody and no deed",
    ("c14", "flag"): "a quote that is condemned in no words of condemnation the model knows",
}
"""What the model cannot do yet, and why."""


def cases() -> list[dict[str, Any]]:
    return [
        json.loads(line)
        for path in sorted(CASES.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


def marked(key: str) -> list[Any]:
    """The cases that say something of `key`, those of NOT_YET as expected failures."""
    return [
        pytest.param(
            case,
            id=case["id"],
            marks=[pytest.mark.xfail(reason=NOT_YET[case["id"], key])]
            if (case["id"], key) in NOT_YET
            else [],
        )
        for case in cases()
        if key in case
    ]


def assess(model: HostilityModel, case: dict[str, Any]) -> Assessment:
    people = [Person(p["name"], tuple(p["aliases"])) for p in case["people"]]
    return model.assess(case["text"], context=case.get("context"), people=people)


@pytest.mark.parametrize("case", marked("flag"))
def test_flag(model: HostilityModel, case: dict[str, Any]) -> None:
    found = assess(model, case)
    assert found.flagged is case["flag"], (
        f"score {found.score:.3f}, flagged from {found.threshold:.3f}"
    )
    if not case["flag"]:
        assert not found.member_flagged, f"member score {found.member_score:.3f}"


@pytest.mark.parametrize("case", marked("target"))
def test_target(model: HostilityModel, case: dict[str, Any]) -> None:
    assert assess(model, case).target == case["target"]


@pytest.mark.parametrize("case", marked("spared"))
def test_spared(model: HostilityModel, case: dict[str, Any]) -> None:
    flagged = {p.name for p in assess(model, case).people if p.flagged}
    assert not flagged & set(case["spared"])


@pytest.mark.parametrize("case", marked("level"))
def test_level(model: HostilityModel, case: dict[str, Any]) -> None:
    assert assess(model, case).level == case["level"]


def test_every_expected_failure_is_of_a_case() -> None:
    stated = {(case["id"], key) for case in cases() for key in case}
    assert set(NOT_YET) <= stated
