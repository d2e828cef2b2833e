"""A fan server with channels and threads, people who post and edit, and what they wrote."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random

from bot.comment import Person
from bot.store import GuildSettings, Store
from tests.discord_server import MODERATOR, Bot, Channel, DiscordServer, Member, Message, Permission

HOSTILE = "Maren Voss is trash and always was, everybody here has known that for years"
FAIR = "Maren Voss sang a little flat tonight, and the second song was too slow for me"
EDITED_WITHIN = 40
CHANNELS = 3


@dataclass(slots=True)
class Posted:
    """A message and which of its wordings were hostile."""

    message: Message
    author: Member
    number: int
    wordings: list[str] = field(default_factory=list)

    @property
    def is_hostile(self) -> bool:
        return HOSTILE in self.wordings[-1]

    @property
    def was_hostile(self) -> bool:
        return any(HOSTILE in each for each in self.wordings)


class Town:
    """The server, and the truth about what was posted there."""

    def __init__(self, server: DiscordServer, random: Random) -> None:
        self.server = server
        self.random = random
        self.account: Bot = server.add_bot(join=False)
        self.guild = server.add_guild("Fan club", join=True)
        self.mods = self.guild.add_channel("mods")
        self.roots = [self.guild.add_channel(f"talk-{each}") for each in range(CHANNELS)]
        self.places: list[Channel] = [*self.roots]
        self.fans = [self.guild.add_member(f"fan{each}") for each in range(20)]
        team = self.guild.add_role("Team", MODERATOR | Permission.MANAGE_GUILD)
        self.moderator = self.guild.add_member("Mo", team)
        self.posted: list[Posted] = []

    async def set_up(self, store: Store) -> None:
        """Let the bot watch all channels."""
        guild_id = str(self.guild.id)
        await store.roster.seed(guild_id, (Person("Maren Voss"),))
        watched = tuple(str(each.id) for each in self.roots)
        settings = GuildSettings(
            guild_id, mod_channel_id=str(self.mods.id), watched_channel_ids=watched, seeded=True
        )
        await store.guilds.put(settings)
        for channel in self.roots:
            await store.checkpoints.advance(guild_id, str(channel.id), str(channel.id))

    async def post(self, *, hostile: float) -> Posted:
        """Let somebody post somewhere; `hostile` is how likely it is that."""
        author = self.random.choice(self.fans)
        place = self.random.choice(self.places)
        number = len(self.posted)
        text = self._text(number, 0, hostile=hostile)
        made = Posted(await author.post(place, text), author, number, [text])
        self.posted.append(made)
        return made

    async def edit(self) -> None:
        """Let somebody edit one of the newest messages of a place."""
        newest: Counter[int] = Counter()
        recent = []
        for posted in reversed(self.posted):
            newest[posted.message.channel_id] += 1
            if newest[posted.message.channel_id] <= EDITED_WITHIN and not posted.message.deleted:
                recent.append(posted)
            if len(recent) >= EDITED_WITHIN:
                break
        if not recent:
            return
        chosen = self.random.choice(recent)
        place = self.server.world.channels[chosen.message.channel_id]
        if place.thread is not None and place.thread.archived:
            return
        text = self._text(chosen.number, len(chosen.wordings), hostile=0.3)
        await chosen.author.edit(chosen.message, text)
        chosen.wordings.append(text)

    async def delete(self) -> None:
        """Let somebody delete one of their newest messages."""
        standing = [each for each in self.posted[-30:] if not each.message.deleted]
        if standing:
            chosen = self.random.choice(standing)
            await chosen.author.delete(chosen.message)

    async def open_thread(self) -> None:
        """Let somebody open a thread."""
        author, root = self.random.choice(self.fans), self.random.choice(self.roots)
        self.places.append(await author.start_thread(root, f"thread {len(self.places)}"))

    def archive_thread(self) -> None:
        """Archive a thread; the next message there takes it out again."""
        threads = self.places[CHANNELS:]
        if threads:
            self.random.choice(threads).archive()

    def _text(self, number: int, wording: int, *, hostile: float) -> str:
        said = HOSTILE if self.random.random() < hostile else FAIR
        return f"m{number}.{wording} {said}"
