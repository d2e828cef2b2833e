"""What holds for any text: names move nothing, and every span leads back."""

from collections.abc import Callable
from string import ascii_lowercase

from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.comment import Person
from bot.reading import read

FIRST = [
    "Quavela", "Zorbith", "Thyrion", "Bexmara", "Odaluce", "Ryndolf", "Jukaine", "Evosk", "Ilvanna",
    "Drewith", "Wondra", "Fitzora", "Umiko", "Kestrine", "Palvo", "Gundrel", "Sabrixa", "Hjordan",
]  # fmt: skip
LAST = [
    "Marchetva", "Tolvess", "Birrens", "O'Threll", "van der Spuyt", "Achterlo-Kaye", "Señorán",
    "Cziffras", "D'Ambrault", "Yewlandis", "Hollobrux", "de la Fontray", "Pimsetter", "Wroclavin",
    "Eskelund", "Ngozwe", "Ravnholdt", "Uxbrint", "Ivashenko", "Stormvald",
]  # fmt: skip


def people() -> st.SearchStrategy[tuple[Person, Person]]:
    """Two people with invented names, none like another."""
    pair = st.tuples(st.sampled_from(FIRST), st.sampled_from(LAST)).map(" ".join).map(Person)
    return st.tuples(pair, pair).filter(
        lambda p: not set(p[0].name.split(" ", 1)) & set(p[1].name.split(" ", 1))
    )


TEMPLATES = [
    "{a} is a saint for putting up with that vile excuse for a woman {b}",
    "{a}'s face when {b} sang, she looked bored",
    "{A} AND {B} ARE SO FAKE",
    "{a} is SO FAKE AND LOUD honestly",
    "> {a} is a talentless cow\nthat is gross, {b} said so",
    'who wrote "{a} sucks" here',
    "«{a}» is trash and so is {b}",
    "if she plays {a}'s song i'm leaving, said her husband",
    "these two, {a} and {b}, they deserve each other",
    "{a}, grow a spine you doormat",
    "you're such a menace {a}",
    "that {a} girl and her husband are awful to him",
    "Kowalczyk told {a} that he hates {b}",
    "{a}-hater since 2019, anti-{b} forever",
    "@someone {a} {b} {a} lol #{h}",
    "#team{h} #justicefor{j} because #{j}isoverparty",
    "{a} treats that man like dirt and he is right to leave her, {b}",
    "so {a} lied to him when he asked {b}, his wife",
    "she said a lot of very long and boring things to him and to us about {a}",
]
WRITERS = [
    lambda p: p.name,
    lambda p: p.name.lower(),
    lambda p: p.name.upper(),
    lambda p: p.name.split(" ")[0],
    lambda p: p.name.split(" ")[0].lower(),
    lambda p: p.name.split(" ", 1)[1],
]


def _shown(template: str, writer: int, pair: tuple[Person, Person], context: str) -> list[object]:
    a, b = (WRITERS[writer](p) for p in pair)
    joined = pair[0].name.replace(" ", "").replace("-", "").replace("'", "")
    fill = {"a": a, "b": b, "A": a.upper(), "B": b.upper(), "h": joined, "j": joined.lower()}
    reading = read(template.format(**fill), context.format(**fill), pair)
    views = [reading.view(c) for c in (None, *reading.candidates)]
    people_found = [(c.index, c.is_group, c.ambiguous, len(c.mentions)) for c in reading.candidates]
    return [people_found, [(v.text, v.context, v.shout) for v in views]]


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(TEMPLATES),
    st.integers(0, len(WRITERS) - 1),
    people(),
    people(),
    st.sampled_from(["", "{a} left early", "so {b} and {a} split, she is sad"]),
)
def test_other_names_change_nothing(
    template: str,
    writer: int,
    these: tuple[Person, Person],
    those: tuple[Person, Person],
    context: str,
) -> None:
    assert _shown(template, writer, these, context) == _shown(template, writer, those, context)


EVERYDAY = ["Rose", "Hope", "Grace", "Joy", "Summer", "Will", "Mark", "Drew", "Pat", "Stone"]
TELLING = [
    "{a} is a washed up nobody",
    "i can't stand {a}",
    "{a}'s voice, and what did {a} do",
    "shut up, {a}",
    "i think {a} is fake but {b} is worse",
    "why is {a} like this, she should listen to {b} for once",
    "because of {a} the show flopped. so {a} lied again",
    "{a}, you absolute clown",
    "#team{a} #justicefor{b}",
]


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(TELLING),
    st.sampled_from([str.lower, str.upper, str.capitalize]),
    st.permutations(EVERYDAY),
    st.permutations(FIRST),
)
def test_names_that_are_words_read_like_any_other(
    template: str, case: Callable[[str], str], words: list[str], others: list[str]
) -> None:
    def shown(a: str, b: str) -> list[object]:
        reading = read(
            template.format(a=case(a), b=case(b)),
            None,
            (Person(f"{a} Ekbom"), Person(f"{b} Tuñez")),
        )
        views = [reading.view(c).text for c in (None, *reading.candidates)]
        return [[(c.index, c.ambiguous) for c in reading.candidates], views]

    assert shown(words[0], words[1]) == shown(others[0], others[1])


MARKS = [
    *(">", "> ", "```", "`", "||", "**", "*", "_", "~~", '"', "\u201c", "\u201d", "«", "»", "\\"),
    *("#", "- ", ":", "<", "@", "<@1>", "<:x:1>", "https://a.b/c", ".", "!", "1", "0", "$", "\n"),
    *("\u200b", "\u0301", "\ue000", "\ue001", "[", "](https://a.b)"),
]
PIECES = [
    "maren",
    "Voss",
    "she",
    "her husband",
    "these two",
    "i d i o t",
    "🐍",
    "👩🏽‍🚀",
    "🇮🇹",
    "\u0430",
    "한",
    "\ud800",
]
messy = st.lists(
    st.sampled_from(MARKS + PIECES + [" ", " ", *ascii_lowercase[:4]]), max_size=60
).map("".join)


@settings(max_examples=400, deadline=None)
@given(
    st.one_of(st.text(max_size=200), messy),
    st.one_of(st.none(), st.text(max_size=40), messy),
    st.lists(st.one_of(st.text(max_size=8), messy), max_size=3),
    st.lists(st.one_of(st.text(min_size=1, max_size=12), messy), max_size=3),
)
@example("", "", [], [])
@example("> " * 2000, None, [], [])
@example("a\u0301" * 2000, None, [], [])
@example("1d1ot " * 700, None, [], [])
@example('*_`|~"' * 700, None, [], [])
@example("she her " * 500, "he " * 100, ["her she"], [])
def test_any_text_can_be_read(
    text: str, context: str | None, affection: list[str], names: list[str]
) -> None:
    people = (Person("Maren Voss", ("Maren",)), Person("Tobias Lind"), *map(Person, names))
    reading = read(text, context, people, affection)
    for candidate in reading.candidates:
        assert all(0 <= m.start <= m.end <= len(text) for m in candidate.mentions)
        assert candidate.name
    for candidate in (None, *reading.candidates):
        view = reading.view(candidate)
        assert view.text == " ".join(view.text.split())
        spans = [view.origin(i, i + 1) for i in range(len(view.text))]
        assert all(0 <= start <= end <= len(text) for start, end in spans)
        assert spans == sorted(spans)
        assert [end for _, end in spans] == sorted(end for _, end in spans)


@settings(max_examples=100, deadline=None)
@given(messy)
def test_reading_is_the_same_every_time(text: str) -> None:
    people = (Person("Maren Voss"),)
    first, second = read(text, None, people), read(text, None, people)
    assert first.candidates == second.candidates
    assert first.view().text == second.view().text
