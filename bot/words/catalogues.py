"""The catalogues: one file of translations for each language but English."""

from __future__ import annotations

import io
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

DOMAIN = "fanguard"
SOURCE = "en"
LANGUAGES = {"es-ES": "es", "es-419": "es", "pt-BR": "pt_BR", "fr": "fr", "de": "de"}
"""Discord's locales that are spoken beside English, and the folders of their catalogues."""

Catalogue = NullTranslations


def language_of(locale: object) -> str:
    """The catalogue for one of Discord's locales, as `str()` writes it; English for any other."""
    return LANGUAGES.get(str(locale), SOURCE)


@cache
def catalogue(language: str) -> Catalogue:
    """Read the translations of a language, once; those of English are empty.

    They are compiled in memory, so that an installation has no file that can be out of date.
    """
    if language == SOURCE:
        return NullTranslations()
    folder = files("bot.words") / "locales" / language / "LC_MESSAGES"
    compiled = io.BytesIO()
    with (folder / f"{DOMAIN}.po").open("rb") as text:
        write_mo(compiled, read_po(text, locale=language, domain=DOMAIN))
    compiled.seek(0)
    return GNUTranslations(compiled)
