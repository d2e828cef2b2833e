"""The language of the present task, and texts in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from bot.words.catalogues import SOURCE, catalogue, language_of

_language: ContextVar[str] = ContextVar("language", default=SOURCE)


def speak(locale: object) -> None:
    """Use the language of one of Discord's locales for the rest of this task."""
    _language.set(language_of(locale))


@contextmanager
def speaking(locale: object) -> Iterator[None]:
    """Use the language of one of Discord's locales inside the block."""
    before = _language.set(language_of(locale))
    try:
        yield
    finally:
        _language.reset(before)


def spoken() -> str:
    """The language of this task."""
    return _language.get()


def gettext(message: str) -> str:
    """Return a text in the language of this task."""
    return catalogue(spoken()).gettext(message) if message else ""


def ngettext(one: str, many: str, count: int) -> str:
    """Return the form of a text that goes with a number."""
    return catalogue(spoken()).ngettext(one, many, count)


def pgettext(context: str, message: str) -> str:
    """Return a text of which `context` says which meaning is meant."""
    return catalogue(spoken()).pgettext(context, message)


def npgettext(context: str, one: str, many: str, count: int) -> str:
    """Return the form that goes with a number, of a text with a context."""
    return catalogue(spoken()).npgettext(context, one, many, count)


def gettext_noop(message: str) -> str:
    """Mark a text for the catalogues and return it as it is."""
    return message
