"""Emoji as words: `🐍` becomes ` :snake: `, whatever its skin tone or gender."""

from __future__ import annotations

import re
from functools import lru_cache

import emoji

from bot.reading.spanned import Edit, Spanned

_MAYBE = re.compile("[\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff]")
_TONE = re.compile(r"_(?:medium-)?(?:light|dark|medium)_skin_tone")
_GENDER = re.compile(r"^(?:woman|man|person)_(?=\w+ing$)")
_INDICATORS = re.compile("[\U0001f1e6-\U0001f1ff]+")


def name_emoji(spanned: Spanned) -> Spanned:
    """Write every emoji by name. Regional indicators that are no flags stay letters."""
    if not _MAYBE.search(spanned.text):
        return spanned
    letters = {
        i
        for run in _INDICATORS.finditer(spanned.text)
        if len(run.group()) % 2
        for i in range(*run.span())
    }
    edits: list[Edit] = [
        (found["match_start"], found["match_end"], _name(found["emoji"]))
        for found in emoji.emoji_list(spanned.text)
        if found["match_start"] not in letters
    ]
    return spanned.edit(edits)


@lru_cache(maxsize=1024)
def _name(character: str) -> str:
    name = emoji.demojize(character, delimiters=("", ""))
    name = _GENDER.sub("", _TONE.sub("", name)).lower()
    return f" :{re.sub(r'[^a-z0-9_]+', '_', name).strip('_')}: "
