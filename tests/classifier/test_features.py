from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.classifier.estimator import HEADS, HostilityClassifier
from bot.classifier.explain import contributions
from bot.classifier.features import HIDDEN, SpanVectorizer, char_ngrams, word_ngrams
from bot.classifier.stance import Voice, owners, voices
from bot.classifier.tokens import tokenize
from bot.classifier.windows import windows

VIEWS = st.lists(
    st.sampled_from(
        [
            "TARGET",
            "PERSON's",
            "MEMBER",
            "QUOTE",
            "UNQUOTE",
            "is",
            "not",
            "trash",
            "a",
            "clown",
            ".",
            "you",
            ":snake:",
        ]
    ),
    max_size=30,
).map(" ".join)


def said(view: str) -> dict[str, Voice]:
    tokens = tokenize(view)
    return {t.text: v for t, v in zip(tokens, voices(tokens), strict=True)}


def owner(view: str, word: str) -> str:
    tokens = tokenize(view)
    return dict(zip([t.text for t in tokens], owners(tokens), strict=True))[word]


@pytest.mark.parametrize(
    ("view", "word", "voice"),
    [
        ("TARGET is a fraud", "fraud", Voice.OWN),
        ("TARGET isn't a fraud", "fraud", Voice.DENIED),
        ("TARGET is not a total fraud", "fraud", Voice.DENIED),
        ("not only a fraud", "fraud", Voice.OWN),
        ("TARGET is not here. what a fraud", "fraud", Voice.OWN),
        ("QUOTE TARGET is a fraud UNQUOTE no", "fraud", Voice.QUOTED),
        ("QUOTE TARGET is great UNQUOTE a fraud", "fraud", Voice.OWN),
        ("people keep calling TARGET a fraud", "fraud", Voice.REPORTED),
        ("people call TARGET dull and a fraud", "fraud", Voice.REPORTED),
        ("people call TARGET dull but this is fraud", "fraud", Voice.OWN),
        ("i call TARGET a fraud", "fraud", Voice.OWN),
        ("let's say it, TARGET is a fraud", "fraud", Voice.OWN),
    ],
)
def test_how_a_word_is_said(view: str, word: str, voice: Voice) -> None:
    assert said(view)[word] is voice


@pytest.mark.parametrize(
    ("view", "word", "whose"),
    [
        ("TARGET is a fraud", "fraud", "T"),
        ("PERSON is great but TARGET is a fraud", "great", "P"),
        ("PERSON is great but TARGET is a fraud", "fraud", "T"),
        ("PERSON puts up with that awful fraud TARGET", "fraud", "T"),
        ("i am a fraud", "fraud", "I"),
        ("you are a fraud", "fraud", "Y"),
        ("this song is a fraud", "fraud", "O"),
        ("fraud", "fraud", "N"),
    ],
)
def test_whom_a_word_is_said_of(view: str, word: str, whose: str) -> None:
    assert owner(view, word) == whose


def test_words_of_others_make_features_of_their_own() -> None:
    own = {f for f, _, _ in word_ngrams("TARGET is trash", 1, 1)}
    quoted = {f for f, _, _ in word_ngrams("QUOTE TARGET is trash UNQUOTE", 1, 1)}
    assert "trash" in own
    assert "trash" not in quoted
    assert not {f for f, _, _ in char_ngrams("QUOTE trash UNQUOTE", 3, 3)} & {"tra", "ras", "ash"}


def test_no_part_of_a_role_token_looks_like_a_word() -> None:
    grams = {f for f, _, _ in char_ngrams("TARGET's bad", 2, 4)}
    assert not any(c.isupper() for gram in grams for c in gram)
    assert {" b", "bad", "ad "} <= grams


@given(VIEWS, st.sampled_from(["word", "char", "stance"]))
def test_every_feature_stands_where_it_says(view: str, kind: str) -> None:
    for feature, start, end in SpanVectorizer(kind, 1, 3).analyse(view):
        assert 0 <= start <= end <= len(view)
        if kind == "word":
            words = feature.split(" ")
            assert view[start:end].split(maxsplit=1)[0].startswith(words[0].lstrip("".join(Voice)))


@settings(deadline=None)
@given(st.lists(VIEWS, min_size=1, max_size=8), st.sampled_from(["word", "char", "stance"]))
def test_transform_agrees_with_fit_transform_and_stands_alone(views: list[str], kind: str) -> None:
    vectorizer = SpanVectorizer(kind, 1, 3, min_df=1, weight=0.7)
    fitted = vectorizer.fit_transform(views)
    again = vectorizer.transform(views)
    np.testing.assert_allclose(fitted.toarray(), again.toarray(), rtol=1e-5)
    for number, view in enumerate(views):
        np.testing.assert_array_equal(
            vectorizer.transform([view]).toarray()[0], again.toarray()[number]
        )
        length = float(np.sqrt(again[number].multiply(again[number]).sum()))
        assert length == pytest.approx(0.7 if again[number].nnz else 0.0, rel=1e-5)


def test_a_hidden_word_makes_no_feature() -> None:
    vectorizer = SpanVectorizer("word", 1, 2, min_df=1).fit([f"so {HIDDEN} sings", "so good"])
    assert vectorizer.get_feature_names_out() == ["good", "sings", "so", "so good"]


def test_kept_columns_stay_what_they_were() -> None:
    vectorizer = SpanVectorizer("word", 1, 1, min_df=1).fit(["a bb ccc", "ccc dd"])
    names = vectorizer.get_feature_names_out()
    idf = dict(zip(names, vectorizer.idf_, strict=True))
    vectorizer.keep(np.array([1, 3]))
    assert vectorizer.get_feature_names_out() == [names[1], names[3]]
    assert [idf[n] for n in vectorizer.get_feature_names_out()] == vectorizer.idf_.tolist()
    assert [vectorizer.index.get(name) for name in names] == [None, 0, None, 1]


def test_nothing_is_left_of_an_unknown_text(small_classifier: HostilityClassifier) -> None:
    assert small_classifier.features.transform(["zzzz"]).shape[0] == 1
    assert set(small_classifier.logits(["", "zzzz"])) == set(HEADS)


def test_contributions_add_up_to_the_score(small_classifier: HostilityClassifier) -> None:
    view = "TARGET is a clown and pathetic"
    nothing = small_classifier.logits([""])["hostile"][0]
    words = contributions(small_classifier.features, small_classifier.weights("hostile"), view)
    marks = sum(
        value * weight
        for (_, block), offset in zip(
            small_classifier.features.transformer_list, _offsets(small_classifier), strict=True
        )
        for column, name in enumerate(block.get_feature_names_out())
        if name.startswith("has:")
        for c, value in zip(*block.row(view), strict=True)
        if c == column
        for weight in [small_classifier.weights("hostile")[offset + column]]
    )
    total = nothing + sum(w.weight for w in words) + marks
    assert total == pytest.approx(small_classifier.logits([view])["hostile"][0], abs=0.02)


def _offsets(classifier: HostilityClassifier) -> list[int]:
    sizes = [len(block.idf_) for _, block in classifier.features.transformer_list]
    return [sum(sizes[:i]) for i in range(len(sizes))]


def test_the_estimator_follows_scikit_learn(small_classifier: HostilityClassifier) -> None:
    probabilities = small_classifier.predict_proba(["TARGET is pathetic", "TARGET is a star"])
    assert probabilities.sum(axis=1) == pytest.approx([1, 1])
    assert small_classifier.predict(["TARGET is pathetic", "TARGET is a star"]).tolist() == [1, 0]
    assert small_classifier.get_params()["max_features"] == 400


def test_short_views_are_read_whole() -> None:
    assert windows("") == [(0, 0)]
    view = "one two. three four."
    assert windows(view) == [(0, len(view))]


@given(
    st.lists(
        st.sampled_from(["a", "bb.", "TARGET", "c!", "UNQUOTE"]), min_size=111, max_size=400
    ).map(" ".join)
)
def test_long_views_are_read_in_runs_that_leave_nothing_out(view: str) -> None:
    found = windows(view)
    covered = set()
    for start, end in found:
        assert 0 <= start < end <= len(view)
        assert len(view[start:end].split()) <= 110
        covered.update(range(start, end))
    assert all(i in covered for i, c in enumerate(view) if c != " ")
