"""Who a text talks about: names, and the pronouns and nouns that stand for them.

A pronoun or noun is resolved to the people named in the message who go by it, else to
those named in the message replied to, else to the one person of the roster it fits. With
nobody to resolve to it makes a person of its own, named by its words. Gender is never
read off a name: only pronouns the roster gives rule anybody out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from bot.reading import nouns, vocabulary
from bot.reading.roster import Found, Roster
from bot.reading.tokens import Words
from bot.reading.unknown import Unknown, unknown_names

_THIS = frozenset({"this", "that", "dis", "dat"})
_DEFINITE = frozenset({"the", "poor", "dear", "our"})
_OWN = frozenset({"my", "your", "our", "ur", "mine"})
_BARE_FOLLOWS = vocabulary.grammar("after_a_bare_noun")
_NOT_OBJECT = vocabulary.grammar("after_an_object")
_LOOK_BACK = 4


class Kind(StrEnum):
    """How a mention points at a person."""

    NAME = "name"
    PRONOUN = "pronoun"
    NOMINAL = "nominal"
    CONTEXT = "context"


Key = tuple[str, int | str]
"""A person in one reading: `("roster", index)`, `("name", word)`, `("spoken", class)`, `("group", words)`."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A span of the normal form that points at people; `owners` may be several."""

    start: int
    end: int
    kind: Kind
    owners: frozenset[Key]
    possessive: bool = False
    plain: bool = True


@dataclass(slots=True)
class Discussed:
    """What was found in one text, its spots in order."""

    words: Words
    spots: list[Spot] = field(default_factory=list)

    def named(self) -> list[Key]:
        """People named, each once, in the order of their first mention."""
        keys = (k for s in self.spots if s.kind is Kind.NAME for k in sorted(s.owners, key=str))
        return list(dict.fromkeys(keys))


def names_in(words: Words, roster: Roster) -> Discussed:
    """The names of a text, of the roster and others, without pronouns and nouns."""
    found = roster.find(words)
    found, unknown = _strangers(words, roster, found)
    spots = [_name_spot(words, f) for f in found]
    keys: dict[str, Key] = {}
    for name in unknown:
        key = next((keys[w] for w in name.words if w in keys), ("name", name.words[0]))
        for word in name.words:
            keys.setdefault(word, key)
        spots.append(Spot(name.start, name.end, Kind.NAME, frozenset({key})))
    return Discussed(words, sorted(spots, key=lambda s: s.start))


def discussed(words: Words, roster: Roster, context: Discussed | None) -> Discussed:
    """Everyone a message talks about, with the names of the message replied to at hand."""
    result = names_in(words, roster)
    resolve = _resolver(result.named(), context.named() if context else [], roster)
    covered = {i for s in result.spots for i in range(s.start, s.end)}
    extra = [*_groups(words, result, context, roster), *_nominals(words, result, roster, resolve)]
    covered |= {i for s in extra if s.plain for i in range(s.start, s.end)}
    extra += [s for s in _pronouns(words, resolve) if s.start not in covered]
    extra += _addressed(words, result)
    result.spots = sorted([*result.spots, *extra], key=lambda s: (s.start, s.end))
    return result


def _strangers(
    words: Words, roster: Roster, found: list[Found]
) -> tuple[list[Found], list[Unknown]]:
    taken = {i for f in found for i in range(f.first, f.last + 1)}
    return found, unknown_names(words, taken) if words.words else []


def _name_spot(words: Words, found: Found) -> Spot:
    owners: frozenset[Key] = frozenset(("roster", i) for i in found.owners)
    if not owners:
        owners = frozenset({("name", words.words[found.first].text)})
    return Spot(found.start, found.end, Kind.NAME, owners, found.possessive)


Resolver = Callable[[str | None], frozenset[Key]]


def _resolver(named: list[Key], in_context: list[Key], roster: Roster) -> Resolver:
    def fits(key: Key, pronoun: str | None) -> bool:
        if key[0] != "roster" or pronoun in {None, "they"}:
            return True
        return pronoun in roster.pronouns[int(key[1])]

    everyone: list[Key] = [("roster", i) for i in range(len(roster.people))]

    def resolve(pronoun: str | None) -> frozenset[Key]:
        for group in (named, in_context):
            fitting = [k for k in group if fits(k, pronoun)]
            if fitting:
                return frozenset(fitting)
        fitting = [k for k in everyone if fits(k, pronoun)]
        if len(fitting) == 1:
            return frozenset(fitting)
        return frozenset({("spoken", pronoun or "someone")})

    return resolve


def _pronouns(words: Words, resolve: Resolver) -> Iterable[Spot]:
    for index, word in enumerate(words.words):
        pronoun = nouns.PRONOUNS.get(word.text)
        if pronoun is None:
            continue
        possessive = word.text in nouns.POSSESSIVES or (
            word.text == "her"
            and bool(words.after(index))
            and words.after(index) not in _NOT_OBJECT
        )
        yield Spot(word.start, word.end, Kind.PRONOUN, resolve(pronoun), possessive)


def _groups(
    words: Words, result: Discussed, context: Discussed | None, roster: Roster
) -> Iterable[Spot]:
    texts = [w.text for w in words.words]
    named = [k for k in result.named() if k[0] == "roster"]
    if len(named) < 2 and context:  # noqa: PLR2004
        named = [k for k in context.named() if k[0] == "roster"]
    if len(named) < 2 and len(roster.people) == 2:  # noqa: PLR2004
        named = [("roster", 0), ("roster", 1)]
    done = -1
    for index in range(len(texts)):
        for phrase in nouns.GROUPS:
            last = index + len(phrase) - 1
            if index <= done or tuple(texts[index : last + 1]) != phrase:
                continue
            owners: frozenset[Key] = frozenset({("group", " ".join(phrase))})
            if len(named) > 1:
                owners |= frozenset(named)
            yield Spot(words.words[index].start, words.words[last].end, Kind.NOMINAL, owners)
            done = last


def _nominals(words: Words, result: Discussed, roster: Roster, resolve: Resolver) -> Iterable[Spot]:
    names = {i: s.owners for s in result.spots for i in range(s.start, s.end)}
    for index, word in enumerate(words.words):
        noun = word.text
        if word.start in names or not (noun in nouns.GENDER or noun in nouns.INSULTS):
            continue
        found = _determined(words, index, names)
        if found is None:
            continue
        first, determiner = found
        related = noun in nouns.RELATIONS and (determiner in nouns.PRONOUNS or determiner == "'s")
        gender = nouns.GENDER.get(noun)
        if related:
            owners = _relation(result, roster, gender)
        elif determiner in {"a", "an"}:
            owners = frozenset({("spoken", gender or "someone")})
        else:
            owners = resolve(gender)
        plain = first == index - 1 and noun in nouns.GENDER and determiner not in {"'s"}
        yield Spot(words.words[first].start, word.end, Kind.NOMINAL, owners, plain=plain)


def _determined(
    words: Words, index: int, names: dict[int, frozenset[Key]]
) -> tuple[int, str] | None:
    """The word with which a phrase around a noun begins, and what kind it is."""
    noun = words.words[index]
    if noun.opens and (words.after(index) in _BARE_FOLLOWS or words.gap(index).startswith("'")):
        return (index, "") if noun.text in nouns.GENDER and not words.shouted else None
    for back in range(1, _LOOK_BACK + 1):
        at = index - back
        if at < 0 or words.words[at + 1].opens:
            return None
        text = words.words[at].text
        if words.words[at].start in names:
            return (at + 1, "'s") if noun.text in nouns.RELATIONS and back == 1 else None
        if text in _OWN:
            return None
        if text in _THIS or (text in _DEFINITE and noun.text in nouns.GENDER):
            return at, text
        if text in nouns.PRONOUNS:
            return (
                (at, text)
                if noun.text in nouns.RELATIONS and text in {"her", "his", "their"}
                else None
            )
        if text in {"a", "an"}:
            return (
                (at, text)
                if noun.text in nouns.GENDER and words.after(index) in {"who", "that"}
                else None
            )
        if text == "s" and at and words.words[at - 1].start in names:
            return (at + 1, "'s") if noun.text in nouns.RELATIONS else None
        if text in {
            "and",
            "or",
            "but",
            "of",
            "to",
            "for",
            "with",
            "is",
            "was",
            "are",
            "as",
            "like",
            "you",
        }:
            return None
    return None


def _relation(result: Discussed, roster: Roster, gender: str | None) -> frozenset[Key]:
    """Whom "her husband" means: in a roster of two the other one, if one of them is named."""
    named = [k for k in result.named() if k[0] == "roster"]
    if len(roster.people) == 2 and len(named) == 1:  # noqa: PLR2004
        other = 1 - int(named[0][1])
        if gender is None or gender in roster.pronouns[other]:
            return frozenset({("roster", other)})
    return frozenset({("spoken", gender or "someone")})


def _addressed(words: Words, result: Discussed) -> Iterable[Spot]:
    """ "You" said to the one person named, who is called rather than spoken about."""
    named = [s for s in result.spots if s.kind is Kind.NAME]
    owners = {k for s in named for k in s.owners if k[0] == "roster"}
    if len(owners) != 1 or not any(_is_called(words, s) for s in named):
        return
    for word in words.words:
        if word.text in nouns.YOU:
            yield Spot(word.start, word.end, Kind.PRONOUN, frozenset(owners), plain=False)


def _is_called(words: Words, spot: Spot) -> bool:
    text = words.normal.text
    before, after = text[: spot.start].rstrip(" "), text[spot.end :].lstrip(" ")
    starts = not before or before[-1] in ".!?\n,"
    ends = not after or after[0] in ".!?\n,"
    follows = after.split(" ", 1)[0].rstrip(",'") if after else ""
    return (starts and (ends or follows in nouns.YOU)) or (
        ends and bool(before) and before[-1] != "'"
    )
