"""/flags: the log of all flags, and one flag with its story."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.comment import Status
from bot.discord_app.buttons import send_card
from bot.discord_app.cards import list_embed
from bot.discord_app.commands import flag_search
from bot.discord_app.commands.access import MODERATORS, defer, moderators_only, roster_names
from bot.discord_app.commands.flag_filters import PERSON_LENGTH, Day, LogFilter
from bot.discord_app.commands.known import flag_numbers
from bot.discord_app.items import member_of
from bot.discord_app.pages import Page, clamp, page_line, send_page
from bot.discord_app.quoting import short, spoiler
from bot.words import N_, _, ngettext

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

KIND = "log"
PAGE_SIZE = 10
_REASON_LIMIT = 380
_MOST_REASONS = 10

Interaction = discord.Interaction["FanguardBot"]
StatusName = Literal["open", "claimed", "decided", "appealed", "upheld", "overturned"]


@app_commands.default_permissions(MODERATORS)
@app_commands.guild_only()
class Flags(
    flag_search.FlagSearch,
    commands.GroupCog,
    name="flags",
    description=N_("The log of flagged messages"),
):
    """Shows flags whatever their status."""

    def __init__(self, bot: FanguardBot) -> None:
        """Serve this bot."""
        self.bot = bot
        bot.pages[KIND] = self.page
        bot.pages[flag_search.KIND] = self.page

    @app_commands.command(name="log", description=N_("All flags, the newest first"))
    @app_commands.describe(
        status=N_("How a flag stands"),
        person=N_("Whom the messages were aimed at"),
        member=N_("Who wrote them"),
        since=N_("From this day on, such as 2025-03-01, yesterday or 7d (UTC)"),
        until=N_("Up to this day (UTC)"),
    )
    @app_commands.autocomplete(person=roster_names)
    @moderators_only
    async def log(
        self,
        interaction: Interaction,
        status: StatusName | None = None,
        person: app_commands.Range[str, 1, 100] | None = None,
        member: discord.User | None = None,
        since: app_commands.Transform[date, Day] | None = None,
        until: app_commands.Transform[date, Day] | None = None,
    ) -> None:
        """Show the first page of the flags that match."""
        await defer(interaction)
        wanted = LogFilter(
            status=Status(status) if status else None,
            member=str(member.id) if member else None,
            since=since,
            until=until,
            person=person.strip() if person else None,
        )
        page = await self.show_log(interaction.guild_id or 0, 0, wanted)
        await send_page(interaction, page, KIND, wanted.encode())

    @app_commands.command(name="show", description=N_("One flag with its story"))
    @app_commands.describe(flag=N_("The number of the flag"))
    @app_commands.autocomplete(flag=flag_numbers)
    @moderators_only
    async def show(self, interaction: Interaction, flag: app_commands.Range[int, 1]) -> None:
        """Show a flag's card and what happened to it."""
        await defer(interaction)
        found = await self.bot.actions.look(member_of(interaction), flag)
        story = await self.bot.store.flags.story(str(interaction.guild_id), flag)
        await send_card(interaction, found, story)
        reasons = await self.bot.store.reports.reasons(str(interaction.guild_id), flag)
        if reasons:
            await interaction.followup.send(embed=reasons_embed(reasons), ephemeral=True)

    async def page(self, guild_id: int, number: int, state: str) -> Page:
        """Render a page of the log; `state` is a filter as `LogFilter.encode` writes it."""
        wanted = LogFilter.decode(state)
        if wanted.person and len(wanted.person) == PERSON_LENGTH:
            whole = self.bot.rosters.starting_with(guild_id, wanted.person)
            wanted = replace(wanted, person=whole or wanted.person)
        return await self.show_log(guild_id, number, wanted)

    async def show_log(self, guild_id: int, number: int, wanted: LogFilter) -> Page:
        """Render a page of the flags that match."""
        flags, conditions = self.bot.store.flags, wanted.conditions()
        total = await flags.count(str(guild_id), **conditions)
        number, count = clamp(number, total, PAGE_SIZE)
        found = await flags.list(
            str(guild_id), **conditions, limit=PAGE_SIZE, offset=number * PAGE_SIZE
        )
        described = wanted.describe()
        title = ngettext("{count} flag", "{count} flags", total).format(count=total)
        if described:
            title = f"{title}: {described}"
        note = f"{page_line(number, count)} · {_('/flags show opens one')}"
        return Page(list_embed(short(title, 250), found, note), number, count)


def reasons_embed(reasons: Sequence[str]) -> discord.Embed:
    """Why members reported a message, the first ones if not all fit."""
    shown = [spoiler(reason, _REASON_LIMIT) for reason in reasons[:_MOST_REASONS]]
    embed = discord.Embed(title=_("Why it was reported"), description="\n".join(shown))
    left = len(reasons) - len(shown)
    if left:
        embed.set_footer(text=_("and {count} more").format(count=left))
    return embed
