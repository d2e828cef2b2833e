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
POSSESSIVES: Final = frozenset({"his", "their"})
YOU: Final = frozenset({"you", "your", "youre", "youve", "yours", "yourself", "u", "ur"})

GENDER: Final = {
    **dict.fromkeys(vocabulary.grammar("men"), "he"),
    **dict.fromkeys(vocabulary.grammar("women"), "she"),
    **dict.fromkeys(vocabulary.grammar("anybody")),
}
"""Noun for one person to the pronoun class it goes with, None for any."""

RELATIONS: Final = vocabulary.grammar("relations")
"""Nouns that after a possessive mean somebody else than the possessor."""

INSULTS: Final = vocabulary.grammar("insults")
"""Nouns that with "this" or "that" speak of one person, if of anyone."""

GROUPS: Final = (
    ("these", "two"), ("those", "two"), ("them", "two"), ("the", "two", "of", "them"),
    ("two", "of", "them"), ("both", "of", "them"), ("both", "of", "these"), ("the", "pair", "of", "them"),
    ("the", "couple"), ("this", "couple"), ("that", "couple"), ("this", "pair"), ("that", "pair"),
    ("the", "duo"), ("this", "duo"), ("that", "duo"), ("the", "trio"), ("this", "trio"), ("the", "band"),
    ("this", "band"), ("that", "band"), ("the", "cast"), ("this", "cast"), ("that", "cast"),
    ("this", "group"), ("that", "group"), ("the", "group"), ("this", "family"), ("that", "family"),
)  # fmt: skip
"""Phrases that speak of a couple, a band or a cast."""
