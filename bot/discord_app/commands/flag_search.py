"""/flags search and /flags export: flags by everything but their text, which is encrypted."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.comment import Flag, Level, Status
from bot.discord_app.actions import channel_of
from bot.discord_app.commands.access import defer, moderators_only, roster_names
from bot.discord_app.commands.flag_filters import (
    LEVEL_CHOICES,
    STATUS_CHOICES,
    Day,
    LogFilter,
)
from bot.discord_app.commands.known import KnownMember, MemberOption
from bot.discord_app.errors import RefusedError
from bot.discord_app.items import member_of
from bot.discord_app.pages import Page, send_page
from bot.discord_app.permissions import LOOK, moderator_of
from bot.moderation import may
from bot.moderation.exporting import as_csv, as_json
from bot.words import N_, _, ngettext

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

KIND = "search"
MOST_EXPORTED = 20_000
_AT_ONCE = 1000

Interaction = discord.Interaction["FanguardBot"]
Format = Literal["CSV", "JSON"]
PersonName = app_commands.Range[str, 1, 100]
Member = app_commands.Transform[KnownMember, MemberOption]
ADay = app_commands.Transform[date, Day]

_ABOUT = {
    "member": N_("Who wrote them, also someone who has left"),
    "person": N_("Whom the messages were aimed at"),
    "status": N_("How a flag stands"),
    "level": N_("How hostile they are"),
    "since": N_("From this day on, such as 2025-03-01, yesterday or 7d (UTC)"),
    "until": N_("Up to this day (UTC)"),
    "moderator": N_("Who has taken or decided them"),
}


class FlagSearch(commands.Cog):
    """The two commands, for the group `/flags`."""

    bot: FanguardBot

    async def show_log(self, guild_id: int, number: int, wanted: LogFilter) -> Page:
        """Render a page of the flags that match."""
        raise NotImplementedError

    @app_commands.command(name="search", description=N_("Find flags; texts are not searched"))
    @app_commands.describe(**_ABOUT)
    @app_commands.choices(status=STATUS_CHOICES, level=LEVEL_CHOICES)
    @app_commands.autocomplete(person=roster_names)
    @moderators_only
    async def search(
        self,
        interaction: Interaction,
        *,
        member: Member | None = None,
        person: PersonName | None = None,
        status: str | None = None,
        level: int | None = None,
        since: ADay | None = None,
        until: ADay | None = None,
        moderator: discord.User | None = None,
    ) -> None:
        """Show the first page of the flags that match."""
        await defer(interaction)
        wanted = _filter(member, person, status, level, since, until, moderator)
        page = await self.show_log(interaction.guild_id or 0, 0, wanted)
        await send_page(interaction, page, KIND, wanted.encode())

    @app_commands.command(name="export", description=N_("Flags as a file that only you see"))
    @app_commands.rename(form="format", texts="with_texts")
    @app_commands.describe(
        form=N_("CSV for spreadsheets, JSON for programs"),
        texts=N_("Also what the messages say; then keep the file to yourself"),
        **_ABOUT,
    )
    @app_commands.choices(status=STATUS_CHOICES, level=LEVEL_CHOICES)
    @app_commands.autocomplete(person=roster_names)
    @moderators_only
    async def export(
        self,
        interaction: Interaction,
        form: Format,
        *,
        texts: bool = False,
        member: Member | None = None,
        person: PersonName | None = None,
        status: str | None = None,
        level: int | None = None,
        since: ADay | None = None,
        until: ADay | None = None,
        moderator: discord.User | None = None,
    ) -> None:
        """Send the flags that match as a file."""
        await defer(interaction)
        wanted = _filter(member, person, status, level, since, until, moderator)
        found = await self._all(str(interaction.guild_id), wanted)
        if not found:
            raise RefusedError(_("No flag matches, so there is nothing to export."))
        hidden = _not_theirs(member_of(interaction), found) if texts else frozenset()
        write = as_csv if form == "CSV" else as_json
        content = await asyncio.to_thread(write, found, text=texts, hidden=hidden)
        guild = interaction.guild
        if guild is not None and len(content) > guild.filesize_limit:
            raise RefusedError(
                _("That is too much for one file here. Export fewer days at a time.")
            )
        name = f"flags-{interaction.created_at:%Y-%m-%d}.{form.lower()}"
        file = discord.File(io.BytesIO(content), filename=name, spoiler=texts)
        total = len(found)
        line = ngettext("{count} flag of this server.", "{count} flags of this server.", total)
        line = line.format(count=total)
        if hidden:
            less = _("{count} without text: you may not manage messages where they are.")
            line = f"{line} {less.format(count=len(hidden))}"
        await interaction.followup.send(line, file=file, ephemeral=True)

    async def _all(self, guild_id: str, wanted: LogFilter) -> Sequence[Flag]:
        flags, conditions = self.bot.store.flags, wanted.conditions()
        if await flags.count(guild_id, **conditions) > MOST_EXPORTED:
            raise RefusedError(
                _("More than {count:,} flags match. Export fewer days at a time.").format(
                    count=MOST_EXPORTED
                )
            )
        found: list[Flag] = []
        while part := await flags.list(
            guild_id, **conditions, order="oldest", limit=_AT_ONCE, offset=len(found)
        ):
            found += part
        return found


def _not_theirs(member: discord.Member, flags: Sequence[Flag]) -> frozenset[int]:
    """The flags whose texts a moderator may not read, by where they were posted."""
    allowed: dict[tuple[str, str | None], bool] = {}
    for flag in flags:
        place = (flag.comment.channel_id, flag.comment.parent_id)
        if place not in allowed:
            channel = channel_of(member.guild, flag)
            allowed[place] = may(moderator_of(member, channel), LOOK)
    return frozenset(
        flag.id for flag in flags if not allowed[flag.comment.channel_id, flag.comment.parent_id]
    )


def _filter(
    member: KnownMember | None,
    person: str | None,
    status: str | None,
    level: int | None,
    since: date | None,
    until: date | None,
    moderator: discord.User | None,
) -> LogFilter:
    return LogFilter(
        status=Status(status) if status else None,
        member=member.id if member else None,
        since=since,
        until=until,
        person=person.strip() if person else None,
        level=None if level is None else Level(level),
        moderator=str(moderator.id) if moderator else None,
    )
