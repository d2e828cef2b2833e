"""The real bot on the loopback Discord, over real sockets, with a real database file."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import sqlite3
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar

import discord
import pytest

from bot.comment import Assessment, Flag, Level, Person, PersonAssessment, TargetType, Why
from bot.discord_app.client import FanguardBot
from bot.moderation import Pipeline
from bot.settings import Settings, WatchSettings, load_settings
from bot.store import GuildSettings, Store, open_configured
from tests.discord_server import (
    MODERATOR,
    Channel,
    DiscordServer,
    Guild,
    Member,
    Message,
    Permission,
)
from tests.scale import SquareScale

HOSTILE = "Ada Lark is a talentless hack"
ABUSIVE = "Ada Lark is vermin"
FAIR = "Ada Lark sang a little flat tonight"
AT_MEMBER = "@robin you are an idiot"
WITHIN = 5.0


class WordAssessor(SquareScale):
    """Stands in for the classifier: a few words decide, and names are looked up."""

    words: ClassVar = {"talentless": 0.9, "hack": 0.8, "vermin": 0.99}
    pronouns = re.compile(r"\b(she|her|he|him)\b", re.IGNORECASE)

    def __init__(self) -> None:
        self.seen: list[tuple[str, str | None]] = []
        self.failures = 0

    def assess(
        self,
        text: str,
        *,
        context: str | None = None,
        people: Sequence[Person] = (),
        affection: Sequence[str] = (),
        threshold: float | None = None,
    ) -> Assessment:
        if self.failures:
            self.failures -= 1
            raise ValueError(f"cannot read {text!r}")
        self.seen.append((text, context))
        limit = 0.5 if threshold is None else threshold
        for phrase in affection:
            text = text.replace(phrase, " " * len(phrase))
        why = tuple(
            Why(found.start(), found.end(), found.group(), weight)
            for word, weight in self.words.items()
            for found in re.finditer(word, text)
        )
        score = max((each.weight for each in why), default=0.05)
        level = Level.ABUSIVE if score > 0.95 else Level.HOSTILE
        place = text if not self.pronouns.search(text) else f"{text} {context}"
        named = [one.name for one in people if one.name in place]
        target = named[0] if named else None
        ambiguous = len(named) > 1 and self.pronouns.search(text) is not None
        meant = set(named if ambiguous else named[:1])
        flagged = score >= limit
        member = 0.8 if "you are an idiot" in text else 0.1
        return Assessment(
            score=score,
            level=level if flagged else Level.NONE,
            flagged=flagged,
            threshold=limit,
            target=target,
            target_type=TargetType.PERSON if target else TargetType.NONE,
            people=tuple(
                PersonAssessment(
                    one.name,
                    score if one.name in meant else 0.0,
                    level if flagged and one.name in meant else Level.NONE,
                    flagged and one.name in meant,
                )
                for one in people
            ),
            member_score=member,
            member_flagged=member > limit,
            why=why,
            model=self.version,
            ambiguous=ambiguous,
            foreign="hola" in text,
        )


class LiveBot(FanguardBot):
    """The bot without discord.py's pause of five seconds before a second session."""

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        pass


class Scene:
    """A fan server with its channels and people, and the means to run the bot there."""

    def __init__(self, server: DiscordServer, folder: Path) -> None:
        self.server = server
        self.folder = folder
        self.model = WordAssessor()
        self.account = server.add_bot(join=False)
        self.guild: Guild = server.add_guild("Fan club", join=True)
        self.general: Channel = self.guild.add_channel("general")
        self.mods: Channel = self.guild.add_channel("mods")
        self.team = self.guild.add_role("Team", MODERATOR | Permission.MANAGE_GUILD)
        self.mods.deny(self.guild.everyone, Permission.VIEW_CHANNEL)
        self.mods.allow(self.team, Permission.VIEW_CHANNEL)
        self.mods.allow(self.account, Permission.VIEW_CHANNEL)
        self.guild.role_of(self.account).move(50)
        self.team.move(20)
        self.fan: Member = self.guild.add_member("Robin")
        self.moderator: Member = self.guild.add_member("Mo", self.team)
        self.other_moderator: Member = self.guild.add_member("Kim", self.team)
        self.people = (Person("Ada Lark", aliases=("Ada",), pronouns="she/her"),)
        self.watch: dict[str, Any] = {}
        self.proxies = False
        self.member_flags = True

    @property
    def settings(self) -> Settings:
        env = {
            **self.server.environment(self.account),
            "DATABASE_URL": f"sqlite+aiosqlite:///{self.folder}/fanguard.db",
        }
        settings = load_settings(self.folder, env=env)
        database = settings.database.model_copy(update={"key_file": self.folder / "key"})
        watch = WatchSettings(**self.watch)
        return settings.model_copy(update={"watch": watch, "database": database})

    @asynccontextmanager
    async def store(self) -> AsyncIterator[Store]:
        async with open_configured(self.settings) as store:
            yield store

    @contextlib.contextmanager
    def locked_database(self) -> Iterator[None]:
        """Let another program hold the database's write lock."""
        with contextlib.closing(sqlite3.connect(self.folder / "fanguard.db")) as other:
            other.isolation_level = None
            other.execute("BEGIN IMMEDIATE")
            yield

    @asynccontextmanager
    async def running(self, *, set_up: bool = True, ready: bool = True) -> AsyncIterator[LiveBot]:
        settings = self.settings
        async with open_configured(settings, exclusive=True) as store:
            if set_up and await store.guilds.get(str(self.guild.id)) is None:
                await self.set_up(store)
            with contextlib.closing(Pipeline(store, self.model)) as pipeline:
                bot = LiveBot(settings, store, pipeline, self.people, guild_ready_timeout=0.05)
                running = asyncio.create_task(bot.start(self.account.token))
                try:
                    if ready:
                        await self.until_ready(bot, running)
                    yield bot
                finally:
                    await bot.close()
                    with contextlib.suppress(Exception):
                        await running

    async def set_up(self, store: Store) -> None:
        await store.roster.seed(str(self.guild.id), self.people)
        await store.guilds.put(
            GuildSettings(
                str(self.guild.id),
                mod_channel_id=str(self.mods.id),
                watched_channel_ids=(str(self.general.id),),
                proxies=self.proxies,
                member_flags=self.member_flags,
                seeded=True,
            )
        )

    async def until_ready(self, bot: LiveBot, running: asyncio.Task[None]) -> None:
        async def settled() -> None:
            await bot.wait_until_ready()
            settings = await self.taken_up(bot, self.guild)
            for channel_id in settings.watched_channel_ids:
                await eventually(lambda each=channel_id: bot.progress.may_advance(int(each)))

        waiting = asyncio.create_task(settled())
        await asyncio.wait({running, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if running.done():
            running.result()

    async def taken_up(self, bot: FanguardBot, guild: Guild) -> GuildSettings:
        """Wait until the bot knows a guild, and return its settings."""
        async with asyncio.timeout(WITHIN):
            while (settings := await bot.store.guilds.get(str(guild.id))) is None:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        return settings

    async def card(self, *, after: int = 0, within: float = WITHIN) -> Message:
        return await self.mods.wait_message(self.account, after=after, within=within)

    def cards(self) -> list[Message]:
        return self.mods.by(self.account)

    async def flag_of(self, bot: FanguardBot, message: Message) -> Flag | None:
        return await bot.store.flags.get_by_message(str(self.guild.id), str(message.id))

    async def checkpoint(self, bot: FanguardBot, channel: Channel) -> int | None:
        found = await bot.store.checkpoints.get(str(self.guild.id), str(channel.id))
        return None if found is None else int(found)

    async def reaches(self, bot: FanguardBot, channel: Channel, message: Message) -> None:
        """Wait until a channel's checkpoint is at a message."""
        async with asyncio.timeout(WITHIN):
            while await self.checkpoint(bot, channel) != message.id:  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    async def flag_with_card(self, bot: FanguardBot, message: Message) -> Flag:
        """Wait until the card of a message is posted and recorded."""
        async with asyncio.timeout(WITHIN):
            while True:
                flag = await self.flag_of(bot, message)
                if flag is not None and flag.card_message_id is not None:
                    return flag
                await asyncio.sleep(0.01)

    async def assessed(self, bot: LiveBot, text: str, within: float = WITHIN) -> None:
        """Wait until a text was assessed, and what follows from it was done."""
        await eventually(lambda: any(seen == text for seen, _ in self.model.seen), within)
        await bot.watcher.queue.join()


def unbold(message: Message) -> str:
    """What a message says, without the marks of the telling words."""
    return message.text.replace("**", "")


async def eventually(predicate: Any, within: float = WITHIN) -> None:
    """Wait until something becomes true, whatever makes it so."""
    async with asyncio.timeout(within):
        while not predicate():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


@pytest.fixture(autouse=True)
def _discord_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discord.http.Route, "BASE", discord.http.Route.BASE)
    gateway = discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY
    monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", gateway)


@pytest.fixture
async def server() -> AsyncIterator[DiscordServer]:
    async with DiscordServer() as running:
        yield running


@pytest.fixture
def scene(server: DiscordServer, tmp_path: Path) -> Scene:
    return Scene(server, tmp_path)


@pytest.fixture
async def bot(scene: Scene) -> AsyncIterator[LiveBot]:
    async with scene.running() as running:
        yield running


@pytest.fixture(autouse=True)
def _no_error_is_left_unhandled(
    request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture
) -> Iterator[None]:
    """Fail a test in which the bot, or discord.py for it, logged an error it does not expect."""
    yield
    if request.node.get_closest_marker("logs_an_error"):
        return
    errors = [
        f"{record.name}: {record.getMessage()}"
        for when in ("setup", "call")
        for record in caplog.get_records(when)
        if record.levelno >= logging.ERROR and record.name.split(".")[0] in {"bot", "discord"}
    ]
    assert errors == []
