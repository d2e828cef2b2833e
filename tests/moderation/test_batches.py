"""Which texts are the same, and which messages may not wait."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from bot.comment import Assessment, Level, TargetType
from bot.moderation import Danger, danger_of, removes_at_once
from bot.moderation.batches import gist_of
from bot.store import GuildSettings
from bot.store.crypto import Cipher, new_secret

ABUSIVE = Assessment(
    score=0.97,
    level=Level.ABUSIVE,
    flagged=True,
    threshold=0.5,
    target="Ada Lark",
    target_type=TargetType.PERSON,
    people=(),
    member_score=0.1,
    member_flagged=False,
    why=(),
    model="words-1",
)


@pytest.mark.parametrize(
    "text",
    [
        "ada lark is VERMIN",
        "Ada Lark is vermin!!!",
        "**Ada** Lark\nis  vermin.",
        "\N{CYRILLIC CAPITAL LETTER A}da Lark is vermin",
    ],
)
def test_the_same_text_in_other_clothes(text: str) -> None:
    assert gist_of(text) == gist_of("Ada Lark is vermin")


def test_another_text_is_another() -> None:
    assert gist_of("Ada Lark is vermin") != gist_of("Ada Lark is no vermin")
    assert gist_of("!!! ...") == ""


def test_the_index_of_a_text_needs_the_databases_secret() -> None:
    one, other = (Cipher("A" * 43 + "=") for _ in range(2))
    one.index_with(new_secret())
    other.index_with(new_secret())
    index = one.text_index("vermin")
    assert index == one.text_index("vermin")
    assert index not in (
        other.text_index("vermin"),
        one.blind_index("vermin"),
        hashlib.sha256(b"vermin").hexdigest(),
    )


@pytest.mark.parametrize(
    ("text", "danger"),
    [
        ("I'm going to find her and hurt her", Danger.THREAT),
        ("I\N{RIGHT SINGLE QUOTATION MARK}ll kill that woman", Danger.THREAT),
        ("someone should stab him", Danger.THREAT),
        ("watch your back", Danger.THREAT),
        ("we know where she lives", Danger.THREAT),
        ("she lives at 14 Harbour Road", Danger.DOXXING),
        ("her phone number is 555 123 4567", Danger.DOXXING),
        ("here is his home address", Danger.DOXXING),
        ("everyone go mass report her account", Danger.PILE_ON),
        ("let's all spam her page", Danger.PILE_ON),
        ("make their life hell", Danger.PILE_ON),
        ("Ada Lark is vermin", None),
        ("I hope she never sings again, vermin", None),
    ],
)
def test_what_may_not_wait(text: str, danger: Danger | None) -> None:
    assert danger_of(text, ABUSIVE) is danger
    assert danger_of(text, replace(ABUSIVE, level=Level.HOSTILE)) is None


def test_only_the_abusive_above_the_score_is_removed_at_once() -> None:
    chosen = GuildSettings("1", remove_above=0.95)
    assert removes_at_once(ABUSIVE, chosen)
    assert not removes_at_once(ABUSIVE, GuildSettings("1"))
    assert not removes_at_once(replace(ABUSIVE, score=0.94), chosen)
    assert not removes_at_once(replace(ABUSIVE, level=Level.HOSTILE), chosen)
    assert not removes_at_once(replace(ABUSIVE, flagged=False), chosen)
