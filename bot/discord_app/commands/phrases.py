"""/phrases: what is affection in a guild, whatever it says elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.discord_app.commands.access import MODERATORS, defer, moderators_only
from bot.discord_app.errors import RefusedError
from bot.discord_app.pages import Page, lines_page, send_page
from bot.discord_app.quoting import label
from bot.store import LONGEST_PHRASE, MOST_PHRASES
from bot.words import N_, _

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

KIND = "phrases"
PAGE_SIZE = 20
_MOST_CHOICES = 25
_SHOWN = 2 * LONGEST_PHRASE

Interaction = discord.Interaction["FanguardBot"]
Phrase = app_commands.Range[str, 1, LONGEST_PHRASE]


async def known_phrases(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Complete a phrase of this guild."""
    if not interaction.permissions.manage_messages:
        return []
    wanted = typed.casefold().strip()
    phrases = await interaction.client.pipeline.phrases(str(interaction.guild_id))
    found = [phrase for phrase in phrases if wanted in phrase.casefold()]
    return [app_commands.Choice(name=each, value=each) for each in found[:_MOST_CHOICES]]


@app_commands.default_permissions(MODERATORS)
@app_commands.guild_only()
class Phrases(
    commands.GroupCog, name="phrases", description=N_("What is affection in this server")
):
    """Adds, removes and lists phrases."""

    def __init__(self, bot: FanguardBot) -> None:
        """Serve this bot."""
        self.bot = bot
        bot.pages[KIND] = self.page

    @app_commands.command(name="add", description=N_("A phrase that is meant kindly here"))
    @app_commands.describe(phrase=N_("As members write it, such as: our clown"))
    @moderators_only
    async def add(self, interaction: Interaction, phrase: Phrase) -> None:
        """Add a phrase."""
        await defer(interaction)
        kept = await self.bot.store.phrases.add(str(interaction.guild_id), phrase)
        await interaction.followup.send(
            _(
                "Added: “{phrase}” counts as affection here. What is said beside it counts as ever."
            ).format(phrase=label(kept, _SHOWN)),
            ephemeral=True,
        )

    @app_commands.command(name="remove", description=N_("Take a phrase off the list"))
    @app_commands.describe(phrase=N_("A phrase on the list"))
    @app_commands.autocomplete(phrase=known_phrases)
    @moderators_only
    async def remove(self, interaction: Interaction, phrase: Phrase) -> None:
        """Remove a phrase."""
        await defer(interaction)
        shown = label(phrase, _SHOWN)
        if not await self.bot.store.phrases.remove(str(interaction.guild_id), phrase):
            raise RefusedError(
                _("“{phrase}” is not on the list: /phrases list.").format(phrase=shown)
            )
        await interaction.followup.send(
            _("Removed: “{phrase}”").format(phrase=shown), ephemeral=True
        )

    @app_commands.command(name="list", description=N_("Show the phrases"))
    @moderators_only
    async def list(self, interaction: Interaction) -> None:
        """List the phrases."""
        await defer(interaction)
        await send_page(interaction, await self.page(interaction.guild_id or 0, 0, ""), KIND, "")

    async def page(self, guild_id: int, number: int, state: str) -> Page:
        """Render a page of the phrases."""
        del state
        phrases = await self.bot.store.phrases.of(str(guild_id))
        return lines_page(
            [f"- {label(each, _SHOWN)}" for each in phrases],
            number,
            PAGE_SIZE,
            title=_("Affection in this server: {count} of {most} phrases").format(
                count=len(phrases), most=MOST_PHRASES
            ),
            empty=_("None yet: /phrases add"),
        )
