"""The list of known words answers as a set would."""

from __future__ import annotations

import random

from bot.reading import vocabulary


def test_the_known_words_are_those_of_the_lists_and_no_others() -> None:
    words = vocabulary.commonest() | vocabulary.everyday() | vocabulary.chat()
    known = vocabulary.known()
    assert all(word in known for word in words | vocabulary.strong())
    chance = random.Random(1)
    pieces = {word[: chance.randrange(len(word))] for word in words} - words
    assert all(piece + "\u00a4" not in known for piece in pieces)
    first, second = sorted(words)[100:102]
    for other in ("", "\n", f"{first}\n{second}", f"\n{first}\n", 5, None):
        assert other not in known
