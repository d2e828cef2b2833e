"""What a scan shows: progress and complaints on stderr, the outcome on stdout."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)

from bot.cli.flag_output import plain
from bot.moderation.importing import ImportSummary
from bot.sources.records import Record, Source

_TENTHS = 10


class Screen:
    """A progress bar by bytes on a terminal; elsewhere a line for each tenth of a file."""

    def __init__(self) -> None:
        """Use the process's own streams."""
        self._out = Console()
        self._errors = Console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            DownloadColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[found]}"),
            console=self._errors,
            transient=True,
            disable=not self._errors.is_terminal,
        )
        self._task = TaskID(0)
        self._tenth = 0

    def __enter__(self) -> Self:
        """Give the screen itself."""
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """Take the progress away."""
        self._progress.stop()

    def start(self, name: str) -> None:
        """Show that a file is being opened."""
        self._task = self._progress.add_task(plain(name).plain, total=None, found="")
        self._progress.start()
        self._tenth = 0

    def progress(self, source: Source, summary: ImportSummary) -> None:
        """Show how far a file was read."""
        found = f"{summary.flagged:,} flagged" if summary.read else "passing over what is known"
        self._progress.update(
            self._task, completed=source.bytes_read, total=source.size, found=found
        )
        tenth = source.bytes_read * _TENTHS // max(source.size, 1)
        if self._tenth < tenth < _TENTHS and not self._errors.is_terminal:
            self.note(f"{source.name}: {tenth * 100 // _TENTHS} %, {found}")
        self._tenth = tenth

    def problem(self, source: Source, record: Record) -> None:
        """Complain of an entry that cannot be read."""
        self.note(f"{source.name}: {source.unit} {record.number}: {record.problem}")

    def note(self, text: str) -> None:
        """Print a line on stderr."""
        self._errors.print(plain(text), soft_wrap=True)

    def finished(self, summary: ImportSummary) -> None:
        """Print what one file gave."""
        self._progress.stop()
        self._progress.remove_task(self._task)
        self._say(f"{summary.name}: {_outcome(summary)}")
        if summary.bad:
            self.note(f"{summary.name}: {_many(summary.bad, summary.unit)} could not be read.")
        if summary.ends_early:
            self.note(
                f"{summary.name} {summary.ends_early}. What is whole was taken; when the file is "
                "complete, scan it again and it goes on from there."
            )
        if summary.stopped:
            self.note("Stopped. The same command goes on from here.")

    def total(self, summaries: Sequence[ImportSummary], database_option: str) -> None:
        """Print the sum of several files, and where to look now."""
        if len(summaries) > 1:
            read = sum(one.read for one in summaries)
            flagged = sum(one.flagged for one in summaries)
            files = _many(len(summaries), "file")
            self._say(f"In all: {_many(read, 'message')} in {files}, {flagged:,} flagged.")
        if any(one.flagged or one.updated or one.known for one in summaries):
            self._say(f"See them with: fanguard queue{database_option}")

    def _say(self, text: str) -> None:
        self._out.print(plain(text), soft_wrap=True)


def _outcome(summary: ImportSummary) -> str:
    if summary.already_done:
        return "read before; nothing new."
    parts = [f"{_many(summary.read, 'message')} read"]
    if summary.before:
        parts[0] += f" after the {summary.before:,} of an earlier time"
    if summary.skipped:
        parts.append(f"{summary.skipped:,} of bots or the system passed over")
    parts.append(f"{summary.flagged:,} flagged")
    if summary.updated:
        parts.append(f"{_many(summary.updated, 'new wording')} of flagged ones")
    if summary.known:
        parts.append(f"{summary.known:,} flagged before")
    if summary.reassessed:
        parts.append(f"{summary.reassessed:,} of them assessed again")
    return ", ".join(parts) + "."


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"
