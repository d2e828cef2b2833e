"""Queue and cards compared with the truth."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from bot.comment import Flag
from tests.chaos.bot_child import BotChild
from tests.chaos.town import Posted, Town
from tests.discord_server import Message

_BUTTON = re.compile(r"fanguard:claim:(\d+):.+")


@dataclass(slots=True)
class Verdict:
    """What is wrong; each list names messages as the town numbers them."""

    unassessed: list[str] = field(default_factory=list)
    unflagged: list[int] = field(default_factory=list)
    outdated: list[int] = field(default_factory=list)
    without_card: list[int] = field(default_factory=list)
    with_two_cards: list[int] = field(default_factory=list)
    with_two_flags: list[int] = field(default_factory=list)
    wrongly_flagged: list[int] = field(default_factory=list)
    flags: int = 0

    @property
    def missing(self) -> int:
        """How many messages were lost on the way, in whichever step."""
        lost = (self.unassessed, self.unflagged, self.outdated, self.without_card)
        return sum(map(len, lost))

    @property
    def double(self) -> int:
        """How many messages have more than one flag or card."""
        return len(self.with_two_cards) + len(self.with_two_flags)

    @property
    def is_clean(self) -> bool:
        return not (self.missing or self.double or self.wrongly_flagged)


async def judge(town: Town, child: BotChild) -> Verdict:
    """Compare the database and the moderators' channel with what was posted."""
    verdict = Verdict()
    by_message: dict[str, list[Flag]] = {}
    wordings: dict[int, set[str]] = {}
    async with child.store() as store:
        guild_id = str(town.guild.id)
        for flag in await store.flags.list(guild_id, limit=None):
            by_message.setdefault(flag.comment.id, []).append(flag)
            revisions = await store.flags.revisions(guild_id, flag.id)
            wordings[flag.id] = {each.text for each in revisions}
    cards = Counter(
        flag_id for message in town.mods.by(town.account) for flag_id in set(_shown(message))
    )
    assessed = child.assessed()
    verdict.flags = len(wordings)
    for posted in town.posted:
        flags = by_message.get(str(posted.message.id), [])
        if len(flags) > 1:
            verdict.with_two_flags.append(posted.number)
        if flags and not posted.was_hostile:
            verdict.wrongly_flagged.append(posted.number)
        for flag in flags:
            if cards[flag.id] > 1:
                verdict.with_two_cards.append(posted.number)
            if cards[flag.id] == 0 or flag.card_message_id is None:
                verdict.without_card.append(posted.number)
        if not posted.message.deleted:
            _judge_last_wording(verdict, posted, flags, wordings, assessed)
    return verdict


def _judge_last_wording(
    verdict: Verdict,
    posted: Posted,
    flags: list[Flag],
    wordings: dict[int, set[str]],
    assessed: set[str],
) -> None:
    last = posted.wordings[-1]
    mark = last.split(maxsplit=1)[0]
    if mark not in assessed:
        verdict.unassessed.append(mark)
    if posted.is_hostile and not flags:
        verdict.unflagged.append(posted.number)
    if flags and last not in wordings[flags[0].id]:
        verdict.outdated.append(posted.number)


def _shown(message: Message) -> Iterator[int]:
    """The flags that a card or digest shows."""
    for button in message.buttons:
        found = _BUTTON.fullmatch(button.custom_id or "")
        if found:
            yield int(found[1])
    for menu in message.selects:
        for option in menu.options:
            yield int(option.split(":")[0])
