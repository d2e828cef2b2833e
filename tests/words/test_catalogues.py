"""Every text of the code is in every catalogue, and its translations fit."""

from __future__ import annotations

import string
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

import bot.words
from bot.words import LANGUAGES, N_, catalogue, language_of, ngettext, speaking, spoken

ROOM = Path(bot.words.__file__).parent
EACH = sorted(set(LANGUAGES.values()))


@cache
def written() -> dict[tuple[object, str | None], bool]:
    """The texts of the code, by text and context."""
    found = extract_from_dir(str(ROOM.parent), method_map=[("**.py", "python")])
    return {(text, context): True for _file, _line, text, _comments, context in found}


@cache
def translated(language: str) -> Catalog:
    with (ROOM / "locales" / language / "LC_MESSAGES" / "fanguard.po").open("rb") as text:
        return read_po(text, locale=language)


def fields(text: str) -> set[tuple[str, str]]:
    parsed = string.Formatter().parse(text)
    return {(name, spec or "") for _before, name, spec, _conversion in parsed if name is not None}


def forms(message: Message) -> list[tuple[tuple[str, ...], str]]:
    """Each translation with the texts that it stands for; none for one without translation."""
    one = message.id if isinstance(message.id, tuple) else (message.id,)
    texts = message.string if isinstance(message.string, (tuple, list)) else (message.string,)
    return [(one, text) for text in texts if text]


@pytest.mark.parametrize("language", EACH)
def test_every_text_is_in_the_catalogue(language: str) -> None:
    known = {(one.id, one.context) for one in translated(language) if one.id}
    missing = [text for text in written() if text not in known]
    assert not missing, "run `make words` and translate what is new"


@pytest.mark.parametrize("language", EACH)
def test_translations_keep_fields_and_forms(language: str) -> None:
    plurals = translated(language).num_plurals
    for message in translated(language):
        if not message.id:
            continue
        assert not message.fuzzy, message.id
        done = forms(message)
        if isinstance(message.id, tuple) and done:
            assert len(done) == plurals, message.id
        for source, text in done:
            allowed = set().union(*map(fields, source))
            assert fields(text) <= allowed, text
            if len(source) == 1:
                assert fields(text) == allowed, text


def test_unknown_locales_speak_english() -> None:
    assert language_of("xx") == language_of("en-GB") == "en"
    assert language_of("es-419") == language_of("es-ES") == "es"


def test_the_language_holds_for_the_block() -> None:
    text = N_("{count} day")
    assert spoken() == "en"
    with speaking("de"):
        assert spoken() == "de"
        assert ngettext(text, "{count} days", 2).format(count=2) == "2 Tage"
    assert spoken() == "en"
    assert catalogue("en").gettext(text) == text
