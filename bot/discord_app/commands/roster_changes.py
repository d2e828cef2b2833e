"""/people import and /people edit: many people at once, and changes to one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.comment import Person
from bot.discord_app.commands.access import defer, moderators_only, roster_names
from bot.discord_app.errors import RefusedError, explain
from bot.discord_app.items import Form, member_of
from bot.discord_app.permissions import require_here, require_team
from bot.discord_app.quoting import escape, label, quote
from bot.moderation.rosters import (
    LONGEST_NAME,
    LONGEST_PRONOUNS,
    Line,
    read_people,
    split_names,
)
from bot.words import N_, _

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

LARGEST_FILE = 100_000
NONE = "-"
_MOST_PROBLEMS = 15
_EXAMPLE = "Ada Lark; Ada, Larkie; she/her\nBo Finch; The Finch"

Interaction = discord.Interaction["FanguardBot"]
Names = app_commands.Range[str, 1, 500]


class RosterChanges(commands.Cog):
    """The two commands, for the group `/people`."""

    bot: FanguardBot

    @app_commands.command(name="import", description=N_("Put many people on the roster at once"))
    @app_commands.rename(file="list")
    @app_commands.describe(
        file=N_(
            "A text file, a line for each: Name; alias, alias; pronouns. Left out: a form to paste"
        )
    )
    @moderators_only
    async def import_list(
        self, interaction: Interaction, file: discord.Attachment | None = None
    ) -> None:
        """Add the people of a file, or open a form for them."""
        if file is None:
            await interaction.response.send_modal(PeopleForm())
            return
        await defer(interaction)
        text = await _text_of(file)
        await interaction.followup.send(embed=await add_all(interaction, text), ephemeral=True)

    @app_commands.command(name="edit", description=N_("Change someone's aliases or pronouns"))
    @app_commands.describe(
        name=N_("A name on the roster"),
        aliases=N_("All other names, separated by commas; - for none"),
        handles=N_("All handles elsewhere, separated by commas; - for none"),
        pronouns=N_("Such as she/her; - for unknown"),
    )
    @app_commands.autocomplete(name=roster_names)
    @moderators_only
    async def edit(
        self,
        interaction: Interaction,
        name: app_commands.Range[str, 1, LONGEST_NAME],
        aliases: Names | None = None,
        handles: Names | None = None,
        pronouns: app_commands.Range[str, 1, LONGEST_PRONOUNS] | None = None,
    ) -> None:
        """Change what was given."""
        await defer(interaction)
        if aliases is None and handles is None and pronouns is None:
            raise RefusedError(_("Say what to change: aliases, handles or pronouns."))

        def change(person: Person) -> Person:
            return replace(
                person,
                aliases=person.aliases if aliases is None else _names(aliases),
                handles=person.handles if handles is None else _names(handles),
                pronouns=person.pronouns if pronouns is None else _plain(pronouns),
            )

        guild_id = str(interaction.guild_id)
        changed = await self.bot.store.roster.change(guild_id, name, change)
        if changed is None:
            line = _("Nobody called “{name}” is on the roster: /people list.")
            raise RefusedError(line.format(name=escape(name)))
        line = _("Changed: {person}").format(person=person_line(changed))
        await interaction.followup.send(line, ephemeral=True)


class PeopleForm(Form):
    """A form for a pasted list."""

    def __init__(self) -> None:
        """Make the form in the language of who asks."""
        super().__init__(title=_("Put people on the roster"))
        self.people: discord.ui.TextInput[Any] = discord.ui.TextInput(
            custom_id="people",
            style=discord.TextStyle.paragraph,
            placeholder=_EXAMPLE,
            max_length=4000,
        )
        about = _("Name; alias, alias; pronouns. Aliases and pronouns may be left out.")
        self.add_item(
            discord.ui.Label(text=_("One person a line"), description=about, component=self.people)
        )

    async def on_submit(self, interaction: discord.Interaction[Any], /) -> None:
        """Add them, and say so or what went wrong."""
        await defer(interaction)
        try:
            require_here(interaction, "manage_messages")
            member = member_of(interaction)
            settings = await interaction.client.guild_settings(member.guild.id)
            require_team(member, settings.moderator_role_ids)
            embed = await add_all(interaction, self.people.value)
        except Exception as error:  # noqa: BLE001
            line = explain(error, f"import of people in guild {interaction.guild_id}")
            await interaction.followup.send(line, ephemeral=True)
            return
        await interaction.followup.send(embed=embed, ephemeral=True)


async def add_all(interaction: Interaction, text: str) -> discord.Embed:
    """Add the people of a list, and say who was added and which lines were not taken.

    Raises:
        UserError: nobody is in the list, or too many are.
    """
    bot, guild_id = interaction.client, str(interaction.guild_id)
    lines = read_people(text)
    readable = [line for line in lines if line.person is not None]
    people = [line.person for line in readable if line.person is not None]
    found = await bot.store.roster.add_each(guild_id, people)
    await bot.rosters.load(guild_id)
    problems = [line for line in lines if line.problem]
    problems += [
        Line(line.number, problem=problem)
        for line, problem in zip(readable, found, strict=True)
        if problem
    ]
    return _outcome(found.count(""), sorted(problems, key=lambda line: line.number))


def person_line(person: Person) -> str:
    """A person of the roster in one line."""
    parts = [f"**{label(person.name, LONGEST_NAME)}**"]
    parts += [f"({label(person.pronouns, LONGEST_PRONOUNS)})"] if person.pronouns else []
    others = label(", ".join((*person.aliases, *person.handles)), 200)
    line = " ".join(parts) + (f": {others}" if others else "")
    channels = " ".join(f"<#{each}>" for each in person.channels[:3])
    return f"{line} · {channels}" if channels else line


def _outcome(added: int, problems: Sequence[Line]) -> discord.Embed:
    embed = discord.Embed(
        title=_("Added {count}").format(count=added), colour=discord.Colour.green()
    )
    if problems:
        shown = [
            _("Line {number}: {problem}").format(
                number=line.number, problem=quote(line.problem, 220)[0]
            )
            for line in problems[:_MOST_PROBLEMS]
        ]
        left = len(problems) - len(shown)
        shown += [_("and {count} more").format(count=left)] if left else []
        embed.description = "\n".join((_("**Not added:**"), *shown))
        embed.colour = discord.Colour.orange()
    embed.set_footer(text=_("/people list shows the roster."))
    return embed


async def _text_of(file: discord.Attachment) -> str:
    if file.size > LARGEST_FILE:
        raise RefusedError(_("That file is too large. A list of people has at most 100 KB."))
    try:
        return (await file.read()).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RefusedError(_("That file is no plain text. Save it as text in UTF-8.")) from None


def _names(text: str) -> tuple[str, ...]:
    return () if text.strip() == NONE else split_names(text)


def _plain(text: str) -> str | None:
    return None if text.strip() == NONE else text.strip() or None
