"""The closed classes of words in `words.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files


@cache
def _lists() -> dict[str, str]:
    return tomllib.loads((files(__package__) / "words.toml").read_text(encoding="utf-8"))


def words(name: str) -> frozenset[str]:
    """The words of one class."""
    return frozenset(_lists()[name].split())
