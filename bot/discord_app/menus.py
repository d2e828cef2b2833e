"""The menus that a card's buttons open: how long a timeout lasts, and what else can be done."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Self

import discord

from bot.comment import Action
from bot.discord_app.actions import Details, describe
from bot.discord_app.forms import ReasonForm, open_form
from bot.discord_app.items import ID_LENGTH, LastingItem
from bot.words import N_, _, speaking

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot


LENGTHS = (
    timedelta(minutes=10),
    timedelta(hours=1),
    timedelta(hours=6),
    timedelta(days=1),
    timedelta(days=7),
    timedelta(days=28),
)

_REASONS = {
    "wrong": N_("wrong person"),
    "satire": N_("satire"),
    "quote": N_("quote"),
    "banter": N_("banter"),
}
_FORMS = {"kick": Action.KICK, "ban": Action.BAN, "note": None}
_CHOICES = (
    ("satire", N_("Not hostile: satire"), N_("Dismiss: it mocks by playing a part")),
    ("quote", N_("Not hostile: quote"), N_("Dismiss: it repeats what another said")),
    ("banter", N_("Not hostile: banter"), N_("Dismiss: it is teasing among friends")),
    ("wrong", N_("Wrong person"), N_("Dismiss: it is not aimed at the one named")),
    ("no_action", N_("No action"), N_("Close it and leave everything as it is")),
    ("note", N_("Note"), N_("Write something for the other moderators")),
    ("kick", N_("Kick"), N_("Kick the author; they can join again")),
    ("ban", N_("Ban"), N_("Ban the author; it can be undone for 5 minutes")),
)


class TimeoutLength(
    LastingItem[discord.ui.Select[discord.ui.View], str],
    template=r"fanguard:length:(?P<flag>[0-9]{1,18}):(?P<message>.+)",
):
    """A menu of how long a timeout lasts; once it stands, it changes or lifts it."""

    def __init__(self, flag_id: int, message_id: str) -> None:
        """Make the menu for the author of a flag."""
        self.flag_id = flag_id
        self.message_id = message_id[:ID_LENGTH]
        options = [
            discord.SelectOption(label=describe(each), value=str(int(each.total_seconds())))
            for each in LENGTHS
        ]
        options.append(discord.SelectOption(label=_("Lift the timeout"), value="0"))
        select: discord.ui.Select[discord.ui.View] = discord.ui.Select(
            custom_id=f"fanguard:length:{flag_id}:{self.message_id}",
            placeholder=_("How long…"),
            options=options,
        )
        super().__init__(select)

    @classmethod
    def read(cls, match: re.Match[str]) -> Self:
        """Make the item from its custom id."""
        return cls(int(match["flag"]), match["message"])

    async def act(self, interaction: discord.Interaction[Any], member: discord.Member) -> str:
        """Set the length chosen."""
        bot: FanguardBot = interaction.client
        seconds = int(self.item.values[0])
        length = timedelta(seconds=seconds) if seconds else None
        return await bot.actions.time_out(member, self.flag_id, self.message_id, length)

    async def show(self, interaction: discord.Interaction[Any], result: str) -> None:
        """Tell what was done, and offer the removal too."""
        view = discord.ui.View(timeout=None)
        view.add_item(TimeoutLength(self.flag_id, self.message_id))
        view.add_item(RemoveToo(self.flag_id, self.message_id))
        await interaction.edit_original_response(content=result, view=view)
        await interaction.followup.send(result, ephemeral=True)

    def doing(self, interaction: discord.Interaction[Any]) -> str:
        """Name the flag."""
        del interaction
        return f"timeout length of flag {self.flag_id}"


class RemoveToo(
    LastingItem[discord.ui.Button[discord.ui.View], str],
    template=r"fanguard:also:(?P<flag>[0-9]{1,18}):(?P<message>.+)",
):
    """Removes the message of a flag that was decided otherwise."""

    def __init__(self, flag_id: int, message_id: str) -> None:
        """Make the button of a flag."""
        self.flag_id = flag_id
        self.message_id = message_id[:ID_LENGTH]
        custom_id = f"fanguard:also:{flag_id}:{self.message_id}"
        super().__init__(discord.ui.Button(label=_("Remove the message too"), custom_id=custom_id))

    @classmethod
    def read(cls, match: re.Match[str]) -> Self:
        """Make the item from its custom id."""
        return cls(int(match["flag"]), match["message"])

    async def act(self, interaction: discord.Interaction[Any], member: discord.Member) -> str:
        """Remove the message."""
        bot: FanguardBot = interaction.client
        return await bot.actions.remove_too(member, self.flag_id, self.message_id)

    def doing(self, interaction: discord.Interaction[Any]) -> str:
        """Name the flag."""
        del interaction
        return f"removal for flag {self.flag_id}"


class MoreMenu(
    LastingItem[discord.ui.Select[discord.ui.View], str],
    template=r"fanguard:more-of:(?P<flag>[0-9]{1,18}):(?P<message>.+)",
):
    """What is needed less often: why a message is not hostile, a note, kick and ban."""

    def __init__(self, flag_id: int, message_id: str) -> None:
        """Make the menu of a flag."""
        self.flag_id = flag_id
        self.message_id = message_id[:ID_LENGTH]
        options = [
            discord.SelectOption(label=_(name), value=value, description=_(what))
            for value, name, what in _CHOICES
        ]
        select: discord.ui.Select[discord.ui.View] = discord.ui.Select(
            custom_id=f"fanguard:more-of:{flag_id}:{self.message_id}",
            placeholder=_("What else…"),
            options=options,
        )
        super().__init__(select)

    @classmethod
    def read(cls, match: re.Match[str]) -> Self:
        """Make the item from its custom id."""
        return cls(int(match["flag"]), match["message"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Open a form where words are needed, else decide."""
        chosen = self.item.values[0]
        if chosen in _FORMS:
            form = ReasonForm(_FORMS[chosen], self.flag_id, self.message_id)
            await open_form(interaction, form, _FORMS[chosen])
        else:
            await super().callback(interaction)

    async def act(self, interaction: discord.Interaction[Any], member: discord.Member) -> str:
        """Dismiss with the reason chosen, or close without action."""
        bot: FanguardBot = interaction.client
        chosen = self.item.values[0]
        action = Action.DISMISS if chosen in _REASONS else Action.NO_ACTION
        with speaking(member.guild.preferred_locale):
            details = Details(reason=_(_REASONS.get(chosen, "")))
        return await bot.actions.decide(member, self.flag_id, self.message_id, action, details)

    def doing(self, interaction: discord.Interaction[Any]) -> str:
        """Name the flag."""
        del interaction
        return f"{self.item.values[0]} for flag {self.flag_id}"
