"""What a guild keeps of its taking Fanguard up: settings, drafts, and the way there."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from bot.store import GuildSettings, SetupDraft, Store, check, migrate, open_store
from bot.store.engine import parse_url

MOMENT = datetime(2026, 3, 1, 12, tzinfo=UTC)


async def test_all_settings_of_taking_up_round_trip(store: Store) -> None:
    settings = GuildSettings(
        "10",
        moderator_role_ids=("1", "2"),
        paused=True,
        paused_channel_ids=("20",),
        shadow_until=MOMENT,
        greeting_due=True,
        joined_at=MOMENT,
        left_at=MOMENT,
    )
    await store.guilds.put(settings)
    assert await store.guilds.get("10") == settings


async def test_each_member_of_a_guild_has_one_draft(store: Store) -> None:
    first = SetupDraft(("20", "21"), "30", ("40",), "strict", shadow=True)
    await store.drafts.put("10", "1", SetupDraft())
    await store.drafts.put("10", "1", first)
    await store.drafts.put("10", "2", SetupDraft())
    assert await store.drafts.get("10", "1") == first
    assert await store.drafts.get("10", "2") == SetupDraft()
    assert await store.drafts.get("11", "1") is None
    await store.drafts.drop("10", "1")
    assert await store.drafts.get("10", "1") is None
    assert await store.drafts.get("10", "2") == SetupDraft()


async def test_guilds_from_before_are_neither_greeted_nor_gone(
    url: str, key: str, path: Path
) -> None:
    await asyncio.to_thread(path.touch)
    await migrate.upgrade(parse_url(url), "0002")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(
            "INSERT INTO guilds VALUES ('10', 'Fans', '30', '[\"20\"]', 0.7, 1, 0, 1, 0.02, 'm')"
        )
        connection.commit()
    async with open_store(url, key=key) as store:
        expected = GuildSettings(
            "10", "Fans", "30", ("20",), 0.7, seeded=True, threshold_share=0.02, threshold_model="m"
        )
        assert await store.guilds.all() == [expected]
    assert (await check(url)).problems == ()
