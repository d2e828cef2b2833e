"""Options that are completed from memory: flags, and members who may have left."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.errors import UserError
from bot.words import _

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

_MENTION = re.compile(r"(?:<@!?)?([0-9]{15,20})>?")


@dataclass(frozen=True, slots=True)
class KnownMember:
    """Someone who is or was in the server, by id; the name is empty if nobody knows it."""

    id: str
    name: str = ""

    @property
    def mention(self) -> str:
        """How to show them inside an embed."""
        return f"<@{self.id}>"


class MemberOption(app_commands.Transformer):
    """A member, also one who has left: picked by name, or given as a mention or an id."""

    async def transform(self, interaction: discord.Interaction[Any], value: str, /) -> KnownMember:
        """Read a member.

        Raises:
            UserError: nobody is known so, or more than one is.
        """
        bot: FanguardBot = interaction.client
        text = value.strip()
        if found := _MENTION.fullmatch(text):
            names = dict(bot.recent.members(interaction.guild_id, found[1]))
            return KnownMember(found[1], names.get(found[1], ""))
        wanted = text.removeprefix("@").casefold()
        known = bot.recent.members(interaction.guild_id, text)
        same = [each for each in known if each[1].casefold() == wanted]
        if len(same) == 1:
            return KnownMember(*same[0])
        if same:
            raise UserError(_("Several members are called so. Pick one from the list."))
        raise UserError(
            _("I know no such member. Pick one from the list, or give a mention or an id.")
        )

    async def autocomplete(
        self, interaction: discord.Interaction[Any], value: float | str, /
    ) -> list[app_commands.Choice[int | float | str]]:
        """Offer who wrote flagged messages, the latest first."""
        held = interaction.permissions
        if not (held.manage_messages or held.manage_guild):
            return []
        bot: FanguardBot = interaction.client
        return [
            app_commands.Choice(name=f"{name} ({member_id})", value=member_id)
            for member_id, name in bot.recent.members(interaction.guild_id, str(value))
        ]


async def flag_numbers(
    interaction: discord.Interaction[FanguardBot], typed: int | str
) -> list[app_commands.Choice[int]]:
    """Complete the number of a flag by its number, author or target."""
    if not interaction.permissions.manage_messages:
        return []
    return [
        app_commands.Choice(name=label, value=number)
        for number, label in interaction.client.recent.flags(interaction.guild_id, str(typed))
    ]
