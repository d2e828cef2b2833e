"""What a model is shown: role tokens, quotations, markup, and the way back to the original."""

import pytest

from bot.comment import Person
from bot.reading import read

MAREN = Person("Maren Voss", ("Maren",))
TOBIAS = Person("Tobias Lind", ("Tobias",))


def view(text: str, of: int = 0) -> str:
    reading = read(text, None, (MAREN, TOBIAS))
    return reading.view(reading.candidate(of)).text


def test_the_person_asked_about_is_the_target() -> None:
    text = "Tobias deserves better than Maren, says Kowalczyk"
    assert view(text, 0) == "PERSON deserves better than TARGET, says PERSON"
    assert view(text, 1) == "TARGET deserves better than PERSON, says PERSON"
    assert (
        read(text, None, (MAREN, TOBIAS)).view().text
        == "PERSON deserves better than PERSON, says PERSON"
    )


def test_a_pronoun_that_is_somebody_else_is_a_person() -> None:
    reading = read("he hypes her up and she takes his money")
    he, she = reading.candidates
    assert reading.view(he).text == "he hypes PERSON up and PERSON takes his money"
    assert reading.view(she).text == "PERSON hypes her up and she takes PERSON's money"
    assert reading.view().text == "he hypes her up and she takes his money"


def test_the_context_has_the_same_roles() -> None:
    reading = read("she is vile", "Maren and Tobias argued", (MAREN, TOBIAS))
    assert reading.view(reading.candidate(0)).context == "TARGET and PERSON argued"
    assert read("x").view().context is None


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Maren's face, Marens face", "TARGET's face, TARGET's face"),
        ("> Maren is a cow\nno she is not", "QUOTE TARGET is a cow UNQUOTE no she is not"),
        ("> Maren\n> is a cow\nwhy", "QUOTE TARGET is a cow UNQUOTE why"),
        (">>> Maren is\na cow", "QUOTE TARGET is a cow UNQUOTE"),
        ('who said "Maren is a cow"?', "who said QUOTE TARGET is a cow UNQUOTE ?"),
        ("who said “Maren is a cow”", "who said QUOTE TARGET is a cow UNQUOTE"),
        ('Maren the "singer"', 'TARGET the "singer"'),
        ("«Maren» is a cow", "TARGET is a cow"),
        ('"Maren Voss" is a cow', "TARGET is a cow"),
        ("||Maren|| **is** a *cow* ~~no~~ __yes__", "TARGET is a cow no yes"),
        ("`Maren` Maren ```is trash``` yes", "CODE TARGET CODE yes"),
        ("Maren https://x.com/maren-is-trash?q=1", "TARGET LINK"),
        ("Maren [look](https://x.com/a) <https://y.com>", "TARGET look LINK LINK"),
        ("<@123> <@!4> @someone Maren <#5> <@&6>", "MEMBER MEMBER MEMBER TARGET CHANNEL MEMBER"),
        ("mail me at maren@example.com Maren", "mail me at LINK TARGET"),
        ("# Maren\n- is here <t:1700000000:R>", "TARGET is here"),
        ("Maren \\*is\\* f***ing great", "TARGET *is* fucking great"),
        ("TARGET Maren QUOTE \ue000 x", "target TARGET quote x"),
    ],
)
def test_markup(text: str, shown: str) -> None:
    assert view(text) == shown


def test_words_lead_back_to_the_original() -> None:
    text = "**Maren** is 🐍 i d i o t"
    reading = read(text, None, (MAREN,))
    shown = reading.view(reading.candidate(0))
    for word, original in [("TARGET", "Maren"), (":snake:", "🐍"), ("idiot", "i d i o t")]:
        at = shown.text.index(word)
        start, end = shown.origin(at, at + len(word))
        assert text[start:end] == original


def test_tokens_are_no_words_of_the_author() -> None:
    reading = read("> Maren is a cow\nTobias and <@1> agree", None, (MAREN, TOBIAS))
    shown = reading.view(reading.candidate(0))
    words = [(w, shown.text.index(w)) for w in shown.text.split()]
    tokens = {w for w, at in words if shown.is_name(at, at + len(w))}
    assert tokens == {"QUOTE", "TARGET", "UNQUOTE", "PERSON", "MEMBER"}


def test_shouting_is_told_without_the_names() -> None:
    shouts = [read(t, None, (MAREN,)).view().shout for t in ("MAREN is bad", "maren IS BAD", "")]
    assert shouts == [0.0, 1.0, 0.0]


AFFECTION = ("our clown", "trash queen", "🤡 king", "maren our goblin")


@pytest.mark.parametrize(
    ("text", "shown", "original"),
    [
        ("Maren is our clown", "TARGET is favourite", "our clown"),
        ("OUR  CLØWN maren", "favourite TARGET", "OUR  CLØWN"),
        ("0ur cl0wn", "favourite", "0ur cl0wn"),
        ("o u r c l o w n", "favourite", "o u r c l o w n"),
        ("our clown's face", "favourite's face", "our clown"),
        ("a Trash-Queen", "a favourite", "Trash-Queen"),
        ("🤡 king tobias", "favourite PERSON", "🤡 king"),
        ("maren our goblin", "TARGET favourite", "our goblin"),
        ("our clown should be sacked", "favourite should be sacked", "our clown"),
        ("our clowns", "our clowns", None),
        ("your clown", "your clown", None),
        ("our, clown", "our, clown", None),
    ],
)
def test_affection_of_the_guild_is_one_friendly_word(
    text: str, shown: str, original: str | None
) -> None:
    reading = read(text, "our clown again", (MAREN, TOBIAS), AFFECTION)
    found = reading.view(reading.candidate(0))
    assert (found.text, found.context) == (shown, "favourite again")
    if original is not None:
        at = found.text.index("favourite")
        start, end = found.origin(at, at + len("favourite"))
        assert text[start:end] == original


def test_without_phrases_nothing_is_affection() -> None:
    for phrases in ((), ("", " ", "\u200b")):
        assert read("our clown", None, (), phrases).view().text == "our clown"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("As a Muslim fan, I cried", "as a fan, i cried"),
        ("as a proud gay man i loved Maren", "as a man i loved TARGET"),
        ("speaking as a deaf fan: bravo", "speaking as a fan: bravo"),
        ("bravo (as a 70-year-old)", "bravo (as a fan)"),
        ("Maren as a Black woman on that stage", "TARGET as a black woman on that stage"),
        ("he dresses as a fat man", "he dresses as a fat man"),
        ("she was seen as a gay icon", "she was seen as a gay icon"),
    ],
)
def test_who_the_author_is_is_not_shown(text: str, shown: str) -> None:
    assert (
        read(text, people=[Person("Maren")])
        .view(next(iter(read(text, people=[Person("Maren")]).candidates), None))
        .text
        == shown
    )
