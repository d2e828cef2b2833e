"""Where answers go: standard output line by line, or a file that is whole or not there."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import IO

from bot.errors import UserError

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Stopped(KeyboardInterrupt):
    """SIGINT or SIGTERM came; `number` says which."""

    def __init__(self, number: int) -> None:
        """Remember the signal."""
        super().__init__()
        self.number = number


class Answers:
    """Writes whole lines to a stream and counts them in `written`.

    While it listens, the first SIGINT or SIGTERM waits for the end of the line that is
    being written; a second one does not, for a reader that no longer reads.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        """Write to `stream`."""
        self.written = 0
        self._stream = stream
        self._in_line = False
        self._waiting: int | None = None

    def write(self, line: bytes) -> None:
        """Write a line that others can read at once.

        Raises:
            Stopped: a signal came meanwhile; the line is written.
        """
        self._in_line = True
        try:
            rest = memoryview(line)
            while rest:  # An unbuffered stream takes a part when a signal comes.
                rest = rest[self._stream.write(rest) :]
            self._stream.flush()
            self.written += 1
        finally:
            self._in_line = False
        if self._waiting is not None:
            raise Stopped(self._waiting)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Raise `Stopped` at SIGINT and SIGTERM, between two lines; what is ignored stays so."""
        before = {each: signal.getsignal(each) for each in _SIGNALS}
        heeded = {each: how for each, how in before.items() if how is not signal.SIG_IGN}
        for each in heeded:
            signal.signal(each, self._hear)
        try:
            yield
        finally:
            for each, how in heeded.items():
                signal.signal(each, how)

    def _hear(self, number: int, _frame: FrameType | None) -> None:
        if not self._in_line or self._waiting is not None:
            raise Stopped(number)
        self._waiting = number


@contextmanager
def answers(output: Path | None) -> Iterator[Answers]:
    """Standard output for None or -, else a file that appears under its name once it is whole.

    A reader of standard output that leaves early ends the block without an error.

    Raises:
        UserError: it cannot be written.
        Stopped: after the user was told what was written.
    """
    to_screen = output is None or str(output) == "-"
    with standard_output() if to_screen else _file(Path(output or "")) as stream:
        lines = Answers(stream)
        try:
            with lines.listening():
                yield lines
        except Stopped:
            lost = "" if to_screen else f"; {output} was not written"
            print(f"fanguard: stopped after {lines.written} lines{lost}", file=sys.stderr)
            raise


@contextmanager
def standard_output() -> Iterator[IO[bytes]]:
    """Standard output, flushed at the end of the block.

    Raises:
        UserError: it takes no more.
    """
    try:
        yield sys.stdout.buffer
        sys.stdout.flush()
    except BrokenPipeError:
        _silence()
    except OSError as error:
        _silence()
        raise UserError(f"standard output: {error.strerror}. The rest was not written.") from error


def _silence() -> None:
    """Let what is still in the buffer go nowhere, or Python complains at its exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _file(output: Path) -> Iterator[IO[bytes]]:
    target = Path(os.path.realpath(output))
    if target.is_symlink():
        raise UserError(f"{output}: {os.strerror(errno.ELOOP)}. Give -o another name.")
    try:
        if target.exists() and not target.is_file():
            with target.open("wb") as stream:
                yield stream
            return
        partial = target.with_name(f".fanguard-{os.getpid()}.partial")
        try:
            with partial.open("wb") as stream:
                if target.exists():
                    shutil.copymode(target, partial)
                yield stream
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)
    except OSError as error:
        raise UserError(f"{output}: {error.strerror}. Nothing was written there.") from error
