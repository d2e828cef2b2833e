"""What the sentence encoder is trained on: views of messages as tokens, with their labels."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.classifier.encoder import MOST_TOKENS
from bot.classifier.training.corpora import Message
from bot.classifier.training.made import emptied
from bot.classifier.training.rows import is_meant
from bot.comment import Level, TargetType
from bot.reading import read, roles

FINE_DRAWN: Final = 0.6
"""The share of the fine comments that an epoch draws; of one that puts people first, half."""
EMPTIED: Final = 1200
"""How many hostile messages an epoch is given with what they say taken out."""
MADE_PAIRS: Final = 4000
"""How many messages about two people an epoch is given, made of two messages about one."""

_UNSURE_WEIGHT: Final = 0.6
_ABOUT_ONE: Final = 0.4
_TARGETS: Final = list(TargetType)
_JOINS: Final = (". ", ". ", " but ", " and ", ", ", " while ", "! ", " 😭 ", " unlike ")


@dataclass(frozen=True, slots=True)
class Example:
    """A view as token ids and segment ids; labels of -1 are unknown."""

    ids: list[int]
    types: list[int]
    level: int
    member: int
    target: int
    weight: float


@dataclass(frozen=True, slots=True)
class Examples:
    """Of one message: the view about anyone, and those about each person that are known.

    `said` is the view about anyone as text, `alone` that about the one person it discusses,
    if there is but one.
    """

    written: bool
    hostile: bool
    level: int
    anyone: Example
    people: list[Example]
    said: str
    alone: str | None


class Reader:
    """Turns messages into examples with a tokenizer of `transformers`."""

    def __init__(self, tokenizer: Any) -> None:  # noqa: ANN401
        """Take the tokenizer, which knows the role tokens."""
        self._tokenizer = tokenizer

    def example(
        self,
        text: str,
        context: str | None,
        level: int,
        *,
        weight: float = 1.0,
        member: int = -1,
        target: int = -1,
    ) -> Example:
        """One view with its labels."""
        pair = (text, context) if context else (text,)
        found = self._tokenizer(*pair, truncation="longest_first", max_length=MOST_TOKENS)
        return Example(found["input_ids"], found["token_type_ids"], level, member, target, weight)

    def examples(self, message: Message) -> Examples:
        """All views of a message."""
        reading = read(message.text, message.context, message.people)
        personal = message.target_type is TargetType.PERSON
        level = int(message.level) if personal else 0
        member = message.target_type is TargetType.MEMBER and message.level >= Level.HOSTILE
        aimed = TargetType.NONE if personal and not message.level else message.target_type
        weight = 1.0 if message.sure else _UNSURE_WEIGHT
        view = reading.view(strangers=True)
        named = any(c.name == message.target for c in reading.candidates)
        people: list[Example] = []
        alone = None
        for candidate in reading.candidates:
            meant = is_meant(message, candidate, named, len(reading.candidates))
            if meant not in {0, 1} and message.level:
                continue
            asked = reading.view(candidate, strangers=True)
            people.append(
                self.example(asked.text, asked.context, level * (meant == 1), weight=weight)
            )
            only = len(reading.candidates) == 1 and not message.context and message.sure
            if only and roles.TARGET in asked.text:
                alone = asked.text
        return Examples(
            message.part == "written",
            level >= Level.HOSTILE,
            level,
            self.example(
                view.text,
                view.context,
                level,
                weight=weight,
                member=int(member),
                target=_TARGETS.index(aimed),
            ),
            people,
            view.text,
            alone,
        )

    def made_pairs(
        self, examples: Sequence[Examples], chance: random.Random, count: int
    ) -> list[Example]:
        """Messages about two people, of whom one at least is attacked, asked about one.

        Two messages about one person each are joined, the second person a PERSON: what is
        said of somebody else must not count against the one asked about.
        """
        single = [e for e in examples if e.alone]
        hostile = [e for e in single if e.hostile]
        if not hostile:
            return []
        made = []
        for _ in range(count):
            asked, other = chance.choice(single), chance.choice(hostile)
            if chance.random() < 0.4:  # noqa: PLR2004
                asked, other = other, asked
            parts = [asked.alone or "", (other.alone or "").replace(roles.TARGET, roles.PERSON)]
            chance.shuffle(parts)
            text = chance.choice(_JOINS).join(part.rstrip(".") for part in parts)
            made.append(self.example(text, None, asked.level))
        return made

    def emptied(
        self, examples: Sequence[Examples], chance: random.Random, count: int
    ) -> list[Example]:
        """Hostile messages of which only names and function words are left: harmless.

        A score must come from what is said, not from the frame it is said in.
        """
        hostile = [e.alone or e.said for e in examples if e.hostile]
        return [
            self.example(emptied(text), None, 0)
            for text in (chance.choices(hostile, k=count) if hostile else ())
        ]


def drawn(
    examples: Sequence[Examples], chance: random.Random, *, people_first: bool
) -> list[Example]:
    """The examples of one epoch; of a real comment one view, about anyone or about someone."""
    share = FINE_DRAWN / 2 if people_first else FINE_DRAWN
    found: list[Example] = []
    for of_message in examples:
        people = of_message.people
        if of_message.written:
            found += [of_message.anyone, *people]
            if people_first and len(people) > 1:
                found += people
        elif of_message.hostile or chance.random() < share:
            about_one = bool(people) and chance.random() < _ABOUT_ONE
            found.append(chance.choice(people) if about_one else of_message.anyone)
    return found
