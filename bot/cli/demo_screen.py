"""The demo as it runs: messages going by, and those that are queued standing out."""

from __future__ import annotations

from collections import deque
from types import TracebackType
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.constrain import Constrain
from rich.live import Live
from rich.panel import Panel
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from bot.cli.flag_output import level_label, plain, target_label
from bot.comment import Flag
from bot.moderation import TakeResult
from bot.sources.demo import ChatEvent

_ROWS = 14
_FRAMES_PER_SECOND = 12
_CHANNEL_WIDTH = 16
_OTHER_LINES = 4
_ECHO_WIDTH = 4  # what the terminal writes at Ctrl-C, which must not wrap


class Screen:
    """Shows the chat live on a terminal; elsewhere prints a line for each queued message."""

    def __init__(self, console: Console, events: int) -> None:
        """Show `events` events on `console`."""
        self._console = console
        self._height = max(1, min(_ROWS, console.height - _OTHER_LINES))
        self._rows: deque[Text] = deque(maxlen=self._height)
        self._progress = Progress(
            TextColumn("Playing the demo chat"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TextColumn("{task.fields[queued]} queued"),
            console=console,
            expand=True,
        )
        self._task = self._progress.add_task("", total=events, queued=0)
        self._queued = 0
        self._live = Live(
            console=console,
            get_renderable=self._render,
            refresh_per_second=_FRAMES_PER_SECOND,
            transient=True,
        )

    def __enter__(self) -> Self:
        """Start showing."""
        if self._console.is_terminal:
            self._live.start()
        else:
            total = self._progress.tasks[0].total or 0
            self._console.print(f"Playing the demo chat, {total:.0f} events. Queued:")
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """Give the terminal back."""
        if self._console.is_terminal:
            self._live.stop()

    def taken(self, event: ChatEvent, result: TakeResult) -> None:
        """Show a message or an edit that went through the pipeline."""
        said = _said(event, "edited: " if event.revision > 1 else "")
        if result.created and result.flag is not None:
            self._queued += 1
            self._queue_row(result.flag, said)
        elif result.updated:
            self._row(Text.assemble(said, ("  new wording kept with its flag", "yellow")))
        else:
            self._row(said)
        self._step()

    def deleted(self, event: ChatEvent, flag: Flag | None) -> None:
        """Show that a member deleted a message."""
        said = _said(event, "deleted: ")
        said.stylize("dim")
        if flag is not None:
            said.append(f"  noted with flag {flag.id}", "yellow")
        self._row(said)
        self._step()

    def passed_over(self, event: ChatEvent) -> None:
        """Show a bot's or a webhook's message."""
        said = _said(event, "")
        said.stylize("dim")
        self._row(said.append("  a bot, passed over", "dim"))
        self._step()

    def _queue_row(self, flag: Flag, said: Text) -> None:
        level = Text(" ").join(level_label(flag).split("\n"))
        label = Text.assemble(level, " ", target_label(flag), "  ")
        if self._console.is_terminal:
            self._row(Text.assemble(("▌", "bright_red"), label, said), margin="")
        else:
            self._console.print(Text.assemble(f"{flag.id:>4}  ", label, said), soft_wrap=True)

    def _row(self, row: Text, margin: str = " ") -> None:
        self._rows.append(Text(margin, no_wrap=True, overflow="ellipsis").append_text(row))

    def _step(self) -> None:
        self._progress.update(self._task, advance=1, queued=self._queued)

    def _render(self) -> RenderableType:
        rows = [*self._rows, *[Text()] * (self._height - len(self._rows))]
        progress = Constrain(self._progress, max(1, self._console.width - _ECHO_WIDTH))
        return Group(Panel(Group(*rows), title="demo chat"), progress)


def _said(event: ChatEvent, what: str) -> Text:
    comment = event.comment
    channel = plain(f"#{comment.channel_name}")
    channel.truncate(_CHANNEL_WIDTH, overflow="ellipsis", pad=True)
    channel.stylize("dim")
    author = plain(comment.author_name)
    author.stylize("cyan")
    return Text.assemble(channel, " ", author, ": ", (what, "italic"), plain(comment.text))
