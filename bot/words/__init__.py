"""What people read, in their language: gettext's functions over the catalogues in `locales/`.

English is the source: what stands in the code is what English readers see. The language is
that of the present task: whoever begins a task for a person or a server says it with `speak`
or `speaking`, and everything below only calls

- `_("Flag {number} is yours.").format(number=3)` for a text,
- `ngettext("{count} flag", "{count} flags", count).format(count=count)` for one with a number,
- `pgettext("a level", "none")` where an English word has several meanings,
- `N_("Take it")` for a text that is made at import; `_()` follows where it is used.

Texts are whole sentences with named fields: no f-strings, nothing glued from parts.
"""

from bot.words.catalogues import LANGUAGES, Catalogue, catalogue, language_of
from bot.words.speech import (
    gettext,
    gettext_noop,
    ngettext,
    npgettext,
    pgettext,
    speak,
    speaking,
    spoken,
)

_ = gettext
N_ = gettext_noop

__all__ = [
    "LANGUAGES",
    "N_",
    "Catalogue",
    "_",
    "catalogue",
    "gettext",
    "gettext_noop",
    "language_of",
    "ngettext",
    "npgettext",
    "pgettext",
    "speak",
    "speaking",
    "spoken",
]
