from __future__ import annotations

from bot.comment import Action, Level
from bot.store import Store
from tests.store.samples import assessment, comment


async def test_a_card_is_posted_once(store: Store) -> None:
    await store.flags.add(comment(1), assessment(), source="gateway")
    await store.flags.add(comment(2), assessment(), source="scan", card=False)
    await store.flags.add(comment(3, guild_id="11"), assessment(), source="gateway")

    pending = await store.flags.pending_cards("10")
    assert [flag.comment.id for flag in pending] == ["1"]
    assert len(await store.flags.pending_cards()) == 2

    await store.flags.card_posted(pending[0].id, "30", "900")
    assert await store.flags.pending_cards("10") == []
    assert await store.flags.stale_cards() == []
    found = await store.flags.by_card("10", "900")
    assert found is not None
    assert found.id == pending[0].id
    assert found.card_channel_id == "30"
    assert await store.flags.by_card("11", "900") is None


async def test_whatever_changes_a_flag_makes_its_card_stale(store: Store) -> None:
    flag = (await store.flags.add(comment(), assessment(), source="gateway")).flag
    assert flag is not None

    async def is_stale_then_refreshed() -> bool:
        stale = [one.id for one in await store.flags.stale_cards("10")]
        await store.flags.card_posted(flag.id, "30", "900")
        return stale == [flag.id]

    await store.flags.claim("10", flag.id, "1", "Ann")
    assert await store.flags.stale_cards() == []
    await store.flags.card_posted(flag.id, "30", "900")

    await store.flags.release("10", flag.id, "1", "Ann")
    assert await is_stale_then_refreshed()
    await store.flags.add(comment(edits=1), assessment(), source="gateway")
    assert await is_stale_then_refreshed()
    await store.flags.decide("10", flag.id, Action.DISMISS, "cli:ann", "Ann")
    assert await is_stale_then_refreshed()
    worse = assessment(0.9, Level.ABUSIVE)
    await store.flags.add(comment(edits=2), worse, source="gateway")
    assert await is_stale_then_refreshed()
    assert await store.flags.pending_cards() == []
    await store.flags.decide("10", flag.id, Action.DISMISS, "1", "Ann")
    assert not (await store.flags.decide("10", flag.id, Action.BAN, "2", "Bo")).won
    assert await is_stale_then_refreshed()


async def test_digests_and_lost_cards(store: Store) -> None:
    for number, score in ((1, 0.6), (2, 0.9), (3, 0.7)):
        await store.flags.add(comment(number), assessment(score), source="gateway")
    first, second, third = await store.flags.pending_cards()
    await store.flags.card_posted(first.id, "30", "901", digest=True)
    await store.flags.card_posted(second.id, "30", "901", digest=True)
    await store.flags.card_posted(third.id, "30", "902")

    listed = await store.flags.in_digest("10", "901")
    assert [flag.comment.id for flag in listed] == ["2", "1"]
    assert await store.flags.by_card("10", "901") is None
    assert await store.flags.stale_digests("10") == []
    await store.flags.decide("10", first.id, Action.DISMISS, "cli:ann", "Ann")
    await store.flags.decide("10", third.id, Action.DISMISS, "cli:ann", "Ann")
    assert [flag.id for flag in await store.flags.stale_digests("10")] == [first.id]
    assert await store.flags.stale_digests("11") == []
    assert [flag.id for flag in await store.flags.stale_cards("10")] == [third.id]
    assert await store.flags.by_card("10", "901") is None
    assert len(await store.flags.in_digest("10", "901")) == 2
    await store.flags.digest_shown("10", "901")
    assert await store.flags.stale_digests("10") == []
    await store.flags.card_lost(third.id)
    assert [flag.id for flag in await store.flags.pending_cards()] == [third.id]
    assert await store.flags.by_card("10", "902") is None
    await store.flags.no_card(third.id)
    assert await store.flags.pending_cards() == []
