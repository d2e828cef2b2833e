"""Who a text talks about: names, and the pronouns and nouns that stand for them.

A pronoun or noun is resolved to the people named in the message who go by it, else to
those named in the message replied to, else to the one person of the roster it fits. With
nobody to resolve to it makes a person of its own, named by its words. Gender is never
read off a name: only pronouns the roster gives rule anybody out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from bot.reading import nouns, vocabulary
from bot.reading.roster import Found, Roster
from bot.reading.tokens import Words
from bot.reading.unknown import unknown_names

_OWN = frozenset({"my", "your", "our", "ur", "mine"})
_THIS = frozenset({"this", "that"})
_THE = frozenset({"the", "poor", "dear"})
_ONE = frozenset({"a", "an"})
_THEIRS = frozenset({"her", "his", "their"})
_AFTER_BARE = vocabulary.grammar("after_a_bare_noun")
_AFTER_OBJECT = vocabulary.grammar("after_an_object")
_CALLS = vocabulary.grammar("calls")
_BREAKS = vocabulary.grammar("phrase_breaks")
_CLAUSE_BREAKS = vocabulary.grammar("clause_breaks")
_OTHER_SUBJECTS = vocabulary.grammar("other_subjects")
_SUBJECTS = frozenset({"she", "he", "shes", "hes"})
_OBJECTS = frozenset({"her", "him"})
_SOMEONE = "someone"
_LOOK_BACK = 4
_CLAUSE = 12
_PAIR = 2


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
    `excludes` that the span can mean nobody but the owners.
    """

    start: int
    end: int
    kind: Kind
    owners: frozenset[Key]
    possessive: bool = False
    excludes: bool = False


@dataclass(slots=True)
class Discussed:
    """What was found in one text, its spots in order."""

    words: Words
    spots: list[Spot] = field(default_factory=list)

    def named(self) -> list[Key]:
        """People named, each once, in the order of their first mention."""
        keys = (k for s in self.spots if s.kind is Kind.NAME for k in sorted(s.owners, key=str))
        return list(dict.fromkeys(keys))

    def named_of_roster(self) -> list[Key]:
        """The people of the roster among those named."""
        return [k for k in self.named() if k[0] == "roster"]


def names_in(words: Words, roster: Roster) -> Discussed:
    """The names of a text, of the roster and others, without pronouns and nouns."""
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


def discussed(words: Words, roster: Roster, context: Discussed | None) -> Discussed:
    """Everyone a message talks about, with the names of the message replied to at hand."""
    return _Finder(words, roster, context).find()


def _name_spot(words: Words, found: Found) -> Spot:
    owners: frozenset[Key] = frozenset(("roster", i) for i in found.owners)
    if not owners:
        owners = frozenset({("name", words.words[found.first].text)})
    return Spot(found.start, found.end, Kind.NAME, owners, found.possessive, excludes=True)


class _Finder:
    """The search of one message for everything that points at a person."""

    def __init__(self, words: Words, roster: Roster, context: Discussed | None) -> None:
        self.roster = roster
        self.result = names_in(words, roster)
        self.words = self.result.words
        self.named = self.result.named()
        self.in_context = context.named() if context else []
        at = {i: s for s in self.result.spots for i in range(s.start, s.end)}
        self.names = {w.start: at[w.start] for w in words.words if w.start in at}

    def find(self) -> Discussed:
        groups = list(self._groups())
        nominals = list(self._nominals())
        covered = {i for s in (*groups, *nominals) for i in range(s.start, s.end)}
        pronouns = self._pronouns(frozenset().union(*(g.owners for g in groups)))
        extra = [*groups, *nominals, *(s for s in pronouns if s.start not in covered)]
        self.result.spots = sorted(
            [*self.result.spots, *extra, *self._addressed()], key=lambda s: (s.start, s.end)
        )
        return self.result

    def _fits(self, key: Key, pronoun: str | None) -> bool:
        if key[0] != "roster" or pronoun in {None, "they"}:
            return True
        return pronoun in self.roster.pronouns[int(key[1])]

    def _resolve(self, pronoun: str | None) -> frozenset[Key]:
        for group in (self.named, self.in_context):
            fitting = [k for k in group if self._fits(k, pronoun)]
            if fitting:
                return frozenset(fitting)
        return self._anybody(pronoun, frozenset())

    def _anybody(self, pronoun: str | None, but: frozenset[Key]) -> frozenset[Key]:
        """The one person of the roster whom a pronoun fits, else someone without a name."""
        everyone: list[Key] = [("roster", i) for i in range(len(self.roster.people))]
        fitting = [k for k in everyone if k not in but and self._fits(k, pronoun)]
        return frozenset(fitting if len(fitting) == 1 else {("spoken", pronoun or _SOMEONE)})

    def _pronouns(self, groups: frozenset[Key]) -> Iterator[Spot]:
        resolved = {p: self._resolve(p) for p in ("she", "he", "they")}
        if groups:
            resolved["they"] = groups | {k for k in resolved["they"] if k[0] != "spoken"}
        for index, word in enumerate(self.words.words):
            pronoun = nouns.PRONOUNS.get(word.text)
            if pronoun is None:
                continue
            possessive = self._owns(index)
            owners = resolved[pronoun]
            if word.text in _SUBJECTS:
                named = self._named_after(index)
                if named and named >= owners:
                    owners = self._anybody(pronoun, named)
                else:
                    owners -= named
            elif word.text in _OBJECTS and not possessive:
                named = self._subject_before(index)
                if named and named >= owners:
                    owners |= self._anybody(pronoun, named)
            yield Spot(
                word.start, word.end, Kind.PRONOUN, owners, possessive, excludes=pronoun != "they"
            )

    def _named_after(self, index: int) -> frozenset[Key]:
        """Whom "she" cannot be: those first named later in its own clause ("she hates Maren")."""
        start = self.words.words[index].start
        for at in range(index, min(index + _CLAUSE, len(self.words.words))):
            word = self.words.words[at]
            if at > index and word.start in self.names:
                earlier = (s.owners for s in self.result.spots if s.start < start)
                return self.names[word.start].owners.difference(*earlier)
            if self._clause_ends(at, at + 1):
                break
        return frozenset()

    def _subject_before(self, index: int) -> frozenset[Key]:
        """Whom "her" hardly is: the subject of its own clause ("Maren looks down on her")."""
        for at in range(index - 1, max(-1, index - _CLAUSE), -1):
            word = self.words.words[at]
            if self._clause_ends(at, at) or word.text in _OTHER_SUBJECTS or word.text == "s":
                break
            if word.start in self.names:
                return self.names[word.start].owners
        return frozenset()

    def _clause_ends(self, at: int, word: int) -> bool:
        """Whether a clause ends in the gap after word `at`, or at the index `word`."""
        return (
            word >= len(self.words.words)
            or self.words.words[word].text in _CLAUSE_BREAKS
            or bool(set(self.words.gap(at)) - set(" '-"))
        )

    def _owns(self, index: int) -> bool:
        word, after = self.words.words[index].text, self.words.after(index)
        return word in {"his", "their"} or (
            word == "her" and bool(after) and after not in _AFTER_OBJECT
        )

    def _groups(self) -> Iterator[Spot]:
        texts = [w.text for w in self.words.words]
        owners: frozenset[Key] = frozenset({("group", ""), *self._pair()})
        done = 0
        for index in range(len(texts)):
            for phrase in nouns.GROUPS if texts[index] in nouns.GROUP_OPENERS else ():
                end = index + len(phrase)
                if index >= done and tuple(texts[index:end]) == phrase:
                    start = self.words.words[index].start
                    yield Spot(start, self.words.words[end - 1].end, Kind.NOMINAL, owners)
                    done = end

    def _pair(self) -> list[Key]:
        """The people of the roster whom "these two" may mean."""
        for keys in (self.named, self.in_context):
            ours = [k for k in keys if k[0] == "roster"]
            if len(ours) >= _PAIR:
                return ours
        return [("roster", 0), ("roster", 1)] if len(self.roster.people) == _PAIR else []

    def _nominals(self) -> Iterator[Spot]:
        for index, word in enumerate(self.words.words):
            noun = word.text
            if noun not in nouns.GENDER and noun not in nouns.INSULTS:
                continue
            complement = nouns.COMPLEMENTS.get(noun)
            if word.start in self.names or (complement and self.words.after(index) != complement):
                continue
            found = self._phrase(index)
            if found:
                first, determiner = found
                owners = self._apposed(index) or self._meant(noun, determiner)
                yield Spot(self.words.words[first].start, word.end, Kind.NOMINAL, owners)

    def _apposed(self, index: int) -> frozenset[Key] | None:
        """Who is named right after a phrase ("that excuse for a man Tobias")."""
        for at in range(index + 1, min(index + 1 + _LOOK_BACK, len(self.words.words))):
            word = self.words.words[at]
            if set(self.words.gap(at - 1)) - set(" '-"):
                return None
            if word.start in self.names:
                return self.names[word.start].owners
            if word.text not in {"for", "of", "a", "an"} and word.text not in nouns.GENDER:
                return None
        return None

    def _meant(self, noun: str, determiner: str) -> frozenset[Key]:
        gender = nouns.GENDER.get(noun)
        someone: frozenset[Key] = frozenset({("spoken", gender or noun)})
        if determiner in _ONE:
            return someone
        if determiner in _THEIRS or determiner == "'s":
            named = self.result.named_of_roster()
            if len(self.roster.people) == _PAIR and len(named) == 1:
                other: Key = ("roster", 1 - int(named[0][1]))
                if gender is None or self._fits(other, gender):
                    return frozenset({other})
            return someone
        resolved = self._resolve(gender)
        return someone if resolved == {("spoken", _SOMEONE)} else resolved

    def _phrase(self, index: int) -> tuple[int, str] | None:
        """Where a phrase around a noun begins, and its determiner; None if it means nobody."""
        noun, neutral = self.words.words[index], self.words.words[index].text in nouns.GENDER
        if noun.opens:
            bare = self.words.after(index) in _AFTER_BARE or self.words.gap(index).startswith("'")
            return (index, "") if bare and neutral and not self.words.shouted else None
        for at in range(index - 1, max(-1, index - 1 - _LOOK_BACK), -1):
            if set(self.words.gap(at)) - set(" '-"):
                return None
            word = self.words.words[at]
            determiner = self._determiner(at, index)
            if determiner is not None:
                start = at + 1 if determiner == "'s" else at
                return (start, determiner) if _allows(determiner, noun.text, index - at) else None
            named = word.start in self.names
            if named or word.opens or word.text in _BREAKS or word.text in _OWN:
                return None
        return None

    def _determiner(self, at: int, index: int) -> str | None:
        word = self.words.words[at]
        after_name = at > 0 and word.text == "s" and self.words.words[at - 1].start in self.names
        if after_name or (word.start in self.names and self.names[word.start].possessive):
            return "'s"
        if word.text in _ONE:
            return word.text if self.words.after(index) in {"who", "that"} else None
        return word.text if word.text in _THIS | _THE | _THEIRS else None

    def _addressed(self) -> Iterator[Spot]:
        """The "you" said to the one person named, who is called rather than spoken about."""
        spots = [s for s in self.result.spots if s.kind is Kind.NAME]
        owners = frozenset(self.result.named_of_roster())
        if len(owners) == 1 and any(self._is_called(s) for s in spots if s.owners == owners):
            for word in self.words.words:
                if word.text in nouns.YOU:
                    yield Spot(word.start, word.end, Kind.PRONOUN, owners)

    def _is_called(self, spot: Spot) -> bool:
        text = self.words.normal.text
        before, after = text[: spot.start].rstrip(" "), text[spot.end :].lstrip(" ")
        hailed = before[-12:].rpartition(" ")[2] in _CALLS
        opens = not before or hailed or before[-1] in ".!?\n,"
        closes = not after or after[0] in ".!?\n,"
        follows = after[:12].split(" ", 1)[0].rstrip(",'") in nouns.YOU
        return (opens and (closes or follows)) or (closes and bool(before) and before[-1] != "'")


def _allows(determiner: str, noun: str, distance: int) -> bool:
    if determiner in _THIS:
        return True
    if determiner in _THEIRS or determiner == "'s":
        return noun in nouns.RELATIONS and distance <= (_PAIR if determiner in _THEIRS else 1)
    return noun in nouns.GENDER
