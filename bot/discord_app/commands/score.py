"""/score: try the classifier on a text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.comment import Assessment, Comment, Person, PersonAssessment, ReplyTo
from bot.discord_app.cards import LEVELS, level_of, notes_of, score_of, target_of, words_of
from bot.discord_app.commands.access import MODERATORS, defer, moderators_only, roster_names
from bot.discord_app.quoting import short
from bot.words import N_, _

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

Interaction = discord.Interaction["FanguardBot"]
Text = app_commands.Range[str, 1, 4000]


class Score(commands.Cog):
    """Scores a text as a message here would be, and keeps nothing."""

    def __init__(self, bot: FanguardBot) -> None:
        """Serve this bot."""
        self.bot = bot

    @app_commands.command(name="score", description=N_("Try how a text would be scored"))
    @app_commands.describe(
        text=N_("The text to try"),
        person=N_("Show what the text does to them: someone on the roster, or any name"),
        reply_to=N_("The message that the text would answer"),
    )
    @app_commands.autocomplete(person=roster_names)
    @app_commands.default_permissions(MODERATORS)
    @app_commands.guild_only()
    @moderators_only
    async def score(
        self,
        interaction: Interaction,
        text: Text,
        person: app_commands.Range[str, 1, 100] | None = None,
        reply_to: Text | None = None,
    ) -> None:
        """Score a text and show the answer to the one who asked."""
        await defer(interaction)
        guild_id, channel_id = str(interaction.guild_id), str(interaction.channel_id)
        roster = await self.bot.pipeline.people(guild_id, channel_id)
        asked = _asked_for(person, roster)
        comment = Comment(
            id=str(interaction.id),
            guild_id=guild_id,
            channel_id=channel_id,
            author_id=str(interaction.user.id),
            text=text,
            created_at=interaction.created_at,
            reply_to=ReplyTo("", reply_to) if reply_to else None,
        )
        assessment = await self.bot.pipeline.assess(
            comment, beside=() if asked is None or asked in roster else (asked,)
        )
        queued = await self.bot.pipeline.would_flag(comment, assessment)
        embed = score_embed(assessment, queued=queued)
        for each in _shown_people(assessment, asked):
            embed.add_field(
                name=short(each.name, 100), value=f"{each.score:.2f}, {_(LEVELS[each.level])}"
            )
        await interaction.followup.send(embed=embed, ephemeral=True)


def score_embed(assessment: Assessment, *, queued: bool) -> discord.Embed:
    """How a text was scored, and whether a message that says it would be queued."""
    verdict = (
        _("It would be queued: {level}, {score:.2f}")
        if queued
        else _("It would pass: {level}, {score:.2f}")
    )
    embed = discord.Embed(
        title=verdict.format(level=_(LEVELS[level_of(assessment)]), score=score_of(assessment)),
        description=_(
            "Aimed at {target}. Queued from {threshold:.2f}; at other members {member_score:.2f}."
        ).format(
            target=target_of(assessment),
            threshold=assessment.threshold,
            member_score=assessment.member_score,
        ),
        colour=discord.Colour.orange() if queued else discord.Colour.green(),
    )
    words = words_of(assessment)
    if words:
        embed.add_field(name=_("Words that tell"), value=words, inline=False)
    notes = notes_of(assessment)
    if notes:
        embed.add_field(name=_("Note"), value=notes, inline=False)
    embed.set_footer(text=short(assessment.model, 200))
    return embed


def _asked_for(name: str | None, roster: Sequence[Person]) -> Person | None:
    """The person of the roster with this name or alias, else a person of no roster."""
    if name is None or not name.strip():
        return None
    wanted = name.strip().casefold()
    for person in roster:
        if wanted in map(str.casefold, (person.name, *person.aliases, *person.handles)):
            return person
    return Person(name.strip())


def _shown_people(assessment: Assessment, asked: Person | None) -> list[PersonAssessment]:
    if asked is None:
        return [each for each in assessment.people if each.score > 0][:10]
    return [each for each in assessment.people if each.name == asked.name]
