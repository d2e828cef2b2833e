"""Who a text names, and the spots that point at people.

`coreference` adds the pronouns and nouns that stand for them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from bot.reading.roster import Found, Roster
from bot.reading.tokens import Words
from bot.reading.unknown import unknown_names


class Kind(StrEnum):
    """How a mention points at a person."""

    NAME = "name"
    PRONOUN = "pronoun"
    NOMINAL = "nominal"
    CONTEXT = "context"


Key = tuple[str, int | str]
"""A person within one reading.

`("roster", index)`, `("name", first word)`, `("spoken", pronoun class or noun)`, `("group", "")`.
"""


@dataclass(frozen=True, slots=True)
class Spot:
    """A span of the normal form that points at people; `owners` may be several.

    `possessive` tells a name or pronoun that owns what follows though it has no 's;
    `excludes` that the span can mean nobody but the owners; `joint` that it means all of
    them together.
    """

    start: int
    end: int
    kind: Kind
    owners: frozenset[Key]
    possessive: bool = False
    excludes: bool = False
    joint: bool = False


@dataclass(slots=True)
class Discussed:
    """What was found in one text, its spots in order.

    `fond` are the half-open spans of the normal form that are affection in the guild.
    """

    words: Words
    spots: list[Spot] = field(default_factory=list)
    fond: tuple[tuple[int, int], ...] = ()

    def named(self) -> list[Key]:
        """People named, each once, in the order of their first mention."""
        keys = (k for s in self.spots if s.kind is Kind.NAME for k in sorted(s.owners, key=str))
        return list(dict.fromkeys(keys))

    def named_of_roster(self) -> list[Key]:
        """The people of the roster among those named."""
        return [k for k in self.named() if k[0] == "roster"]


def names_in(words: Words, roster: Roster) -> Discussed:
    """The names of a text, of the roster and others, without pronouns and nouns."""
    words = roster.part_tags(words)
    found = roster.find(words)
    taken = {i for f in found for i in range(f.first, f.last + 1)}
    spots = [_name_spot(words, f) for f in found]
    words = words.beside(taken)
    keys: dict[str, Key] = {}
    for name in unknown_names(words, taken):
        key = next((keys[w] for w in name.words if w in keys), ("name", name.words[0]))
        keys.update((w, key) for w in name.words if w not in keys)
        spots.append(Spot(name.start, name.end, Kind.NAME, frozenset({key}), excludes=True))
    return Discussed(words, sorted(spots, key=lambda s: s.start))


def _name_spot(words: Words, found: Found) -> Spot:
    owners: frozenset[Key] = frozenset(("roster", i) for i in found.owners)
    if not owners:
        owners = frozenset({("name", words.words[found.first].text)})
    return Spot(found.start, found.end, Kind.NAME, owners, found.possessive, excludes=True)
