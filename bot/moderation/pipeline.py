"""The way of a message: score it with its guild's roster, apply the policy, store the flag."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Protocol, Self, TypeAlias

from bot.comment import Assessment, Comment, Flag, Person
from bot.moderation.batches import gist_of
from bot.moderation.policy import should_flag
from bot.moderation.runs import Run, RunLimits, Runs, is_fragment, with_new_wording
from bot.moderation.thresholds import Scale, Thresholds
from bot.store import AddResult, ChannelSettings, GuildSettings, Intake, Store

_SCORED_AT_ONCE = 32


class Assessor(Scale, Protocol):
    """What scores a message: the classifier, or a stand-in for it."""

    def assess(
        self,
        text: str,
        *,
        context: str | None = None,
        people: Sequence[Person] = (),
        affection: Sequence[str] = (),
        threshold: float | None = None,
    ) -> Assessment:
        """Score one text; `context` is the message it replies to.

        The phrases of `affection` are meant kindly where it was written.
        """
        ...


@dataclass(frozen=True, slots=True)
class TakeResult:
    """What became of a message.

    `flag` is its flag, None when it has none; `created`, `updated`, `reopened` and
    `reassessed` say what this message changed, as in `bot.store.AddResult`.
    """

    comment: Comment
    assessment: Assessment
    flag: Flag | None
    created: bool
    updated: bool
    reopened: bool
    reassessed: bool = False


@dataclass(frozen=True, slots=True)
class _Guild:
    settings: GuildSettings
    people: tuple[Person, ...]
    phrases: tuple[str, ...]
    channels: Mapping[str, ChannelSettings]
    exempt_roles: frozenset[str]

    def channel_of(self, comment: Comment) -> ChannelSettings | None:
        """What the comment's thread sets for itself, else its channel, else None."""
        own = self.channels.get(comment.channel_id)
        return own or self.channels.get(comment.parent_id or "")

    def threshold_for(self, comment: Comment) -> float | None:
        """From which score the comment is flagged where it is; None means the model's own."""
        channel = self.channel_of(comment)
        if channel is None or channel.threshold is None:
            return self.settings.threshold
        return channel.threshold


_Query: TypeAlias = tuple[Comment, tuple[Person, ...], _Guild]


class Pipeline:
    """Takes messages from any source. Scoring runs in one thread, off the event loop.

    What a guild has set, its roster and its phrases are kept in memory until they are written
    through the same store, or `forget` is called. Close it after use, or use it in `async with`.
    """

    def __init__(
        self,
        store: Store,
        model: Assessor,
        *,
        threshold: float | None = None,
        member_flags: bool = True,
        runs: RunLimits | None = None,
    ) -> None:
        """Put a model on a store.

        Args:
            store: where flags go.
            model: what scores.
            threshold: for guilds that set none; None means the model's own.
            member_flags: for guilds that are not set up yet.
            runs: which consecutive messages of a member are read together.
        """
        self._store = store
        self._model = model
        self.thresholds = Thresholds(store, model, threshold)
        self._threshold = threshold
        self._member_flags = member_flags
        self._guilds: dict[str, _Guild] = {}
        self._changes = 0
        self._runs = Runs(runs)
        self._scorer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="scoring")
        store.on_guild_change(self.forget)

    async def __aenter__(self) -> Self:
        """Give the pipeline itself."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Let the scoring thread end; what waits for it is cancelled."""
        self._scorer.shutdown(wait=False, cancel_futures=True)

    def forget(self, guild_id: str) -> None:
        """Read a guild's settings, roster and phrases anew when they are next needed."""
        self._changes += 1
        self._guilds.pop(guild_id, None)

    async def settings(self, guild_id: str) -> GuildSettings:
        """Return a guild's settings; the defaults when it was never set up."""
        return (await self._guild(guild_id)).settings

    async def phrases(self, guild_id: str) -> tuple[str, ...]:
        """Return the phrases that are affection in a guild."""
        return (await self._guild(guild_id)).phrases

    async def exempt_roles(self, guild_id: str) -> frozenset[str]:
        """Return the ids of the roles whose members' messages are not read."""
        return (await self._guild(guild_id)).exempt_roles

    async def would_flag(self, comment: Comment, assessment: Assessment) -> bool:
        """Say whether a message with this assessment is queued where it was posted."""
        guild = await self._guild(comment.guild_id)
        return should_flag(assessment, guild.settings, guild.channel_of(comment))

    async def people(self, guild_id: str, *channel_ids: str | None) -> tuple[Person, ...]:
        """Return the people that apply in a channel: pass its id and its parent's."""
        everyone = (await self._guild(guild_id)).people
        here = set(channel_ids)
        return tuple(one for one in everyone if not one.channels or here & set(one.channels))

    async def assess(self, comment: Comment, *, beside: Sequence[Person] = ()) -> Assessment:
        """Score a message as its guild would, and keep nothing.

        Args:
            comment: the message.
            beside: people to take for members of the guild's roster as well.
        """
        return (await self._assess_all([comment], beside))[0]

    async def take(
        self, comment: Comment, *, source: str, card: bool = True, anyway: bool = False
    ) -> TakeResult:
        """Score a message and flag it if it is hostile; committed when this returns.

        Args:
            comment: the message in one wording; a later wording is a further call.
            source: where it came from ("gateway", "catch_up", …).
            card: whether a new flag gets a card in the moderators' channel.
            anyway: flag it whatever its score, as somebody asks for it.
        """
        taken = await self.take_many([comment], source=source, card=card, anyway=anyway)
        return taken[0]

    async def take_many(
        self,
        comments: Sequence[Comment],
        *,
        source: str,
        card: bool = False,
        again: bool = False,
        anyway: bool = False,
    ) -> list[TakeResult]:
        """Do what `take` does for many messages in one transaction, all or none.

        With `again`, what is flagged already but not decided gets its new assessment.
        """
        whole = [await self._as_whole(comment, anyway=anyway) for comment in comments]
        assessments = await self._assess_all(whole)
        items: list[Intake] = []
        for posted, comment, assessment in zip(comments, whole, assessments, strict=True):
            hostile = anyway or await self.would_flag(comment, assessment)
            gist = gist_of(comment.text) if hostile else ""
            item = Intake(comment, assessment, hostile=hostile, card=card, gist=gist)
            if not anyway and comment is posted:
                item = await self._joined(item, source)
            items.append(item)
        added = await self._store.flags.add_many(items, source=source, again=again)
        return [_result(item, result) for item, result in zip(items, added, strict=True)]

    async def pass_by(self, comment: Comment, *, source: str) -> None:
        """Hear of a message that is not scored: it ends or begins what is read together.

        Give it without text if it is not to be read at all, such as one of an exempt member.
        """
        self._runs.follow(comment, source)
        flagged = await self._store.flags.with_flags(comment.guild_id, [comment.id])
        self._runs.settle(comment, source, flagged=bool(flagged))

    async def _as_whole(self, comment: Comment, *, anyway: bool) -> Comment:
        """The flagged run that an edited or reported message is part of, else the message."""
        if comment.edited_at is None and not anyway:
            return comment
        flag = await self._store.flags.by_part(comment.guild_id, comment.id)
        return comment if flag is None else with_new_wording(flag.comment, comment)

    async def _joined(self, item: Intake, source: str) -> Intake:
        """What a message says together with those before it, if that is what is hostile."""
        run = self._runs.follow(item.comment, source)
        if run is None or (item.hostile and not is_fragment(item.comment.text)):
            self._runs.settle(item.comment, source, flagged=item.hostile)
            return item
        comment = run.comment
        assessment = (await self._assess_all([comment]))[0]
        hostile = await self.would_flag(comment, assessment) and run.is_told_by(assessment)
        if not hostile or await self._has_other_flags(run):
            self._runs.settle(item.comment, source, flagged=item.hostile)
            return item
        self._runs.settle(item.comment, source, run=run)
        return replace(
            item,
            comment=comment,
            assessment=assessment,
            hostile=True,
            gist=gist_of(comment.text),
            grown=run.flag_id is not None,
        )

    async def _has_other_flags(self, run: Run) -> bool:
        """Whether a message of the run has a flag that is not the run's own."""
        first = run.messages[0]
        ids = [each.id for each in run.messages]
        found = await self._store.flags.with_flags(first.guild_id, ids)
        if not found:
            return False
        flag = await self._store.flags.get_by_message(first.guild_id, run.comment.id)
        return flag is None or not found <= {flag.comment.id, *flag.comment.message_ids}

    async def _assess_all(
        self, comments: Sequence[Comment], beside: Sequence[Person] = ()
    ) -> list[Assessment]:
        queries: list[_Query] = [
            (
                comment,
                (
                    *await self.people(comment.guild_id, comment.channel_id, comment.parent_id),
                    *beside,
                ),
                await self._guild(comment.guild_id),
            )
            for comment in comments
        ]
        loop = asyncio.get_running_loop()
        assessments: list[Assessment] = []
        for start in range(0, len(queries), _SCORED_AT_ONCE):
            part = queries[start : start + _SCORED_AT_ONCE]
            assessments += await loop.run_in_executor(self._scorer, self._score, part)
        return assessments

    def _score(self, queries: Sequence[_Query]) -> list[Assessment]:
        return [
            self._model.assess(
                comment.text,
                context=comment.reply_to.text if comment.reply_to else None,
                people=people,
                affection=guild.phrases,
                threshold=guild.threshold_for(comment),
            )
            for comment, people, guild in queries
        ]

    async def _guild(self, guild_id: str) -> _Guild:
        known = self._guilds.get(guild_id)
        if known is not None:
            return known
        changes = self._changes
        settings = await self._store.guilds.get(guild_id)
        people = await self._store.roster.people(guild_id)
        channels = await self._store.channels.all(guild_id)
        guild = _Guild(
            self._with_defaults(guild_id, settings),
            people,
            await self._store.phrases.of(guild_id),
            {
                each: _following(self.thresholds.moved(own), people)
                for each, own in channels.items()
            },
            await self._store.exempt_roles.of(guild_id),
        )
        if changes == self._changes:
            self._guilds[guild_id] = guild
        return guild

    def _with_defaults(self, guild_id: str, settings: GuildSettings | None) -> GuildSettings:
        if settings is None:
            return GuildSettings(
                guild_id, threshold=self._threshold, member_flags=self._member_flags
            )
        if settings.threshold is None:
            return replace(settings, threshold=self._threshold)
        return self.thresholds.moved(settings)


def _following(own: ChannelSettings, people: Sequence[Person]) -> ChannelSettings:
    """A channel's settings without those who left the roster; when all have, all count."""
    names = {one.name for one in people}
    return replace(own, people=tuple(name for name in own.people if name in names))


def _result(item: Intake, added: AddResult) -> TakeResult:
    return TakeResult(
        comment=item.comment,
        assessment=item.assessment,
        flag=added.flag,
        created=added.created,
        updated=added.updated,
        reopened=added.reopened,
        reassessed=added.reassessed,
    )
