"""The labelled messages that a model is made of, read from their files into one form."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bot.comment import Level, Person, TargetType
from bot.errors import UserError

if TYPE_CHECKING:
    import pandas as pd

LABELLED: Final = "fan_comments_labelled.parquet"
PUBLIC: Final = "public_labelled.parquet"
UNLABELLED: Final = "fan_comments_unlabelled.parquet"
CORPUS: Final = "fan_corpus.jsonl"
LABELS: Final = "labels.csv"

TOXICITY_SETS: Final = (
    "jigsaw_wiki_20k",
    "reddit_incivility_davidson2020",
    "misogyny_reddit_guest2021",
    "surge_toxicity",
    "convabuse",
    "fox_news_comments",
)
"""The public sets whose "offensive" is near enough to hostility at a person to help."""

_LONGEST_PUBLIC: Final = 600


@dataclass(frozen=True, slots=True)
class Message:
    """A labelled message.

    `part` is `real` (fan comments), `written` (made for this project) or `public` (a set
    labelled for toxicity, whose `level` is 2 or 0 and means no more than that).
    `group` holds together what must not be split between training and test.
    """

    id: str
    part: str
    text: str
    level: Level
    target_type: TargetType
    group: str
    source: str
    target: str | None = None
    context: str | None = None
    people: tuple[Person, ...] = ()
    spared: tuple[str, ...] = ()
    kind: str = ""
    stratum: str = ""
    sure: bool = True


def text_id(text: str) -> str:
    """The key of a label: the first 16 hex digits of the SHA-256 of the text."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def load_messages(data: Path, own: Path | None = None) -> list[Message]:
    """Every labelled message: the three files of `data`, and the project's own of `own`.

    `own` holds `*.jsonl` files in the form of `fan_corpus.jsonl` and, if any, `labels.csv`,
    whose labels (by text hash) replace those of the data's comments or add to them.

    Raises:
        UserError: A file is missing, unreadable or lacks a column.
    """
    if not data.is_dir():
        raise UserError(f"{data} is not a directory. Give the one that holds {LABELLED}.")
    messages = list(_real(data, _labels(own)))
    written = {m.text: m for path in _written_files(data, own) for m in _written(path)}
    return [*messages, *written.values(), *_public(data / PUBLIC)]


def unlabelled_texts(data: Path) -> list[str]:
    """The fan comments without labels, or none if the file is not there."""
    path = data / UNLABELLED
    if not path.exists():
        return []
    return [str(text) for text in _table(path, ["text"])["text"]]


def _written_files(data: Path, own: Path | None) -> list[Path]:
    files = sorted(own.glob("*.jsonl")) if own is not None and own.is_dir() else []
    if not any(path.name == CORPUS for path in files):
        files.insert(0, data / CORPUS)
    return files


def _table(path: Path, columns: list[str]) -> pd.DataFrame:
    try:
        import pandas as pd  # noqa: PLC0415
    except ImportError as error:
        raise UserError(
            "Training needs more packages: pip install 'fanguard[evaluate]'."
        ) from error
    if not path.exists():
        raise UserError(f"{path} is missing. --data must name the directory that holds it.")
    try:
        return pd.read_parquet(path, columns=columns)
    except Exception as error:  # pyarrow raises many kinds
        problem = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UserError(
            f"{path} cannot be read as a table with the columns {', '.join(columns)}: {problem}"
        ) from error


def _labels(own: Path | None) -> dict[str, list[Mapping[str, str]]]:
    """The labels of our own readers by text hash, the first reading first."""
    if own is None or not (path := own / LABELS).exists():
        return {}
    labels: dict[str, list[Mapping[str, str]]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in sorted(csv.DictReader(file), key=lambda row: row.get("reading") or "1"):
            labels.setdefault(row["id"], []).append(row)
    return labels


def _real(data: Path, labels: Mapping[str, list[Mapping[str, str]]]) -> Iterator[Message]:
    columns = ["id", "source", "text", "level", "target_type", "sure", "stratum"]
    seen: set[str] = set()
    for row in _table(data / LABELLED, columns).drop_duplicates("text").to_dict("records"):
        seen.add(row["id"])
        message = Message(
            id=row["id"],
            part="real",
            text=row["text"],
            level=Level(int(row["level"])),
            target_type=TargetType(row["target_type"]),
            group=near_duplicate_key(row["text"]),
            source=row["source"],
            stratum=row["stratum"],
            sure=bool(row["sure"]),
        )
        yield _labelled(message, labels[row["id"]]) if row["id"] in labels else message
    if not labels or not (data / UNLABELLED).exists():
        return
    for row in _table(data / UNLABELLED, ["source", "text"]).to_dict("records"):
        key = text_id(row["text"])
        if key not in labels or key in seen:
            continue
        seen.add(key)
        bare = Message(
            id=key,
            part="real",
            text=row["text"],
            level=Level.NONE,
            target_type=TargetType.NONE,
            group=near_duplicate_key(row["text"]),
            source=row["source"],
        )
        yield _labelled(bare, labels[key])


def _labelled(message: Message, readings: Sequence[Mapping[str, str]]) -> Message:
    """A comment with its first reader's label, unsure where a second one disagreed."""
    first = readings[0]
    hostile = {int(reading["level"]) >= Level.HOSTILE for reading in readings}
    return replace(
        message,
        level=Level(int(first["level"])),
        target_type=TargetType(first["target_type"]),
        stratum=first.get("stratum") or message.stratum,
        sure=first["sure"] == "true" and len(hostile) == 1,
    )


def _public(path: Path) -> Iterator[Message]:
    table = _table(path, ["source", "text", "offensive"])
    table = table[table["source"].isin(TOXICITY_SETS) & table["offensive"].notna()]
    for row in table.drop_duplicates("text").to_dict("records"):
        offensive = row["offensive"] > 0
        yield Message(
            id=text_id(row["text"]),
            part="public",
            text=row["text"][:_LONGEST_PUBLIC],
            level=Level.HOSTILE if offensive else Level.NONE,
            target_type=TargetType.PERSON if offensive else TargetType.NONE,
            group="public",
            source=row["source"],
        )


def _written(path: Path) -> Iterator[Message]:
    if not path.exists():
        raise UserError(f"{path} is missing. --data must name the directory that holds it.")
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                yield _written_message(json.loads(line), path.stem)
            except (ValueError, KeyError, TypeError) as error:
                raise UserError(
                    f"{path}, line {number}: not a labelled message ({error})."
                ) from error


def _written_message(row: Mapping[str, Any], source: str) -> Message:
    people = tuple(
        Person(p["name"], tuple(p.get("aliases") or ()), pronouns=p.get("pronouns"))
        for p in row.get("people") or ()
    )
    return Message(
        id=row["id"],
        part="written",
        text=row["text"],
        level=Level(row["level"]),
        target_type=TargetType(row["target_type"]),
        group=row.get("group") or row["id"],
        source=source,
        target=row.get("target"),
        context=row.get("context"),
        people=people,
        spared=tuple(row.get("spared") or ()),
        kind=row.get("kind", ""),
    )


def near_duplicate_key(text: str) -> str:
    """The same for texts that differ in case, digits, punctuation and their ends only."""
    letters = "".join(c if c.isalpha() else " " for c in text.lower() if c != "@")
    words = [w for w in letters.split() if w not in {"user", "https", "t", "co"}]
    return " ".join(words[:12]) or text
