"""What was kept long enough is erased, and nothing else."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from bot.comment import Action, Person
from bot.moderation.retention import Purged, purge
from bot.store import GuildSettings, Store, open_store
from tests.store.conftest import Clock
from tests.store.samples import assessment, comment


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def store(tmp_path: Path, clock: Clock) -> AsyncIterator[Store]:
    async with open_store(str(tmp_path / "a.db"), key=Fernet.generate_key(), now=clock) as opened:
        yield opened


async def test_texts_of_decided_flags_go_after_their_days(store: Store, clock: Clock) -> None:
    for number in range(1, 4):
        await store.flags.add(comment(number), assessment(), source="gateway")
    await store.flags.decide("10", 1, Action.REMOVE, "7", "Mo")
    clock.pass_time(days=60)
    await store.flags.decide("10", 2, Action.DISMISS, "7", "Mo")
    clock.pass_time(days=31)
    assert await purge(store, clock(), text_days=90, left_days=30) == Purged(1, 0)
    first, second, third = [await store.flags.get("10", each) for each in (1, 2, 3)]
    assert first is not None
    assert (first.erased, first.comment.text, first.comment.author_name) == (True, "", "")
    assert first.decision is not None
    assert first.decision.action is Action.REMOVE
    assert second is not None
    assert third is not None
    assert second.comment.text == third.comment.text == comment(2).text
    assert await purge(store, clock(), text_days=90, left_days=30) == Purged(0, 0)


async def test_a_server_that_was_left_is_forgotten_after_its_days(
    store: Store, clock: Clock
) -> None:
    left = GuildSettings("10", name="Left", joined_at=clock(), left_at=clock())
    for settings in (left, replace(left, guild_id="11", left_at=None)):
        await store.guilds.put(settings)
        guild = settings.guild_id
        await store.roster.add(guild, Person("Mara Vey"))
        await store.phrases.add(guild, "our clown")
        await store.checkpoints.advance(guild, "20", "5")
        await store.flags.add(comment(1, guild_id=guild), assessment(), source="gateway")
    clock.pass_time(days=29)
    assert await purge(store, clock(), text_days=90, left_days=30) == Purged(0, 0)
    clock.pass_time(days=2)
    assert await purge(store, clock(), text_days=90, left_days=30) == Purged(0, 1)
    assert await store.guilds.get("10") is None
    assert await store.roster.people("10") == ()
    assert await store.phrases.of("10") == ()
    assert await store.checkpoints.get("10", "20") is None
    assert [flag.comment.guild_id for flag in await store.flags.list(None)] == ["11"]
    assert len(await store.roster.people("11")) == 1
