"""Plays the demo chat into a fresh database."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console

from bot.classifier import HostilityModel
from bot.cli.demo_report import show_ending
from bot.cli.demo_screen import Screen
from bot.errors import UserError
from bot.moderation import Pipeline, TakeResult
from bot.settings import Settings, load_people
from bot.sources.demo import GUILD_ID, GUILD_NAME, ROSTER_FILE, ChatEvent, EventKind, load_chat
from bot.store import DatabaseChoice, GuildSettings, Store, open_configured, same_file

PLAY_SECONDS = 75.0
LONGEST_GAP_SECONDS = 25.0

_DELETED = "The author deleted the message."


async def run(settings: Settings, url: str, pace: float) -> None:
    """Play the chat, then print the queue and how it compares with the truth.

    Args:
        settings: which model, which key.
        url: the database, or its path; one that is there is replaced.
        pace: see `play`.

    Raises:
        UserError: the database holds more than a demo, or the model cannot be read.
    """
    model = HostilityModel.load(settings.model.path, fast=settings.model.fast)
    path = DatabaseChoice(url).path
    if path is None:
        raise UserError("The demo keeps its chat in a file. Name one with --db data/demo.db.")
    if path.exists() and not _is_ours(settings, url):
        await _refuse_if_precious(settings, path, url)
    _remove(path)
    chat = load_chat(datetime.now(UTC))
    console = Console()
    async with open_configured(settings, url, exclusive=True) as store:
        await store.guilds.put(
            GuildSettings(
                GUILD_ID,
                name=GUILD_NAME,
                member_flags=settings.model.member_flags,
                seeded=True,
            )
        )
        await store.roster.seed(GUILD_ID, load_people(ROSTER_FILE))
        async with Pipeline(store, model, threshold=settings.model.threshold) as pipeline:
            with Screen(console, len(chat)) as screen:
                results = await play(chat, pipeline, store, screen, pace)
        found_alone = _is_ours(settings, url) and not settings.database.configured
        await show_ending(console, store, chat, results, db=None if found_alone else url)


async def play(
    chat: Sequence[ChatEvent], pipeline: Pipeline, store: Store, screen: Screen, pace: float
) -> dict[tuple[str, int], TakeResult]:
    """Play the chat and return what became of each wording, by message id and revision.

    Args:
        chat: the events in their order.
        pipeline: takes the members' messages.
        store: where a deletion is noted with the flag.
        screen: shows each event.
        pace: how long the pauses are; 1 makes the whole last `PLAY_SECONDS`, 0 has none.
    """
    results: dict[tuple[str, int], TakeResult] = {}
    for event, pause in zip(chat, pauses(chat), strict=True):
        await asyncio.sleep(pause * pace)
        comment = event.comment
        if event.automatic:
            screen.passed_over(event)
        elif event.kind is EventKind.DELETE:
            flag = await store.flags.get_by_message(comment.guild_id, comment.id)
            if flag is not None:
                await store.flags.note(comment.guild_id, flag.id, _DELETED)
            screen.deleted(event, flag)
        else:
            result = await pipeline.take(comment, source="demo", card=False)
            results[comment.id, event.revision] = result
            screen.taken(event, result)
    return results


def pauses(chat: Sequence[ChatEvent]) -> list[float]:
    """Return the pause before each event in seconds, `PLAY_SECONDS` in all."""
    before = [0.0, *(event.at for event in chat[:-1])]
    gaps = [
        min(event.at - earlier, LONGEST_GAP_SECONDS)
        for event, earlier in zip(chat, before, strict=True)
    ]
    return [gap * PLAY_SECONDS / sum(gaps) for gap in gaps]


def _is_ours(settings: Settings, url: str) -> bool:
    is_demo = same_file(url, str(settings.demo_database))
    return is_demo and not same_file(url, settings.database.url)


async def _refuse_if_precious(settings: Settings, path: Path, url: str) -> None:
    async with open_configured(settings, url, exclusive=True, upgrade=False) as store:
        guilds = {one.guild_id for one in await store.guilds.all()}
        guilds |= set(await store.flags.guild_ids())
    if guilds - {GUILD_ID}:
        msg = f"{path} holds more than a demo, which would be lost. Give --db another path."
        raise UserError(msg)


def _remove(path: Path) -> None:
    try:
        for suffix in ("", "-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
    except OSError as error:
        msg = f"{path} cannot be replaced: {error.strerror}. Give --db another path."
        raise UserError(msg) from None
