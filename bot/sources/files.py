"""Reading a text file of any size, plain or gzipped, in UTF-8 or UTF-16."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING

from bot.errors import UserError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

HEAD_CHARACTERS = 256 * 1024
CHUNK_CHARACTERS = 64 * 1024
MAX_LINE_CHARACTERS = 1024 * 1024

_GZIP = b"\x1f\x8b"
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class _GzipBytes(io.RawIOBase):
    """The bytes in a gzip file; damage is noted and ends them instead of raising."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._gzip = gzip.GzipFile(fileobj=raw, mode="rb")
        self.breaks_off: str | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer)
        try:
            data = self._gzip.read1(len(view))
        except EOFError:
            self.breaks_off = "its gzip data ends early"
            return 0
        except (zlib.error, gzip.BadGzipFile):
            self.breaks_off = "its gzip data is damaged"
            return 0
        view[: len(data)] = data
        return len(data)


class TextFile:
    """An open file, to be read once. Bytes that are no text become U+FFFD.

    `head` is its beginning, which reading then gives again; `size` counts bytes on the
    disk; `modified_at` is in seconds since 1970.
    """

    def __init__(self, path: Path) -> None:
        """Open `path`.

        Raises:
            UserError: it cannot be opened, or is a folder, pipe or device.
        """
        self.path = path
        try:
            if path.exists() and not (path.is_file() or path.is_dir()):
                raise UserError(f"{path} is no ordinary file. Save what it gives in a file first.")
            self.head = self._open().read(HEAD_CHARACTERS)
            self.close()
            self._text = self._open()
            status = path.stat()
        except OSError as error:
            raise UserError(_why_not(path, error)) from None
        self.size = status.st_size
        self.modified_at = status.st_mtime

    @property
    def bytes_read(self) -> int:
        """How many bytes of the file on the disk have been read, readahead included."""
        return min(self._raw.tell(), self.size)

    @property
    def breaks_off(self) -> str | None:
        """Why the reading ended before the file's true end, if it did."""
        return self._unpacked.breaks_off if self._unpacked else None

    def close(self) -> None:
        """Close the file."""
        self._raw.close()

    def chunks(self) -> Iterator[str]:
        """Give the text, piece by piece."""
        while chunk := self._read(self._text.read, CHUNK_CHARACTERS):
            yield chunk

    def lines(self) -> Iterator[str]:
        r"""Give the lines with their ends (``\n``, whatever the file uses).

        A line beyond `MAX_LINE_CHARACTERS` is cut there, its end kept.
        """
        while line := self._read(self._text.readline, MAX_LINE_CHARACTERS):
            if len(line) == MAX_LINE_CHARACTERS and not line.endswith("\n"):
                line += self._skip_line()
            yield line

    def _skip_line(self) -> str:
        while rest := self._read(self._text.readline, MAX_LINE_CHARACTERS):
            if rest.endswith("\n"):
                return "\n"
        return ""

    def _read(self, read: Callable[[int], str], characters: int) -> str:
        try:
            return read(characters)
        except OSError as error:
            raise UserError(_why_not(self.path, error)) from None

    def _open(self) -> io.TextIOWrapper:
        self._raw: io.BufferedReader = self.path.open("rb")
        self._unpacked: _GzipBytes | None = None
        data = self._raw
        if self._raw.peek(len(_GZIP)).startswith(_GZIP):
            self._unpacked = _GzipBytes(self._raw)
            data = io.BufferedReader(self._unpacked)
        start = data.peek(4)
        encoding = next((name for bom, name in _BOMS if start.startswith(bom)), "utf-8")
        return io.TextIOWrapper(data, encoding=encoding, errors="replace", newline=None)


def _why_not(path: Path, error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return f"{path} does not exist. Check the path."
    if isinstance(error, IsADirectoryError):
        return f"{path} is a folder. Give the files in it, such as {path}/*.json"
    return f"{path} cannot be read: {error.strerror}. Check the file and its permissions."
