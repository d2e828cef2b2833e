"""The English words that disguised spellings and names are checked against.

`words/LICENSE.md` says where the lists come from. Read once, on first use: about 45,000
words, some 2 MB of memory.
"""

from __future__ import annotations

import tomllib
from collections.abc import Container, Iterable
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Final

_FIRST: Final = 3


class _WordList:
    """Many words in little memory: those that begin alike share one string, a word a line."""

    def __init__(self, words: Iterable[str]) -> None:
        self._lines = {
            first: "\n".join(("", *alike, ""))
            for first, alike in groupby(sorted(words), key=lambda word: word[:_FIRST])
        }

    def __contains__(self, word: object) -> bool:
        if not isinstance(word, str) or "\n" in word:
            return False
        return f"\n{word}\n" in self._lines.get(word[:_FIRST], "")


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
def known() -> Container[str]:
    """Every word that is certainly no name by its spelling alone."""
    return _WordList({*commonest(), *everyday(), *_words("dictionary"), *chat(), *strong()})
