"""Which channels are read without a gap, so that their checkpoints may follow live messages.

A checkpoint may move to a live message only if everything before it was assessed. That
holds for a channel from the moment its history has been caught up until a message of it
is lost: dropped because the queue is full, failed, or posted while disconnected. Until
it is caught up again, live messages are still assessed, but its checkpoint waits.

Channels are counted by their root: a thread belongs to its channel.
"""

from __future__ import annotations

from collections import Counter


class Progress:
    """Keeps the set of gapless channels."""

    def __init__(self) -> None:
        """Start with every channel behind."""
        self._gapless: set[int] = set()
        self._suspended: set[int] = set()
        self._paused: set[int] = set()
        self._losses: Counter[int] = Counter()
        self._lost_edits: Counter[int] = Counter()
        self._sessions = 0

    def may_advance(self, root: int) -> bool:
        """Whether a live message of this channel may move its checkpoint."""
        return root in self._gapless

    def mark(self, root: int) -> tuple[int, int]:
        """A mark that changes whenever a message of this channel may have been lost."""
        return self._sessions, self._losses[root]

    def edits_mark(self, root: int) -> tuple[int, int]:
        """A mark that changes whenever an edit in this channel may have been lost."""
        return self._sessions, self._lost_edits[root]

    def lost(self, root: int, *, is_edit: bool = False) -> None:
        """Note that a message of this channel, or an edit of one, was not assessed."""
        self._losses[root] += 1
        self._lost_edits[root] += is_edit
        self._gapless.discard(root)
        self._suspended.discard(root)

    def caught_up(self, root: int, mark: tuple[int, int]) -> bool:
        """Note that a channel's history was read to its end.

        Args:
            root: the channel.
            mark: `mark(root)` as it was before reading began.

        Returns:
            False if a message may have been lost meanwhile: read the history again.
        """
        if self.mark(root) != mark:
            return False
        if root not in self._paused:
            self._gapless.add(root)
        return True

    def pause(self, root: int) -> None:
        """Count a channel as behind until it is resumed and caught up: nothing of it is read."""
        if root not in self._paused:
            self._paused.add(root)
            self.lost(root)

    def resume(self, root: int) -> None:
        """Let a channel be caught up again; what was begun in its pause does not count."""
        self._paused.discard(root)
        self.lost(root)

    def disconnected(self) -> None:
        """Hold every checkpoint until it is known whether the session resumes."""
        self._sessions += 1
        self._suspended |= self._gapless
        self._gapless.clear()

    def resumed(self) -> None:
        """Go on: Discord has sent again all that was missed."""
        self._gapless |= self._suspended
        self._suspended.clear()

    def new_session(self) -> None:
        """Count every channel as behind: what was posted meanwhile is not sent again."""
        self._suspended.clear()
        self._gapless.clear()
