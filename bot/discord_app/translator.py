"""Tells Discord the commands' texts in the languages of the catalogues."""

from __future__ import annotations

from discord import Locale, app_commands
from discord.app_commands import TranslationContextLocation, TranslationContextTypes, locale_str

from bot.words import catalogue, language_of

_KEPT = (
    TranslationContextLocation.group_name,
    TranslationContextLocation.parameter_name,
)


class Translator(app_commands.Translator):
    """Translates descriptions, choices and the entries of context menus.

    The names of commands and options stay English, since texts speak of `/queue`.
    """

    async def translate(
        self, string: locale_str, locale: Locale, context: TranslationContextTypes
    ) -> str | None:
        """Return a text in a language; None where it is the same or there is no translation."""
        if context.location in _KEPT:
            return None
        if context.location is TranslationContextLocation.command_name and not isinstance(
            context.data, app_commands.ContextMenu
        ):
            return None
        translated = catalogue(language_of(locale)).gettext(string.message)
        return None if translated == string.message else translated
