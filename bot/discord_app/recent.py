"""The flags and members of each guild that autocomplete offers at once, from memory."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TypeVar

from bot.comment import Flag
from bot.discord_app.cards import option_label
from bot.discord_app.quoting import short
from bot.store import Store

MOST_CHOICES = 25
_MOST_FLAGS = 500
_MOST_MEMBERS = 2000
_LONGEST_ID = 20

KeyT = TypeVar("KeyT", int, str)


@dataclass(slots=True)
class _Guild:
    flags: OrderedDict[int, str] = field(default_factory=OrderedDict)
    members: OrderedDict[str, str] = field(default_factory=OrderedDict)


class Recent:
    """Keeps the labels of the newest flags and the names of who wrote them; no texts."""

    def __init__(self, store: Store) -> None:
        """Read from this store."""
        self._store = store
        self._guilds: dict[str, _Guild] = {}

    async def load(self, guild_id: int | str) -> None:
        """Read the newest flags of a guild anew."""
        found = await self._store.flags.list(str(guild_id), limit=_MOST_FLAGS)
        self._guilds[str(guild_id)] = _Guild()
        for flag in reversed(found):
            self.remember(flag)

    def remember(self, flag: Flag) -> None:
        """Keep a flag that is new or has changed."""
        guild = self._guilds.setdefault(flag.comment.guild_id, _Guild())
        _put(guild.flags, flag.id, option_label(flag), _MOST_FLAGS)
        name, author_id = short(flag.comment.author_name, 60), flag.comment.author_id
        if name and author_id.isdecimal() and len(author_id) <= _LONGEST_ID:
            _put(guild.members, author_id, name, _MOST_MEMBERS)

    def flags(self, guild_id: int | None, typed: str) -> list[tuple[int, str]]:
        """Up to 25 flags whose label has what was typed, the newest first."""
        wanted = typed.casefold().strip().removeprefix("#")
        known = self._guilds.get(str(guild_id), _Guild()).flags
        found = [(number, label) for number, label in known.items() if wanted in label.casefold()]
        found.sort(key=lambda each: (str(each[0]) == wanted, each[0]), reverse=True)
        return found[:MOST_CHOICES]

    def members(self, guild_id: int | None, typed: str) -> list[tuple[str, str]]:
        """Up to 25 ids and names of who wrote flagged messages; the latest first."""
        wanted = typed.casefold().strip().removeprefix("@")
        known = self._guilds.get(str(guild_id), _Guild()).members
        found = [
            (member_id, name)
            for member_id, name in reversed(known.items())
            if wanted in name.casefold() or wanted == member_id
        ]
        found.sort(key=lambda each: not each[1].casefold().startswith(wanted))
        return found[:MOST_CHOICES]


def _put(kept: OrderedDict[KeyT, str], key: KeyT, label: str, most: int) -> None:
    kept[key] = label
    kept.move_to_end(key)
    if len(kept) > most:
        kept.popitem(last=False)
