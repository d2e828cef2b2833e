"""The English words that disguised spellings and names are checked against.

`words/LICENSE.md` says where the lists come from. Read once, on first use: about 45,000
words, some 5 MB of memory.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files


def _load(name: str) -> frozenset[str]:
    text = (files(__package__) / "words" / name).read_text(encoding="utf-8")
    return frozenset(line for line in text.split("\n") if line and not line.startswith("#"))


@cache
def _grammar() -> dict[str, str]:
    text = (files(__package__) / "words" / "grammar.toml").read_text(encoding="utf-8")
    return {name: str(words) for name, words in tomllib.loads(text).items()}


def grammar(name: str) -> frozenset[str]:
    """One of the closed sets of `words/grammar.toml`."""
    return frozenset(_grammar()[name].split())


@cache
def everyday() -> frozenset[str]:
    """The most used words: a name spelled like one of these needs a capital letter."""
    return _load("everyday.txt")


@cache
def strong() -> frozenset[str]:
    """Insults and swear words that people disguise."""
    return _load("strong.txt")


@cache
def chat() -> frozenset[str]:
    """Shortenings and fan talk that spelling dictionaries leave out."""
    return _load("chat.txt")


@cache
def known() -> frozenset[str]:
    """Every word that is certainly not a name by its spelling alone."""
    return everyday() | _load("dictionary.txt") | chat() | strong()


@cache
def not_people() -> frozenset[str]:
    """Words written with a capital that name no person."""
    return _load("not_people.txt")
