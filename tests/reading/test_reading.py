"""What `read` finds, kind by kind."""

import pytest

from bot.comment import Person
from bot.reading import Candidate, Kind, read

MAREN = Person("Maren Voss", ("Maren",), ("@marenvoss",))
TOBIAS = Person("Tobias Lind", ("Tobias",))
COUPLE = (Person("Ilena Marchetti", ("Ilena",)), Person("Dale Marchetti", ("Dale",)))


def names(text: str, *people: Person, context: str | None = None) -> list[str]:
    return [c.name for c in read(text, context, people).candidates]


def candidate(text: str, *people: Person, context: str | None = None) -> Candidate:
    (only,) = read(text, context, people).candidates
    return only


@pytest.mark.parametrize(
    "text",
    [
        "Maren Voss was late",
        "maren was late",
        "VOSS WAS LATE",
        "Maren's late",
        "marens voice cracked",
        "Vosss voice cracked",
        "ok @marenvoss was late",
        "#MarenVoss was late",
        "m4ren was late",
        "M\u0430ren was late",
        "M\u200bar\u200cen was late",
        "Máren Vöss was late",
        "m a r e n was late",
        "i hate m a r e n",
        "Marrren was late",
        "Marne Voss was late",
        "mar-en was late",
        "M-M-Maren was late",
        "\u041caren's crowd",
        "the anti-Maren crowd",
    ],
)
def test_a_roster_name_is_found_however_it_is_written(text: str) -> None:
    assert "Maren Voss" in names(text, MAREN, TOBIAS)


@pytest.mark.parametrize(
    "text",
    [
        "the marenade is good",
        "submaren",
        "a tobiasism",
        "Anne-Maren is here",
        "Maren Kowalczyk won",
    ],
)
def test_a_name_inside_another_word_or_name_is_somebody_else(text: str) -> None:
    assert not {"Maren Voss", "Tobias Lind"} & set(names(text, MAREN, TOBIAS))


def test_a_shared_part_names_neither_but_is_a_name() -> None:
    reading = read("Marchetti is a fool", None, COUPLE)
    assert [c.in_roster for c in reading.candidates] == [False]
    assert reading.view(None).text == "PERSON is a fool"
    assert names("Ilena Marchetti is a fool", *COUPLE) == ["Ilena Marchetti"]


def test_a_shared_surname_in_the_plural_names_them_all() -> None:
    assert names("the Marchettis are at it again", *COUPLE) == ["Ilena Marchetti", "Dale Marchetti"]


def test_a_nickname_of_a_couple_names_both() -> None:
    pair = (Person("Ilena Rossi", ("Dalena",)), Person("Dale Byrne", ("Dalena",)))
    assert names("dalena is over", *pair) == ["Ilena Rossi", "Dale Byrne"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("will you stop", False),
        ("Will you stop", False),
        ("i hope they will win", False),
        ("WILL YOU STOP", False),
        ("i love Will", True),
        ("Will is a snake", True),
        ("Will's acting was fine", True),
        ("WILL IS A SNAKE", True),
        ("Will, grow a spine", True),
    ],
)
def test_a_name_that_is_a_word_needs_a_capital_where_a_name_can_stand(
    text: str, found: bool
) -> None:
    assert ("Will Abernant" in names(text, Person("Will Abernant", ("Will",)), MAREN)) is found


EVERYDAY = (Person("Rose Tyler"), Person("Hope Diaz"), Person("Grace Hu"), Person("Mark Oslo"))


@pytest.mark.parametrize(
    "text",
    [
        "{n} is a washed up nobody",
        "{n} is pathetic",
        "{n}'s voice is awful",
        "i can't stand {n}",
        "i hate {n} so much",
        "shut up, {n}",
        "{n}, you absolute clown",
        "listen to {n} for five minutes",
        "because of {n} the show flopped",
        "why is {n} like this",
        "did {n} cheat",
        "so {n} lied again",
        "i think {n} is fake",
        "{n}: a flop",
        "tobias and {n} are fake",
        "{N} IS TRASH",
        "#team{n}",
        "#justicefor{n}",
        "#{n}isoverparty",
    ],
)
@pytest.mark.parametrize("person", EVERYDAY, ids=lambda p: p.name)
def test_a_name_that_is_a_word_is_found_where_a_person_is_spoken_of(
    text: str, person: Person
) -> None:
    first = person.name.split()[0].lower()
    assert person.name in names(text.format(n=first, N=first.upper()), *EVERYDAY, TOBIAS)


@pytest.mark.parametrize(
    "text",
    [
        "a rose by any other name",
        "roses are red",
        "the red rose is pretty",
        "prices rose again",
        "rose gold phone",
        "i hope she wins",
        "hope is not lost",
        "all hope is lost",
        "full of hope",
        "peace, love and hope",
        "mark my words",
        "mark the date",
        "grace under pressure",
        "grace and dignity",
        "fall from grace",
        "#rosegold",
        "#primrose",
        "#hopeful",
    ],
)
def test_a_word_that_is_also_a_name_stays_a_word(text: str) -> None:
    assert not [c.name for c in read(text, None, EVERYDAY).candidates if c.in_roster]


def test_a_name_that_is_a_part_of_another_is_its_own_person() -> None:
    people = (Person("Maren"), Person("Maren Lind"))
    assert names("maren is trash", *people) == ["Maren"]
    assert names("Maren Lind is trash", *people) == ["Maren Lind"]
    assert names("lind is trash", *people) == ["Maren Lind"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("#teammaren", "team TARGET"),
        ("#justiceformaren", "justice for TARGET"),
        ("#marenvossisoverparty", "TARGET is over party"),
        ("#xqmaren", "xq TARGET"),
        ("#maren", "TARGET"),
        ("teammaren", "teammaren"),
    ],
)
def test_a_hashtag_is_taken_apart_at_a_name(text: str, shown: str) -> None:
    reading = read(text, None, (MAREN,))
    assert reading.view(reading.candidate(0)).text == shown
    for found in reading.candidates:
        assert [text[m.start : m.end].lower()[:5] for m in found.mentions] == ["maren"]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Lil 🐍 Zo", ["zo", "lil zo"]),
        ("Tyler, The Creator", ["tyler", "tyler the creator"]),
        ("Panic! At The Disco", ["panic! at the disco"]),
        ("Florence + The Machine", ["florence"]),
        ("(G)I-DLE", ["(g)i-dle"]),
        ("*NSYNC", ["nsync"]),
        ("M.I.A.", ["m.i.a."]),
        ("$uicideboy$", ["$uicideboy$"]),
    ],
)
def test_a_name_with_signs_inside_matches_itself(name: str, parts: list[str]) -> None:
    for spelled in (name, name.lower(), *parts):
        for text in (f"{spelled} is trash", f"i hate {spelled}"):
            assert names(text, Person(name), MAREN) == [name]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("wren is too much", True),
        ("flood wren's inbox", True),
        ("we saw a wren today", False),
        ("so wren", False),
    ],
)
def test_a_name_that_is_a_rarer_word_may_stand_in_lower_case(text: str, found: bool) -> None:
    assert (names(text, Person("Wren Castellow", ("Wren",))) == ["Wren Castellow"]) is found


def test_an_alias_given_in_lower_case_needs_no_capital() -> None:
    assert names("they banned pivot again", Person("Priya Venkamoss", ("pivot",))) == [
        "Priya Venkamoss"
    ]


def test_names_of_digits_and_of_other_scripts() -> None:
    people = (Person("P1nk"), Person("이지은"), Person("Ke$ha"))
    assert names("P1nk and 이지은 and Ke$ha", *people) == ["P1nk", "이지은", "Ke$ha"]
    assert names("pink is loud but kesha is louder", *people) == ["P1nk", "Ke$ha"]


def test_a_pronoun_means_the_person_named_in_the_message() -> None:
    found = candidate("Maren isn't fake and she sure isn't stupid", MAREN, TOBIAS)
    assert [m.kind for m in found.mentions] == [Kind.NAME, Kind.PRONOUN]


def test_a_pronoun_means_the_person_named_in_the_message_replied_to() -> None:
    found = candidate(
        "she is a menace", MAREN, TOBIAS, context="Maren just announced another season"
    )
    assert (found.name, found.index, found.in_roster) == ("Maren Voss", 0, True)


def test_a_person_named_only_in_the_message_replied_to_is_a_candidate() -> None:
    found = candidate("imagine coming home to that", MAREN, TOBIAS, context="Maren snapped again")
    assert [(m.start, m.end, m.kind) for m in found.mentions] == [(0, 0, Kind.CONTEXT)]


def test_a_pronoun_means_the_only_person_of_the_roster() -> None:
    assert names("she is a menace", MAREN) == ["Maren Voss"]


def test_a_pronoun_of_nobody_known_is_a_person_of_its_own() -> None:
    for people in ((), (*COUPLE, MAREN)):
        reading = read("he hypes her up and all she does is shut him down", None, people)
        assert [(c.name, c.in_roster) for c in reading.candidates] == [
            ("he", False),
            ("her", False),
        ]


def test_pronouns_of_the_roster_rule_people_out() -> None:
    people = (Person("Maren Voss", pronouns="she/her"), Person("Tobias Lind", pronouns="he/him"))
    assert names("she was vile to him", *people) == ["Maren Voss", "Tobias Lind"]
    assert names("Maren and Tobias argued, he left", *people) == ["Maren Voss", "Tobias Lind"]
    reading = read("Maren and Tobias argued, he left", None, people)
    assert reading.view(reading.candidate(0)).text == "TARGET and PERSON argued, PERSON left"


def test_gender_is_not_guessed_from_a_name() -> None:
    for pronoun in ("she", "he", "they"):
        assert names(f"Maren sings and {pronoun} dances", MAREN, TOBIAS) == ["Maren Voss"]


def test_a_pronoun_is_not_the_person_its_own_clause_names() -> None:
    assert names("if she plays tobias's song i'm leaving", MAREN, TOBIAS) == [
        "Maren Voss",
        "Tobias Lind",
    ]
    assert "Maren Voss" in names("Tobias is a saint for putting up with her", MAREN, TOBIAS)


@pytest.mark.parametrize(
    ("text", "context", "certain", "either"),
    [
        ("she was so rude to her husband", None, [], [0, 1]),
        ("he hypes her up and she shuts him down", None, [], [0, 1]),
        ("that man is a saint", None, [], [0, 1]),
        ("that clown again", None, [], [0, 1]),
        ("she is vile", "Ilena and Dale argued", [], [0, 1]),
        ("Ilena was so rude to him", None, [0], [1]),
        ("Ilena treats that man like dirt", None, [0], [1]),
        ("Ilena hates her husband", None, [0, 1], []),
        ("his wife is a nightmare", "Dale looked tired", [0, 1], []),
        ("poor guy must be deaf", "Ilena snapped at him", [0], []),
        ("he must be deaf", "Ilena snapped at him", [0], [1]),
        ("that man needs help", "Ilena yelled at everyone", [0], [1]),
        ("Ilena was rude to him when he spoke, she is vile", None, [0, 1], []),
        ("these two deserve each other", None, [0, 1], []),
        ("she is vile", "Ilena was late", [0], []),
        ("her mum is a nightmare", "Ilena looked tired", [0], []),
        ("the director ruined it", None, [], []),
    ],
)
def test_who_may_be_meant_and_who_is(
    text: str, context: str | None, certain: list[int], either: list[int]
) -> None:
    found = [c for c in read(text, context, COUPLE).candidates if c.index is not None]
    assert [c.index for c in found if not c.ambiguous] == certain
    assert [c.index for c in found if c.ambiguous] == either


def test_pronouns_of_one_text_are_told_apart() -> None:
    reading = read("Ilena was rude to him when he spoke, she is vile", None, COUPLE)
    assert [reading.view(reading.candidate(i)).text for i in (0, 1)] == [
        "TARGET was rude to PERSON when PERSON spoke, she is vile",
        "PERSON was rude to him when he spoke, PERSON is vile",
    ]


def test_they_is_who_goes_by_it() -> None:
    people = (Person("Maren Voss", pronouns="she/her"), Person("Sam Ode", pronouns="they/them"))
    assert names("they are so rude", *people) == ["Sam Ode"]
    found = read("Maren hates that they won", None, people).candidates
    assert [(c.name, c.ambiguous) for c in found] == [("Maren Voss", False), ("Sam Ode", True)]


def test_nouns_speak_of_people() -> None:
    assert names("poor guy must be deaf", MAREN, TOBIAS, context="Tobias sat through it") == [
        "Tobias Lind"
    ]
    assert names("Ilena was so rude to her husband", *COUPLE) == [
        "Ilena Marchetti",
        "Dale Marchetti",
    ]
    found = read("Tobias puts up with that excuse for a woman Maren", None, (MAREN, TOBIAS))
    assert [m.kind for m in found.candidate(0).mentions] == [Kind.NOMINAL, Kind.NAME]
    assert [m.kind for m in found.candidate(1).mentions] == [Kind.NAME]
    assert names("that washed up singer again") == ["that washed up singer"]
    assert names("my husband hated it and so did your wife") == []


def test_a_couple_is_a_group_and_its_people() -> None:
    reading = read("these two are so fake, they deserve each other", None, COUPLE)
    assert [(c.name, c.is_group) for c in reading.candidates] == [
        ("these two", True),
        ("Ilena Marchetti", False),
        ("Dale Marchetti", False),
    ]


@pytest.mark.parametrize(
    "text", ["the cast was awful", "this band can't play", "the couple is over"]
)
def test_a_body_of_people_is_a_group(text: str) -> None:
    assert candidate(text).is_group


@pytest.mark.parametrize(
    "text",
    ["Dale, grow a spine you doormat", "you're such a menace Dale", "oh Dale you absolute clown"],
)
def test_you_is_the_person_called(text: str) -> None:
    found = candidate(text, *COUPLE)
    assert found.name == "Dale Marchetti"
    assert {m.kind for m in found.mentions} == {Kind.NAME, Kind.PRONOUN}


def test_you_is_a_member_otherwise() -> None:
    found = candidate("i think you are wrong about Dale here", *COUPLE)
    assert [m.kind for m in found.mentions] == [Kind.NAME]


def test_names_outside_the_roster_are_candidates_by_their_words() -> None:
    text = "Kowalczyk sang, then Taylor Vreeland did. I prefer Vreeland"
    found = read(text, None, (MAREN,)).candidates
    assert [c.name for c in found] == ["Kowalczyk", "Taylor Vreeland"]
    assert [text[m.start : m.end] for m in found[1].mentions] == ["Taylor Vreeland", "Vreeland"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "what a class act, always",
        "ugh i'm so stupid, i forgot the finale",
        "The fandom is wild and the fans know it",
        "Netflix dropped it on Friday in London",
        "https://example.com/Maren-is-trash",
        "```Maren is trash```",
        "You people are clowns",
        "THIS SHOW IS GARBAGE",
        "Questo martello fa pena e lo butto dal tetto",
    ],
)
def test_a_message_about_nobody_has_no_candidate(text: str) -> None:
    assert names(text, MAREN, TOBIAS) == []


def test_mentions_are_spans_of_the_original() -> None:
    text = "🐍🐍🐍 M\u200baren and **Tobias** argued"
    spans = [
        text[m.start : m.end]
        for c in read(text, None, (MAREN, TOBIAS)).candidates
        for m in c.mentions
    ]
    assert spans == ["M\u200baren", "Tobias"]


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        ("qué mujer tan asquerosa, la odio de verdad", True),
        ("진짜 못생겼다 저 사람 너무 싫어", True),
        ("Maren war heute wieder richtig gut, ich liebe sie", True),
        ("lmao ngl that was mid tbh fr", False),
        ("Maren Lind and Tobias Wex ate", False),
        ("", False),
    ],
)
def test_what_is_hardly_english_is_told(text: str, foreign: bool) -> None:
    assert read(text).foreign is foreign
