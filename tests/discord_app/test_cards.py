"""What cards show, within Discord's limits and with nothing in a quoted text taking effect."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.comment import (
    Action,
    Assessment,
    Comment,
    Decision,
    Flag,
    Level,
    PersonAssessment,
    ReplyTo,
    Status,
    TargetType,
    Why,
)
from bot.discord_app.budget import PostBudget
from bot.discord_app.buttons import card_view, picker_view
from bot.discord_app.cards import digest_embed, flag_embed, list_embed, option_label, story_field
from bot.discord_app.commands.flags import LogFilter
from bot.discord_app.pages import PageButton
from bot.discord_app.quoting import escape, quote, short, spoiler, whole
from bot.store import Event, EventKind, Surroundings

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
SNOWFLAKE = "1234567890123456789"
NASTY = "|| @everyone <@1> ```\n> # [a](||b||) \\|| \u202e *_~`"


def flag(
    flag_id: int = 1, text: str = "text", *, decided: bool = False, name: str = "Robin"
) -> Flag:
    comment = Comment(
        id=SNOWFLAKE,
        guild_id=SNOWFLAKE,
        channel_id=SNOWFLAKE,
        author_id=SNOWFLAKE,
        text=text,
        created_at=NOW,
        author_name=name,
        reply_to=ReplyTo("1", text, name),
    )
    people = tuple(PersonAssessment(f"{name} {i}", 0.9, Level.HOSTILE, True) for i in range(30))
    assessment = Assessment(
        score=0.9,
        level=Level.HOSTILE,
        flagged=True,
        threshold=0.5,
        target=name,
        target_type=TargetType.PERSON,
        people=people,
        member_score=0.1,
        member_flagged=False,
        why=tuple(Why(0, 1, text[:80] + str(i), i / 10) for i in range(9)),
        model="model " * 60,
        ambiguous=True,
        foreign=True,
    )
    decision = Decision(flag_id, Action.REMOVE, SNOWFLAKE, name, NOW, text) if decided else None
    status = Status.DECIDED if decided else Status.OPEN
    return Flag(flag_id, comment, assessment, status, NOW, decision=decision, revisions=2)


def within_limits(embed: discord.Embed) -> None:
    assert len(embed) <= 6000
    assert len(embed.title or "") <= 256
    assert len(embed.description or "") <= 4096
    assert len(embed.footer.text or "") <= 2048
    assert len(embed.fields) <= 25
    for field in embed.fields:
        assert 1 <= len(field.name or "") <= 256
        assert 1 <= len(field.value or "") <= 1024


TEXTS = ["", " ", "a" * 4000, "|" * 4000, "\U0001f600" * 2000, NASTY * 80, "line\n" * 900, "@" * 99]


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
@pytest.mark.parametrize("decided", [False, True])
def test_any_text_fits(text: str, decided: bool) -> None:
    embed = flag_embed(flag(text=text, decided=decided, name=(text or "x") * 2))
    story_field(embed, [Event(EventKind.CLAIMED, NOW, "1", text or "x")] * 200)
    within_limits(embed)


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_any_surroundings_fit(text: str) -> None:
    note = Event(EventKind.NOTED, NOW, "1", text or "x", note=text or "x")
    around = Surroundings(
        10**6, 10**6, tuple((action, 10**6) for action in (None, *Action)), (note,) * 3
    )
    name = (text or "x") * 2
    shown = flag(text=text, decided=True, name=name)
    comment = replace(shown.comment, author_joined_at=NOW)
    gone = replace(shown, comment=comment, gone_at=NOW, gone_by_id=SNOWFLAKE, gone_by_name=name)
    embed = flag_embed(gone, around)
    story_field(embed, [Event(EventKind.CLAIMED, NOW, "1", text or "x")] * 200)
    within_limits(embed)
    view = card_view(replace(gone, decision=None, status=Status.OPEN), around)
    assert view is not None
    assert all(
        len(item.item.custom_id) <= 100 and len(item.item.label) <= 80 for item in view.children
    )


@pytest.mark.parametrize("text", TEXTS[1:], ids=range(len(TEXTS) - 1))
def test_a_whole_text_is_shown_in_parts_that_fit(text: str) -> None:
    parts = whole(text)
    assert all(len(part) <= 4096 for part in parts)
    if text.strip():
        assert all(part.startswith("||") and part.endswith("||") for part in parts)


@given(
    st.text(alphabet=st.sampled_from(list(NASTY + "ab1.-+ \n")), max_size=60),
    st.lists(st.tuples(st.integers(-5, 70), st.integers(-5, 70)), max_size=5),
    st.integers(min_value=80, max_value=300),
)
def test_bold_words_neither_break_a_spoiler_nor_its_limit(
    text: str, spans: list[tuple[int, int]], limit: int
) -> None:
    shown = spoiler(text, limit, spans)
    assert len(shown) <= limit
    if not text.strip():
        return
    inside = shown.removeprefix("||").removesuffix("||")
    assert not re.search(r"(?<!\\)(?:\\\\)*\|\|", inside.partition("||\n*(")[0])
    unescaped = re.sub(r"\\.", "x", inside, flags=re.DOTALL)
    assert unescaped.count("**") % 2 == 0


def test_words_that_touch_are_bold_as_one() -> None:
    assert (
        spoiler("you vile clown*", 99, [(4, 8), (8, 14), (14, 15)]) == r"||you **vile clown\***||"
    )
    assert spoiler("a hack", 99, [(2, 6), (3, 4)]) == "||a **hack**||"


@pytest.mark.parametrize("name", ["Robin", "|" * 300, "\u202e", "x" * 300])
def test_any_list_fits(name: str) -> None:
    flags = [flag(10**9 + each, name=name, decided=each % 2 == 0) for each in range(25)]
    within_limits(digest_embed(flags))
    within_limits(list_embed("title", flags, "note", with_card=True))
    assert all(1 <= len(option_label(each)) <= 100 for each in flags)
    view = picker_view(flags)
    assert view is not None
    assert len(view.to_components()) == 1


def test_a_digest_of_ordinary_names_lists_them_all() -> None:
    description = digest_embed([flag(1000 + each) for each in range(25)]).description or ""
    assert all(f"**{1000 + each}**" in description for each in range(25))


def test_a_decided_flag_has_no_buttons_but_for_the_text_of_a_removed_message() -> None:
    removed = flag(decided=True)
    view = card_view(removed)
    assert view is not None
    assert [item.item.label for item in view.children] == ["Show the text"]
    assert removed.decision is not None
    dismissed = replace(removed, decision=replace(removed.decision, action=Action.DISMISS))
    assert card_view(dismissed) is None
    assert picker_view([flag(decided=True)]) is None


def test_a_long_text_says_how_much_is_missing() -> None:
    text = "word " * 800
    shown = spoiler(text, 500)
    assert len(shown) <= 500
    missing = re.search(r"\((\d+) more characters", shown)
    assert missing is not None
    assert 3400 < int(missing[1]) < 3600


@given(st.text(alphabet=st.sampled_from(list(NASTY + "ab1.-+ \n")), max_size=80))
def test_nothing_breaks_out_of_a_spoiler(text: str) -> None:
    shown = spoiler(text, 4000)
    if not text.strip():
        return
    inside = shown.removeprefix("||").removesuffix("||")
    marks = re.sub(r"\\[\\*_~`|<>\[\]@#+.-]", "x", inside)
    assert not set(marks) & set("\\*_~`|<>[]@")
    assert not re.search(r"^\s*(#{1,3}|[-+])\s", marks, re.MULTILINE)


@given(st.text(max_size=300), st.integers(min_value=20, max_value=200))
def test_a_quote_keeps_within_its_limit(text: str, limit: int) -> None:
    quoted, missing = quote(text, limit)
    assert len(quoted) <= limit
    assert (missing == 0) == (len(escape(text)) <= limit)


def test_a_name_becomes_one_line() -> None:
    assert short(" a\n b\u202e\u200b ", 10) == "a b"
    assert short("abcdefghij", 5) == "abcd…"


def test_a_budget_counts_the_posts_of_its_window() -> None:
    now = 0.0
    budget = PostBudget(2, 5.0, clock=lambda: now)
    budget.spend()
    now = 3.0
    budget.spend()
    assert (budget.left(), budget.wait()) == (0, 2.0)
    now = 5.0
    assert (budget.left(), budget.wait()) == (1, 0.0)
    now = 8.0
    assert budget.left() == 2


def test_a_filter_fits_into_a_button_and_comes_back() -> None:
    wanted = LogFilter(
        Status.DECIDED, SNOWFLAKE + "0", NOW.date(), NOW.date(), "Li, Ann" + "\u91d1" * 15
    )
    state = wanted.encode()
    button = PageButton("next", "log", 999_999, state)
    assert len(button.custom_id) <= 100
    match = PageButton.__discord_ui_compiled_template__.fullmatch(button.custom_id)
    assert match is not None
    assert LogFilter.decode(match["state"]) == wanted
    assert LogFilter.decode(LogFilter().encode()) == LogFilter()
