"""Posts cards: the database says which flags still need one, this brings them to Discord.

A moderator channel takes about five posts in five seconds. While they suffice, each flag
gets a card of its own; when more wait, the last post of the window becomes a digest card
that lists the others and grows by edits. Every post carries a nonce that Discord does not
take twice, and after a start the channel is looked through before anything is posted, so
that a crash between posting and recording makes no second card. What the bot itself has to
say there goes the same way.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import discord

from bot.comment import Flag
from bot.discord_app.announcements import due
from bot.discord_app.budget import PostBudget
from bot.discord_app.buttons import card_view, flag_key, picker_view, shown_flags
from bot.discord_app.cards import digest_embed, flag_embed
from bot.discord_app.logs import where
from bot.discord_app.notices import is_notice, notice_embed
from bot.discord_app.permissions import MODERATOR_CHANNEL, missing
from bot.discord_app.repeater import Repeater
from bot.moderation import danger_of, in_shadow
from bot.store import Surroundings
from bot.words import _, speak

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

log = logging.getLogger(__name__)

DIGEST_SIZE = 25
GATHER_SECONDS = 0.25
SWEEP_SECONDS = 15.0
LOOK_THROUGH = 200
LAPSE_MARGIN = 0.01
MOST_LINES = 20
SAY_AGAIN_SECONDS = 600.0
NOBODY = discord.AllowedMentions.none()


class Outbox:
    """Brings pending cards to the moderator channels and keeps posted ones up to date."""

    def __init__(self, bot: FanguardBot) -> None:
        """Post for this bot."""
        self._bot = bot
        self._guilds: dict[int, GuildOutbox] = {}
        self._sweeper: asyncio.Task[None] | None = None

    def start(self) -> None:
        """From now on, also look for what other programs have changed."""
        self._sweeper = asyncio.create_task(self._sweep(), name="outbox-sweep")

    def notify(self, guild_id: int) -> None:
        """Something may have to be posted or edited in this guild."""
        guild = self._guild(guild_id)
        guild.posting.call()
        guild.refreshing.call()

    def say(self, guild_id: int, embed: discord.Embed, key: str) -> None:
        """Post a line of the bot's own once; `key` names it."""
        self._guild(guild_id).lines.append((embed, key))
        self.notify(guild_id)

    def changed(self, flag: Flag) -> None:
        """Something has happened to this flag: show it on its card or digest."""
        self._bot.recent.remember(flag)
        self.notify(int(flag.comment.guild_id))

    async def drain(self, seconds: float) -> None:
        """Post what is pending if `seconds` allow; the rest waits for the next start."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        runs = [run for guild in self._guilds.values() for run in (guild.posting, guild.refreshing)]
        await asyncio.gather(*(run.finish(seconds) for run in runs))
        for guild in self._guilds.values():
            guild.cancel_timer()

    def _guild(self, guild_id: int) -> GuildOutbox:
        guild = self._guilds.get(guild_id)
        if guild is None:
            guild = self._guilds[guild_id] = GuildOutbox(self._bot, guild_id)
        return guild

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            for guild in self._bot.guilds:
                self.notify(guild.id)


@dataclass(slots=True)
class _Digest:
    """A digest card that may still grow."""

    message: discord.Message
    size: int
    posted_at: float


class GuildOutbox:
    """The outbox of one guild."""

    def __init__(self, bot: FanguardBot, guild_id: int) -> None:
        """Start with the whole budget and nothing to do."""
        watch = bot.settings.watch
        self.posting = Repeater(f"posting cards in guild {guild_id}", self._post_pending)
        self.refreshing = Repeater(f"refreshing cards in guild {guild_id}", self._refresh)
        self.lines: deque[tuple[discord.Embed, str]] = deque(maxlen=MOST_LINES)
        self._bot = bot
        self._flags = bot.store.flags
        self._guild_id = guild_id
        self._window = watch.card_window_seconds
        self._budget = PostBudget(watch.card_burst, self._window)
        self._digest: _Digest | None = None
        self._deleted: Counter[int] = Counter()
        self._looked_through = False
        self._late_answers: set[asyncio.Task[discord.Message]] = set()
        self._complained: tuple[str, float] = ("", 0.0)
        self._lapse: asyncio.TimerHandle | None = None

    def _speak(self) -> None:
        """Use the server's language for what is posted in this run."""
        guild = self._bot.get_guild(self._guild_id)
        if guild is not None:
            speak(guild.preferred_locale)

    async def _post_pending(self) -> None:
        self._speak()
        await self._post_notice()
        await self._announce()
        gathered = False
        while flags := await self._pending():
            channel = await self._channel()
            if channel is None:
                return
            if not self._looked_through:
                await self._recognise(channel)
                self._looked_through = True
                continue
            left = self._budget.left()
            many = len(flags) > DIGEST_SIZE
            if left > 1 and not many:
                await self._post_card(channel, flags[0])
            elif left == 0:
                await self._append_or_wait(flags)
            elif not gathered and not many:
                await asyncio.sleep(GATHER_SECONDS)
                gathered = True
                continue
            elif len(flags) == 1:
                await self._post_card(channel, flags[0])
            else:
                await self._post_digest(channel, flags[:DIGEST_SIZE])
            gathered = False

    async def _post_notice(self) -> None:
        thresholds, guild_id = self._bot.pipeline.thresholds, str(self._guild_id)
        while notice := await thresholds.notice(guild_id):
            channel = await self._channel()
            if channel is None:
                return
            if not self._looked_through:
                await self._recognise(channel)
                self._looked_through = True
                continue
            await asyncio.sleep(self._budget.wait())
            self._budget.spend()
            nonce = _digest_of(f"notice {guild_id}.{notice.id}")
            await self._send(channel, notice_embed(notice), None, nonce)
            await self._bot.store.notices.drop(notice.id)

    async def _announce(self) -> None:
        while news := await due(await self._bot.guild_settings(self._guild_id), self._flags):
            channel = await self._channel()
            if channel is None:
                return
            await asyncio.sleep(self._budget.wait())
            self._budget.spend()
            await self._send(channel, news.embed, None, _digest_of(news.key))
            await self._bot.change_settings(channel.guild, news.said)
        while self.lines:
            channel = await self._channel()
            if channel is None:
                return
            await asyncio.sleep(self._budget.wait())
            self._budget.spend()
            embed, key = self.lines[0]
            await self._send(channel, embed, None, _digest_of(key))
            self.lines.popleft()

    async def _pending(self) -> list[Flag]:
        if in_shadow(await self._bot.guild_settings(self._guild_id), datetime.now(UTC)):
            return []
        return await self._flags.pending_cards(str(self._guild_id), limit=DIGEST_SIZE + 1)

    async def _channel(self) -> discord.TextChannel | None:
        """The moderator channel, if there is one and the bot may post there."""
        settings = await self._bot.guild_settings(self._guild_id)
        guild = self._bot.get_guild(self._guild_id)
        if guild is None:
            return None
        if settings.mod_channel_id is None:
            self._complain("something waits to be posted: choose a moderator channel with /setup")
            return None
        channel = guild.get_channel(int(settings.mod_channel_id))
        if not isinstance(channel, discord.TextChannel):
            self._complain(
                f"the moderator channel {settings.mod_channel_id} is gone or hidden from me: "
                "give me View Channel there, or choose another with /setup"
            )
            return None
        lacking = missing(channel, MODERATOR_CHANNEL)
        if lacking:
            self._complain(
                f"no card can be posted in channel {channel.id}: give me {', '.join(lacking)} there"
            )
            return None
        return channel

    def _complain(self, problem: str) -> None:
        before, when = self._complained
        if problem != before or time.monotonic() - when > SAY_AGAIN_SECONDS:
            log.warning("guild %s: %s", self._guild_id, problem)
            self._complained = (problem, time.monotonic())

    async def _recognise(self, channel: discord.TextChannel) -> None:
        """Record what was posted but not recorded, as after a crash."""
        posted: dict[str, tuple[discord.Message, bool]] = {}
        notice = await self._bot.store.notices.pending(str(self._guild_id))
        async for message in channel.history(limit=LOOK_THROUGH):
            if message.author == self._bot.user:
                if notice is not None and is_notice(message, notice):
                    await self._bot.store.notices.drop(notice.id)
                for key, digest in shown_flags(message):
                    posted[key] = (message, digest)
        for flag in await self._flags.pending_cards(str(self._guild_id)):
            found = posted.get(flag_key(flag))
            if found is not None:
                message, digest = found
                await self._record([flag], message, digest=digest)

    async def _post_card(self, channel: discord.TextChannel, flag: Flag) -> None:
        self._budget.spend()
        around = await self._around(flag)
        message = await self._send(
            channel,
            flag_embed(flag, around),
            card_view(flag, around),
            self._nonce([flag]),
            await self._alert([flag]),
        )
        await self._record([flag], message)
        current = await self._flags.get(str(self._guild_id), flag.id)
        if current is None:
            return
        changed = (current.status, current.revisions, current.gone_at, current.reports) != (
            flag.status,
            flag.revisions,
            flag.gone_at,
            flag.reports,
        )
        if changed or await self._around(current) != around:
            await self._edit_card(current)

    async def _around(self, flag: Flag) -> Surroundings:
        return await self._flags.surroundings(str(self._guild_id), flag.id)

    async def _alert(self, flags: Sequence[Flag]) -> discord.Role | None:
        """The role to ping for these flags, if one was chosen and one of them is urgent."""
        role_id = (await self._bot.guild_settings(self._guild_id)).ping_role_id
        if role_id is None or not any(danger_of(f.comment.text, f.assessment) for f in flags):
            return None
        guild = self._bot.get_guild(self._guild_id)
        role = guild.get_role(int(role_id)) if guild else None
        if role is None:
            self._complain(f"the role {role_id} to ping is gone: choose another with /desk ping")
        return role

    async def _post_digest(self, channel: discord.TextChannel, flags: Sequence[Flag]) -> None:
        self._budget.spend()
        message = await self._send(
            channel,
            digest_embed(flags),
            picker_view(flags),
            self._nonce(flags),
            await self._alert(flags),
        )
        self._digest = _Digest(message, len(flags), time.monotonic())
        await self._record(flags, message, digest=True)

    async def _send(
        self,
        channel: discord.TextChannel,
        embed: discord.Embed,
        view: discord.ui.View | None,
        nonce: str,
        ping: discord.Role | None = None,
    ) -> discord.Message:
        """Post a message, and return once it is seen in the channel.

        `ping` is a role that is mentioned, the only thing that is ever.

        discord.py holds back the answer to a window's last post until the window ends; the
        gateway brings the message at once.
        """
        below = discord.ui.View(timeout=None) if view is None else view
        roles = [] if ping is None else [ping]
        sent = asyncio.create_task(
            channel.send(
                content=None
                if ping is None
                else _("{role} This may not wait.").format(role=ping.mention),
                embed=embed,
                view=below,
                nonce=nonce,
                allowed_mentions=discord.AllowedMentions(
                    everyone=False, users=False, roles=roles, replied_user=False
                )
                if roles
                else NOBODY,
            )
        )
        seen = asyncio.create_task(
            self._bot.wait_for(
                "message", check=lambda each: each.nonce == nonce and each.author == self._bot.user
            )
        )
        await asyncio.wait({sent, seen}, return_when=asyncio.FIRST_COMPLETED)
        if sent.done():
            seen.cancel()
            # It may have arrived although the answer says otherwise, or none came.
            self._looked_through = sent.exception() is None
            return sent.result()
        self._late_answers.add(sent)
        sent.add_done_callback(self._late_answer)
        message: discord.Message = seen.result()
        return message

    def _late_answer(self, sent: asyncio.Task[discord.Message]) -> None:
        self._late_answers.discard(sent)
        if not sent.cancelled() and (error := sent.exception()) is not None:
            log.info("guild %s: a post came through unanswered: %s", self._guild_id, where(error))

    async def _append_or_wait(self, flags: Sequence[Flag]) -> None:
        digest = self._digest
        room = 0 if digest is None else DIGEST_SIZE - digest.size
        if digest is None or not room or time.monotonic() - digest.posted_at > self._window:
            await asyncio.sleep(self._budget.wait())
            return
        # An edit pings nobody, so that what is urgent waits for a post of its own.
        added = [flag for flag in flags if await self._alert([flag]) is None][:room]
        if not added:
            await asyncio.sleep(self._budget.wait())
            return
        listed = await self._flags.in_digest(str(self._guild_id), str(digest.message.id))
        if not await self._edit_digest(digest.message, [*listed, *added]):
            self._digest = None
            return
        await self._record(added, digest.message, digest=True)
        digest.size = len(listed) + len(added)

    async def _record(
        self, flags: Iterable[Flag], message: discord.Message, *, digest: bool = False
    ) -> None:
        for flag in flags:
            await self._flags.card_posted(
                flag.id, str(message.channel.id), str(message.id), digest=digest
            )

    async def _refresh(self) -> None:
        """Bring the posted cards up to date that show something else than the database."""
        self._speak()
        guild_id = str(self._guild_id)
        waits = (await self._flags.lapse_claims(guild_id), await self._flags.lapse_undos(guild_id))
        self._wake_after(min((wait for wait in waits if wait is not None), default=None))
        await self._bot.store.erasure.finish(guild_id)
        changed = await self._flags.stale_digests(str(self._guild_id))
        for place in {(flag.card_channel_id, flag.card_message_id) for flag in changed}:
            await self._refresh_digest(int(place[0] or 0), int(place[1] or 0))
        for flag in await self._flags.stale_cards(str(self._guild_id)):
            await self._edit_card(flag)

    def _wake_after(self, wait: timedelta | None) -> None:
        """Refresh again when the next claim lapses, or the next decision stands for good."""
        self.cancel_timer()
        if wait is not None:
            seconds = wait.total_seconds() + LAPSE_MARGIN
            self._lapse = asyncio.get_running_loop().call_later(seconds, self.refreshing.call)

    def cancel_timer(self) -> None:
        """Wait for no claim to lapse any more."""
        if self._lapse is not None:
            self._lapse.cancel()
            self._lapse = None

    async def _refresh_digest(self, channel_id: int, message_id: int) -> None:
        """Edit a digest until it shows its flags as they are now."""
        card = self._card(channel_id, message_id)
        shown: list[Flag] = []
        while True:
            flags = await self._flags.in_digest(str(self._guild_id), str(message_id))
            if flags == shown:
                return
            try:
                await self._edit_digest(card, flags)
            except discord.Forbidden:
                self._complain(f"cards in channel {channel_id} cannot be edited: let me see it")
                return
            await self._flags.digest_shown(str(self._guild_id), str(message_id))
            shown = flags

    async def _edit_digest(
        self, message: discord.Message | discord.PartialMessage, flags: Sequence[Flag]
    ) -> bool:
        """Let a digest list these flags; False if it was deleted."""
        try:
            await message.edit(
                embed=digest_embed(flags), view=picker_view(flags), allowed_mentions=NOBODY
            )
        except discord.NotFound:
            log.info("the digest card %s is gone: its flags are in /queue", message.id)
            return False
        return True

    async def _edit_card(self, flag: Flag) -> None:
        """Edit a flag's card until it shows the flag as it is now."""
        if flag.card_channel_id is None or flag.card_message_id is None:
            return
        channel_id, message_id = int(flag.card_channel_id), int(flag.card_message_id)
        while True:
            around = await self._around(flag)
            try:
                await self._card(channel_id, message_id).edit(
                    embed=flag_embed(flag, around),
                    view=card_view(flag, around),
                    allowed_mentions=NOBODY,
                )
            except discord.NotFound:
                if flag.decision is None:
                    self._deleted[flag.id] += 1
                    await self._flags.card_lost(flag.id)
                    self.posting.call()
                else:
                    await self._flags.no_card(flag.id)
                return
            except discord.Forbidden:
                self._complain(f"cards in channel {channel_id} cannot be edited: let me see it")
                return
            await self._flags.card_posted(flag.id, str(channel_id), str(message_id))
            current = await self._flags.get(str(self._guild_id), flag.id)
            if current is None or (current == flag and await self._around(flag) == around):
                return
            flag = current

    def _card(self, channel_id: int, message_id: int) -> discord.PartialMessage:
        channel = self._bot.get_partial_messageable(channel_id, guild_id=self._guild_id)
        return channel.get_partial_message(message_id)

    def _nonce(self, flags: Sequence[Flag]) -> str:
        """At most 25 characters, the same however often these flags are tried to be posted.

        A card that was deleted gets another one, since Discord refuses the nonce of a deleted
        message.
        """
        messages = "/".join(
            f"{flag.comment.guild_id}.{flag.comment.id}.{self._deleted[flag.id]}" for flag in flags
        )
        return _digest_of(messages)


def _digest_of(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()
