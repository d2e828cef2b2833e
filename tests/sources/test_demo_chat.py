"""The bundled chat is whole, labelled throughout and varied."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

import pytest

from bot.comment import Level, TargetType
from bot.settings import load_people
from bot.sources.demo import ROSTER_FILE, ChatEvent, EventKind, Truth, load_chat, load_truth

END = datetime(2026, 3, 8, 19, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def chat() -> list[ChatEvent]:
    return load_chat(END)


@pytest.fixture(scope="module")
def truth() -> dict[tuple[str, int], Truth]:
    return load_truth()


def test_there_are_enough_messages_of_every_sort(chat: list[ChatEvent]) -> None:
    kinds = Counter(event.kind for event in chat)
    posted = [event for event in chat if event.kind is EventKind.MESSAGE]
    assert kinds[EventKind.MESSAGE] >= 320
    assert kinds[EventKind.EDIT] >= 5
    assert kinds[EventKind.DELETE] >= 3
    assert sum(event.automatic for event in posted) >= 3
    assert sum(event.comment.reply_to is not None for event in posted) >= 15
    assert len({event.comment.channel_id for event in posted if event.comment.parent_id}) >= 2
    assert len({event.comment.author_id for event in posted}) >= 30


def test_events_come_in_order_and_point_to_what_was_posted(chat: list[ChatEvent]) -> None:
    assert [event.at for event in chat] == sorted(event.at for event in chat)
    posted: set[str] = set()
    for event in chat:
        if event.kind is EventKind.MESSAGE:
            assert event.comment.id not in posted
            posted.add(event.comment.id)
        assert event.comment.id in posted
        reply = event.comment.reply_to
        assert reply is None or reply.id in posted


def test_each_wording_of_a_member_has_one_label_and_nothing_else_has(
    chat: list[ChatEvent], truth: dict[tuple[str, int], Truth]
) -> None:
    wordings = [
        (event.comment.id, event.revision)
        for event in chat
        if event.kind is not EventKind.DELETE and not event.automatic
    ]
    assert len(wordings) == len(set(wordings))
    assert set(wordings) == set(truth)
    assert all(label.why for label in truth.values())


def test_labels_keep_to_the_policy(truth: dict[tuple[str, int], Truth]) -> None:
    hostile = {label.message_id for label in truth.values() if label.queued}
    messages = {label.message_id for label in truth.values()}
    assert 0.18 <= len(hostile) / len(messages) <= 0.27
    for label in truth.values():
        if label.level is Level.NONE:
            assert label.target_type in {TargetType.NONE, TargetType.OBJECT, TargetType.SELF}
            assert label.target is None
        elif label.target_type is TargetType.PERSON:
            assert label.target
    assert {label.level for label in truth.values()} == set(Level)


def test_edits_go_both_ways(truth: dict[tuple[str, int], Truth]) -> None:
    changes = Counter(
        (truth[message_id, 1].queued, label.queued)
        for (message_id, revision), label in truth.items()
        if revision > 1
    )
    assert changes[False, True] >= 2
    assert changes[True, False] >= 1
    assert changes[False, False] >= 2


def test_every_named_target_is_on_the_roster_or_unnamed(
    truth: dict[tuple[str, int], Truth],
) -> None:
    roster = {person.name for person in load_people(ROSTER_FILE)}
    assert len(roster) == 4
    named = {
        name
        for label in truth.values()
        if label.queued and label.target_type is TargetType.PERSON and label.target
        for name in label.target.split(", ")
    }
    assert named == roster


def test_an_edit_keeps_what_the_message_was(chat: list[ChatEvent]) -> None:
    edit = next(event for event in chat if event.kind is EventKind.EDIT)
    first = next(event for event in chat if event.comment.id == edit.comment.id)
    assert edit.comment.created_at == first.comment.created_at
    assert edit.comment.edited_at is not None
    assert edit.comment.edited_at > edit.comment.created_at
    assert edit.revision == 2


def test_the_chat_has_just_ended(chat: list[ChatEvent]) -> None:
    assert max(event.comment.created_at for event in chat) == END
