"""/help: what each command does and who may use it, read from the commands themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

import discord
from discord import app_commands
from discord.ext import commands

from bot.discord_app.commands.access import HELP, defer
from bot.discord_app.errors import RefusedError
from bot.discord_app.permissions import name_of
from bot.words import N_, _

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

FIELD_LIMIT = 1000
EMBED_LIMIT = 5500
MOST_CHOICES = 25

FOR_MEMBERS = N_(
    "Fanguard reads the channels that this server's team has chosen, and shows messages that are "
    "hostile toward the people fans talk about to the moderators. They decide what happens.\n\n"
    "**To report a message**, hold it (or right-click it), choose *Apps*, then *Report to "
    "moderators*. They see how many reported it, not who.\n\n"
    "**What is stored:** messages that were flagged or reported, encrypted, and what the "
    "moderators decided. Everything else is read and forgotten. `/privacy show` lists what is "
    "stored of you, `/privacy export` sends it to you as a file."
)
FOR_MODERATORS = N_(
    "**To begin**, use `/queue show:next`: it takes the oldest flag for you and opens its card. "
    "Read the text behind the spoiler, then press what fits: *Dismiss* leaves the message where it "
    "is. Each button needs Discord's own permission for what it does."
)

Interaction = discord.Interaction["FanguardBot"]
AnyCommand: TypeAlias = app_commands.Command[Any, ..., Any] | app_commands.ContextMenu


class Help(commands.Cog):
    """Explains the bot to whoever asks, as far as it concerns them."""

    def __init__(self, bot: FanguardBot) -> None:
        """Serve this bot."""
        self.bot = bot

    @app_commands.command(name="help", description=N_("What Fanguard does, and every command"))
    @app_commands.describe(command=N_("One command, with all its options"))
    @app_commands.guild_only()
    async def show(
        self, interaction: Interaction, command: app_commands.Range[str, 1, 100] | None = None
    ) -> None:
        """Explain one command, or all."""
        await defer(interaction)
        if command is not None:
            embeds = [self._one(interaction, command)]
        else:
            embeds = self._all(interaction)
        for embed in embeds:
            await interaction.followup.send(embed=embed, ephemeral=True)

    @show.autocomplete("command")
    async def complete(
        self, interaction: Interaction, typed: str
    ) -> list[app_commands.Choice[str]]:
        """Complete the name of a command that the one who asks may use."""
        wanted = typed.casefold().strip().removeprefix("/")
        names = sorted(each.qualified_name for each in self._usable(interaction))
        found = [name for name in names if wanted in name.casefold()]
        return [app_commands.Choice(name=name, value=name) for name in found[:MOST_CHOICES]]

    def _usable(self, interaction: Interaction) -> list[AnyCommand]:
        return [
            each
            for each in _commands(self.bot.tree)
            if _may(interaction.permissions, needed_for(each))
        ]

    def _one(self, interaction: Interaction, name: str) -> discord.Embed:
        wanted = name.casefold().strip().removeprefix("/")
        for command in self._usable(interaction):
            if command.qualified_name.casefold() == wanted:
                return _explained(command)
        raise RefusedError(_("There is no such command for you. /help lists them."))

    def _all(self, interaction: Interaction) -> list[discord.Embed]:
        usable = self._usable(interaction)
        groups: dict[discord.Permissions, list[str]] = {}
        for command in usable:
            groups.setdefault(needed_for(command), []).append(_line(command))
        moderates = interaction.permissions.manage_messages
        about = _(FOR_MEMBERS)
        if moderates:
            about = f"{about}\n\n{_(FOR_MODERATORS)}"
        embeds = [_embed("Fanguard", about)]
        size = len(about)
        for needed, lines in sorted(groups.items(), key=lambda each: each[0].value.bit_count()):
            title = _who(needed)
            for part in _parts(sorted(lines)):
                if size + len(part) > EMBED_LIMIT:
                    embeds.append(_embed(_("Fanguard, further commands"), ""))
                    size = 0
                embeds[-1].add_field(name=title, value=part, inline=False)
                size += len(part) + len(title)
        return embeds


def needed_for(command: AnyCommand) -> discord.Permissions:
    """What one must hold to be offered a command; none for those of every member."""
    root = command
    if isinstance(command, app_commands.Command):
        root = command.root_parent or command  # type: ignore[assignment]
    return root.default_permissions or discord.Permissions.none()


def _commands(tree: app_commands.CommandTree[Any]) -> Iterator[AnyCommand]:
    for command in tree.get_commands():
        if isinstance(command, app_commands.Group):
            for each in command.walk_commands():
                if isinstance(each, app_commands.Command):
                    yield each
        else:
            yield command


def _may(held: discord.Permissions, needed: discord.Permissions) -> bool:
    return held.administrator or held.is_superset(needed)


def _who(needed: discord.Permissions) -> str:
    names = ", ".join(name_of(name) for name, wanted in needed if wanted)
    return _("With the permission {names}").format(names=names) if names else _("For everyone")


def _line(command: AnyCommand) -> str:
    if isinstance(command, app_commands.ContextMenu):
        line = (
            _("**{name}** (*Apps* menu of a message): {what}")
            if command.type is discord.AppCommandType.message
            else _("**{name}** (*Apps* menu of a member): {what}")
        )
        return line.format(name=_(command.name), what=_(command.extras.get(HELP, "")))
    return f"`/{command.qualified_name}` {_(command.description)}"


def _explained(command: AnyCommand) -> discord.Embed:
    if isinstance(command, app_commands.ContextMenu):
        return _embed(_(command.name), f"{_line(command)}\n{_who(needed_for(command))}")
    embed = _embed(
        f"/{command.qualified_name}", f"{_(command.description)}\n*{_who(needed_for(command))}*"
    )
    lines = [
        (_("`{name}` (needed): {what}") if each.required else "`{name}`: {what}").format(
            name=each.display_name, what=_(str(each.description))
        )
        for each in command.parameters
    ]
    for part in _parts(lines):
        embed.add_field(name=_("Options"), value=part, inline=False)
    return embed


def _parts(lines: Iterable[str]) -> Iterator[str]:
    """The lines in as few blocks as fit into fields."""
    part = ""
    for line in lines:
        if part and len(part) + len(line) + 1 > FIELD_LIMIT:
            yield part
            part = ""
        part = f"{part}\n{line}" if part else line
    if part:
        yield part


def _embed(title: str, description: str) -> discord.Embed:
    return discord.Embed(
        title=title, description=description or None, colour=discord.Colour.blurple()
    )
