"""Cases of one's own: lines that say what the model should answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from bot.cli.flag_output import plain
from bot.cli.score_lines import Query, parse
from bot.comment import Assessment, Level
from bot.errors import UserError

if TYPE_CHECKING:
    from bot.classifier import HostilityModel

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Case:
    """A query with what is expected of its answer, and where it stands."""

    place: str
    query: Query
    expected: Mapping[str, Any]


def try_cases(model: HostilityModel, paths: Sequence[Path]) -> int:
    """Print each case that comes out otherwise than expected, and how many do.

    Raises:
        UserError: A file cannot be read, or a line is no case; nothing is tried then.
    """
    cases = [case for path in paths for case in read_cases(path)]
    table = Table(show_lines=True)
    table.add_column("line", no_wrap=True)
    for column in ("message", "expected", "came out", "score"):
        table.add_column(column, overflow="fold")
    wrong = 0
    for case in cases:
        query = case.query
        found = model.assess(query.text, context=query.context, people=query.people)
        if differences := differing(case.expected, found):
            wrong += 1
            expected, came_out = zip(*differences, strict=True)
            table.add_row(
                case.place,
                plain(query.text),
                plain("\n".join(expected)),
                plain("\n".join(came_out)),
                f"{found.score:.3f}",
            )
    console = Console(highlight=False)
    if wrong:
        console.print(table)
    console.print(
        f"{len(cases):,} cases, {wrong:,} came out otherwise "
        f"(model {model.version}, flagged from {model.threshold:.3f})"
    )
    return wrong


def differing(expected: Mapping[str, Any], found: Assessment) -> list[tuple[str, str]]:
    """What was expected and what came out, for each that differs.

    A message that should not be flagged must not be flagged for members either, unless
    `member_flagged` says so of its own.
    """
    answers: dict[str, Any] = {
        "flagged": found.flagged,
        "member_flagged": found.member_flagged,
        "target": found.target,
        "level": int(found.level),
    }
    wanted = {name: expected[name] for name in answers if name in expected}
    if wanted.get("flagged") is False:
        wanted.setdefault("member_flagged", False)
    different = [
        (f"{name}: {_shown(value)}", f"{name}: {_shown(answers[name])}")
        for name, value in wanted.items()
        if value != answers[name]
    ]
    flagged = {person.name for person in found.people if person.flagged}
    different += [
        (f"spared: {name}", f"flagged: {name}")
        for name in expected.get("spared", ())
        if name in flagged
    ]
    return different


def read_cases(path: Path) -> Iterator[Case]:
    """The cases of a file, in order.

    Raises:
        UserError: It cannot be read, or a line is no case.
    """
    try:
        lines = path.read_bytes().removeprefix(_BOM).split(b"\n")
    except OSError as error:
        raise UserError(f"{path} cannot be read ({error.strerror}).") from error
    empty = True
    for number, line in enumerate(lines, 1):
        if line.strip():
            empty = False
            try:
                query = parse(line)
                yield Case(f"{path.name}:{number}", query, _expected(json.loads(line), query))
            except ValueError as error:
                raise UserError(f"{path}, line {number}: {error}.") from error
    if empty:
        raise UserError(f"{path} has no cases.")


def _expected(row: dict[str, Any], query: Query) -> dict[str, Any]:
    """What a line says of the answer; `flag` is short for `flagged`."""
    if "flag" in row:
        row.setdefault("flagged", row["flag"])
    names = {person.name for person in query.people}
    expected: dict[str, Any] = {
        name: row[name]
        for name in ("flagged", "member_flagged", "target", "level", "spared")
        if name in row
    }
    if not expected:
        raise ValueError('says nothing of what is expected, such as "flagged"')
    for name in ("flagged", "member_flagged"):
        if not isinstance(expected.get(name, True), bool):
            raise ValueError(f'"{name}" is not true or false')  # noqa: TRY004
    if expected.get("level", 0) not in list(Level) or isinstance(expected.get("level"), bool):
        raise ValueError('"level" is not 0, 1, 2 or 3')
    if not isinstance(expected.get("target"), str | None):
        raise ValueError('"target" is not a name or null')  # noqa: TRY004
    spared = expected.get("spared", [])
    if not isinstance(spared, list):
        raise ValueError('"spared" is not a list of names')  # noqa: TRY004
    for name in spared:
        if name not in names:
            raise ValueError(f'{json.dumps(name)} is not in its "people"')
    return expected


def _shown(value: object) -> str:
    if value is None:
        return "nobody"
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
