"""Messages that people bring to the queue themselves, whatever their score."""

from __future__ import annotations

from datetime import timedelta

from bot.comment import Comment, Flag
from bot.errors import UserError
from bot.moderation.decisions import Moderator
from bot.moderation.pipeline import Pipeline, TakeResult
from bot.store import EventKind, Store
from bot.words import _

MOST_REPORTS = 10
WITHIN = timedelta(hours=1)


class Reporting:
    """Takes members' reports and what moderators send to the queue."""

    def __init__(self, store: Store, pipeline: Pipeline) -> None:
        """Score with `pipeline`, and write to its `store`."""
        self._store = store
        self._pipeline = pipeline

    async def report(self, comment: Comment, reporter_id: str, reason: str) -> Flag | None:
        """Queue a message that a member reports.

        Returns:
            The message's flag; None if this member had reported it before.

        Raises:
            UserError: it is the member's own message, or they have reported many just now.
        """
        guild_id, reports = comment.guild_id, self._store.reports
        if comment.author_id == reporter_id:
            raise UserError(_("That is your own message. You can delete it yourself."))
        if await reports.count(guild_id, reporter_id, within=WITHIN) >= MOST_REPORTS:
            raise UserError(
                _(
                    "Thank you: you have reported {count} messages within an hour, which is the "
                    "most. If there are more, please tell a moderator."
                ).format(count=MOST_REPORTS)
            )
        flag = (await self._pipeline.take(comment, source="report", anyway=True)).flag
        if flag is None or not await reports.add(guild_id, flag.id, reporter_id, reason.strip()):
            return None
        return await self._store.flags.get(guild_id, flag.id)

    async def send(self, comment: Comment, moderator: Moderator) -> TakeResult:
        """Queue a message that a moderator wants decided; `created` is false if it was queued."""
        taken = await self._pipeline.take(comment, source="moderator", anyway=True)
        if taken.created and taken.flag is not None:
            await self._store.flags.note(
                comment.guild_id, taken.flag.id, "", moderator.id, moderator.name, EventKind.SENT
            )
        return taken
