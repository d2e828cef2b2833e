"""Rosters as people write them: one person a line, "Name; alias, alias; pronouns"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.comment import Person
from bot.errors import UserError
from bot.words import _

MOST_NAMES = 20
MOST_LINES = 300
LONGEST_NAME = 100
LONGEST_PRONOUNS = 40
_MOST_PARTS = 3


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a list, by its number from 1: a person, or what is wrong with it."""

    number: int
    person: Person | None = None
    problem: str = ""


def read_people(text: str) -> list[Line]:
    """Read a list of people. Empty lines, and those that begin with #, are passed over.

    Raises:
        UserError: nobody is in it, or more than can be added at once.
    """
    lines = list(_lines(text))
    if not lines:
        raise UserError(
            _("Nobody is in that list. Write one person a line: Name; alias, alias; she/her")
        )
    if len(lines) > MOST_LINES:
        raise UserError(
            _("That list has more than {most_lines} people. Split it, please.").format(
                most_lines=MOST_LINES
            )
        )
    return lines


def split_names(names: str | None) -> tuple[str, ...]:
    """Read names with commas between them.

    Raises:
        UserError: there are too many, or one is too long.
    """
    parts = (" ".join(part.split()) for part in (names or "").split(","))
    found = tuple(dict.fromkeys(part for part in parts if part))
    if len(found) > MOST_NAMES:
        raise UserError(
            _("That is more than {most_names} names. Leave the rarest out.").format(
                most_names=MOST_NAMES
            )
        )
    if any(len(name) > LONGEST_NAME for name in found):
        raise UserError(
            _("A name has at most {longest_name} characters.").format(longest_name=LONGEST_NAME)
        )
    return found


def _lines(text: str) -> Iterator[Line]:
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                yield Line(number, _person(line))
            except UserError as error:
                yield Line(number, problem=str(error))


def _person(line: str) -> Person:
    parts = [part.strip() for part in line.split(";")]
    if len(parts) > _MOST_PARTS:
        raise UserError(_("There are too many semicolons: Name; alias, alias; pronouns"))
    name, aliases, pronouns = (*parts, "", "")[:_MOST_PARTS]
    name = " ".join(name.split())
    if not name:
        raise UserError(_("A person needs a name."))
    if len(name) > LONGEST_NAME:
        raise UserError(
            _("A name has at most {longest_name} characters.").format(longest_name=LONGEST_NAME)
        )
    if len(pronouns) > LONGEST_PRONOUNS:
        raise UserError(
            _("Pronouns have at most {longest_pronouns} characters.").format(
                longest_pronouns=LONGEST_PRONOUNS
            )
        )
    return Person(name, aliases=split_names(aliases), pronouns=pronouns or None)
