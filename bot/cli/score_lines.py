"""JSON Lines in, JSON Lines out: the form in which other programs ask for scores."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from bot.comment import Assessment, Person
from bot.errors import UserError

if TYPE_CHECKING:
    from bot.classifier import HostilityModel

_BOM = b"\xef\xbb\xbf"


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
        UserError: `source` cannot be opened or `output` not written.
    """
    bad = 0
    try:
        with _reading(source) as lines, _writing(output) as out:
            for number, line in enumerate(lines, 1):
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
                    query["text"],
                    context=query["context"],
                    people=query["people"],
                    threshold=threshold,
                )
                out.write(encode(answer(query["id"], found)))
                out.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        place = error.filename or output or source
        raise UserError(f"{place}: {error.strerror or error}. Nothing more was written.") from error
    return bad


def parse(line: bytes) -> dict[str, Any]:
    """One line as `id`, `text`, `context` and `people`; absent and null are the same.

    Raises:
        ValueError: It is not such a line; the message says why.
    """
    try:
        row = json.loads(line.decode("utf-8"), parse_constant=_no_constant, parse_float=_finite)
    except UnicodeDecodeError:
        raise ValueError("not UTF-8") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"not JSON ({error})") from None
    if not isinstance(row, dict):
        raise ValueError('not a JSON object with a "text"')  # noqa: TRY004
    text, context, people = row.get("text"), row.get("context"), row.get("people")
    if not isinstance(text, str):
        raise ValueError('"text" is missing or not a string')  # noqa: TRY004
    if context is not None and context != [] and not isinstance(context, str):
        raise ValueError('"context" is not a string')
    if people is not None and not isinstance(people, list):
        raise ValueError('"people" is not a list')
    return {
        "id": row.get("id"),
        "text": text,
        "context": context or None,
        "people": tuple(_person(entry) for entry in people or ()),
    }


def _person(entry: object) -> Person:
    if not isinstance(entry, dict):
        raise ValueError('an entry of "people" is not an object with a "name"')  # noqa: TRY004
    name = entry.get("name")
    if not isinstance(name, str) or not name.strip():
        raise ValueError('an entry of "people" has no "name"')
    pronouns = entry.get("pronouns")
    if isinstance(pronouns, list) and all(isinstance(p, str) for p in pronouns):
        pronouns = "/".join(pronouns)
    if pronouns is not None and not isinstance(pronouns, str):
        raise ValueError(f'"pronouns" of {name} is not a string')
    return Person(
        name,
        aliases=_strings(entry, "aliases", name),
        handles=_strings(entry, "handles", name),
        pronouns=pronouns or None,
    )


def _strings(entry: Mapping[str, Any], key: str, name: str) -> tuple[str, ...]:
    values = entry.get(key) or []
    if not isinstance(values, list) or not all(isinstance(v, str) for v in values):
        raise ValueError(f'"{key}" of {name} is not a list of strings')
    return tuple(values)


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"the number {digits} is too large")
    return number


def answer(given_id: object, found: Assessment, *, with_id: bool = True) -> dict[str, Any]:
    """An assessment as the JSON object that other programs read."""
    head = {"id": given_id} if with_id else {}
    return {
        **head,
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


def encode(row: Mapping[str, Any]) -> bytes:
    """One line of JSON, all ASCII: no text can hold what some program takes for a line end."""
    return (json.dumps(row) + "\n").encode("ascii")


@contextmanager
def _reading(source: Path) -> Iterator[IO[bytes]]:
    if str(source) == "-":
        yield sys.stdin.buffer
        return
    with source.open("rb") as lines:
        yield lines


@contextmanager
def _writing(output: Path | None) -> Iterator[IO[bytes]]:
    """Stdout, or a file that appears under its name once it is whole."""
    if output is None or str(output) == "-":
        yield sys.stdout.buffer
        return
    if output.exists() and not output.is_file():
        with output.open("wb") as out:
            yield out
        return
    partial = output.with_name(f".{output.name}.{os.getpid()}.partial")
    try:
        with partial.open("wb") as out:
            yield out
        partial.replace(output)
    finally:
        partial.unlink(missing_ok=True)
