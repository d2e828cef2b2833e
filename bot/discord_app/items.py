"""What all buttons and menus have in common: the answer, the check, and the word on an error.

Their custom ids say all, so that they outlive a restart. They are `DynamicItem`s in views
without a timeout: such a view is never stored, whereas one that ends would take its items'
registration along.
"""

from __future__ import annotations

import re
import secrets
from typing import Any, ClassVar, Generic, Self, TypeVar

import discord

from bot.discord_app.errors import RefusedError, explain
from bot.discord_app.permissions import require_here, require_team
from bot.words import _, speak

FORMS = "fanguard:form:"
FORMS_OF_THIS_RUN = f"{FORMS}{secrets.token_hex(4)}:"

FORM_SECONDS = 3600.0
ID_LENGTH = 40
"""How much of a message's id a custom id has room for."""

ItemT = TypeVar("ItemT", bound=discord.ui.Item[Any])
ResultT = TypeVar("ResultT")


class LastingItem(discord.ui.DynamicItem[ItemT], Generic[ItemT, ResultT], template=r"(?!)"):
    """A button or menu that is pressed: acknowledge, check, `act`, then `show`."""

    permission: ClassVar[str | None] = None
    """What one must hold where one presses; None if `act` checks for another channel."""

    team: ClassVar[bool] = True
    """Whether it is for those alone who moderate here, where the server chose roles for that."""

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction[Any],
        item: discord.ui.Item[Any],
        match: re.Match[str],
        /,
    ) -> Self:
        """Read the item back; what was chosen in a menu comes with the interaction."""
        del interaction, item
        return cls.read(match)

    @classmethod
    def read(cls, match: re.Match[str]) -> Self:
        """Make the item from its custom id."""
        raise NotImplementedError

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Answer in the language of the one who pressed."""
        speak(interaction.locale)
        return True

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Answer at once, then act; an error becomes one line for the one who pressed."""
        await self.acknowledge(interaction)
        try:
            member = member_of(interaction)
            if self.permission is not None:
                require_here(interaction, self.permission)
            if self.team:
                settings = await interaction.client.guild_settings(member.guild.id)
                require_team(member, settings.moderator_role_ids)
            result = await self.act(interaction, member)
        except Exception as error:  # noqa: BLE001
            line = explain(error, self.doing(interaction))
            await interaction.followup.send(line, ephemeral=True)
            return
        await self.show(interaction, result)

    async def acknowledge(self, interaction: discord.Interaction[Any]) -> None:
        """Make the first response, before any work.

        On a card that only the presser sees, the response is an update of that card; on a
        shared one it is a private answer to follow.
        """
        if is_private(interaction):
            await interaction.response.defer()
        else:
            await interaction.response.defer(ephemeral=True, thinking=True)

    async def act(self, interaction: discord.Interaction[Any], member: discord.Member) -> ResultT:
        """Do what the press asks for.

        Raises:
            RefusedError: it may not or cannot be done.
        """
        raise NotImplementedError

    async def show(self, interaction: discord.Interaction[Any], result: ResultT) -> None:
        """Tell the one who pressed what came of it: a line, unless a subclass shows more."""
        await interaction.followup.send(str(result), ephemeral=True)

    def doing(self, interaction: discord.Interaction[Any]) -> str:
        """Say for the log what was tried, with ids alone."""
        raise NotImplementedError


class Form(discord.ui.Modal):
    """A form to fill in. Who sends it is answered in their language.

    It lives in memory alone: `forms_of_before` answers one that was opened before a restart.
    """

    def __init__(self, *, title: str, timeout: float | None = None) -> None:
        """Make a form whose custom id says which run of the bot opened it."""
        super().__init__(
            title=title, timeout=timeout, custom_id=f"{FORMS_OF_THIS_RUN}{secrets.token_hex(8)}"
        )

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Answer in the language of the one who sends it."""
        speak(interaction.locale)
        return True


def is_private(interaction: discord.Interaction[Any]) -> bool:
    """Whether the pressed message is one that only the presser sees."""
    return interaction.message is not None and interaction.message.flags.ephemeral


def member_of(interaction: discord.Interaction[Any]) -> discord.Member:
    """Who pressed, with their roles.

    Raises:
        RefusedError: the press did not come from inside a server.
    """
    if interaction.guild is None or not isinstance(interaction.user, discord.Member):
        raise RefusedError(_("This works inside a server only."))
    return interaction.user
