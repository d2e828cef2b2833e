"""The entries in a message's context menu: score it, send it to the queue, report it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.comment import Comment
from bot.discord_app.buttons import send_card
from bot.discord_app.commands.access import HELP, MODERATORS, defer, moderators_only
from bot.discord_app.commands.score import score_embed
from bot.discord_app.comments import parent_of, to_comment
from bot.discord_app.errors import RefusedError, explain
from bot.discord_app.items import Form, member_of
from bot.discord_app.permissions import moderator_of
from bot.words import N_, _

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

LONGEST_REASON = 1000

Interaction = discord.Interaction["FanguardBot"]


class Messages(commands.Cog):
    """Adds the three entries."""

    def __init__(self, bot: FanguardBot) -> None:
        """Serve this bot."""
        self.bot = bot
        self._menus = (
            _menu(N_("Score this"), self.score, N_("How it is scored; nothing is stored")),
            _menu(N_("Send to queue"), self.send, N_("Queue it, whatever its score")),
            _menu(N_("Report to moderators"), self.report, N_("Ask the moderators to look at it")),
        )

    async def cog_load(self) -> None:
        """Put the entries into the tree."""
        for menu in self._menus:
            self.bot.tree.add_command(menu)

    @app_commands.default_permissions(MODERATORS)
    @app_commands.guild_only()
    @moderators_only
    async def score(self, interaction: Interaction, message: discord.Message) -> None:
        """Show how a message is scored; nothing is kept."""
        await defer(interaction)
        comment = await _comment(interaction, message)
        assessment = await self.bot.pipeline.assess(comment)
        queued = await self.bot.pipeline.would_flag(comment, assessment)
        embed = score_embed(assessment, queued=queued)
        await interaction.followup.send(embed=embed, ephemeral=True)

    @app_commands.default_permissions(MODERATORS)
    @app_commands.guild_only()
    @moderators_only
    async def send(self, interaction: Interaction, message: discord.Message) -> None:
        """Queue a message whatever its score, and open its card."""
        await defer(interaction)
        comment = await _comment(interaction, message)
        moderator = moderator_of(member_of(interaction), None)
        taken = await self.bot.reporting.send(comment, moderator)
        if taken.flag is None:
            raise RefusedError(_("That message could not be queued. Please try again."))
        self.bot.outbox.changed(taken.flag)
        await send_card(interaction, taken.flag)

    @app_commands.guild_only()
    async def report(self, interaction: Interaction, message: discord.Message) -> None:
        """Ask a member why they report a message; the answer comes with the form."""
        _refuse_unspoken(message)
        await interaction.response.send_modal(ReportForm(message))


class ReportForm(Form):
    """The form of a report: a reason, which may be left out."""

    def __init__(self, message: discord.Message) -> None:
        """Make the form for a message."""
        super().__init__(
            title=_("Report to the moderators"),
            timeout=3600,
        )
        self._message = message
        self.reason: discord.ui.TextInput[Any] = discord.ui.TextInput(
            custom_id="reason",
            style=discord.TextStyle.paragraph,
            required=False,
            max_length=LONGEST_REASON,
        )
        self.add_item(
            discord.ui.Label(
                text=_("Why? You may leave this empty."),
                description=_("Moderators read the reason, but do not see who reported."),
                component=self.reason,
            )
        )

    async def on_submit(self, interaction: discord.Interaction[Any], /) -> None:
        """Queue the message, and say so or what went wrong in one line."""
        await defer(interaction)
        try:
            line = await self._report(interaction)
        except Exception as error:  # noqa: BLE001
            line = explain(error, f"report of message {self._message.id}")
        await interaction.followup.send(line, ephemeral=True)

    async def _report(self, interaction: Interaction) -> str:
        bot = interaction.client
        comment = await _comment(interaction, self._message)
        flag = await bot.reporting.report(comment, str(interaction.user.id), self.reason.value)
        if flag is None:
            return _("You have reported this message already. The moderators have it.")
        bot.outbox.changed(flag)
        return _("Thank you. The moderators will look at it; they do not see who reported it.")


def _menu(name: str, callback: Any, about: str) -> app_commands.ContextMenu:  # noqa: ANN401
    return app_commands.ContextMenu(name=name, callback=callback, extras={HELP: about})


async def _comment(interaction: Interaction, message: discord.Message) -> Comment:
    """The message as a comment; where it was posted is known from the interaction."""
    _refuse_unspoken(message)
    comment = await to_comment(message)
    parent = parent_of(interaction.channel)
    return replace(
        comment,
        parent_id=None if parent is None else str(parent),
        channel_name=getattr(interaction.channel, "name", "") or "",
    )


def _refuse_unspoken(message: discord.Message) -> None:
    if message.is_system() or (message.author.bot and message.webhook_id is None):
        raise RefusedError(_("No member wrote that message, so there is nothing to look at."))
