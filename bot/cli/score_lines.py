"""JSON Lines in, JSON Lines out: the form in which other programs ask for scores."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.cli.score_output import answers
from bot.comment import Assessment, Person
from bot.errors import UserError

if TYPE_CHECKING:
    from bot.classifier import HostilityModel


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")


_BOM = b"\xef\xbb\xbf"
_LONGEST_NAME = 100
_KEY = re.compile(r'[\s{,]*("(?:[^"\\]|\\.)*")\s*:\s*')
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
# No number but the id counts, and the id is taken as written: any length and size will do.
_DECODER = json.JSONDecoder(parse_constant=_no_constant, parse_int=float)


def refuse_same_file(source: Path, output: Path | None) -> None:
    """Make sure that writing `output` does not destroy `source`, under whatever name.

    Raises:
        UserError: they are one file.
    """
    if output is None or not output.is_file():
        return
    try:
        given = os.fstat(sys.stdin.fileno()) if str(source) == "-" else source.stat()
    except (OSError, ValueError):
        return
    if os.path.samestat(given, output.stat()):
        raise UserError(f"-o {output} is the file that is read. Give -o another one.")


def score_file(
    model: HostilityModel, source: Path, output: Path | None, *, threshold: float | None
) -> int:
    """Answer each line of `source`, in constant memory; returns how many could not be read.

    Raises:
        UserError: `source` cannot be read or `output` not written.
        Stopped: SIGINT or SIGTERM came; no line was left half written.
    """
    bad = 0
    with answers(output) as out:
        for number, line in enumerate(_lines(source), 1):
            data = line.removeprefix(_BOM) if number == 1 else line
            if not data.strip():
                continue
            try:
                query = parse(data)
            except ValueError as error:
                bad += 1
                print(f"fanguard: line {number}: {error}", file=sys.stderr, flush=True)
                continue
            found = model.assess(
                query.text, context=query.context, people=query.people, threshold=threshold
            )
            out.write(encode(answer(found), query.raw_id))
    return bad


@dataclass(frozen=True, slots=True)
class Query:
    """A line: what is asked, and its id as it was written, in JSON."""

    raw_id: str
    text: str
    context: str | None
    people: tuple[Person, ...]


def parse(line: bytes) -> Query:
    """Read one line; absent, null and [] are the same.

    Raises:
        ValueError: It is not such a line; the message says why.
    """
    try:
        written = line.decode("utf-8")
        row = _DECODER.decode(written)
    except UnicodeDecodeError:
        raise ValueError("not UTF-8") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"not JSON ({error})") from None
    if not isinstance(row, dict):
        raise ValueError('not a JSON object with a "text"')  # noqa: TRY004
    text = row.get("text")
    context, people = _given(row, "context"), _given(row, "people")
    if not isinstance(text, str):
        raise ValueError('"text" is missing or not a string')  # noqa: TRY004
    if context is not None and not isinstance(context, str):
        raise ValueError('"context" is not a string')
    if people is not None and not isinstance(people, list):
        raise ValueError('"people" is not a list')
    return Query(
        raw_id=_raw_id(written),
        text=text,
        context=context or None,
        people=tuple(_person(entry) for entry in people or ()),
    )


def _raw_id(row: str) -> str:
    """The id as it stands in `row`, a valid JSON object; the last of several, null for none."""
    raw, end = "null", 0
    while key := _KEY.match(row, end):
        start = key.end()
        _, end = _DECODER.raw_decode(row, start)
        if json.loads(key[1]) == "id":
            raw = row[start:end]
    return raw


def _person(entry: object) -> Person:
    if not isinstance(entry, dict):
        raise ValueError('an entry of "people" is not an object with a "name"')  # noqa: TRY004
    name = entry.get("name")
    if not isinstance(name, str) or not name.strip():
        raise ValueError('an entry of "people" has no "name"')
    pronouns = _given(entry, "pronouns")
    if isinstance(pronouns, list) and all(isinstance(p, str) for p in pronouns):
        pronouns = "/".join(pronouns)
    if pronouns is not None and not isinstance(pronouns, str):
        raise ValueError(f'"pronouns" of {_shown(name)} is not a string')
    return Person(
        name,
        aliases=_strings(entry, "aliases", name),
        handles=_strings(entry, "handles", name),
        pronouns=pronouns or None,
    )


def _strings(entry: Mapping[str, Any], key: str, name: str) -> tuple[str, ...]:
    values = _given(entry, key)
    if values is None:
        return ()
    if not isinstance(values, list) or not all(isinstance(v, str) for v in values):
        raise ValueError(f'"{key}" of {_shown(name)} is not a list of strings')
    return tuple(values)


def _given(row: Mapping[str, Any], key: str) -> object:
    """A field's value, None if it is absent, null or []."""
    value = row.get(key)
    return None if value == [] else value


def _shown(name: str) -> str:
    """A name that keeps an error message on one line."""
    return json.dumps(name[:_LONGEST_NAME])[1:-1]


def answer(found: Assessment) -> dict[str, Any]:
    """An assessment as the JSON object that other programs read, but for the id."""
    return {
        "score": found.score,
        "level": int(found.level),
        "flagged": found.flagged,
        "threshold": found.threshold,
        "target": found.target,
        "target_type": found.target_type.value,
        "people": [
            {"name": p.name, "score": p.score, "level": int(p.level), "flagged": p.flagged}
            for p in found.people
        ],
        "member_score": found.member_score,
        "member_flagged": found.member_flagged,
        "why": [
            {"start": w.start, "end": w.end, "text": w.text, "weight": w.weight} for w in found.why
        ],
        "model": found.model,
    }


def encode(row: Mapping[str, Any], raw_id: str | None = None) -> bytes:
    """One line of JSON, begun by an id that is JSON already.

    All ASCII: no text can hold what some program takes for a line end.
    """
    line = json.dumps(row)
    if raw_id is not None:
        given = _NOT_ASCII.sub(lambda each: json.dumps(each[0])[1:-1], raw_id.replace("\r", " "))
        line = f'{{"id": {given}, {line[1:]}'
    return f"{line}\n".encode("ascii")


def _lines(source: Path) -> Iterator[bytes]:
    try:
        if str(source) == "-":
            yield from sys.stdin.buffer
            return
        with source.open("rb") as lines:
            yield from lines
    except OSError as error:
        raise UserError(f"{source}: {error.strerror}. No more was read.") from error
