"""/report week: what was flagged and decided, as one picture."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING
from zoneinfo import available_timezones

import discord
from discord import app_commands
from discord.ext import commands
from discord.utils import format_dt

from bot.discord_app.commands.access import MODERATORS, defer, moderators_only
from bot.discord_app.items import member_of
from bot.discord_app.pictures import Ground, attachment_of
from bot.discord_app.quoting import label
from bot.moderation.report import Report, report, week, zone_of
from bot.moderation.report_picture import length, picture_of
from bot.words import N_, _, ngettext

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

Interaction = discord.Interaction["FanguardBot"]
_MOST_CHOICES = 25
_NAMED = 10


@app_commands.default_permissions(MODERATORS)
@app_commands.guild_only()
class Reports(commands.GroupCog, group_name="report", group_description=N_("Figures as a picture")):
    """Draws a server's own figures."""

    def __init__(self, bot: FanguardBot) -> None:
        """Serve this bot."""
        self.bot = bot

    @app_commands.command(
        name="week", description=N_("Seven days of flags and decisions at a glance")
    )
    @app_commands.describe(
        weeks_back=N_("0 for the seven days up to today, 1 for the seven before"),
        time_zone=N_("Whose days and hours, such as Europe/Berlin; UTC if left out"),
        colours=N_("Dark or light ground"),
    )
    @moderators_only
    async def week(
        self,
        interaction: Interaction,
        weeks_back: app_commands.Range[int, 0, 520] = 0,
        time_zone: app_commands.Range[str, 1, 64] | None = None,
        colours: Ground = "dark",
    ) -> None:
        """Send the picture with its text alternative, and the main figures in words."""
        await defer(interaction)
        guild = member_of(interaction).guild
        now = interaction.created_at
        days = week(now, back=weeks_back, zone=zone_of(time_zone))
        found = await report(self.bot.store, str(guild.id), days, now)
        if found.empty:
            line = _("A quiet week: nothing was flagged from {first} to {last}.")
            await interaction.followup.send(_dated(line, found), ephemeral=True)
            return
        picture = picture_of(found, guild.name)
        file = await attachment_of(self.bot, picture, colours, f"report-{days.last}.png")
        await interaction.followup.send(_summary(found), file=file, ephemeral=True)

    @week.autocomplete("time_zone")
    async def complete(
        self, interaction: Interaction, typed: str
    ) -> list[app_commands.Choice[str]]:
        """Complete the name of a time zone."""
        del interaction
        wanted = typed.casefold().strip().replace(" ", "_")
        names = [name for name in sorted(available_timezones()) if wanted in name.casefold()]
        return [app_commands.Choice(name=name, value=name) for name in names[:_MOST_CHOICES]]


def _dated(line: str, found: Report, **fields: object) -> str:
    last = found.days.until - timedelta(seconds=1)
    return line.format(first=format_dt(found.days.since, "D"), last=format_dt(last, "D"), **fields)


def _summary(found: Report) -> str:
    """The main figures, one line each; names in whatever script."""
    line = ngettext(
        "{number} flag from {first} to {last}.",
        "{number} flags from {first} to {last}.",
        found.total,
    )
    lines = [_dated(line, found, number=found.total)]
    if found.share_dismissed is not None and found.figures.times is not None:
        half, nine_tenths = found.figures.times
        lines.append(
            _(
                "{decided} decided, {share} of them dismissed; half within {half}, "
                "nine in ten within {nine_tenths}."
            ).format(
                decided=found.decided,
                share=f"{found.share_dismissed:.0%}",
                half=length(half),
                nine_tenths=length(nine_tenths),
            )
        )
    if any(found.figures.waiting):
        lines.append(_("Waiting now: {number}.").format(number=sum(found.figures.waiting)))
    people = [
        f"{place}. {label(name, 60)} {number}"
        for place, (name, number) in enumerate(found.figures.people[:_NAMED], 1)
    ]
    if people:
        lines.append(_("Aimed at: {people}").format(people=", ".join(people)))
    return "\n".join(lines)
