"""Adding messages to the flags: a new flag, or a new wording beneath the one there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from sqlalchemy import delete, insert, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.comment import Assessment, Comment, Flag, Status
from bot.store.erasure import erased_id
from bot.store.flag_batches import redraw_alike
from bot.store.flag_cards import stale_card
from bot.store.flag_log import FlagLog
from bot.store.records import (
    OPEN_VALUES,
    AddResult,
    CardState,
    EventKind,
    assessment_json,
    assessment_values,
    comment_values,
    event_values,
    message_values,
    person_values,
    revision_key,
    revision_values,
)
from bot.store.schema import (
    decisions,
    flag_events,
    flag_messages,
    flag_people,
    flag_revisions,
    flags,
)

_BATCH = 400


@dataclass(frozen=True, slots=True)
class Intake:
    """A scored message for the flags.

    `hostile`: it belongs in the queue; one that does not only adds its wording to a flag
    that is already there. `card`: a card shall be posted for it. `gist` is what equal texts
    have in common, empty for a text that is not to be compared. `grown`: the wording holds
    all of the one before and more, so that it is the one to show.
    """

    comment: Comment
    assessment: Assessment
    hostile: bool = True
    card: bool = True
    gist: str = ""
    grown: bool = False


_MessageKey: TypeAlias = tuple[str, str]


class FlagIntake(FlagLog):
    """Creates flags. The same wording of the same message twice changes nothing."""

    async def add(
        self,
        comment: Comment,
        assessment: Assessment,
        *,
        source: str,
        hostile: bool = True,
        card: bool = True,
    ) -> AddResult:
        """Flag a message, or record a new wording of one that is flagged.

        The flag shows the worst wording known; all of them stay beneath it.

        Args:
            comment: the message in one wording.
            assessment: its score.
            source: where it came from ("gateway", "scan", …).
            hostile: false records a wording that is harmless now; no flag is created.
            card: whether the moderators' channel gets a card for it.
        """
        intake = Intake(comment, assessment, hostile, card)
        return (await self.add_many([intake], source=source))[0]

    async def add_many(
        self, items: Sequence[Intake], *, source: str, again: bool = False
    ) -> list[AddResult]:
        """Do what `add` does for many messages in one transaction, all or none.

        Args:
            items: the messages.
            source: where they came from.
            again: a known wording that is hostile and scored differently now, as after a
                change of the roster or the model, gives its flag the new assessment. A
                decided flag stays as it is.
        """
        relevant = [
            position
            for position, item in enumerate(items)
            if item.hostile or item.comment.edited_at is not None
        ]
        results = [AddResult(None)] * len(items)
        if not relevant:
            return results

        async def work(connection: AsyncConnection) -> None:
            for start in range(0, len(relevant), _BATCH):
                positions = relevant[start : start + _BATCH]
                batch = [items[position] for position in positions]
                added = await self._add_batch(connection, batch, source, again=again)
                for position, result in zip(positions, added, strict=True):
                    results[position] = result

        await self._database.write(work)
        return results

    async def _add_batch(
        self, connection: AsyncConnection, batch: Sequence[Intake], source: str, *, again: bool
    ) -> list[AddResult]:
        keys = [_key(item.comment) for item in batch]
        known = await _ids_of(connection, keys)
        erased = await self._erased(connection, [key for key in keys if key not in known])
        known |= erased
        fresh: dict[_MessageKey, Intake] = {}
        for key, item in zip(keys, batch, strict=True):
            if item.hostile and key not in known:
                fresh.setdefault(key, item)
        created = await self._create(connection, list(fresh.values()), source)
        ids = known | created
        wordings = await _wordings_of(connection, list(known.values()))
        wordings |= {(created[key], revision_key(item.comment)) for key, item in fresh.items()}
        changes: list[AddResult] = []
        for key, item in zip(keys, batch, strict=True):
            wording = (ids.get(key, 0), revision_key(item.comment))
            harmless = key in erased and not item.hostile
            if key not in ids or wording in wordings or harmless:
                reassessed = (
                    again and key in known and await self._reassess(connection, wording, item)
                )
                changes.append(AddResult(None, reassessed=reassessed))
                continue
            wordings.add(wording)
            reopened = await self._revise(connection, ids[key], item)
            changes.append(AddResult(None, updated=True, reopened=reopened))
        loaded = {
            flag.id: flag for flag in await self._load(connection, [flags.c.id.in_(ids.values())])
        }
        return [
            replace(
                change,
                flag=loaded.get(ids.get(key, 0)),
                created=key in created and fresh[key] is item,
            )
            for key, item, change in zip(keys, batch, changes, strict=True)
        ]

    async def _erased(
        self, connection: AsyncConnection, keys: Sequence[_MessageKey]
    ) -> dict[_MessageKey, int]:
        """The flags whose texts were erased, by the messages that they are for."""
        tokens = {
            (guild_id, erased_id(self._cipher, guild_id, message_id)): (guild_id, message_id)
            for guild_id, message_id in keys
        }
        found = await _ids_of(connection, list(tokens)) if tokens else {}
        return {tokens[token]: flag_id for token, flag_id in found.items()}

    async def _create(
        self, connection: AsyncConnection, items: Sequence[Intake], source: str
    ) -> dict[_MessageKey, int]:
        if not items:
            return {}
        now = self._now()
        query = insert(flags).returning(flags.c.id, flags.c.guild_id, flags.c.message_id)
        rows = [
            comment_values(item.comment, item.assessment, self._cipher)
            | {
                "guild_id": item.comment.guild_id,
                "message_id": item.comment.id,
                "text_index": self._text_index(item),
                "source": source,
                "revisions": 1,
                "flagged_at": now,
                "status": Status.OPEN,
                "card_state": CardState.PENDING if item.card else CardState.NONE,
            }
            for item in items
        ]
        inserted = await connection.execute(query, rows)
        created = {(row.guild_id, row.message_id): row.id for row in inserted}
        for item in items:
            if item.card:
                await self._redraw_alike(connection, item)
        people, wordings, events, messages = [], [], [], []
        for item in items:
            flag_id = created[_key(item.comment)]
            people += person_values(flag_id, item.assessment, self._cipher)
            wordings.append(revision_values(flag_id, 1, item.comment, item.assessment, now))
            events.append(event_values(flag_id, EventKind.FLAGGED, now))
            messages += message_values(flag_id, item.comment)
        if people:
            await connection.execute(insert(flag_people), people)
        if messages:
            await connection.execute(insert(flag_messages), messages)
        await connection.execute(insert(flag_revisions), wordings)
        await connection.execute(insert(flag_events), events)
        return created

    async def _revise(self, connection: AsyncConnection, flag_id: int, item: Intake) -> bool:
        now = self._now()
        flag = await self._require(connection, None, flag_id)
        await connection.execute(
            insert(flag_revisions),
            revision_values(flag_id, flag.revisions + 1, item.comment, item.assessment, now),
        )
        await connection.execute(insert(flag_events), event_values(flag_id, EventKind.REVISED, now))
        worse = item.hostile and _strength(item.assessment) >= _strength(flag.assessment)
        if worse or item.grown:
            await self._replace_face(connection, flag_id, item)
        reopened = _reopens(flag, item)
        if reopened:
            await connection.execute(delete(decisions).where(decisions.c.flag_id == flag_id))
            await connection.execute(
                insert(flag_events), event_values(flag_id, EventKind.REOPENED, now)
            )
        await connection.execute(
            update(flags)
            .where(flags.c.id == flag_id)
            .values(
                revisions=flags.c.revisions + 1,
                card_state=stale_card(),
                **(OPEN_VALUES if reopened else {}),
            )
        )
        return reopened

    async def _reassess(
        self, connection: AsyncConnection, wording: tuple[int, str], item: Intake
    ) -> bool:
        flag_id, revision = wording
        flag = await self._require(connection, None, flag_id)
        if not item.hostile or not flag.status.is_waiting:
            return False
        change = (
            update(flag_revisions)
            .where(flag_revisions.c.flag_id == flag_id, flag_revisions.c.revision == revision)
            .values(assessment=assessment_json(item.assessment))
        )
        is_face = revision_key(flag.comment) == revision
        if is_face and flag.assessment == item.assessment:
            return False
        await connection.execute(change)
        if not is_face:
            return False
        await connection.execute(
            update(flags)
            .where(flags.c.id == flag_id)
            .values(card_state=stale_card(), **assessment_values(item.assessment, self._cipher))
        )
        await self._replace_people(connection, flag_id, item.assessment)
        event = event_values(flag_id, EventKind.REASSESSED, self._now())
        await connection.execute(insert(flag_events), event)
        return True

    async def _replace_face(self, connection: AsyncConnection, flag_id: int, item: Intake) -> None:
        values = comment_values(item.comment, item.assessment, self._cipher)
        values |= {
            "text_index": self._text_index(item),
            "message_id": item.comment.id,
            "erased_at": None,
        }
        await connection.execute(update(flags).where(flags.c.id == flag_id).values(values))
        await connection.execute(delete(flag_messages).where(flag_messages.c.flag_id == flag_id))
        if messages := message_values(flag_id, item.comment):
            await connection.execute(insert(flag_messages), messages)
        await self._redraw_alike(connection, item)
        await self._replace_people(connection, flag_id, item.assessment)

    def _text_index(self, item: Intake) -> str | None:
        return self._cipher.text_index(item.gist) if item.gist else None

    async def _redraw_alike(self, connection: AsyncConnection, item: Intake) -> None:
        index = self._text_index(item)
        if index is not None:
            comment = item.comment
            await redraw_alike(connection, comment.guild_id, index, comment.created_at)

    async def _replace_people(
        self, connection: AsyncConnection, flag_id: int, assessment: Assessment
    ) -> None:
        await connection.execute(delete(flag_people).where(flag_people.c.flag_id == flag_id))
        people = person_values(flag_id, assessment, self._cipher)
        if people:
            await connection.execute(insert(flag_people), people)


def _key(comment: Comment) -> _MessageKey:
    return comment.guild_id, comment.id


def _strength(assessment: Assessment) -> tuple[int, float]:
    return int(assessment.level), max(assessment.score, assessment.member_score)


def _reopens(flag: Flag, item: Intake) -> bool:
    return flag.status.is_final and item.hostile and item.assessment.level > flag.assessment.level


async def _ids_of(
    connection: AsyncConnection, keys: Sequence[_MessageKey]
) -> dict[_MessageKey, int]:
    query = select(flags.c.id, flags.c.guild_id, flags.c.message_id).where(
        tuple_(flags.c.guild_id, flags.c.message_id).in_(keys)
    )
    return {(row.guild_id, row.message_id): row.id for row in await connection.execute(query)}


async def _wordings_of(
    connection: AsyncConnection, flag_ids: Sequence[int]
) -> set[tuple[int, str]]:
    query = select(flag_revisions.c.flag_id, flag_revisions.c.revision).where(
        flag_revisions.c.flag_id.in_(flag_ids)
    )
    return {(row.flag_id, row.revision) for row in await connection.execute(query)}
