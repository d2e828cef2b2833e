"""Reading takes time and memory in proportion to what is read, whatever it is."""

import time

import pytest

from bot.comment import Person
from bot.reading import read
from bot.reading.roster import compile_roster, kept_rosters

PEOPLE = (Person("Maren Voss", ("Maren",)), Person("Tobias Lind", ("Tobias",)))
LONGEST = 4000
PATTERNS = {
    "words": "some words of no great note, and more. ",
    "names": "Maren told Kowalczyk that Tobias left. ",
    "one_word": "abcdefghij",
    "emoji": "\U0001f40d\U0001f44d\U0001f3fd\U0001f1ee\U0001f1f9",
    "joined_emoji": "\U0001f469\u200d",
    "marks": "\u0301",
    "accents": "a\u0301",
    "at": "@",
    "apostrophes": "a'",
    "quotes": '"a ',
    "nested_quotes": '\xab \u201c"',
    "block_quotes": "> a\n",
    "she": "she ",
    "her": "Maren her ",
    "nouns": "that excuse for a man ",
    "you": "Maren, you ",
    "hashtags": "#marenx ",
    "leet": "1d1ot ",
    "stars": "s*",
    "stretched": "aabbccc",
    "links": "](http://a",
    "addresses": "a@a.",
    "backticks": "`a",
    "lookalikes": "\u0430a ",
    "right_to_left": "\u202e",
}


def _seconds(text: str) -> float:
    began = time.process_time()
    reading = read(text, None, PEOPLE, ("our clown",))
    for candidate in (None, *reading.candidates[:1]):
        reading.view(candidate)
    return time.process_time() - began


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
def test_the_longest_message_is_read_at_once(pattern: str) -> None:
    text = (pattern * LONGEST)[:LONGEST]
    assert min(_seconds(text) for _ in range(3)) < 0.1


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
def test_ten_times_as_much_takes_about_ten_times_as_long(pattern: str) -> None:
    short, long = ((pattern * size)[:size] for size in (LONGEST, 10 * LONGEST))
    assert min(_seconds(long) for _ in range(2)) < 40 * max(0.005, _seconds(short))


def test_big_rosters_are_not_kept_for_ever() -> None:
    for year in range(12):
        compile_roster(tuple(Person(f"Ab{i}x{year} Cd{i}y") for i in range(600)))
    assert kept_rosters() < 10
    few = tuple(Person(f"Ef{i} Gh") for i in range(3))
    assert compile_roster(few) is compile_roster(tuple(few)) is compile_roster((*few[:2], few[2]))


def test_a_name_of_very_many_people_names_nobody() -> None:
    gang = tuple(Person(f"Ab{i}x Cd{i}y", ("thegang",)) for i in range(40))
    assert not [c for c in read("thegang again", None, gang).candidates if c.in_roster]


def test_of_many_strangers_the_first_are_candidates() -> None:
    text = " ".join(f"{a}{b}qx was here." for a in "BCDFGH" for b in "aeiouy")
    assert len(read(text).candidates) == 24
