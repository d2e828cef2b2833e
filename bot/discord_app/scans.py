"""Scans: histories that somebody asked to have read, with progress to watch and to stop."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Self

import discord
from discord.utils import format_dt

from bot.discord_app.errors import RefusedError
from bot.discord_app.histories import Readable, threads_of
from bot.discord_app.items import LastingItem
from bot.discord_app.logs import where
from bot.store import ChannelScan
from bot.words import _, ngettext, speak, speaking

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

log = logging.getLogger(__name__)

Place = Readable | discord.ForumChannel
REFRESH_SECONDS = 5.0
KEPT_EVERY = 100


class CancelScan(
    LastingItem[discord.ui.Button[discord.ui.View], str],
    template=r"fanguard:scan:(?P<scan>[0-9]{1,20})",
):
    """Stops a scan where it is."""

    permission = "manage_guild"
    team = False

    def __init__(self, scan_id: str) -> None:
        """Stop the scan with this id."""
        self.scan_id = scan_id
        super().__init__(
            discord.ui.Button(label=_("Stop reading"), custom_id=f"fanguard:scan:{scan_id}")
        )

    @classmethod
    def read(cls, match: re.Match[str]) -> Self:
        """Make the item from its custom id."""
        return cls(match["scan"])

    async def act(self, interaction: discord.Interaction[Any], member: discord.Member) -> str:
        """Ask the scan to stop, if it runs."""
        bot: FanguardBot = interaction.client
        if bot.scans.cancel(member.guild.id, self.scan_id):
            return _("I stop reading. What was found so far waits in /queue.")
        return _("That scan has ended already.")

    def doing(self, interaction: discord.Interaction[Any]) -> str:
        """Name the scan."""
        return f"stopping scan {self.scan_id} of guild {interaction.guild_id}"


class _Running:
    """A scan while it runs, with what it has found."""

    def __init__(self, scan: ChannelScan, message: discord.PartialMessage) -> None:
        self.scan = scan
        self.message = message
        self.flags = 0
        self.stop = False
        self.began = time.monotonic()

    def count(self, message: discord.Message, *, flagged: bool) -> None:
        """Count a message that was assessed."""
        del message
        self.flags += flagged


class Scans:
    """Reads histories on request: one at a time in each guild, beside all that is live."""

    def __init__(self, bot: FanguardBot) -> None:
        """Read for this bot."""
        self._bot = bot
        self._running: dict[int, tuple[_Running, asyncio.Task[None]]] = {}
        self._beginning = asyncio.Lock()

    async def begin(
        self, place: Place, since: datetime, by: discord.Member, channel: discord.TextChannel
    ) -> discord.Message:
        """Begin to read a place, and return the message in `channel` that shows how it goes.

        Raises:
            RefusedError: a scan runs in this guild already.
        """
        guild = place.guild
        async with self._beginning:
            if guild.id in self._running:
                busy = self._running[guild.id][0]
                raise RefusedError(
                    _(
                        "I am reading <#{channel}> already. Wait for its end, or stop it: {link}"
                    ).format(channel=busy.scan.channel_id, link=busy.message.jump_url)
                )
            with speaking(guild.preferred_locale):
                line = _("I begin to read {channel}.").format(channel=place.mention)
                shown = await channel.send(
                    embed=_embed(line), allowed_mentions=discord.AllowedMentions.none()
                )
            scan = ChannelScan(
                guild_id=str(guild.id),
                scan_id=str(shown.id),
                channel_id=str(place.id),
                since=since,
                started_at=datetime.now(UTC),
                by_id=str(by.id),
                notice_channel_id=str(channel.id),
                notice_message_id=str(shown.id),
            )
            await self._bot.store.scans.begin(scan)
            running = _Running(scan, channel.get_partial_message(shown.id))
            task = asyncio.create_task(self._run(running, place), name=f"scan-{guild.id}")
            self._running[guild.id] = running, task
        return shown

    def cancel(self, guild_id: int, scan_id: str) -> bool:
        """Let a scan stop after the message it reads now; False if it does not run."""
        running, _task = self._running.get(guild_id, (None, None))
        if running is None or running.scan.scan_id != scan_id:
            return False
        running.stop = True
        return True

    async def stop(self) -> None:
        """Stop reading; the next start says where each scan was interrupted."""
        tasks = [task for _running, task in self._running.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def tell_interrupted(self, guild: discord.Guild) -> None:
        """Say of a scan that a restart cut off until where it had read."""
        scan = await self._bot.store.scans.get(str(guild.id))
        if scan is None or guild.id in self._running:
            return
        with speaking(guild.preferred_locale):
            line = _(
                "A restart interrupted this scan of <#{channel}>. It had read until {until}; "
                "/scan again goes over it once more, and nothing is flagged twice."
            ).format(channel=scan.channel_id, until=format_dt(scan.reached_at or scan.since, "f"))
        channel = guild.get_channel(int(scan.notice_channel_id))
        if isinstance(channel, discord.TextChannel):
            shown = channel.get_partial_message(int(scan.notice_message_id))
            await self._show(shown, line, None)
        await self._bot.store.scans.end(scan)

    async def _run(self, running: _Running, place: Place) -> None:
        guild = place.guild
        speak(guild.preferred_locale)
        refresher = asyncio.create_task(self._keep_showing(running))
        try:
            problem = await self._read_all(running, place)
        finally:
            refresher.cancel()
        del self._running[guild.id]
        await self._bot.store.scans.end(running.scan)
        text = "\n".join([problem or _end(running), _found(running)])
        await self._show(running.message, text, None)

    async def _read_all(self, running: _Running, place: Place) -> str:
        """Read a place and its threads; what went wrong in one line, or nothing."""
        try:
            async for each in _places(place, running.scan.since):
                running.scan = replace(running.scan, place_id=str(each.id), reached_at=None)
                if not await self._read(running, each):
                    break
        except (discord.Forbidden, discord.NotFound):
            return _(
                "I could not read <#{channel}> to its end: it is gone, or I may not see it "
                "any more."
            ).format(channel=running.scan.place_id or running.scan.channel_id)
        except (discord.HTTPException, OSError) as error:
            log.warning("scan of channel %s failed: %s", running.scan.channel_id, where(error))
            return _("Discord did not let me read on. Run /scan again in a while.")
        return ""

    async def _read(self, running: _Running, channel: Readable) -> bool:
        """Read one channel or thread; False if it was asked to stop."""
        after = discord.utils.time_snowflake(running.scan.since)
        while True:
            try:
                async for message in channel.history(
                    limit=None, after=discord.Object(after), oldest_first=True
                ):
                    if running.stop:
                        return False
                    await self._bot.intake.take(message, source="scan", tally=running, quietly=True)
                    after = message.id
                    running.scan = replace(
                        running.scan,
                        messages=running.scan.messages + 1,
                        reached_at=message.created_at,
                    )
                    if running.scan.messages % KEPT_EVERY == 0:
                        await self._bot.store.scans.reached(running.scan)
            except discord.RateLimited as limit:
                await asyncio.sleep(limit.retry_after)
            else:
                return True

    async def _keep_showing(self, running: _Running) -> None:
        while True:
            view = discord.ui.View(timeout=None)
            view.add_item(CancelScan(running.scan.scan_id))
            text = f"{_progress(running)}\n{_found(running)}"
            await self._show(running.message, text, view)
            await asyncio.sleep(REFRESH_SECONDS)

    async def _show(
        self, message: discord.PartialMessage, text: str, view: discord.ui.View | None
    ) -> None:
        try:
            await message.edit(embed=_embed(text), view=view)
        except (discord.HTTPException, discord.RateLimited) as error:
            log.info("the progress of a scan cannot be shown: %s", where(error))


async def _places(place: Place, since: datetime) -> AsyncIterator[Readable]:
    """What is to be read: the place itself, its active threads, and archived ones since then."""
    if isinstance(place, Readable):
        yield place
    async for thread in threads_of(place, since):
        yield thread


def _embed(text: str) -> discord.Embed:
    return discord.Embed(description=text, colour=discord.Colour.blurple())


def _progress(running: _Running) -> str:
    scan = running.scan
    lines = [
        _("Reading <#{channel}> since {since}.").format(
            channel=scan.place_id or scan.channel_id, since=format_dt(scan.since, "f")
        )
    ]
    if scan.reached_at is not None and scan.messages:
        seconds = max(time.monotonic() - running.began, 1.0)
        now = datetime.now(UTC)
        done = (scan.reached_at - scan.since) / max(now - scan.since, now.resolution)
        left = seconds * (1 - done) / done if done > 0 else 0.0
        lines.append(
            _("Come to {until}, {rate} messages a second; done about {end}.").format(
                until=format_dt(scan.reached_at, "f"),
                rate=f"{scan.messages / seconds:.0f}",
                end=format_dt(datetime.fromtimestamp(time.time() + left, UTC), "R"),
            )
        )
    return "\n".join(lines)


def _found(running: _Running) -> str:
    read = ngettext("{number} message read", "{number} messages read", running.scan.messages)
    flagged = ngettext(
        "{read}, {number} flagged. /queue shows it.",
        "{read}, {number} flagged. /queue shows them.",
        running.flags,
    )
    return flagged.format(
        read=read.format(number=f"{running.scan.messages:,}"), number=f"{running.flags:,}"
    )


def _end(running: _Running) -> str:
    scan = running.scan
    fields = {"channel": scan.channel_id, "since": format_dt(scan.since, "f")}
    if running.stop:
        return _("Stopped reading <#{channel}>, asked for since {since}.").format(**fields)
    return _("Read <#{channel}> since {since}.").format(**fields)
