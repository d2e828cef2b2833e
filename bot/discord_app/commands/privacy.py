"""/privacy for every member, and /erase for those who manage the server."""

from __future__ import annotations

import asyncio
import io
import re
from typing import TYPE_CHECKING, Any, Self

import discord
from discord import app_commands
from discord.ext import commands

from bot.discord_app.cards import DONE
from bot.discord_app.commands.access import MANAGERS, defer, managers_only
from bot.discord_app.commands.known import KnownMember, MemberOption
from bot.discord_app.errors import RefusedError
from bot.discord_app.items import LastingItem, member_of
from bot.moderation.privacy import Stored, stored_of
from bot.store import Erased
from bot.words import N_, _, ngettext

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

Interaction = discord.Interaction["FanguardBot"]


@app_commands.guild_only()
class Privacy(commands.GroupCog, name="privacy", description=N_("What Fanguard stores of you")):
    """Shows members what is stored of them, and gives it to them."""

    def __init__(self, bot: FanguardBot) -> None:
        """Serve this bot."""
        self.bot = bot

    @app_commands.command(name="show", description=N_("What is stored of you in this server"))
    async def show(self, interaction: Interaction) -> None:
        """Sum up what is stored."""
        await defer(interaction)
        stored = await self._stored(interaction)
        await interaction.followup.send(embed=privacy_embed(stored), ephemeral=True)

    @app_commands.command(
        name="export", description=N_("All that is stored of you here, as a file")
    )
    async def export(self, interaction: Interaction) -> None:
        """Send everything as a file."""
        await defer(interaction)
        stored = await self._stored(interaction)
        content = await asyncio.to_thread(stored.as_json)
        if interaction.guild is not None and len(content) > interaction.guild.filesize_limit:
            raise RefusedError(
                _("That is too much for one file here. Please ask the server's team.")
            )
        file = discord.File(io.BytesIO(content), filename="fanguard-of-you.json", spoiler=True)
        line = _("This is all that is stored of you in this server. Only you see it.")
        await interaction.followup.send(line, file=file, ephemeral=True)

    async def _stored(self, interaction: Interaction) -> Stored:
        return await stored_of(self.bot.store, str(interaction.guild_id), str(interaction.user.id))


@app_commands.default_permissions(MANAGERS)
@app_commands.guild_only()
class Erase(commands.GroupCog, name="erase", description=N_("Erase what is stored of a member")):
    """Erases closed flags' texts and links, after a look at how many there are."""

    def __init__(self, bot: FanguardBot) -> None:
        """Serve this bot."""
        self.bot = bot
        bot.add_dynamic_items(EraseButton)

    @app_commands.command(name="member", description=N_("Erase a member's words from closed flags"))
    @app_commands.describe(member=N_("Whose words, also someone who has left"))
    @managers_only
    async def member(
        self, interaction: Interaction, member: app_commands.Transform[KnownMember, MemberOption]
    ) -> None:
        """Say what would be erased, and ask."""
        await defer(interaction)
        found = await self.bot.store.erasure.preview(str(interaction.guild_id), member.id)
        if not (found.closed or found.reports or found.open):
            line = _("There is nothing to erase of {mention}.").format(mention=member.mention)
            await interaction.followup.send(line, ephemeral=True)
            return
        view = discord.ui.View(timeout=None)
        view.add_item(EraseButton(member.id))
        line = _(
            "Of {mention}, {what} would lose text, name and link for good. The counts and "
            "decisions stay."
        ).format(mention=member.mention, what=_of(found))
        line = f"{line} {_kept(found)}".rstrip()
        await interaction.followup.send(line, view=view, ephemeral=True)


class EraseButton(
    LastingItem[discord.ui.Button[discord.ui.View], str],
    template=r"fanguard:erase:(?P<member>[0-9]{1,20})",
):
    """Erases the words of a member."""

    permission = "manage_guild"
    team = False

    def __init__(self, member_id: str) -> None:
        """Make the button for a member."""
        self.member_id = member_id
        super().__init__(
            discord.ui.Button(
                label=_("Erase"),
                style=discord.ButtonStyle.danger,
                custom_id=f"fanguard:erase:{member_id}",
            )
        )

    @classmethod
    def read(cls, match: re.Match[str]) -> Self:
        """Make the item from its custom id."""
        return cls(match["member"])

    async def act(self, interaction: discord.Interaction[Any], member: discord.Member) -> str:
        """Erase them; cards that are posted are drawn anew without the text."""
        bot: FanguardBot = interaction.client
        done = await bot.store.erasure.erase(
            str(member.guild.id), self.member_id, str(member.id), member.display_name
        )
        await bot.recent.load(member.guild.id)
        bot.outbox.notify(member.guild.id)
        line = _("Erased: {what} of {mention}.").format(
            what=_of(done), mention=f"<@{self.member_id}>"
        )
        return f"{line} {_kept(done)}".rstrip()

    async def show(self, interaction: discord.Interaction[Any], result: str) -> None:
        """Say so in place of the question."""
        await interaction.edit_original_response(content=result, view=None)

    def doing(self, interaction: discord.Interaction[Any]) -> str:
        """Name the guild."""
        return f"erasure in guild {member_of(interaction).guild.id}"


def privacy_embed(stored: Stored) -> discord.Embed:
    """What is stored of a member, in numbers."""
    words = {str(action): _(done) for action, done in DONE.items()}
    words["open"] = _("open")
    endings = ", ".join(
        f"{number} {words.get(ending, ending)}" for ending, number in stored.endings.most_common()
    )
    erased = sum(flag.erased for flag in stored.flags)
    flagged = (
        _("**{count}** of your messages were flagged or reported: {endings}.")
        if endings
        else _("**{count}** of your messages were flagged or reported.")
    )
    lines = [
        flagged.format(count=len(stored.flags), endings=endings),
        _("**{count}** reports that you sent.").format(count=len(stored.reports)),
    ]
    if erased:
        lines.append(_("The words of {count} of them were erased.").format(count=erased))
    if stored.handled:
        line = _("**{count}** flags that you took or decided on.")
        lines.append(line.format(count=len(stored.handled)))
    embed = discord.Embed(
        title=_("What is stored of you here"),
        description="\n".join(lines),
        colour=discord.Colour.blurple(),
    )
    embed.add_field(
        name=_("What that is"),
        value=_(
            "Of a flagged message: your name and id, the text and its edits (encrypted), when "
            "and where it was posted, its score, and what was decided. Of other messages, nothing."
        ),
        inline=False,
    )
    embed.add_field(
        name=_("What you can do"),
        value=_(
            "`/privacy export` gives you all of it. To have it erased, ask those who manage "
            "this server: they have a command for it. Open cases stay until they are closed."
        ),
        inline=False,
    )
    return embed


def _of(found: Erased) -> str:
    flags = ngettext("{count} closed flag", "{count} closed flags", found.closed).format(
        count=found.closed
    )
    if not found.reports:
        return flags
    reports = ngettext(
        "{count} closed report they sent", "{count} closed reports they sent", found.reports
    ).format(count=found.reports)
    return _("{flags} and {reports}").format(flags=flags, reports=reports)


def _kept(found: Erased) -> str:
    if not found.open:
        return ""
    return ngettext(
        "{count} open case stays until it is closed, and is erased then.",
        "{count} open cases stay until they are closed, and are erased then.",
        found.open,
    ).format(count=found.open)
