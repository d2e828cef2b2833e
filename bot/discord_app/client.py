"""The bot itself: what it listens to, what it starts, and how it stops."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import discord
import yarl
from discord import app_commands
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.comment import Person
from bot.discord_app.absences import Absences
from bot.discord_app.actions import Actions
from bot.discord_app.at_once import AtOnce
from bot.discord_app.away import Reason
from bot.discord_app.buttons import DYNAMIC_ITEMS
from bot.discord_app.catch_up import CatchUp
from bot.discord_app.channels import channel_problems
from bot.discord_app.commands import COGS
from bot.discord_app.exemptions import Exemptions
from bot.discord_app.forms_of_before import FormsOfBefore
from bot.discord_app.intake import Intake
from bot.discord_app.logs import where
from bot.discord_app.notices import channel_notice_embed
from bot.discord_app.outbox import Outbox
from bot.discord_app.pages import PageButton, Renderer
from bot.discord_app.permissions import MODERATOR_CHANNEL, REQUIRED_TO_ACT, WATCHED_CHANNEL
from bot.discord_app.progress import Progress
from bot.discord_app.recent import Recent
from bot.discord_app.retention import Retention
from bot.discord_app.rosters import Rosters
from bot.discord_app.scans import Scans
from bot.discord_app.translator import Translator
from bot.discord_app.tree import CommandTree
from bot.discord_app.watcher import Watcher
from bot.drawing import Studio
from bot.moderation import (
    Pipeline,
    Reporting,
    is_paused,
    joined,
    left,
    paused_channels,
    without_idle_pauses,
)
from bot.settings import DiscordSettings, Settings
from bot.store import GuildSettings, Store
from bot.words import speaking

log = logging.getLogger(__name__)

DRAIN_SECONDS = 10.0
POST_SECONDS = 3.0
LONGEST_RATE_LIMIT = 60.0


def needed_intents() -> discord.Intents:
    """Servers and their channels, messages in them, and what these say; nothing else."""
    return discord.Intents(guilds=True, guild_messages=True, message_content=True)


def needed_permissions() -> discord.Permissions:
    """What the bot needs in a server: to read, to post cards, and to act for moderators."""
    wanted = {*WATCHED_CHANNEL, *MODERATOR_CHANNEL, *REQUIRED_TO_ACT}
    return discord.Permissions(**dict.fromkeys(wanted, True))


def invitation(application_id: int) -> str:
    """The link that invites a bot with the permissions and scopes it needs, and no others."""
    return discord.utils.oauth_url(
        application_id,
        permissions=needed_permissions(),
        scopes=("bot", "applications.commands"),
    )


def use_addresses(settings: DiscordSettings) -> None:
    """Point discord.py at other addresses than Discord's, where the settings name some."""
    if settings.api_base:
        Route.BASE = settings.api_base.rstrip("/")
    if settings.gateway:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.gateway)


class FanguardBot(commands.Bot):
    """The live bot. Cogs reach the store, the pipeline and the settings through it."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        pipeline: Pipeline,
        people: Sequence[Person] = (),
        **options: Any,  # noqa: ANN401
    ) -> None:
        """Put the parts together; nothing is sent yet.

        Args:
            settings: all settings; their Discord addresses, where set, replace Discord's.
            store: the open database.
            pipeline: scores messages and flags them.
            people: the roster that a new guild starts with.
            options: passed on to `commands.Bot`.
        """
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=CommandTree,
            allowed_contexts=app_commands.AppCommandContext(guild=True),
            allowed_installs=app_commands.AppInstallationType(guild=True),
            intents=needed_intents(),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            max_ratelimit_timeout=LONGEST_RATE_LIMIT,
            **options,
        )
        use_addresses(settings.discord)
        self.settings = settings
        self.store = store
        self.pipeline = pipeline
        self.first_people = tuple(people)
        self.studio = Studio()
        self.pages: dict[str, Renderer] = {}
        self.progress = Progress()
        self.rosters = Rosters(store)
        self.recent = Recent(store)
        self.intake = Intake(self)
        self.outbox = Outbox(self)
        self.catch_up = CatchUp(self)
        self.scans = Scans(self)
        self.actions = Actions(self)
        self.absences = Absences(self)
        self.at_once = AtOnce(self)
        self.watcher = Watcher(self)
        self.exemptions = Exemptions(self)
        self.reporting = Reporting(store, pipeline)
        self._settings_lock = asyncio.Lock()
        self._stopping: asyncio.Task[None] | None = None

    async def setup_hook(self) -> None:
        """Load the cogs, bring old buttons to life, and tell Discord the commands."""
        self.add_dynamic_items(*DYNAMIC_ITEMS, PageButton)
        await self.add_cog(self.watcher)
        await self.add_cog(self.absences)
        await self.add_cog(FormsOfBefore())
        await self.add_cog(Retention(self))
        for cog in COGS:
            await self.add_cog(cog(self))
        self.outbox.start()
        await self._register_commands()

    async def _register_commands(self) -> None:
        tree = self.tree
        if not isinstance(tree, CommandTree):
            raise TypeError("the bot was built without its own command tree")
        await tree.set_translator(Translator())
        try:
            await tree.sync_if_changed()
        except discord.HTTPException as error:
            log.warning("the slash commands could not be registered: %s", where(error))

    async def on_message(self, message: discord.Message) -> None:
        """Leave messages to the watcher: there are no prefix commands."""

    async def on_ready(self) -> None:
        """A new session: whatever was posted since the last one comes from history."""
        self.progress.new_session()
        log.info("logged in as %s in %d servers", self.user, len(self.guilds))
        if not self.guilds:
            log.warning("the bot is in no server yet: invite it with %s", self.invitation())
        for guild in self.guilds:
            await self._take_up(guild)
        here = {str(guild.id) for guild in self.guilds}
        for settings in await self.store.guilds.all():
            if settings.guild_id not in here:
                await self._note_left(settings.guild_id)

    def invitation(self) -> str:
        """The link that invites the bot with the permissions it needs."""
        return invitation(self.application_id or 0)

    async def on_resumed(self) -> None:
        """The session goes on without a gap."""
        self.progress.resumed()

    async def on_disconnect(self) -> None:
        """Until it is known how the session goes on, no checkpoint moves."""
        self.progress.disconnected()

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """A new guild gets its roster and no greeting; one that is known has what it had."""
        await self._take_up(guild)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """From the moment the bot has left a guild, retention counts."""
        await self._note_left(str(guild.id))

    async def _note_left(self, guild_id: str) -> None:
        async with self._settings_lock:
            stored = await self.store.guilds.get(guild_id)
            if stored is None:
                return
            settings = left(stored, datetime.now(UTC))
            if settings == stored:
                return
            await self.store.guilds.put(settings)
        log.info("the bot is no longer in guild %s", guild_id)
        for channel_id in settings.watched_channel_ids:
            self.progress.lost(int(channel_id))

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A guild that was out of reach is read from where it was left."""
        if self.is_ready():
            for root in await self._watched(guild):
                self.progress.lost(root)
            await self._take_up(guild)

    async def on_guild_channel_update(
        self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """A permission that was missing may be there now."""
        del before
        self._try_again(after.guild)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """A permission that was missing may be there now."""
        del before
        self._try_again(after.guild)

    def _try_again(self, guild: discord.Guild) -> None:
        self.outbox.notify(guild.id)
        self.catch_up.hurry()

    async def on_error(self, event_method: str, /, *args: object, **kwargs: object) -> None:
        """Log what failed without its arguments, which may hold messages."""
        del args, kwargs
        error = sys.exc_info()[1]
        log.warning("the event %s failed: %s", event_method, where(error) if error else "")

    async def guild_settings(self, guild_id: int) -> GuildSettings:
        """What a guild has set, from memory once read."""
        return await self.pipeline.settings(str(guild_id))

    async def watches(self, guild_id: int, channel_id: int) -> bool:
        """Whether a channel is one of those its guild has chosen to watch, and not paused."""
        settings = await self.guild_settings(guild_id)
        channel = str(channel_id)
        return channel in settings.watched_channel_ids and not is_paused(settings, channel)

    async def change_settings(
        self,
        guild: discord.Guild,
        change: Callable[[GuildSettings], GuildSettings] = lambda settings: settings,
    ) -> GuildSettings:
        """Change a guild's settings and act on them: new channels start at the present.

        A new guild gets its first settings and roster from the configuration; afterwards
        the database rules. A threshold of its own is moved to the model in use first. A guild
        that had left starts at the present in all its channels.

        Returns:
            The settings as they are now.
        """
        async with self._settings_lock:
            stored = await self.store.guilds.get(str(guild.id))
            if stored is not None:
                stored = await self.pipeline.thresholds.move(stored)
            if stored is None or not stored.seeded:
                await self.store.roster.seed(str(guild.id), self.first_people)
            before = stored or GuildSettings(
                str(guild.id),
                member_flags=self.settings.model.member_flags,
                proxies=self.settings.watch.proxies,
            )
            changed = without_idle_pauses(joined(change(before), datetime.now(UTC)))
            settings = replace(changed, name=guild.name, seeded=True)
            if settings != stored:
                await self.store.guilds.put(settings)
        self._follow_pauses(guild, before, settings)
        known = () if before.left_at else before.watched_channel_ids
        for channel_id in settings.watched_channel_ids:
            if channel_id not in known:
                await self.catch_up.start_afresh(guild, int(channel_id))
        self.outbox.notify(guild.id)
        return settings

    def _follow_pauses(
        self, guild: discord.Guild, before: GuildSettings, after: GuildSettings
    ) -> None:
        paused = paused_channels(after)
        for channel_id in paused:
            self.progress.pause(int(channel_id))
        for channel_id in paused_channels(before) - paused:
            self.progress.resume(int(channel_id))
            self.catch_up.request(guild.id, int(channel_id))

    async def _take_up(self, guild: discord.Guild) -> None:
        try:
            settings = await self.change_settings(guild)
            for old, new in await self.pipeline.thresholds.move_channels(str(guild.id)):
                with speaking(guild.preferred_locale):
                    embed = channel_notice_embed(old, new)
                key = f"channel {new.channel_id} {new.threshold_model}"
                self.outbox.say(guild.id, embed, key)
            await self.rosters.load(guild.id)
            await self.recent.load(guild.id)
        except Exception as error:  # noqa: BLE001
            log.warning("guild %s could not be taken up: %s", guild.id, where(error))
            return
        for problem in channel_problems(guild, settings):
            log.warning("guild %s: %s", guild.id, problem.as_log())
        for channel_id in settings.watched_channel_ids:
            self.catch_up.request(guild.id, int(channel_id), Reason.AWAY)
        await self.scans.tell_interrupted(guild)

    async def _watched(self, guild: discord.Guild) -> set[int]:
        return set(map(int, (await self.guild_settings(guild.id)).watched_channel_ids))

    async def close(self) -> None:
        """Stop: finish what was taken in, post what is pending, and leave."""
        if self._stopping is None:
            self._stopping = asyncio.create_task(self._stop())
        await asyncio.shield(self._stopping)

    async def _stop(self) -> None:
        try:
            await self.watcher.drain(DRAIN_SECONDS)
            await self.catch_up.stop()
            await self.scans.stop()
            await self.outbox.drain(POST_SECONDS)
        finally:
            await super().close()
