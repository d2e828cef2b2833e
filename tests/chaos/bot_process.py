"""`python -m bot run` with a quick model, as the chaos and overload runs start it.

The model is the only part that is exchanged. `--checkpoint-first` and `--forget-cards` break
the bot on purpose, to see that the chaos run notices.
"""

from __future__ import annotations

import argparse
import os
import runpy
import secrets
import sys
import types
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bot.comment import Assessment, Person
from bot.discord_app.client import FanguardBot
from bot.discord_app.outbox import GuildOutbox
from bot.discord_app.watcher import Arrival, Watcher
from tests.cli.keyword_model import KeywordModel
from tests.scale import SquareScale


class RecordingModel(SquareScale):
    """Flags texts with “trash”, and writes down each text's first word before it answers."""

    def __init__(self, record: Path, delay: float) -> None:
        self._keywords = KeywordModel(delay)
        self._record = os.open(record, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def assess(self, text: str, **options: Any) -> Assessment:
        people: Sequence[Person] = options.get("people", ())
        answer = self._keywords.assess(text, people=people[:1], threshold=options.get("threshold"))
        self._keywords.texts.clear()
        self._keywords.contexts.clear()
        os.write(self._record, f"{text.split(maxsplit=1)[0]}\n".encode())
        return answer


def use_model(model: RecordingModel) -> None:
    """Let `fanguard run` load this model, and leave the real one's libraries out."""
    stand_in = types.ModuleType("bot.classifier")
    stand_in.HostilityModel = types.SimpleNamespace(load=lambda *_, **__: model)  # type: ignore[attr-defined]
    sys.modules["bot.classifier"] = stand_in


def identify_at_once() -> None:
    """Leave out discord.py's pause of five seconds before a second session."""

    async def hook(self: FanguardBot, shard_id: int | None, *, initial: bool = False) -> None:
        del self, shard_id, initial

    FanguardBot.before_identify_hook = hook  # type: ignore[method-assign]


def move_checkpoints_first() -> None:
    """Move a channel's checkpoint when a message arrives, before its flag is committed."""
    take = Watcher._take

    async def broken(self: Watcher, batch: list[Arrival]) -> None:
        for arrival in batch:
            message = arrival.message
            root = await self._root_of(arrival)
            if root is not None and message.guild is not None:
                await self._advance(message.guild.id, root, message.channel.id, message.id)
        await take(self, batch)

    Watcher._take = broken  # type: ignore[method-assign]


def forget_cards() -> None:
    """Post each pending card whatever is in the channel, under a nonce that is always new."""

    async def recognise(self: GuildOutbox, channel: object) -> None:
        del self, channel

    def nonce(self: GuildOutbox, flags: object) -> str:
        del self, flags
        return secrets.token_hex(12)

    GuildOutbox._recognise = recognise  # type: ignore[method-assign]
    GuildOutbox._nonce = nonce  # type: ignore[method-assign]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", type=Path, required=True)
    parser.add_argument("--delay", type=float, default=0.0, help="seconds an assessment takes")
    parser.add_argument("--checkpoint-first", action="store_true")
    parser.add_argument("--forget-cards", action="store_true")
    chosen = parser.parse_args()
    use_model(RecordingModel(chosen.record, chosen.delay))
    identify_at_once()
    if chosen.checkpoint_first:
        move_checkpoints_first()
    if chosen.forget_cards:
        forget_cards()
    sys.argv = ["bot", "run"]
    runpy.run_module("bot", run_name="__main__")


if __name__ == "__main__":
    main()
