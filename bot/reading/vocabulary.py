"""The English words that disguised spellings and names are checked against.

`words/LICENSE.md` says where the lists come from. Read once, on first use: about 45,000
words, some 5 MB of memory.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files


def _read(name: str) -> str:
    return (files(__package__) / "words" / name).read_text(encoding="utf-8")


def _words(name: str) -> frozenset[str]:
    lines = _read(f"{name}.txt").split("\n")
    return frozenset(line for line in lines if line and not line.startswith("#"))


_list = cache(_words)


@cache
def _grammar() -> dict[str, str]:
    return {name: str(words) for name, words in tomllib.loads(_read("grammar.toml")).items()}


def grammar(name: str) -> frozenset[str]:
    """One of the closed sets of `words/grammar.toml`."""
    return frozenset(_grammar()[name].split())


def commonest() -> frozenset[str]:
    """The 4,000 most used words."""
    return _list("commonest")


def everyday() -> frozenset[str]:
    """The next 7,000 most used words."""
    return _list("everyday")


def chat() -> frozenset[str]:
    """Shortenings and fan talk that spelling dictionaries leave out."""
    return _list("chat")


def strong() -> frozenset[str]:
    """Insults and swear words that people disguise."""
    return _list("strong")


def not_people() -> frozenset[str]:
    """Words written with a capital that name no person."""
    return _list("not_people")


@cache
def known() -> frozenset[str]:
    """Every word that is certainly no name by its spelling alone."""
    return commonest() | everyday() | _words("dictionary") | chat() | strong()
