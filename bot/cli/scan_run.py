"""Scans files one after the other, with progress, and stops where it is told to."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from bot.classifier import HostilityModel
from bot.cli.scan_screen import Screen
from bot.comment import Person
from bot.errors import UserError
from bot.moderation import Pipeline, RunLimits
from bot.moderation.importing import Importer, ImportSummary
from bot.settings import Settings, load_people
from bot.sources.detect import open_source
from bot.store import Roster, open_configured

EXIT_INCOMPLETE = 1
EXIT_STOPPED = 130


@dataclass(frozen=True, slots=True)
class Request:
    """What to scan.

    `url` is another database than the configured one, or its path, `guild_id` the server
    in place of the files' own, `roster` a file of the people discussed; `again` reads anew
    what was read before.
    """

    files: Sequence[Path]
    url: str | None = None
    guild_id: str | None = None
    roster: Path | None = None
    again: bool = False


async def run(settings: Settings, request: Request) -> int:
    """Read the files and print what was found.

    Returns:
        The exit code: 0, 1 when something in the files could not be read, 130 when it
        was stopped.

    Raises:
        UserError: a file or the roster cannot be read, before anything was; or the
            database or the model cannot be used.
    """
    people = load_people(_existing(request.roster) or settings.people_file)
    for file in request.files:
        with open_source(file, request.guild_id):
            pass
    model = HostilityModel.load(settings.model.path, fast=settings.model.fast)
    screen = Screen()
    async with (
        open_configured(settings, request.url) as store,
        Pipeline(
            store,
            model,
            threshold=settings.model.threshold,
            member_flags=settings.model.member_flags,
            runs=RunLimits(
                settings.watch.run_seconds,
                settings.watch.run_messages,
                settings.watch.run_characters,
            ),
        ) as pipeline,
    ):

        async def prepare_guild(guild_id: str) -> None:
            await _give_roster(store.roster, guild_id, people, request, screen)

        stop = _Stop()
        importer = Importer(
            pipeline,
            store.imports,
            prepare_guild=prepare_guild,
            on_problem=screen.problem,
            on_progress=screen.progress,
            stop=stop,
        )
        with stop.listening(), screen:
            summaries = await _read_all(importer, request, screen)
    screen.total(summaries, f" --db {request.url}" if request.url else "")
    if summaries[-1].stopped:
        return EXIT_STOPPED
    return EXIT_INCOMPLETE if any(one.bad or one.ends_early for one in summaries) else 0


class _Stop:
    """Becomes true at the first Ctrl-C or SIGTERM; the second one interrupts at once."""

    def __init__(self) -> None:
        self._asked = False

    def __call__(self) -> bool:
        return self._asked

    @contextmanager
    def listening(self) -> Iterator[None]:
        signals = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, self._ask) for number in signals}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _ask(self, _number: int, _frame: FrameType | None) -> None:
        if self._asked:
            raise KeyboardInterrupt
        self._asked = True


async def _read_all(importer: Importer, request: Request, screen: Screen) -> list[ImportSummary]:
    summaries = []
    for file in request.files:
        screen.start(file.name)
        summary = await importer.read(file, guild_id=request.guild_id, again=request.again)
        screen.finished(summary)
        summaries.append(summary)
        if summary.stopped:
            break
    return summaries


async def _give_roster(
    roster: Roster, guild_id: str, people: Sequence[Person], request: Request, screen: Screen
) -> None:
    known = await roster.people(guild_id)
    if not known:
        await roster.seed(guild_id, people)
    if not known and not people:
        screen.note(
            f"Server {guild_id} has no roster: whoever is talked about counts. "
            "--roster FILE names the people."
        )
    elif known and request.roster and {one.name for one in known} != {one.name for one in people}:
        screen.note(
            f"Server {guild_id} has a roster of its own in the database; "
            f"{request.roster} was not used for it."
        )


def _existing(roster: Path | None) -> Path | None:
    if roster is not None and not roster.is_file():
        raise UserError(f"{roster} is not there. Give --roster a file such as config/people.toml.")
    return roster
