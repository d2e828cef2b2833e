"""The buttons and menus under cards."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Self

import discord

from bot.comment import Action, Flag, Status
from bot.discord_app.actions import describe
from bot.discord_app.cards import flag_embed, option_label, story_field
from bot.discord_app.items import LastingItem, is_private
from bot.store import Event

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

CLAIM = "claim"
PICK = "fanguard:pick"
_ID_LENGTH = 40

LENGTHS = (
    timedelta(minutes=10),
    timedelta(hours=1),
    timedelta(hours=6),
    timedelta(days=1),
    timedelta(days=7),
    timedelta(days=28),
)

_FLAG_BUTTON = re.compile(
    r"fanguard:(?P<act>remove|dismiss|timeout|claim):(?P<flag>[0-9]{1,18}):(?P<message>.+)"
)

_LABELS = {
    "remove": ("Remove", discord.ButtonStyle.danger),
    "dismiss": ("Dismiss", discord.ButtonStyle.secondary),
    "timeout": ("Timeout", discord.ButtonStyle.danger),
    CLAIM: ("Take it", discord.ButtonStyle.primary),
}


class FlagButton(LastingItem[discord.ui.Button[discord.ui.View], str], template=_FLAG_BUTTON):
    """Remove, Dismiss, Timeout or Take it, for one flag."""

    def __init__(self, act: str, flag_id: int, message_id: str) -> None:
        """Make the button of a flag; `message_id` is what the flag must be about."""
        self.act_name = act
        self.flag_id = flag_id
        self.message_id = message_id[:_ID_LENGTH]
        label, style = _LABELS[act]
        custom_id = f"fanguard:{act}:{flag_id}:{self.message_id}"
        super().__init__(discord.ui.Button(label=label, style=style, custom_id=custom_id))

    @classmethod
    def read(cls, match: re.Match[str]) -> Self:
        """Make the item from its custom id."""
        return cls(match["act"], int(match["flag"]), match["message"])

    async def act(self, interaction: discord.Interaction[Any], member: discord.Member) -> str:
        """Claim or decide the flag."""
        bot: FanguardBot = interaction.client
        if self.act_name == CLAIM:
            return await bot.actions.claim(member, self.flag_id, self.message_id)
        action = Action(self.act_name)
        return await bot.actions.decide(member, self.flag_id, self.message_id, action)

    async def show(self, interaction: discord.Interaction[Any], result: str) -> None:
        """Tell what was done; after a timeout, offer another length and the removal."""
        if self.act_name == Action.TIMEOUT:
            view = single(TimeoutLength(self.flag_id, self.message_id))
            view.add_item(RemoveToo(self.flag_id, self.message_id))
            await interaction.followup.send(result, view=view, ephemeral=True)
        else:
            await interaction.followup.send(result, ephemeral=True)
        await self._update_private_card(interaction)

    def doing(self, interaction: discord.Interaction[Any]) -> str:
        """Name the action and the flag."""
        del interaction
        return f"{self.act_name} of flag {self.flag_id}"

    async def _update_private_card(self, interaction: discord.Interaction[Any]) -> None:
        """A card shown to one moderator only can be changed by this press alone."""
        if interaction.guild is None or not is_private(interaction):
            return
        flag = await interaction.client.store.flags.get(str(interaction.guild.id), self.flag_id)
        if flag is not None:
            await interaction.edit_original_response(embed=flag_embed(flag), view=card_view(flag))


class FlagPicker(LastingItem[discord.ui.Select[discord.ui.View], Flag], template=re.escape(PICK)):
    """A menu of flags; the one chosen is shown with its buttons to who chose it."""

    def __init__(self, flags: Sequence[Flag] = ()) -> None:
        """Offer up to 25 flags."""
        options = [
            discord.SelectOption(label=option_label(flag), value=flag_key(flag))
            for flag in flags[:25]
        ]
        select: discord.ui.Select[discord.ui.View] = discord.ui.Select(
            custom_id=PICK, placeholder="Open a flag…", options=options
        )
        super().__init__(select)

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction[Any],
        item: discord.ui.Item[Any],
        match: re.Match[str],
        /,
    ) -> Self:
        """Read the menu back; what was chosen comes with the interaction."""
        del interaction, item, match
        return cls()

    async def acknowledge(self, interaction: discord.Interaction[Any]) -> None:
        """Promise a new card; the list stays as it is."""
        await interaction.response.defer(ephemeral=True, thinking=True)

    async def act(self, interaction: discord.Interaction[Any], member: discord.Member) -> Flag:
        """Find the flag chosen."""
        bot: FanguardBot = interaction.client
        flag_id, _, message_id = self.item.values[0].partition(":")
        return await bot.actions.look(member, int(flag_id), message_id)

    async def show(self, interaction: discord.Interaction[Any], result: Flag) -> None:
        """Show its card."""
        await send_card(interaction, result)

    def doing(self, interaction: discord.Interaction[Any]) -> str:
        """Name the flag."""
        del interaction
        return f"showing flag {self.item.values[0].partition(':')[0]}"


class TimeoutLength(
    LastingItem[discord.ui.Select[discord.ui.View], str],
    template=r"fanguard:length:(?P<flag>[0-9]{1,18}):(?P<message>.+)",
):
    """A menu that changes how long a timeout lasts, or lifts it."""

    def __init__(self, flag_id: int, message_id: str) -> None:
        """Make the menu for the author of a flag."""
        self.flag_id = flag_id
        self.message_id = message_id[:_ID_LENGTH]
        options = [
            discord.SelectOption(label=describe(each), value=str(int(each.total_seconds())))
            for each in LENGTHS
        ]
        options.append(discord.SelectOption(label="Lift the timeout", value="0"))
        select: discord.ui.Select[discord.ui.View] = discord.ui.Select(
            custom_id=f"fanguard:length:{flag_id}:{self.message_id}",
            placeholder="Another length…",
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
        return await bot.actions.change_timeout(member, self.flag_id, self.message_id, length)

    def doing(self, interaction: discord.Interaction[Any]) -> str:
        """Name the flag."""
        del interaction
        return f"timeout length of flag {self.flag_id}"


class RemoveToo(
    LastingItem[discord.ui.Button[discord.ui.View], str],
    template=r"fanguard:also:(?P<flag>[0-9]{1,18}):(?P<message>.+)",
):
    """Removes the message of a flag that was decided with a timeout."""

    def __init__(self, flag_id: int, message_id: str) -> None:
        """Make the button of a flag."""
        self.flag_id = flag_id
        self.message_id = message_id[:_ID_LENGTH]
        custom_id = f"fanguard:also:{flag_id}:{self.message_id}"
        super().__init__(discord.ui.Button(label="Remove the message too", custom_id=custom_id))

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


def card_view(flag: Flag) -> discord.ui.View | None:
    """The buttons of a card, None once the flag is decided."""
    if flag.status is Status.DECIDED:
        return None
    view = discord.ui.View(timeout=None)
    for act in _LABELS:
        view.add_item(FlagButton(act, flag.id, flag.comment.id))
    return view


def picker_view(flags: Sequence[Flag]) -> discord.ui.View | None:
    """The menu under a list, None when no flag of it is undecided."""
    open_ones = [flag for flag in flags if flag.status is not Status.DECIDED]
    return single(FlagPicker(open_ones)) if open_ones else None


def flag_key(flag: Flag) -> str:
    """The flag's number and message, as buttons and menus carry them."""
    return f"{flag.id}:{flag.comment.id[:_ID_LENGTH]}"


def shown_flags(message: discord.Message) -> Iterator[tuple[str, bool]]:
    """The flags that a card or digest shows, each with whether it is a digest."""
    for row in message.components:
        for item in row.children if isinstance(row, discord.ActionRow) else ():
            if isinstance(item, discord.Button) and item.custom_id:
                match = _FLAG_BUTTON.fullmatch(item.custom_id)
                if match is not None:
                    yield f"{match['flag']}:{match['message']}", False
            elif isinstance(item, discord.SelectMenu) and item.custom_id == PICK:
                for option in item.options:
                    yield option.value, True


def single(item: discord.ui.Item[Any]) -> discord.ui.View:
    """A lasting view of one item."""
    view = discord.ui.View(timeout=None)
    view.add_item(item)
    return view


async def send_card(
    interaction: discord.Interaction[Any], flag: Flag, story: Sequence[Event] = ()
) -> None:
    """Show a flag's card to the one who asked, after a deferred response."""
    embed, view = flag_embed(flag), card_view(flag)
    story_field(embed, story)
    if view is None:
        await interaction.followup.send(embed=embed, ephemeral=True)
    else:
        await interaction.followup.send(embed=embed, view=view, ephemeral=True)


DYNAMIC_ITEMS = (FlagButton, FlagPicker, TimeoutLength, RemoveToo)
