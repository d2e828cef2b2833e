"""Where a name that is also a word stands: as the name, or as the word.

"rose is a nobody", "i can't stand hope" and "shut up, will" speak of people; "a rose",
"i hope she wins", "hope is not lost" and "grace under pressure" do not. A capital inside a
sentence is enough. Without one the words around tell, and what kind of word it is: a noun
that needs an article ("rose") can stand without it only as a name, while one that needs
none ("hope"), and a verb ("mark"), must stand where nothing but a person can.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from bot.reading import nouns, vocabulary
from bot.reading.tokens import Words

_WORDS_FIRST = vocabulary.grammar("words_first")
_WITHOUT_ARTICLE = vocabulary.grammar("without_article")
_VERBS = vocabulary.grammar("verbs_first")
_ENDEARMENTS = vocabulary.grammar("endearments")
_AFTER_A_NAME = vocabulary.grammar("after_a_name")
_ADVERBS = vocabulary.grammar("adverbs_after_a_name")
_NEVER_AFTER = vocabulary.grammar("never_after_a_name")
_BEFORE_A_NAME = vocabulary.grammar("before_a_name")
_PREPOSITIONS = vocabulary.grammar("prepositions")
_BEFORE_A_WORD = vocabulary.grammar("before_a_word")
_DETERMINERS = vocabulary.grammar("determiners")
_SAID_OF_THINGS = vocabulary.grammar("said_of_things")
_AFTER_OBJECT = vocabulary.grammar("after_an_object")
_HEADS = vocabulary.grammar("heads_of_a_clause")
_CALLS = vocabulary.grammar("calls")
_FUNCTION_WORDS = vocabulary.grammar("function_words")
_CLAUSE_BREAKS = vocabulary.grammar("clause_breaks")
_BEING: Final = frozenset({"is", "was", "isn", "isnt", "wasn", "wasnt", "s"})
_PASSED_OVER: Final = frozenset({"not", "t", "never", "always", "so", "all", "still", "the", "a",
                                 "just", "really", "too", "already", "finally"})  # fmt: skip
_OBJECTS_END: Final = (
    _AFTER_OBJECT - frozenset(nouns.PRONOUNS) - {"i", "you", "we", "it"}
) | vocabulary.grammar("ends_of_an_object")
_FLOPS: Final = frozenset({"a", "the", "so", "such", "an", "no"})
_LEADING: Final = frozenset({"of", "with", "to"})
_AUXILIARIES: Final = frozenset({"is", "was", "did", "does", "has", "can", "could", "should",
                                 "would", "isn", "isnt", "hasn", "hasnt"})  # fmt: skip
_MODALS: Final = frozenset({"will", "may"})
_LEADING_OF_A_PERSON: Final = {
    "to": vocabulary.grammar("before_to_a_person"),
    "of": vocabulary.grammar("before_of_a_person"),
    "for": frozenset({"justice"}),
}
_RALLIED: Final = frozenset({"team", "free", "save", "stop"})
_BASE_FORMS: Final = frozenset({"need", "have", "do", "be", "stay", "quit"})
_INSIDE: Final = frozenset({"in", "on", "into", "under", "about"})
_CLIPPED: Final = frozenset({"em", "ty"})
_PITYING: Final = frozenset({"poor", "dear", "king", "queen"})
_QUESTIONS: Final = frozenset({"why", "what", "how", "when", "where", "who"})
_SIGHS = vocabulary.grammar("sighs")
_LOOK_BACK = 3
_LOOK_ON = 4


def may_be_name(
    words: Words, index: int, last: int, *, guarded: bool, is_name: Callable[[int], bool]
) -> bool:
    """Whether words of the spelling of a name stand where the name can stand.

    Args:
        words: the text.
        index: the first of them.
        last: the last of them.
        guarded: the name is one word that is an everyday word too.
        is_name: whether the word at an index is spelled like a name of the roster that is
            no such word.
    """
    word = words.words[index]
    if last == index and index and words.gap(index - 1) == "-" and word.capital:
        hyphened = words.words[index - 1]
        stranger = len(hyphened.text) > 1 and hyphened.text not in vocabulary.known()
        if hyphened.capital and stranger:
            return False
    if not guarded:
        return True
    plainly = word.capital and not word.opens and not words.shouted
    if plainly or words.normal.text[max(0, word.start - 1) : word.start] == "@":
        return True
    first = word.text in _WORDS_FIRST
    return (not first and _tells_a_name(words, index)) or _stands_as_name(words, index, is_name)


def _tells_a_name(words: Words, index: int) -> bool:
    """Whether the words around one that is a name as often as a word leave it the name."""
    word, before, after = words.words[index], words.before(index), words.after(index)
    called = (not before or before in _CALLS) and (
        words.gap(index).startswith(",") or after in nouns.YOU
    )
    if before in _BEFORE_A_WORD or (after in _NEVER_AFTER and not called):
        return False
    tells = called or words.gap(index).startswith("'") or after in _AFTER_A_NAME
    if words.shouted:
        return tells
    common = word.text in vocabulary.commonest() or word.text in vocabulary.chat()
    return word.capital or not common or tells or before in _BEFORE_A_NAME


def _stands_as_name(words: Words, index: int, is_name: Callable[[int], bool]) -> bool:
    """Whether a word that is a word first stands where only a person can be spoken of."""
    text, before, after = words.words[index].text, words.before(index), words.after(index)
    if _beside_a_name(words, index, is_name):
        return True
    if _is_asked_about(words, index):
        return _subject_of_a_person(words, index, index)
    concluding = before == "so" and words.words[index - 1].opens and after in _AFTER_A_NAME
    if before in _BEFORE_A_WORD - _LEADING and not concluding:
        return False
    if words.gap(index).startswith("'"):
        said = _subject_of_a_person(words, index, index + 1)
    else:
        said = _is_subject(words, index)
    return (
        (said and not _is_described(words, index))
        or _is_called(words, index)
        or (_is_object(words, index) and not (text == "love" and after in nouns.YOU))
    )


def _beside_a_name(words: Words, index: int, is_name: Callable[[int], bool]) -> bool:
    """Whether "and" joins a word to a name ("rose and maren")."""
    return (words.after(index) in {"and", "n"} and is_name(index + 2)) or (
        words.before(index) in {"and", "n"} and index > 1 and is_name(index - 2)
    )


def _is_described(words: Words, index: int) -> bool:
    """Whether an article or a possessive stands before the words that describe a noun."""
    for at in range(index - 1, max(-1, index - 1 - _LOOK_BACK), -1):
        if words.gap(at) != " ":
            return False
        text = words.words[at].text
        if text in _DETERMINERS:
            return True
        if text in _FUNCTION_WORDS | _BEFORE_A_NAME | _CLAUSE_BREAKS | _HEADS | _AFTER_A_NAME:
            return False
    return False


def _is_subject(words: Words, index: int) -> bool:
    """Whether a word is what the verb after it is said of ("rose needs to go")."""
    text, before, after = words.words[index].text, words.before(index), words.after(index)
    if words.words[index].opens and words.gap(index).strip() in {":", "="}:
        return True
    if after in _ADVERBS:
        conjoined = after == "and" and text in _WITHOUT_ARTICLE
        return text not in _VERBS and not conjoined and _opens_a_clause(words, index)
    if after in _AFTER_A_NAME:
        inside = text in _WITHOUT_ARTICLE and before in _PREPOSITIONS | _LEADING | _INSIDE
        helps = text in _MODALS and after in _BASE_FORMS
        return not inside and not helps and _subject_of_a_person(words, index, index + 1)
    bare = text in _WITHOUT_ARTICLE or text in _VERBS
    return not bare and after in _FLOPS and words.words[index].opens


def _is_asked_about(words: Words, index: int) -> bool:
    """Whether a question turns round to the word ("did hope cheat", "why is rose like this")."""
    after = words.after(index)
    if words.before(index) not in _AUXILIARIES or not after or after in _NEVER_AFTER:
        return False
    return words.words[index - 1].opens or words.before(index - 1) in _QUESTIONS


def _opens_a_clause(words: Words, index: int) -> bool:
    before = words.before(index)
    return not before or before in _CLAUSE_BREAKS | _CALLS | _SIGHS


def _subject_of_a_person(words: Words, index: int, at: int) -> bool:
    """Whether what is said, from word `at`, of a noun that needs no article fits a person."""
    word = words.words[index].text
    if word not in _WITHOUT_ARTICLE or at >= len(words.words) or words.is_glued(index):
        return True
    if at > index and words.words[at].text not in _BEING:
        return True
    for following in range(at + 1, min(at + 1 + _LOOK_ON, len(words.words))):
        if words.gap(following - 1) not in {" ", "'"}:
            return True
        text = words.words[following].text
        if text in _SAID_OF_THINGS:
            return False
        if text not in _PASSED_OVER:
            return True
    return True


def _is_called(words: Words, index: int) -> bool:
    """Whether somebody is called by the word ("rose, you clown", "shut up, hope")."""
    text, before, after = words.words[index].text, words.before(index), words.after(index)
    if text in _ENDEARMENTS:
        return False
    opens = not before or before in _CALLS
    if opens and words.gap(index).startswith(","):
        return True
    if opens and after in nouns.YOU:
        return text not in _VERBS
    set_off = index > 0 and words.gap(index - 1) == ", "
    ends = not after and not words.gap(index).startswith((",", " - "))
    sighed = before in _SIGHS and words.gap(index - 1) in {" ", ", "}
    return ends and (before in {"up", "off"} or sighed or (set_off and _says_you(words, index)))


def _says_you(words: Words, index: int) -> bool:
    return any(words.words[at].text in nouns.YOU for at in range(max(0, index - 12), index)) or (
        words.words[max(0, index - 2)].text in _CALLS | {"up", "off"}
    )


def _is_object(words: Words, index: int) -> bool:
    """Whether a word is whom somebody hates, blames, listens to ("i can't stand rose")."""
    text, before, after = words.words[index].text, words.before(index), words.after(index)
    if before in _RALLIED and (words.is_glued(index - 1) or words.words[index - 1].opens):
        return words.is_glued(index - 1) != words.is_glued(index) or not after
    helps = text in _MODALS and after in _BASE_FORMS
    if (after and after not in _OBJECTS_END) or helps or text in _CLIPPED:
        return False
    if before in _BEFORE_A_NAME:
        return text not in _ENDEARMENTS or before not in _PITYING
    if before in _LEADING_OF_A_PERSON:
        return words.before(index - 1) in _LEADING_OF_A_PERSON[before]
    return before in _PREPOSITIONS and text not in _WITHOUT_ARTICLE | _VERBS
