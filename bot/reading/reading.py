"""One message read: who it talks about, and what a model is shown of it.

The model's text (`View.text`) is lower case; its only upper-case words are the tokens of
`roles`. Names are role tokens, so no name can move a score: TARGET for the person asked
about, PERSON for anybody else, MEMBER for a member mentioned. Pronouns stay as they are
where they may mean the person asked about, and become PERSON where they cannot, so that
"he hypes her up" reads "PERSON hypes her up" for her and "he hypes PERSON up" for him.

Words of somebody else stand between QUOTE and UNQUOTE: to a transformer they are natural
brackets; a model that counts words keeps track of the two tokens and counts what is
between them as other words (`q:idiot`). A prefix on every quoted word was the alternative:
it hides the words from a language model that knows them. A quotation of one or two words
("singer") is as often mockery as report, so it keeps plain quotation marks.

A phrase that is affection in the guild is one friendly word there: see `affection`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bot.comment import Person
from bot.reading import roles
from bot.reading.affection import affectionate, of_roster, shown_as_affection
from bot.reading.coreference import discussed
from bot.reading.normalise import normalise
from bot.reading.people import Discussed, Key, Kind, Spot, names_in
from bot.reading.roster import Roster, compile_roster
from bot.reading.self_description import left_out
from bot.reading.spanned import Edit, Spanned
from bot.reading.tokens import words_in
from bot.reading.unknown import is_foreign

_MEMBER = re.compile(r"(?<![\w.])@[\w.]{2,32}")
_TOKEN = re.compile(rf"\b(?:{'|'.join(sorted(roles.ROLES | roles.MARKS))})\b")
_QUOTATION = re.compile(
    f"{roles.QUOTE_MARK}([^{roles.QUOTE_MARK}{roles.UNQUOTE_MARK}]*){roles.UNQUOTE_MARK}"
)
_MARK = re.compile(f"[{''.join(roles.TOKEN_OF_MARK)}]")
_SPACES = re.compile(r"\s{2,}|\n|^\s|\s$")
_WORD = re.compile(r"\w+")
_SHORT_QUOTATION = 2
_LONGEST_NAME = 60
_MOST_STRANGERS = 24


@dataclass(frozen=True, slots=True)
class Mention:
    """A place that points at a person: a half-open span in code points of the original.

    A `context` mention (named only in the message replied to) is the empty span 0, 0.
    """

    start: int
    end: int
    kind: Kind


@dataclass(frozen=True, slots=True)
class Candidate:
    """Someone who may be discussed.

    `name` is the roster's name, or the words of the original that speak of the person;
    `index` the place in the roster, if there. `is_group` for a couple, band or cast.
    `ambiguous` if only pronouns or nouns point at the person, which may mean others as well,
    and the message does not answer one that names this person of the roster alone.
    """

    name: str
    in_roster: bool
    index: int | None
    mentions: tuple[Mention, ...]
    is_group: bool
    key: Key
    ambiguous: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """What a model is shown of a message when asked about one person.

    `text` and `context` (the message replied to) are in the form that this module's
    docstring describes; `names` are the spans of `text` that are tokens, never words of
    the author's; `shout` is the share of capitals among the letters outside names.
    """

    text: str
    context: str | None
    names: tuple[tuple[int, int], ...]
    shout: float
    _spanned: Spanned

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """The half-open span of the original that a span of `text` came from."""
        return self._spanned.origin(start, end)

    def within(self, start: int, end: int) -> str:
        """The part of `text` that came from a half-open span of the original."""
        starts = self._spanned.starts
        return self.text[bisect_left(starts, start) : bisect_left(starts, end)].strip()

    def is_name(self, start: int, end: int) -> bool:
        """Whether a span of `text` touches a role token or mark."""
        at = bisect_left(self.names, (end,)) - 1
        return at >= 0 and start < self.names[at][1]


@dataclass(frozen=True, slots=True)
class Reading:
    """A message, read with its context and roster: see `read`.

    `candidates` are everyone of the roster who may be discussed, and the first 24 others.
    """

    text: str
    candidates: tuple[Candidate, ...]
    _message: Discussed
    _context: Discussed | None

    def candidate(self, index: int) -> Candidate | None:
        """The candidate who is person `index` of the roster, if discussed."""
        return next((c for c in self.candidates if c.index == index), None)

    @property
    def foreign(self) -> bool:
        """Whether it is in another language than English, as far as its words tell."""
        words = self._message.words
        names = [s for s in self._message.spots if s.kind is Kind.NAME]
        taken = {
            i
            for i, word in enumerate(words.words)
            if any(name.start <= word.start < name.end for name in names)
        }
        return is_foreign(words, taken)

    def view(self, candidate: Candidate | None = None, *, strangers: bool = False) -> View:
        """What a model is shown when asked about `candidate`, or about nobody in particular.

        With `strangers`, names outside the roster stay words, unless one is the candidate's.
        """
        key = candidate.key if candidate else None
        spanned = _render(self._message, key, strangers)
        text = spanned.text
        context = _render(self._context, key, strangers).text if self._context else None
        return View(
            text,
            context,
            tuple(m.span() for m in _TOKEN.finditer(text)),
            _shout(self._message),
            spanned,
        )


def read(
    text: str,
    context: str | None = None,
    people: Sequence[Person] = (),
    affection: Sequence[str] = (),
) -> Reading:
    """Read a message.

    Args:
        text: the message as written, Discord markup and all.
        context: the message it answers.
        people: the roster.
        affection: phrases that are affection where the message was written ("our clown"), in
            whatever case and disguise; each counts only as a whole.
    """
    roster = compile_roster(tuple(people))
    before = names_in(words_in(normalise(context)), roster) if context else None
    message = discussed(words_in(normalise(text)), roster, before)
    for found in (message, before):
        if found is not None:
            found.fond = affectionate(found.words.normal, affection)
    return Reading(
        text, tuple(_candidates(text, context, message, before, roster)), message, before
    )


def _candidates(
    text: str, context: str | None, message: Discussed, before: Discussed | None, roster: Roster
) -> Iterator[Candidate]:
    mentions: dict[Key, list[Mention]] = {}
    answered = before.named_of_roster() if before and not message.named() else []
    certain = set(answered if len(answered) == 1 else ())
    spanned = message.words.normal.spanned
    for spot in message.spots:
        mention = Mention(*spanned.origin(spot.start, spot.end), spot.kind)
        for key in sorted(spot.owners, key=str):
            mentions.setdefault(key, []).append(mention)
        if spot.kind is Kind.NAME or spot.joint or len(spot.owners) == 1:
            certain |= spot.owners
    for key in before.named() if before else ():
        if key[0] == "roster" and key not in mentions:
            mentions[key] = [Mention(0, 0, Kind.CONTEXT)]
            certain.add(key)
    strangers = [key for key in mentions if key[0] != "roster"]
    left_out = set(strangers[_MOST_STRANGERS:])
    for key, places in mentions.items():
        if key in left_out:
            continue
        index = int(key[1]) if key[0] == "roster" else None
        if index is not None:
            name = roster.people[index].name
        else:
            named = next((m for m in places if m.kind is Kind.NAME), None)
            first = named or next((m for m in places if m.kind is Kind.NOMINAL), places[0])
            name = text[first.start : first.end]
            if key[0] == "name" and named is None and before and context:
                name = _name_in(context, before, key) or name
        yield Candidate(
            name[:_LONGEST_NAME],
            index is not None,
            index,
            tuple(places),
            key[0] == "group",
            key,
            key not in certain,
        )


def _name_in(context: str, before: Discussed, key: Key) -> str | None:
    for spot in before.spots:
        if key in spot.owners:
            start, end = before.words.normal.spanned.origin(spot.start, spot.end)
            return context[start:end]
    return None


def _render(found: Discussed, key: Key | None, strangers: bool) -> Spanned:
    normal = found.words.normal
    base = Spanned(normal.text, normal.spanned.starts, normal.spanned.ends)
    roles_shown = _role_edits(normal.text, found.spots, key, strangers)
    spanned = base.edit(_with_affection(found, roles_shown) if found.fond else roles_shown)
    spanned = spanned.sub(_MEMBER, lambda _: roles.MEMBER)
    spanned = spanned.edit(left_out(spanned.text))
    spanned = spanned.edit(_short_quotations(spanned.text))
    spanned = spanned.sub(_MARK, lambda m: f" {roles.TOKEN_OF_MARK[m.group()]} ")
    spanned = spanned.sub(_SPACES, lambda m: "" if m.start() == 0 else " ")
    size = len(spanned.text.rstrip())
    return Spanned(spanned.text[:size], spanned.starts[:size], spanned.ends[:size])


def _with_affection(found: Discussed, edits: Iterable[Edit]) -> list[Edit]:
    """The edits, with a friendly word where a phrase of affection is and nothing else there."""
    names = of_roster(found.spots)
    kept = {s.start for s in names}
    fond = list(shown_as_affection(found.words.normal, found.fond, names))
    starts = [start for start, _, _ in fond]

    def clashes(edit: Edit) -> bool:
        before = bisect_left(starts, edit[1]) - 1
        return edit[0] not in kept and before >= 0 and fond[before][1] > edit[0]

    return sorted([*fond, *(e for e in edits if not clashes(e))])


def _role_edits(
    text: str,
    spots: list[Spot],
    key: Key | None,
    strangers: bool,
) -> Iterator[Edit]:
    done = 0
    for spot in spots:
        if spot.start < done:
            continue
        mine = key in spot.owners
        end, suffix = spot.end, "'s" if spot.possessive else ""
        if spot.kind is Kind.NAME:
            if strangers and not mine and all(owner[0] != "roster" for owner in spot.owners):
                continue
            if (
                text[end - 1] == "s"
                and text[end : end + 1] == "'"
                and text[end + 1 : end + 2] in {" ", ""}
            ):
                end, suffix = end + 1, "'s"
            yield spot.start, end, (roles.TARGET if mine else roles.PERSON) + suffix
        elif spot.kind is Kind.PRONOUN and spot.excludes and key is not None and not mine:
            yield spot.start, end, roles.PERSON + suffix
        else:
            continue
        done = end


def _short_quotations(text: str) -> Iterator[Edit]:
    for match in _QUOTATION.finditer(text):
        inside = match[1].strip()
        words = len(_WORD.findall(re.sub(r"'s\b", "", inside)))
        if words <= _SHORT_QUOTATION:
            mark = "" if _TOKEN.fullmatch(inside) else '"'
            yield match.start(), match.start() + 1, mark
            yield match.end() - 1, match.end(), mark


def _shout(found: Discussed) -> float:
    """The share of capitals among the letters outside names."""
    inside = {i for s in found.spots if s.kind is Kind.NAME for i in range(s.start, s.end)}
    letters = [c for i, c in enumerate(found.words.normal.cased) if c.isalpha() and i not in inside]
    return sum(c.isupper() for c in letters) / len(letters) if letters else 0.0
