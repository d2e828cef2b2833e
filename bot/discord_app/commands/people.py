"""/people: the roster of a guild."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.comment import Person
from bot.discord_app.commands.access import MODERATORS, defer, moderators_only, roster_names
from bot.discord_app.commands.roster_changes import RosterChanges, person_line
from bot.discord_app.errors import RefusedError
from bot.discord_app.pages import Page, lines_page, send_page
from bot.discord_app.quoting import escape
from bot.moderation.rosters import LONGEST_NAME, LONGEST_PRONOUNS, split_names
from bot.words import N_, _

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

KIND = "people"
PAGE_SIZE = 10

Interaction = discord.Interaction["FanguardBot"]
Name = app_commands.Range[str, 1, LONGEST_NAME]
Names = app_commands.Range[str, 1, 500]


@app_commands.default_permissions(MODERATORS)
@app_commands.guild_only()
class People(
    RosterChanges,
    commands.GroupCog,
    name="people",
    description=N_("The people this server talks about"),
):
    """Adds, removes and lists people."""

    def __init__(self, bot: FanguardBot) -> None:
        """Serve this bot."""
        self.bot = bot
        bot.pages[KIND] = self.page

    @app_commands.command(name="add", description=N_("Put someone on the roster"))
    @app_commands.describe(
        name=N_("Full name"),
        aliases=N_("Other names, separated by commas"),
        handles=N_("Handles elsewhere, separated by commas"),
        pronouns=N_("Such as she/her; without them no gender is guessed"),
        channel=N_("Only in this channel; everywhere if left out"),
    )
    @moderators_only
    async def add(
        self,
        interaction: Interaction,
        name: Name,
        aliases: Names | None = None,
        handles: Names | None = None,
        pronouns: app_commands.Range[str, 1, LONGEST_PRONOUNS] | None = None,
        channel: discord.TextChannel | discord.ForumChannel | None = None,
    ) -> None:
        """Add a person."""
        await defer(interaction)
        person = Person(
            name=name.strip(),
            aliases=split_names(aliases),
            handles=split_names(handles),
            pronouns=pronouns.strip() if pronouns else None,
            channels=() if channel is None else (str(channel.id),),
        )
        await self.bot.store.roster.add(str(interaction.guild_id), person)
        await self.bot.rosters.load(str(interaction.guild_id))
        await interaction.followup.send(
            _("Added: {person}").format(person=person_line(person)), ephemeral=True
        )

    @app_commands.command(name="remove", description=N_("Take someone off the roster"))
    @app_commands.describe(name=N_("A name on the roster"))
    @app_commands.autocomplete(name=roster_names)
    @moderators_only
    async def remove(self, interaction: Interaction, name: Name) -> None:
        """Remove a person."""
        await defer(interaction)
        if not await self.bot.store.roster.remove(str(interaction.guild_id), name):
            raise RefusedError(
                _("Nobody called “{name}” is on the roster: /people list.").format(
                    name=escape(name)
                )
            )
        await self.bot.rosters.load(str(interaction.guild_id))
        await interaction.followup.send(
            _("Removed: {name}").format(name=escape(name)), ephemeral=True
        )

    @app_commands.command(name="list", description=N_("Show the roster"))
    @moderators_only
    async def list(self, interaction: Interaction) -> None:
        """List the people."""
        await defer(interaction)
        await send_page(interaction, await self.page(interaction.guild_id or 0, 0, ""), KIND, "")

    async def page(self, guild_id: int, number: int, state: str) -> Page:
        """Render a page of the roster."""
        del state
        people = await self.bot.store.roster.people(str(guild_id))
        return lines_page(
            list(map(person_line, people)),
            number,
            PAGE_SIZE,
            title=_("{count} on the roster").format(count=len(people)),
            empty=_("Nobody yet: /people add"),
        )
