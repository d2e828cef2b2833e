"""Working through the queue: take a flag, give it back, take the next one."""

from __future__ import annotations

from bot.comment import Flag, Status
from bot.moderation.decisions import QUEUE_PERMISSION, Moderator, NotAllowedError, may
from bot.store import ClaimResult, Store
from bot.words import _

_LOOKAHEAD = 20


class Queue:
    """The flags that wait for a moderator, the gravest first.

    A claim lapses after the time that the store was opened with; the flag is then open
    to others again.
    """

    def __init__(self, store: Store) -> None:
        """Work on the flags of `store`."""
        self._flags = store.flags

    async def waiting(
        self, guild_id: str | None, *, limit: int = 50, offset: int = 0
    ) -> list[Flag]:
        """Return the open flags."""
        return await self._flags.list(
            guild_id, status=Status.OPEN, order="strongest", limit=limit, offset=offset
        )

    async def claim(self, guild_id: str, flag_id: int, moderator: Moderator) -> ClaimResult:
        """Take a flag, unless another moderator has it.

        Raises:
            NotAllowedError: the moderator may not manage messages.
            UnknownFlagError: there is no such flag in this guild.
        """
        _require_moderator(moderator)
        return await self._flags.claim(guild_id, flag_id, moderator.id, moderator.name)

    async def release(self, guild_id: str, flag_id: int, moderator: Moderator) -> ClaimResult:
        """Give a claimed flag back; a manager of the server may free another's claim."""
        _require_moderator(moderator)
        force = may(moderator, "manage_guild")
        return await self._flags.release(
            guild_id, flag_id, moderator.id, moderator.name, force=force
        )

    async def next(self, guild_id: str, moderator: Moderator) -> Flag | None:
        """Claim the gravest open flag; None when there is none."""
        _require_moderator(moderator)
        while candidates := await self.waiting(guild_id, limit=_LOOKAHEAD):
            for candidate in candidates:
                result = await self.claim(guild_id, candidate.id, moderator)
                if result.won:
                    return result.flag
        return None


def _require_moderator(moderator: Moderator) -> None:
    if not may(moderator, QUEUE_PERMISSION):
        raise NotAllowedError(_("Only those who may manage messages can work through the queue."))
