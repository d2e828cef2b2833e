"""Guild settings, roster, checkpoints and imports."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.comment import Person
from bot.errors import UserError
from bot.store import GuildSettings, ImportProgress, Store, ThresholdNotice

MARA = Person("Mara Vey", ("Mars",), ("@maravey",), "she/her", ("20",))


async def test_guild_settings_round_trip(store: Store) -> None:
    assert await store.guilds.get("10") is None
    settings = GuildSettings("10", "Fans", "30", ("20", "21"), 0.7, False, True, True, 0.02, "m-1")
    await store.guilds.put(settings)
    assert await store.guilds.get("10") == settings
    changed = replace(settings, threshold=None, watched_channel_ids=())
    await store.guilds.put(changed)
    await store.guilds.put(GuildSettings("11"))
    assert await store.guilds.get("10") == changed
    assert await store.guilds.all() == [changed, GuildSettings("11")]


async def test_roster_round_trip(store: Store) -> None:
    jonas = Person("Jonas Orr")
    await store.roster.add("10", MARA)
    await store.roster.add("10", jonas)
    assert await store.roster.people("10") == (MARA, jonas)
    assert await store.roster.people("11") == ()
    assert await store.roster.remove("10", " mara VEY")
    assert not await store.roster.remove("10", "Mara Vey")
    assert await store.roster.people("10") == (jonas,)


@pytest.mark.parametrize(
    "clash",
    [Person("MARA  vey"), Person("mars"), Person("Someone", ("Mara Vey",)), Person("  ")],
)
async def test_roster_names_must_be_told_apart(store: Store, clash: Person) -> None:
    await store.roster.add("10", MARA)
    with pytest.raises(UserError):
        await store.roster.add("10", clash)
    assert await store.roster.people("10") == (MARA,)
    await store.roster.add("11", replace(clash, name=clash.name.strip() or "Else"))


async def test_seeding_fills_an_empty_roster_only(store: Store) -> None:
    with pytest.raises(UserError):
        await store.roster.seed("10", [MARA, Person("mara vey")])
    assert await store.roster.people("10") == ()
    await store.roster.seed("10", [MARA])
    await store.roster.seed("10", [Person("Jonas Orr")])
    assert await store.roster.people("10") == (MARA,)


async def test_changes_are_told(store: Store) -> None:
    told: list[str] = []
    store.on_guild_change(told.append)
    await store.guilds.put(GuildSettings("10"))
    await store.roster.add("11", MARA)
    await store.roster.remove("11", "Mara Vey")
    await store.phrases.add("12", "our clown")
    await store.phrases.remove("12", "our clown")
    assert told == ["10", "11", "11", "12", "12"]


async def test_phrases_round_trip(store: Store) -> None:
    assert await store.phrases.add("10", "  our   clown ") == "our clown"
    await store.phrases.add("10", "trash goblin")
    await store.phrases.add("11", "our clown")
    assert await store.phrases.of("10") == ("our clown", "trash goblin")
    assert await store.phrases.remove("10", "OUR  clown")
    assert not await store.phrases.remove("10", "our clown")
    assert await store.phrases.of("10") == ("trash goblin",)
    assert await store.phrases.of("11") == ("our clown",)


@pytest.mark.parametrize(
    ("phrase", "refusal"),
    [
        ("  ", "A phrase needs a word"),
        ("x" * 81, "has 81 characters, and 80 are the most"),
        ("Our  CLOWN", "“Our CLOWN” is on the list already"),
    ],
)
async def test_phrases_that_are_refused(store: Store, phrase: str, refusal: str) -> None:
    await store.phrases.add("10", "our clown")
    with pytest.raises(UserError, match=refusal):
        await store.phrases.add("10", phrase)
    assert await store.phrases.of("10") == ("our clown",)


async def test_a_guild_has_a_hundred_phrases_at_most(store: Store) -> None:
    for number in range(100):
        await store.phrases.add("10", f"our clown {number}")
    with pytest.raises(UserError, match="has 100 phrases, which is the most"):
        await store.phrases.add("10", "one more")
    await store.phrases.add("11", "one more")


async def test_a_threshold_is_moved_once_and_never_over_a_newer_choice(store: Store) -> None:
    old = GuildSettings("10", threshold=0.4, threshold_share=0.02, threshold_model="m-1")
    new = replace(old, threshold=0.6, threshold_model="m-2")
    await store.guilds.put(old)
    moves = [store.guilds.move_threshold(old, new, tell=True) for _ in range(3)]
    assert sorted(await asyncio.gather(*moves)) == [False, False, True]
    assert await store.guilds.get("10") == new
    notice = await store.notices.pending("10")
    assert notice == ThresholdNotice(1, "10", "m-2", 0.4, 0.6, 0.02)
    assert await store.notices.pending("11") is None

    newest = replace(new, threshold=0.7, threshold_model="m-3")
    assert await store.guilds.move_threshold(new, newest, tell=True)
    assert await store.notices.pending("10") == ThresholdNotice(2, "10", "m-3", 0.4, 0.7, 0.02)
    await store.notices.drop(1)
    await store.notices.drop(2)
    assert await store.notices.pending("10") is None
    assert await store.guilds.move_threshold(newest, new, tell=True)
    again = await store.notices.pending("10")
    assert again is not None
    assert again.id == 3


async def test_checkpoints_never_move_back(store: Store) -> None:
    advance = store.checkpoints.advance
    await advance("10", "20", "999999999999999999")
    await advance("10", "20", "1000000000000000000")
    await advance("10", "20", "999999999999999999")
    assert await store.checkpoints.get("10", "20") == "1000000000000000000"

    numbers = [str(1000000000000000000 + step) for step in (5, 3, 9, 1, 7)]
    await asyncio.gather(*(advance("10", "20", number) for number in numbers))
    await advance("10", "21", "5")
    await advance("11", "20", "6")
    assert await store.checkpoints.all("10") == {"20": "1000000000000000009", "21": "5"}
    assert await store.checkpoints.get("11", "21") is None
    with pytest.raises(ValueError, match="invalid literal"):
        await advance("10", "20", "not a number")


async def test_import_progress(store: Store) -> None:
    assert await store.imports.get("abc") is None
    progress = ImportProgress("abc", "chat.json", 100, 100, 7)
    await store.imports.put(progress)
    assert await store.imports.get("abc") == progress
    done = replace(progress, position=250, messages=250, done=True)
    await store.imports.put(done)
    assert await store.imports.get("abc") == done
    await store.imports.forget("abc")
    assert await store.imports.get("abc") is None
