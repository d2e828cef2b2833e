"""What every file of messages gives: records in order, and how far it was read."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from types import TracebackType
from typing import Self

from bot.comment import Comment
from bot.sources.files import TextFile


@dataclass(frozen=True, slots=True)
class Record:
    """One entry of a file, counted from 1.

    `comment` is None for what is not a member's message (a bot's, a webhook's, a system
    notice), and for an entry that cannot be read; `problem` then says why, without
    quoting the entry.
    """

    number: int
    comment: Comment | None = None
    problem: str | None = None


class Source(ABC):
    """A file of messages, read once from its start in constant memory."""

    format: str
    unit: str

    def __init__(self, file: TextFile, identity: str) -> None:
        """Read from `file`; `identity` is what tells this file from others at its head."""
        self._file = file
        self._digest = blake2b(digest_size=16)
        self._ends_early: str | None = None
        self.fingerprint = blake2b(identity.encode("utf-8", "replace"), digest_size=16).hexdigest()

    def __enter__(self) -> Self:
        """Use the source as a context; leaving it closes the file."""
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        self._file.close()

    @property
    def name(self) -> str:
        """The file's name without its folder; bytes in it that are no text become U+FFFD."""
        return os.fsencode(self._file.path.name).decode("utf-8", "replace")

    @property
    def size(self) -> int:
        """The file's size in bytes as it is on the disk."""
        return self._file.size

    @property
    def bytes_read(self) -> int:
        """How many of these bytes have been read."""
        return self._file.bytes_read

    @property
    def ends_early(self) -> str | None:
        """After the last record: where and why the file breaks off, None when it is whole."""
        return self._ends_early

    def digest(self) -> str:
        """Return what stands for the records given so far: equal for equal beginnings."""
        return self._digest.hexdigest()

    @abstractmethod
    def records(self) -> Iterator[Record]:
        """Give the entries in the file's order. Call it once."""
