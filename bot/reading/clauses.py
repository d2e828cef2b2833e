"""Clauses: whom a pronoun cannot be because its own clause names them.

In "she hates Maren" the pronoun is not Maren, and in "Maren looks down on her" hardly.
"""

from __future__ import annotations

from typing import Final

from bot.reading import nouns, vocabulary
from bot.reading.people import Discussed, Key, Kind, Spot

_AFTER_OBJECT = vocabulary.grammar("after_an_object")
_CLAUSE_BREAKS = vocabulary.grammar("clause_breaks")
_OTHER_SUBJECTS = vocabulary.grammar("other_subjects")
SUBJECTS: Final = frozenset({"she", "he", "shes", "hes"})
OBJECTS: Final = frozenset({"her", "him"})
_CLAUSE = 12


class Clauses:
    """The clauses of a text whose names are found."""

    def __init__(self, found: Discussed) -> None:
        """Take a text with its names; `names` has the spot of each word inside one."""
        self.words = found.words
        spots = [s for s in found.spots if s.kind is Kind.NAME]
        at = {i: s for s in spots for i in range(s.start, s.end)}
        self.names: dict[int, Spot] = {
            i: at[w.start] for i, w in enumerate(self.words.words) if w.start in at
        }
        self._first: dict[Key, int] = {}
        for spot in spots:
            for key in spot.owners:
                self._first.setdefault(key, spot.start)

    def named_after(self, index: int) -> frozenset[Key]:
        """Whom "she" cannot be: those first named later in its own clause ("she hates Maren")."""
        start = self.words.words[index].start
        for at in range(index, min(index + _CLAUSE, len(self.words.words))):
            if at > index and at in self.names:
                return frozenset(k for k in self.names[at].owners if self._first[k] >= start)
            if self._ends(at, at + 1):
                break
        return frozenset()

    def subject_before(self, index: int) -> frozenset[Key]:
        """Whom "her" hardly is: the subject of its own clause ("Maren looks down on her")."""
        for at in range(index - 1, max(-1, index - _CLAUSE), -1):
            text = self.words.words[at].text
            if self._ends(at, at) or text in _OTHER_SUBJECTS or text == "s":
                break
            if at in self.names:
                return self.names[at].owners
        return frozenset()

    def owns(self, index: int) -> bool:
        """Whether a pronoun owns what follows it ("her voice")."""
        word, after = self.words.words[index].text, self.words.after(index)
        return word in {"his", "their"} or (
            word == "her" and bool(after) and after not in _AFTER_OBJECT
        )

    def genders(self) -> frozenset[str]:
        """Which of "she" and "he" the pronouns of the text are."""
        found = {nouns.PRONOUNS.get(w.text) for w in self.words.words}
        return frozenset({"she", "he"} & found)

    def beside(self, key: Key) -> frozenset[str]:
        """The pronouns that clauses with `key` in them use of somebody else."""
        found = set()
        for index, word in enumerate(self.words.words):
            named: frozenset[Key] = frozenset()
            if word.text in SUBJECTS:
                named = self.named_after(index)
            elif word.text in OBJECTS and not self.owns(index):
                named = self.subject_before(index)
            if key in named:
                found.add(nouns.PRONOUNS[word.text])
        return frozenset(found)

    def _ends(self, at: int, word: int) -> bool:
        """Whether a clause ends in the gap after word `at`, or at the index `word`."""
        if word >= len(self.words.words) or set(self.words.gap(at)) - set(" '-"):
            return True
        text = self.words.words[word].text
        if text == "so":
            after = self.words.after(word)
            return after in _OTHER_SUBJECTS or word + 1 in self.names
        return text in _CLAUSE_BREAKS
