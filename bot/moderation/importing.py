"""Reading a file of messages through the pipeline, so that it can be stopped and continued."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from bot.moderation.pipeline import Pipeline
from bot.sources.detect import open_source
from bot.sources.records import Record, Source
from bot.store import ImportProgress, Imports

BATCH = 500


@dataclass(slots=True)
class ImportSummary:
    """What one reading of a file did.

    `read` counts the messages taken in this time, `skipped` bots' and webhooks' messages
    and notices, `flagged` the new flags, `updated` new wordings of flagged messages,
    `known` hostile messages that were flagged before, `reassessed` those of them whose score
    changed. `before` is how many entries an
    earlier reading had taken; `bad` counts the entries that cannot be read, in both.
    `unit` is what the file calls its entries; `ends_early` says where a damaged file breaks off.
    """

    name: str
    unit: str
    before: int = 0
    read: int = 0
    skipped: int = 0
    flagged: int = 0
    updated: int = 0
    known: int = 0
    reassessed: int = 0
    bad: int = 0
    ends_early: str | None = None
    stopped: bool = False
    already_done: bool = False


class Importer:
    """Reads files. After each batch is committed, so is the place in the file.

    A file is known by its head, and an earlier reading is continued only if everything
    before its place is unchanged; otherwise the file is read anew, which adds nothing
    twice.
    """

    def __init__(
        self,
        pipeline: Pipeline,
        imports: Imports,
        *,
        prepare_guild: Callable[[str], Awaitable[None]],
        on_problem: Callable[[Source, Record], None],
        on_progress: Callable[[Source, ImportSummary], None],
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        """Set up the reading of files.

        Args:
            pipeline: where the messages go.
            imports: where the places in the files are kept.
            prepare_guild: called for each guild before its first message.
            on_problem: told of each entry that cannot be read.
            on_progress: told after each batch.
            stop: asked between batches; true ends the reading there.
        """
        self._pipeline = pipeline
        self._imports = imports
        self._prepare_guild = prepare_guild
        self._on_problem = on_problem
        self._on_progress = on_progress
        self._stop = stop
        self._prepared: set[str] = set()

    async def read(
        self, path: Path, *, guild_id: str | None = None, again: bool = False
    ) -> ImportSummary:
        """Read one file to its end, or until told to stop.

        Args:
            path: an export or JSON Lines.
            guild_id: the guild to read it for, in place of the one it names.
            again: read it from its start even if it was read before, and assess anew what
                is flagged but not decided.

        Raises:
            UserError: the file cannot be read, or is of neither format.
        """
        with open_source(path, guild_id) as source:
            summary = ImportSummary(source.name, source.unit)
            earlier = None if again else await self._imports.get(source.fingerprint)
            records = source.records()
            if earlier is None or self._pass_over(source, records, earlier, summary):
                return await self._take_all(source, records, earlier, summary, again=again)
            if summary.stopped:
                return summary
        with open_source(path, guild_id) as source:
            summary = ImportSummary(source.name, source.unit)
            return await self._take_all(source, source.records(), None, summary, again=again)

    def _pass_over(
        self,
        source: Source,
        records: Iterator[Record],
        earlier: ImportProgress,
        summary: ImportSummary,
    ) -> bool:
        for record in records:
            summary.bad += record.problem is not None
            summary.before += 1
            if record.number >= earlier.position:
                break
            if summary.before % BATCH == 0:
                self._on_progress(source, summary)
                summary.stopped = self._stop()
            if summary.stopped:
                return False
        return source.digest() == earlier.digest

    async def _take_all(
        self,
        source: Source,
        records: Iterator[Record],
        earlier: ImportProgress | None,
        summary: ImportSummary,
        *,
        again: bool,
    ) -> ImportSummary:
        progress = earlier or ImportProgress(source.fingerprint, source.name)
        while batch := list(islice(records, BATCH)):
            await self._take(source, batch, summary, again=again)
            progress = replace(
                progress,
                name=source.name,
                position=batch[-1].number,
                digest=source.digest(),
                messages=progress.messages + sum(one.comment is not None for one in batch),
                flagged=(earlier.flagged if earlier else 0) + summary.flagged,
                done=False,
            )
            await self._imports.put(progress)
            self._on_progress(source, summary)
            if self._stop():
                summary.stopped = True
                return summary
        summary.ends_early = source.ends_early
        summary.already_done = progress is earlier and earlier.done
        if not summary.ends_early and not progress.done:
            await self._imports.put(replace(progress, done=True))
        return summary

    async def _take(
        self, source: Source, batch: list[Record], summary: ImportSummary, *, again: bool
    ) -> None:
        comments = []
        for record in batch:
            if record.problem:
                summary.bad += 1
                self._on_problem(source, record)
            elif record.comment is None:
                summary.skipped += 1
            else:
                comments.append(record.comment)
        for guild_id in {comment.guild_id for comment in comments} - self._prepared:
            await self._prepare_guild(guild_id)
            self._prepared.add(guild_id)
        summary.read += len(comments)
        for result in await self._pipeline.take_many(comments, source="scan", again=again):
            summary.flagged += result.created
            summary.updated += result.updated
            summary.reassessed += result.reassessed
            summary.known += result.flag is not None and not (result.created or result.updated)
