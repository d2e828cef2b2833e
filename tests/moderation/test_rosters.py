"""Lists of people as they are pasted."""

from __future__ import annotations

import pytest

from bot.comment import Person
from bot.errors import UserError
from bot.moderation.rosters import MOST_LINES, MOST_NAMES, read_people


def test_a_line_is_a_person() -> None:
    text = "\ufeff# our stars\n\nAda  Lark; Ada, Larkie ,Ada; she/her\nBo Finch\nCy;;they/them\n"
    assert [(line.number, line.person) for line in read_people(text)] == [
        (3, Person("Ada Lark", aliases=("Ada", "Larkie"), pronouns="she/her")),
        (4, Person("Bo Finch")),
        (5, Person("Cy", pronouns="they/them")),
    ]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("; Ada", "needs a name"),
        ("Ada; a; she; more", "too many semicolons"),
        ("x" * 101, "at most 100 characters"),
        (f"Ada; {'x' * 101}", "at most 100 characters"),
        (f"Ada;; {'x' * 41}", "at most 40 characters"),
        ("Ada; " + ", ".join(map(str, range(MOST_NAMES + 1))), "more than 20 names"),
    ],
)
def test_a_wrong_line_says_what_is_wrong(line: str, problem: str) -> None:
    good, bad = read_people(f"Bo Finch\n{line}")
    assert good.person == Person("Bo Finch")
    assert (bad.number, bad.person) == (2, None)
    assert problem in bad.problem


@pytest.mark.parametrize("text", ["", "\n \n", "# nobody", "Ada\n" * (MOST_LINES + 1)])
def test_an_empty_or_endless_list_is_refused(text: str) -> None:
    with pytest.raises(UserError):
        read_people(text)
