"""Pronouns, and the nouns by which people are spoken of without their name."""

from __future__ import annotations

from typing import Final

from bot.reading import vocabulary

PRONOUNS: Final = {
    **dict.fromkeys(("she", "her", "hers", "herself", "shes"), "she"),
    **dict.fromkeys(("he", "him", "his", "himself", "hes"), "he"),
    **dict.fromkeys(
        ("they", "them", "their", "theirs", "themselves", "themself", "theyre", "theyve"), "they"
    ),
}
"""Third-person pronoun to its class."""
YOU: Final = frozenset({"you", "your", "youre", "youve", "yours", "yourself", "u", "ur"})

GENDER: Final[dict[str, str | None]] = {
    **dict.fromkeys(vocabulary.grammar("men"), "he"),
    **dict.fromkeys(vocabulary.grammar("women"), "she"),
    **dict.fromkeys(vocabulary.grammar("anybody")),
}
"""Noun for one person to the pronoun class it goes with, None for any."""

GENERIC: Final = vocabulary.grammar("generic")
"""Of those, nouns that say no more than a pronoun does."""

RELATIONS: Final = vocabulary.grammar("relations")
"""Nouns that after a possessive mean somebody else than the possessor."""

INSULTS: Final = vocabulary.grammar("insults")
"""Nouns that with "this" or "that" speak of one person, if of anyone."""

COMPLEMENTS: Final = {"waste": "of", "excuse": "for"}
"""Nouns that speak of a person only with this word after them."""

_PAIRS = ("these two", "those two", "them two", "the two of them", "two of them", "both of them",
          "both of these", "the pair of them")  # fmt: skip
_BODIES = ("couple", "pair", "duo", "trio", "band", "cast", "group", "family")
GROUPS: Final = tuple(
    tuple(phrase.split())
    for phrase in (*_PAIRS, *(f"{d} {b}" for d in ("the", "this", "that") for b in _BODIES))
    if phrase not in {"the pair", "the family"}
)
"""Phrases that speak of a couple, a band or a cast."""
GROUP_OPENERS: Final = frozenset(phrase[0] for phrase in GROUPS)
