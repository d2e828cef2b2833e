"""What an assessment promises, whatever the message."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.classifier import HostilityModel, Query
from bot.comment import Assessment, Person, TargetType

IONA = Person("Iona Stackpole", ("Iona",))
REUBEN = Person("Reuben Aldous", ("Reuben",))

TEMPLATES = (
    "{0} is a pathetic talentless idiot",
    "{0} was lovely tonight",
    "{1} deserves better than that vile snake {0}",
    "> {0} is trash\nthat is no way to speak of {1}",
    "i hope {0}'s car ends up in a river",
    "{0}, you absolute menace, i love you",
    "{0} and {1} are both clowns",
    "she was rude to {1}, but {0} took it well",
)
NAMES = (
    ("Iona Stackpole", "Reuben Aldous"),
    ("Mohammed Al-Rashid", "Li Wei"),
    ("Dick Trashman", "Karen Pigott"),
    ("Siobh\u00e1n N\u00ed Bhriain", "Bj\u00f6rk \u00de\u00f3rd\u00f3ttir"),
    ("Lakeisha Washington", "Chad Harrington"),
)
FULL_NAMES = st.sampled_from([name for pair in NAMES for name in pair])


def outcome(found: Assessment) -> tuple[object, ...]:
    """All of an assessment but the names."""
    return (
        found.score,
        found.level,
        found.flagged,
        found.target_type,
        found.member_score,
        found.member_flagged,
        [(p.score, p.level, p.flagged) for p in found.people],
        [(w.text, w.weight) for w in found.why],
    )


@settings(deadline=None, max_examples=150)
@given(st.sampled_from(TEMPLATES), FULL_NAMES, FULL_NAMES, st.booleans(), st.booleans())
def test_swapping_roster_names_changes_nothing(
    model: HostilityModel, template: str, first: str, second: str, lower: bool, with_context: bool
) -> None:
    if first == second:
        return

    def assess(one: str, other: str) -> Assessment:
        spell = str.lower if lower else str
        context = f"{one} just posted with {other}" if with_context else None
        return model.assess(
            template.format(spell(one), spell(other)),
            context=context,
            people=[Person(one), Person(other)],
        )

    assert outcome(assess(first, second)) == outcome(assess("Iona Stackpole", "Reuben Aldous"))


@pytest.mark.parametrize("template", TEMPLATES)
def test_part_of_a_name_is_as_good_as_the_whole(model: HostilityModel, template: str) -> None:
    people = [Person("Iona Stackpole"), Person("Reuben Aldous")]
    whole = outcome(model.assess(template.format("Iona Stackpole", "Reuben Aldous"), people=people))
    for first, second in [("Iona", "Aldous"), ("STACKPOLE", "reuben")]:
        assert outcome(model.assess(template.format(first, second), people=people)) == whole


TEXTS = st.text(max_size=300) | st.lists(
    st.sampled_from(
        [
            "Iona",
            "reuben",
            "she",
            "is",
            "not",
            "trash",
            "an idiot",
            "love",
            "\n> ",
            '"',
            "!!",
            "\U0001f40d",
            "||",
            "you",
        ]
    ),
    max_size=40,
).map(" ".join)


@settings(deadline=None, max_examples=200)
@given(TEXTS, st.none() | TEXTS, st.sampled_from([(), (IONA,), (IONA, REUBEN)]))
def test_what_every_assessment_promises(
    model: HostilityModel, text: str, context: str | None, people: tuple[Person, ...]
) -> None:
    found = model.assess(text, context=context, people=people)
    assert found == model.assess(text, context=context, people=people)
    assert 0 <= found.score <= 1
    assert found.flagged is (found.score >= found.threshold)
    assert (found.level >= 2) is found.flagged
    assert [p.name for p in found.people] == [p.name for p in people]
    assert all((p.level >= 2) is p.flagged is (p.score >= found.threshold) for p in found.people)
    assert all(p.score <= found.score for p in found.people)
    assert found.member_flagged is (found.member_score >= model.member_threshold)
    if found.flagged:
        assert found.target_type is TargetType.PERSON
    if found.target is not None:
        assert found.target_type is TargetType.PERSON
        words = text + (context or "")
        assert found.target in [p.name for p in people] or found.target in words
    ends = 0
    for word in found.why:
        assert found.flagged or found.member_flagged
        assert ends <= word.start < word.end
        assert word.text == text[word.start : word.end]
        assert word.weight > 0
        assert "iona" not in word.text.casefold()
        ends = word.end


def test_many_are_assessed_as_each_alone(model: HostilityModel) -> None:
    queries = [Query(t.format("Iona", "Reuben"), None, (IONA, REUBEN)) for t in TEMPLATES]
    alone = [model.assess(q.text, context=q.context, people=q.people) for q in queries]
    assert model.assess_many(queries) == alone
    assert model.assess_many(queries[::-1]) == alone[::-1]


def test_threads_may_share_a_model(model: HostilityModel) -> None:
    texts = [t.format("Iona", "Reuben") for t in TEMPLATES] * 5
    alone = [model.assess(t, people=[IONA, REUBEN]) for t in texts]
    found: dict[int, list[Assessment]] = {}

    def work(number: int) -> None:
        found[number] = [model.assess(t, people=[IONA, REUBEN]) for t in texts]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[i] for i in range(4)] == [alone] * 4


def test_removing_the_telling_words_lowers_the_score(model: HostilityModel) -> None:
    texts = [
        "Iona is a pathetic talentless idiot and everybody knows it",
        "what a disgusting, vile human being Iona is",
        "somebody should run Iona over",
        "Iona is ugly as sin and dumb as a post",
    ]
    for text in texts:
        found = model.assess(text, people=[IONA])
        assert found.flagged, text
        assert 1 <= len(found.why) <= 6
        left = text
        for word in reversed(found.why):
            left = left[: word.start] + left[word.end :]
        assert model.assess(left, people=[IONA]).score < found.score


PADDING = (
    "I had soup for lunch and then we walked the dog around the lake. "
    "The weather was fine all day. "
)


@pytest.mark.parametrize(
    "text", ["Iona is a pathetic talentless idiot.", "I hope Iona breaks her neck."]
)
@pytest.mark.parametrize("times", [8, 110])
def test_padding_does_not_hide(model: HostilityModel, text: str, times: int) -> None:
    assert model.assess(text, people=[IONA]).flagged
    padding = PADDING * times
    for padded in (f"{padding}{text}", f"{text} {padding}", f"{padding}{text} {padding}"):
        found = model.assess(padded, people=[IONA])
        assert found.flagged
        assert found.target == "Iona Stackpole"
    assert not model.assess(padding, people=[IONA]).flagged


def test_a_threshold_of_ones_own_decides(model: HostilityModel) -> None:
    found = model.assess("hello there", people=[IONA])
    assert not found.flagged
    again = model.assess("hello there", people=[IONA], threshold=found.score)
    assert again.flagged
    assert again.level >= 2
    assert not model.assess("Iona is trash", people=[IONA], threshold=1.0).flagged


def test_someone_outside_the_roster_counts_too(model: HostilityModel) -> None:
    found = model.assess("Gwendolyn Prott is a pathetic disgusting idiot", people=[IONA])
    assert found.flagged
    assert found.target == "Gwendolyn Prott"
    assert [(p.name, p.flagged) for p in found.people] == [("Iona Stackpole", False)]


def test_an_attack_on_a_member_is_flagged_as_one(model: HostilityModel) -> None:
    found = model.assess("@user you are such an idiot, shut up you moron", people=[IONA])
    assert found.member_flagged
    assert found.target is None
    assert [(p.name, p.score, p.flagged) for p in found.people] == [("Iona Stackpole", 0.0, False)]
    for text in ("Iona is an idiot", "what an idiot she is", "Iona was lovely", "you are so kind"):
        assert not model.assess(text, people=[IONA]).member_flagged


IDENTITIES = ("gay", "Muslim", "Black", "disabled", "lesbian", "trans", "Jewish", "deaf", "Korean")
KIND_WORDS = (
    "Iona's speech made me cry happy tears",
    "I felt at home at Iona's show",
    "I want to thank Iona for that scene",
    "I can't wait for Iona's next album",
)


@pytest.mark.parametrize("identity", IDENTITIES)
@pytest.mark.parametrize("rest", KIND_WORDS)
def test_saying_who_one_is_flags_nothing(model: HostilityModel, identity: str, rest: str) -> None:
    found = model.assess(f"as a {identity} fan, {rest}", people=[IONA])
    assert not found.flagged
    assert not found.member_flagged


@pytest.mark.parametrize("text", ["", " \n", "\u200b\u200d", "\ufe0f"])
def test_who_says_nothing_attacks_nobody(model: HostilityModel, text: str) -> None:
    found = model.assess(text, context="Iona is a worthless pig, a disgrace", people=[IONA])
    assert found.score == 0
    assert not found.flagged
    assert not found.member_flagged


@pytest.mark.parametrize("text", ["you are trash", "shut up you clown", "ur an idiot"])
def test_what_is_said_to_the_reader_is_a_members_matter(model: HostilityModel, text: str) -> None:
    found = model.assess(text, people=[IONA])
    assert found.score == 0
    assert found.member_flagged
    assert found.target_type is TargetType.MEMBER
    assert found.why
