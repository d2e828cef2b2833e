"""What `read` finds and what a model is shown."""

from bot.comment import Person
from bot.reading import read

MAREN = Person("Maren Voss", ("Maren",))
TOBIAS = Person("Tobias Lind", ("Tobias",))


def view(text: str, *people: Person) -> str:
    reading = read(text, None, people)
    return reading.view(reading.candidate(0)).text


def test_names_are_role_tokens() -> None:
    assert view("I saw Maren with Tobias", MAREN, TOBIAS) == "i saw TARGET with PERSON"


def test_pronoun_resolves_through_the_message_replied_to() -> None:
    reading = read("she is a menace", "Maren just announced another season", (MAREN, TOBIAS))
    assert [c.name for c in reading.candidates] == ["Maren Voss"]
    assert reading.view(reading.candidates[0]).context == "TARGET just announced another season"


def test_message_about_nobody_has_no_candidate() -> None:
    assert read("what a class act, always", None, (MAREN,)).candidates == ()
