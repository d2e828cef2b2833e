"""Pronouns, and nouns for people, resolved to whom they stand for.

Each is resolved to the people named in the message who go by it, else to those named in
the message replied to, else to the one or two people of the roster it fits. With nobody
to resolve to it makes a person of its own, named by its words. Gender is never read off
a name: only pronouns that the roster gives, and pronouns that a clause uses of somebody
beside the person it names, rule anybody out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bot.reading import nouns, vocabulary
from bot.reading.clauses import OBJECTS, SUBJECTS, Clauses
from bot.reading.people import Discussed, Key, Kind, Spot, names_in
from bot.reading.roster import Roster
from bot.reading.tokens import Words

_OWN = frozenset({"my", "your", "our", "ur", "mine"})
_THIS = frozenset({"this", "that"})
_THE = frozenset({"the", "poor", "dear"})
_PITIED = frozenset({"poor", "dear"})
_ONE = frozenset({"a", "an"})
_THEIRS = frozenset({"her", "his", "their"})
_BEING = frozenset({"is", "was", "s", "be", "being", "such"})
_AFTER_BARE = vocabulary.grammar("after_a_bare_noun")
_CALLS = vocabulary.grammar("calls")
_BREAKS = vocabulary.grammar("phrase_breaks")
_PAIRED = vocabulary.grammar("paired")
_SOMEONE = "someone"
_GENDERS = frozenset({"she", "he"})
_LOOK_BACK = 4
_PAIR = 2
_NEARBY = 16


@dataclass(frozen=True, slots=True)
class _Phrase:
    """A noun for a person: the word indices of its beginning and of the noun, its determiner."""

    first: int
    index: int
    noun: str
    determiner: str

    @property
    def owned(self) -> bool:
        return self.determiner in _THEIRS or self.determiner == "'s"


def discussed(words: Words, roster: Roster, context: Discussed | None) -> Discussed:
    """Everyone a message talks about, with the names of the message replied to at hand."""
    return _Finder(words, roster, context).find()


class _Finder:
    """The search of one message for everything that points at a person."""

    def __init__(self, words: Words, roster: Roster, context: Discussed | None) -> None:
        self.roster = roster
        self.result = names_in(words, roster)
        self.words = self.result.words
        self.clauses = Clauses(self.result)
        self.names = self.clauses.names
        self.named = self.result.named()
        self.in_context = context.named() if context else []
        self.phrases = list(self._phrases())
        self.barred, self.unsure = self._told_apart(context)

    def find(self) -> Discussed:
        groups = list(self._groups())
        nominals = [self._nominal(p) for p in self.phrases]
        covered = {i for s in (*groups, *nominals) for i in range(s.start, s.end)}
        pronouns = self._pronouns(frozenset().union(*(g.owners for g in groups)))
        extra = [*groups, *nominals, *(s for s in pronouns if s.start not in covered)]
        self.result.spots = sorted(
            [*self.result.spots, *extra, *self._addressed()], key=lambda s: (s.start, s.end)
        )
        return self.result

    def _told_apart(
        self, context: Discussed | None
    ) -> tuple[frozenset[tuple[Key, str]], frozenset[Key]]:
        """What "she" and "he" tell of the one person named: what is barred, who is unsure.

        Where a text has both, they are two people, and the one named is one of them only:
        which, if clauses tell, else a pronoun may mean somebody else as well.
        """
        in_message = len(self.named) == 1
        key = next(iter(self.named or self.in_context), None)
        if key is None or len(self.named or self.in_context) > 1 or not self._goes_by_both(key):
            return frozenset(), frozenset()
        texts = [self.clauses]
        if not in_message and context is not None:
            texts.append(Clauses(context))
        pronouns = frozenset[str]().union(*(t.genders() for t in texts))
        by_noun = _genders(p for p in self.phrases if not self._predicate(p))
        beside = frozenset[str]().union(*(t.beside(key) for t in texts))
        if pronouns | by_noun != _GENDERS:
            return frozenset(), frozenset({key} if beside else ())
        owned = _genders(p for p in self.phrases if p.owned and p.noun in _PAIRED)
        for others in (beside, owned, _GENDERS - pronouns):
            if len(others) == 1:
                return frozenset((key, other) for other in others), frozenset()
        return frozenset(), frozenset({key})

    def _is_unsure(self, keys: frozenset[Key]) -> bool:
        return len(keys) == 1 and all(map(self._goes_by_both, keys))

    def _goes_by_both(self, key: Key) -> bool:
        return all(self._fits(key, pronoun) for pronoun in _GENDERS)

    def _predicate(self, phrase: _Phrase) -> bool:
        return self.words.before(phrase.first) in _BEING

    def _fits(self, key: Key, pronoun: str | None) -> bool:
        if key[0] != "roster" or pronoun in {None, "they"}:
            return True
        return pronoun in self.roster.pronouns[int(key[1])]

    def _resolve(self, pronoun: str | None, *, points: bool = True) -> frozenset[Key]:
        """Whom a pronoun, or a noun that goes with it, may mean.

        `points` says that it points at one person, so that with two people of the roster
        left it may be either.
        """
        for group in (self.named, self.in_context):
            fitting = frozenset(k for k in group if self._fits(k, pronoun))
            others = {k for k in fitting if (k, pronoun) in self.barred}
            if others:
                return self._anybody(pronoun, fitting)
            if fitting and pronoun in _GENDERS and self.unsure & fitting:
                other = self._anybody(pronoun, fitting)
                return fitting | frozenset(k for k in other if k[0] == "roster")
            if fitting:
                return fitting
        return self._anybody(pronoun, frozenset(), points=points)

    def _anybody(
        self, pronoun: str | None, but: frozenset[Key], *, points: bool = True
    ) -> frozenset[Key]:
        """Whom of the roster a pronoun fits: one who is left, or either of two if `points`.

        Two only where nobody is named; someone without a name where nobody or many are left.
        """
        nobody: frozenset[Key] = frozenset({("spoken", pronoun or _SOMEONE)})
        indices = self.roster.going_by(pronoun)
        if len(indices) > _PAIR + len(but):
            return nobody
        fitting = frozenset(k for i in indices if (k := ("roster", i)) not in but)
        either = len(fitting) == _PAIR and points and pronoun != "they" and not but
        return fitting if len(fitting) == 1 or either else nobody

    def _they(self, groups: frozenset[Key]) -> frozenset[Key]:
        """Whom "they" may mean: the groups spoken of, who is named, and who goes by it."""
        resolved = self._resolve("they")
        if groups:
            return groups | {k for k in resolved if k[0] != "spoken"}
        own = frozenset[Key](("roster", i) for i in self.roster.theys)
        if len(own) != 1 or own & resolved:
            return resolved
        return own | {k for k in resolved if k[0] != "spoken"}

    def _pronouns(self, groups: frozenset[Key]) -> Iterator[Spot]:
        resolved = {p: self._resolve(p) for p in ("she", "he")} | {"they": self._they(groups)}
        for index, word in enumerate(self.words.words):
            pronoun = nouns.PRONOUNS.get(word.text)
            if pronoun is None:
                continue
            possessive = self.clauses.owns(index)
            owners = resolved[pronoun]
            if word.text in SUBJECTS:
                named = self.clauses.named_after(index)
                if named and named >= owners:
                    owners = self._anybody(pronoun, named)
                else:
                    owners -= named
            elif word.text in OBJECTS and not possessive:
                named = self.clauses.subject_before(index)
                if named and named >= owners:
                    owners |= self._anybody(pronoun, named)
            joint = pronoun == "they" and len(groups) > 0
            yield Spot(
                word.start,
                word.end,
                Kind.PRONOUN,
                owners,
                possessive,
                excludes=pronoun != "they",
                joint=joint,
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
                    last = self.words.words[end - 1].end
                    yield Spot(start, last, Kind.NOMINAL, owners, joint=True)
                    done = end

    def _pair(self) -> list[Key]:
        """The people of the roster whom "these two" may mean."""
        for keys in (self.named, self.in_context):
            ours = [k for k in keys if k[0] == "roster"]
            if len(ours) >= _PAIR:
                return ours
        return [("roster", 0), ("roster", 1)] if len(self.roster.people) == _PAIR else []

    def _phrases(self) -> Iterator[_Phrase]:
        for index, word in enumerate(self.words.words):
            noun = word.text
            if noun not in nouns.GENDER and noun not in nouns.INSULTS:
                continue
            complement = nouns.COMPLEMENTS.get(noun)
            if index in self.names or (complement and self.words.after(index) != complement):
                continue
            found = self._opening(index)
            if found:
                first, determiner = found
                yield _Phrase(first, index, noun, determiner)

    def _nominal(self, phrase: _Phrase) -> Spot:
        owners = self._apposed(phrase.index) or self._meant(phrase)
        words = self.words.words
        return Spot(words[phrase.first].start, words[phrase.index].end, Kind.NOMINAL, owners)

    def _apposed(self, index: int) -> frozenset[Key] | None:
        """Who is named right after a phrase ("that excuse for a man Tobias")."""
        for at in range(index + 1, min(index + 1 + _LOOK_BACK, len(self.words.words))):
            word = self.words.words[at]
            if set(self.words.gap(at - 1)) - set(" '-"):
                return None
            if at in self.names:
                return self.names[at].owners
            if word.text not in {"for", "of", "a", "an"} and word.text not in nouns.GENDER:
                return None
        return None

    def _meant(self, phrase: _Phrase) -> frozenset[Key]:
        noun, gender = phrase.noun, nouns.GENDER.get(phrase.noun)
        someone: frozenset[Key] = frozenset({("spoken", gender or noun)})
        if phrase.determiner in _ONE:
            return someone
        if phrase.owned:
            return self._partner(phrase) or someone
        anybody = noun in nouns.GENERIC
        resolved = self._resolve(gender, points=anybody or noun in nouns.INSULTS)
        if phrase.determiner in _PITIED and not self.named:
            resolved = resolved.intersection(self.in_context) or resolved
        subject = self.clauses.subject_before(phrase.first)
        aside = phrase.determiner == "that" and not self.named and self._is_unsure(resolved)
        if anybody and not self._predicate(phrase) and (subject >= resolved or aside):
            other = self._anybody(gender, resolved)
            resolved |= {k for k in other if k[0] == "roster"} if aside else other
        return someone if resolved == {("spoken", _SOMEONE)} else resolved

    def _partner(self, phrase: _Phrase) -> frozenset[Key] | None:
        """Whom "her husband" means where the roster has two people: not its "her"."""
        if len(self.roster.people) != _PAIR or phrase.noun not in _PAIRED:
            return None
        owner = self.result.named_of_roster()
        if not owner:
            owner = [k for k in self.in_context if k[0] == "roster"]
        if not owner and phrase.determiner != "'s":
            owner = list(self._resolve(nouns.PRONOUNS[phrase.determiner]))
        both = frozenset[Key]((("roster", 0), ("roster", 1)))
        others = both - frozenset(owner) if len(owner) == 1 else both
        if self.result.named_of_roster() and len(owner) != 1:
            return None
        return frozenset(k for k in others if self._fits(k, nouns.GENDER[phrase.noun])) or None

    def _opening(self, index: int) -> tuple[int, str] | None:
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
            if at in self.names or word.opens or word.text in _BREAKS or word.text in _OWN:
                return None
        return None

    def _determiner(self, at: int, index: int) -> str | None:
        word = self.words.words[at]
        after_name = word.text == "s" and at - 1 in self.names
        if after_name or (at in self.names and self.names[at].possessive):
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
        before = text[max(0, spot.start - _NEARBY) : spot.start].rstrip(" ")
        after = text[spot.end : spot.end + _NEARBY].lstrip(" ")
        hailed = before[-12:].rpartition(" ")[2] in _CALLS
        opens = not before or hailed or before[-1] in ".!?\n,"
        closes = not after or after[0] in ".!?\n,"
        follows = after[:12].split(" ", 1)[0].rstrip(",'") in nouns.YOU
        return (opens and (closes or follows)) or (closes and bool(before) and before[-1] != "'")


def _genders(phrases: Iterable[_Phrase]) -> frozenset[str]:
    return frozenset(g for p in phrases if (g := nouns.GENDER.get(p.noun)))


def _allows(determiner: str, noun: str, distance: int) -> bool:
    if determiner in _THIS:
        return True
    if determiner in _THEIRS or determiner == "'s":
        return noun in nouns.RELATIONS and distance <= (_PAIR if determiner in _THEIRS else 1)
    return noun in nouns.GENDER
