"""The buttons under cards, and the menu under lists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Self

import discord

from bot.comment import Action, Flag, Status
from bot.discord_app.appeals import OVERTURN, READ, UPHOLD, AppealButton
from bot.discord_app.cards import NOTHING, flag_embed, option_label, story_field
from bot.discord_app.context import context_embed
from bot.discord_app.errors import RefusedError
from bot.discord_app.forms import WarnForm, open_form
from bot.discord_app.items import ID_LENGTH, LastingItem, is_private
from bot.discord_app.menus import MoreMenu, RemoveToo, TimeoutLength
from bot.discord_app.quoting import whole
from bot.store import Event, Surroundings
from bot.words import N_, _

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

CLAIM, WARN, MORE, CONTEXT, TEXT, UNDO = "claim", "warn", "more", "context", "text", "undo"
PICK = "fanguard:pick"
MOST_WORDINGS = 5

_FLAG_BUTTON = re.compile(
    r"fanguard:(?P<act>remove|dismiss|timeout|claim|warn|more|context|text|undo|removeall|dismissall)"
    r":(?P<flag>[0-9]{1,18}):(?P<message>.+)"
)

_LABELS = {
    CLAIM: (N_("Take it"), discord.ButtonStyle.primary),
    "remove": (N_("Remove"), discord.ButtonStyle.danger),
    "timeout": (N_("Timeout"), discord.ButtonStyle.danger),
    WARN: (N_("Warn"), discord.ButtonStyle.secondary),
    "dismiss": (N_("Dismiss"), discord.ButtonStyle.secondary),
    MORE: (N_("More"), discord.ButtonStyle.secondary),
    CONTEXT: (N_("Context"), discord.ButtonStyle.secondary),
    TEXT: (N_("Show the text"), discord.ButtonStyle.secondary),
    UNDO: (N_("Undo"), discord.ButtonStyle.primary),
    "removeall": (N_("Remove this and {count} alike"), discord.ButtonStyle.danger),
    "dismissall": (N_("Dismiss this and {count} alike"), discord.ButtonStyle.secondary),
}
_ALWAYS = (CLAIM, "remove", "timeout", WARN, "dismiss", MORE, CONTEXT)
_CHANGES = (CLAIM, "remove", "dismiss", UNDO, "removeall", "dismissall")


@dataclass(frozen=True, slots=True)
class Shown:
    """What a press is answered with: a line, embeds one by one, something to press."""

    line: str = ""
    embeds: tuple[discord.Embed, ...] = ()
    view: discord.ui.View | None = None


class FlagButton(LastingItem[discord.ui.Button[discord.ui.View], Shown], template=_FLAG_BUTTON):
    """One of the buttons of a flag's card."""

    def __init__(self, act: str, flag_id: int, message_id: str, alike: int = 0) -> None:
        """Make the button of a flag; `message_id` is what the flag must be about."""
        self.act_name = act
        self.flag_id = flag_id
        self.message_id = message_id[:ID_LENGTH]
        label, style = _LABELS[act]
        custom_id = f"fanguard:{act}:{flag_id}:{self.message_id}"
        super().__init__(
            discord.ui.Button(label=_(label).format(count=alike), style=style, custom_id=custom_id)
        )

    @classmethod
    def read(cls, match: re.Match[str]) -> Self:
        """Make the item from its custom id."""
        return cls(match["act"], int(match["flag"]), match["message"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Open the form of a warning, else act."""
        if self.act_name == WARN and interaction.guild is not None:
            form = WarnForm(interaction.guild, self.flag_id, self.message_id)
            await open_form(interaction, form, Action.WARN)
        else:
            await super().callback(interaction)

    async def act(self, interaction: discord.Interaction[Any], member: discord.Member) -> Shown:
        """Do what the button is for."""
        bot: FanguardBot = interaction.client
        actions, flag = bot.actions, (member, self.flag_id, self.message_id)
        match self.act_name:
            case "claim":
                shown = Shown(await actions.claim(*flag))
            case "timeout":
                await actions.check(*flag, Action.TIMEOUT)
                menu = single(TimeoutLength(self.flag_id, self.message_id))
                shown = Shown(_("Nothing is done yet. How long shall it last?"), view=menu)
            case "more":
                await actions.look(*flag)
                menu = single(MoreMenu(self.flag_id, self.message_id))
                shown = Shown(_("What else?"), view=menu)
            case "context":
                found = await actions.look(*flag)
                shown = Shown(embeds=(await context_embed(member.guild, found),))
            case "text":
                shown = Shown(embeds=await _wordings(bot, await actions.look(*flag)))
            case "undo":
                shown = Shown(await actions.undo(*flag))
            case "removeall":
                shown = Shown(await actions.decide_alike(*flag, Action.REMOVE))
            case "dismissall":
                shown = Shown(await actions.decide_alike(*flag, Action.DISMISS))
            case name:
                shown = Shown(await actions.decide(*flag, Action(name)))
        return shown

    async def show(self, interaction: discord.Interaction[Any], result: Shown) -> None:
        """Show the answer, and the card anew where only the presser sees it."""
        if result.view is not None:
            await interaction.followup.send(result.line, view=result.view, ephemeral=True)
        elif result.line:
            await interaction.followup.send(result.line, ephemeral=True)
        for embed in result.embeds:
            await interaction.followup.send(embed=embed, ephemeral=True)
        if self.act_name in _CHANGES:
            await self._update_private_card(interaction)

    def doing(self, interaction: discord.Interaction[Any]) -> str:
        """Name the action and the flag."""
        del interaction
        return f"{self.act_name} of flag {self.flag_id}"

    async def _update_private_card(self, interaction: discord.Interaction[Any]) -> None:
        """A card shown to one moderator only can be changed by this press alone."""
        if interaction.guild is None or not is_private(interaction):
            return
        guild_id, flags = str(interaction.guild.id), interaction.client.store.flags
        flag = await flags.get(guild_id, self.flag_id)
        if flag is not None:
            around = await flags.surroundings(guild_id, flag.id)
            await interaction.edit_original_response(
                embed=flag_embed(flag, around), view=card_view(flag, around)
            )


class FlagPicker(LastingItem[discord.ui.Select[discord.ui.View], Flag], template=re.escape(PICK)):
    """A menu of flags; the one chosen is shown with its buttons to who chose it."""

    def __init__(self, flags: Sequence[Flag] = ()) -> None:
        """Offer up to 25 flags."""
        options = [
            discord.SelectOption(label=option_label(flag), value=flag_key(flag))
            for flag in flags[:25]
        ]
        select: discord.ui.Select[discord.ui.View] = discord.ui.Select(
            custom_id=PICK, placeholder=_("Open a flag…"), options=options
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
        flag_id, message_id = self.item.values[0].split(":", maxsplit=1)
        return await bot.actions.look(member, int(flag_id), message_id)

    async def show(self, interaction: discord.Interaction[Any], result: Flag) -> None:
        """Show its card."""
        await send_card(interaction, result)

    def doing(self, interaction: discord.Interaction[Any]) -> str:
        """Name the flag."""
        del interaction
        return f"showing flag {self.item.values[0].partition(':')[0]}"


def card_view(flag: Flag, around: Surroundings = NOTHING) -> discord.ui.View | None:
    """The buttons of a card; None once the flag is decided and nothing is left to press."""
    wanted: list[str] = []
    if flag.decision is None:
        wanted += _ALWAYS
        if around.alike:
            wanted += ["removeall", "dismissall"]
        wanted += [TEXT] if flag.gone_at is not None else []
    else:
        undoable = flag.undo_until is not None and flag.undo_until > datetime.now(UTC)
        wanted += [UNDO] if undoable else []
        wanted += [TEXT] if flag.decision.action is Action.REMOVE else []
    appealed = flag.status is Status.APPEALED
    if not wanted and not appealed:
        return None
    view = discord.ui.View(timeout=None)
    for act in (READ, UPHOLD, OVERTURN) if appealed else ():
        view.add_item(AppealButton(act, flag.id, flag.comment.id))
    for act in wanted:
        view.add_item(FlagButton(act, flag.id, flag.comment.id, around.alike))
    return view


def picker_view(flags: Sequence[Flag]) -> discord.ui.View | None:
    """The menu under a list, None when no flag of it is undecided."""
    open_ones = [flag for flag in flags if flag.status.is_waiting]
    return single(FlagPicker(open_ones)) if open_ones else None


def flag_key(flag: Flag) -> str:
    """The flag's number and message, as buttons and menus carry them."""
    return f"{flag.id}:{flag.comment.id[:ID_LENGTH]}"


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
    bot: FanguardBot = interaction.client
    around = await bot.store.flags.surroundings(flag.comment.guild_id, flag.id)
    embed, view = flag_embed(flag, around), card_view(flag, around)
    story_field(embed, story)
    content = await _missing_channel(interaction)
    if view is None:
        await interaction.followup.send(content=content, embed=embed, ephemeral=True)
    else:
        await interaction.followup.send(content=content, embed=embed, view=view, ephemeral=True)


async def _missing_channel(interaction: discord.Interaction[Any]) -> str:
    """A line for a guild whose cards have nowhere to go, else nothing."""
    guild = interaction.guild
    if guild is None:
        return ""
    channel_id = (await interaction.client.guild_settings(guild.id)).mod_channel_id
    if channel_id is not None and guild.get_channel(int(channel_id)) is not None:
        return ""
    return _("Cards have nowhere to go: choose a moderator channel with /setup.")


async def _wordings(bot: FanguardBot, flag: Flag) -> tuple[discord.Embed, ...]:
    """The whole text of a flag in every wording, the last ones if there are many."""
    if flag.erased:
        raise RefusedError(_("The text of this flag was erased."))
    wordings = await bot.store.flags.revisions(flag.comment.guild_id, flag.id)
    return tuple(
        discord.Embed(
            title=_("Flag {flag}, wording {number} of {count}").format(
                flag=flag.id, number=wording.number, count=len(wordings)
            ),
            description=part,
        )
        for wording in wordings[-MOST_WORDINGS:]
        for part in whole(wording.text)
    )


DYNAMIC_ITEMS = (FlagButton, FlagPicker, TimeoutLength, RemoveToo, MoreMenu)
