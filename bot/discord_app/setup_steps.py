"""/setup step by step. What is chosen waits in a draft in the database until it is saved."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Self, TypeVar

import discord

from bot.discord_app.errors import RefusedError
from bot.discord_app.items import LastingItem
from bot.discord_app.setup_overview import PRESETS, setup_embed
from bot.moderation import Preset, Thresholds, apart, with_draft
from bot.store import GuildSettings, SetupDraft
from bot.words import N_, _

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

MOST_CHOSEN = 25
FIRST, SECOND, THIRD, SUMMARY = "1", "2", "3", "4"
SAVE, DROP = "save", "drop"
WATCHED, MODERATORS = "watched", "moderators"
PRESET, SHADOW = "preset", "shadow"
ON, OFF, KEEP = "on", "off", "keep"

WATCHABLE = [
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.forum,
    discord.ChannelType.voice,
]

_TITLES = {
    FIRST: N_("Step 1 of 3: which channels shall I read?"),
    SECOND: N_("Step 2 of 3: who moderates, and where?"),
    THIRD: N_("Step 3 of 3: how strict shall I be?"),
    SUMMARY: N_("Is this right?"),
}
_TEXTS = {
    FIRST: N_(
        "Their threads are read too. I start at the present: what was posted before stays unread."
    ),
    SECOND: N_(
        "Choose the channel for my cards, one that only moderators see. With roles chosen, "
        "only their members moderate here; each still needs Discord's own permission."
    ),
    THIRD: N_(
        "In shadow mode I score and log for a week and post no cards, so that you can see in "
        "`/queue` what I would do. It ends by itself."
    ),
    SUMMARY: N_("Nothing has changed yet. Save makes it so."),
}
_PRESETS = {
    Preset.RELAXED: N_("Fewer cards; more may slip through"),
    Preset.STANDARD: N_("What comes with the model"),
    Preset.STRICT: N_("More cards, and more that are nothing"),
}
_BUTTONS = {
    FIRST: ((SECOND, N_("Next")), (DROP, N_("Cancel"))),
    SECOND: ((FIRST, N_("Back")), (THIRD, N_("Next")), (DROP, N_("Cancel"))),
    THIRD: ((SECOND, N_("Back")), (SUMMARY, N_("Next")), (DROP, N_("Cancel"))),
    SUMMARY: ((SAVE, N_("Save")), (THIRD, N_("Back")), (DROP, N_("Cancel"))),
}
_GONE = N_("These choices were saved or cancelled already. /setup starts again.")

ItemT = TypeVar("ItemT", bound=discord.ui.Item[Any])


@dataclass(frozen=True, slots=True)
class Screen:
    """What is shown in place of the step that was pressed; without a view it is the end."""

    embed: discord.Embed
    view: discord.ui.View | None = None


class _SetupItem(LastingItem[ItemT, Screen], template=r"(?!)"):
    """A menu or button of the steps, for those who manage the server."""

    permission = "manage_guild"
    team = False

    async def show(self, interaction: discord.Interaction[Any], result: Screen) -> None:
        """Turn to the screen."""
        await interaction.edit_original_response(embed=result.embed, view=result.view)

    def doing(self, interaction: discord.Interaction[Any]) -> str:
        """Name the guild."""
        return f"setup of guild {interaction.guild_id}"


class _Menu(_SetupItem[ItemT], template=r"(?!)"):
    """A menu that changes the draft and shows its step again."""

    step = FIRST

    def chosen(self, draft: SetupDraft, guild: discord.Guild) -> SetupDraft:
        """Return the draft with what was chosen."""
        raise NotImplementedError

    async def act(self, interaction: discord.Interaction[Any], member: discord.Member) -> Screen:
        """Keep what was chosen in the draft."""
        bot: FanguardBot = interaction.client
        draft = self.chosen(await draft_for(bot, member), member.guild)
        apart(_settings_with(draft))
        await bot.store.drafts.put(str(member.guild.id), str(member.id), draft)
        return await step_screen(bot, member.guild, draft, self.step)


class ChannelMenu(
    _Menu[discord.ui.ChannelSelect[discord.ui.View]],
    template=r"fanguard:setup:(?P<what>moderators|watched)",
):
    """A menu of channels: the moderators' one, or all that are watched."""

    def __init__(self, what: str, chosen: Iterable[int] = ()) -> None:
        """Make the menu with the channels chosen so far."""
        self.what = what
        only_one = what == MODERATORS
        self.step = SECOND if only_one else FIRST
        super().__init__(
            discord.ui.ChannelSelect(
                custom_id=f"fanguard:setup:{what}",
                placeholder=_("Moderator channel…") if only_one else _("Watched channels…"),
                channel_types=[discord.ChannelType.text] if only_one else WATCHABLE,
                min_values=1 if only_one else 0,
                max_values=1 if only_one else MOST_CHOSEN,
                default_values=_defaults(chosen, discord.SelectDefaultValueType.channel),
            )
        )

    @classmethod
    def read(cls, match: re.Match[str]) -> Self:
        """Make the item from its custom id."""
        return cls(match["what"])

    def chosen(self, draft: SetupDraft, guild: discord.Guild) -> SetupDraft:
        """Return the draft with other channels."""
        del guild
        channels = tuple(str(channel.id) for channel in self.item.values)
        if self.what == MODERATORS:
            return replace(draft, mod_channel_id=channels[0])
        return replace(draft, watched_channel_ids=channels)


class RoleMenu(_Menu[discord.ui.RoleSelect[discord.ui.View]], template=r"fanguard:setup:roles"):
    """A menu of the roles that may moderate."""

    step = SECOND

    def __init__(self, chosen: Iterable[int] = ()) -> None:
        """Make the menu with the roles chosen so far."""
        super().__init__(
            discord.ui.RoleSelect(
                custom_id="fanguard:setup:roles",
                placeholder=_("Roles that may moderate (none: by permission alone)…"),
                min_values=0,
                max_values=MOST_CHOSEN,
                default_values=_defaults(chosen, discord.SelectDefaultValueType.role),
            )
        )

    @classmethod
    def read(cls, match: re.Match[str]) -> Self:
        """Make the item from its custom id."""
        del match
        return cls()

    def chosen(self, draft: SetupDraft, guild: discord.Guild) -> SetupDraft:
        """Return the draft with other roles; everyone is no role to choose."""
        roles = tuple(str(role.id) for role in self.item.values if role.id != guild.id)
        return replace(draft, moderator_role_ids=roles)


class ChoiceMenu(
    _Menu[discord.ui.Select[discord.ui.View]],
    template=r"fanguard:setup:(?P<what>preset|shadow)",
):
    """A menu of a few words: the strictness, or shadow mode."""

    step = THIRD

    def __init__(self, what: str, options: Iterable[discord.SelectOption] = ()) -> None:
        """Make the menu."""
        self.what = what
        custom_id = f"fanguard:setup:{what}"
        super().__init__(discord.ui.Select(custom_id=custom_id, options=list(options)))

    @classmethod
    def read(cls, match: re.Match[str]) -> Self:
        """Make the item from its custom id."""
        return cls(match["what"])

    def chosen(self, draft: SetupDraft, guild: discord.Guild) -> SetupDraft:
        """Return the draft with another strictness, or with shadow mode on or off."""
        del guild
        (value,) = self.item.values
        if self.what == SHADOW:
            return replace(draft, shadow=value == ON)
        return replace(draft, preset=None if value == KEEP else value)


class StepButton(
    _SetupItem[discord.ui.Button[discord.ui.View]],
    template=r"fanguard:setup:step:(?P<to>[1-4]|save|drop)",
):
    """Leads to another step, saves the draft, or drops it."""

    def __init__(self, to: str, label: str = "") -> None:
        """Make the button."""
        self.to = to
        styles = {SAVE: discord.ButtonStyle.success, SUMMARY: discord.ButtonStyle.primary}
        super().__init__(
            discord.ui.Button(
                label=label or to,
                style=styles.get(to, discord.ButtonStyle.secondary),
                custom_id=f"fanguard:setup:step:{to}",
            )
        )

    @classmethod
    def read(cls, match: re.Match[str]) -> Self:
        """Make the item from its custom id."""
        return cls(match["to"])

    async def act(self, interaction: discord.Interaction[Any], member: discord.Member) -> Screen:
        """Go there."""
        bot: FanguardBot = interaction.client
        guild, thresholds = member.guild, bot.pipeline.thresholds
        draft = await draft_for(bot, member)
        if self.to not in (SAVE, DROP):
            return await step_screen(bot, guild, draft, self.to)

        def change(settings: GuildSettings) -> GuildSettings:
            if self.to == DROP:
                return settings
            return with_draft(settings, draft, thresholds, datetime.now(UTC))

        settings = await bot.change_settings(guild, change)
        await bot.store.drafts.drop(str(guild.id), str(member.id))
        embed = setup_embed(guild, settings, thresholds)
        embed.title = _("Saved") if self.to == SAVE else _("Cancelled: everything is as it was")
        return Screen(embed)


SETUP_ITEMS = (ChannelMenu, RoleMenu, ChoiceMenu, StepButton)


async def draft_for(bot: FanguardBot, member: discord.Member) -> SetupDraft:
    """Return what a member has chosen so far.

    Raises:
        RefusedError: nothing waits to be saved.
    """
    draft = await bot.store.drafts.get(str(member.guild.id), str(member.id))
    if draft is None:
        raise RefusedError(_(_GONE))
    return draft


async def step_screen(
    bot: FanguardBot, guild: discord.Guild, draft: SetupDraft, step: str
) -> Screen:
    """Show a step with what is chosen so far, and what would be missing then."""
    thresholds = bot.pipeline.thresholds
    settings = await bot.store.guilds.get(str(guild.id)) or GuildSettings(str(guild.id))
    proposed = with_draft(settings, draft, thresholds, datetime.now(UTC))
    embed = setup_embed(guild, proposed, thresholds)
    embed.title, embed.description = _(_TITLES[step]), _(_TEXTS[step])
    if step == FIRST and len(draft.watched_channel_ids) > MOST_CHOSEN:
        more = _("They are more than a menu holds: `/setup watch` and `unwatch`.")
        embed.description = f"{embed.description}\n{more}"
    embed.set_footer(text=_("Nothing changes before you save."))
    view = discord.ui.View(timeout=None)
    for item in _menus(guild, settings, draft, step, thresholds):
        view.add_item(item)
    for to, label in _BUTTONS[step]:
        view.add_item(StepButton(to, _(label)))
    return Screen(embed, view)


def _menus(
    guild: discord.Guild,
    settings: GuildSettings,
    draft: SetupDraft,
    step: str,
    thresholds: Thresholds,
) -> list[discord.ui.Item[Any]]:
    if step == FIRST and len(draft.watched_channel_ids) <= MOST_CHOSEN:
        there = [int(each) for each in draft.watched_channel_ids if guild.get_channel(int(each))]
        return [ChannelMenu(WATCHED, there)]
    if step == SECOND:
        cards = int(draft.mod_channel_id or 0)
        roles = [int(each) for each in draft.moderator_role_ids if guild.get_role(int(each))]
        here = [cards] if guild.get_channel(cards) else []
        return [ChannelMenu(MODERATORS, here), RoleMenu(roles)]
    if step == THIRD:
        return [
            ChoiceMenu(PRESET, _presets(settings, draft, thresholds)),
            ChoiceMenu(SHADOW, _shadow(draft)),
        ]
    return []


def _presets(
    settings: GuildSettings, draft: SetupDraft, thresholds: Thresholds
) -> list[discord.SelectOption]:
    now = thresholds.of(settings)
    chosen = draft.preset or now.preset or KEEP
    options = [
        discord.SelectOption(
            label=_("Strictness: {preset}").format(preset=_(PRESETS[each.preset])),
            value=each.preset,
            description=_(_PRESETS[each.preset]),
            default=each.preset == chosen,
        )
        for each in thresholds.presets()
        if each.preset is not None
    ]
    if now.preset is None:
        label = _("Strictness: your own, from {threshold:.2f}").format(threshold=now.threshold)
        options.append(discord.SelectOption(label=label, value=KEEP, default=chosen == KEEP))
    return options


def _shadow(draft: SetupDraft) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(
            label=_("Shadow mode: off"),
            value=OFF,
            description=_("Cards from the start"),
            default=not draft.shadow,
        ),
        discord.SelectOption(
            label=_("Shadow mode: on for a week"),
            value=ON,
            description=_("Score and log, post no cards"),
            default=draft.shadow,
        ),
    ]


def _defaults(
    ids: Iterable[int], kind: discord.SelectDefaultValueType
) -> list[discord.SelectDefaultValue]:
    return [discord.SelectDefaultValue(id=each, type=kind) for each in ids]


def _settings_with(draft: SetupDraft) -> GuildSettings:
    return GuildSettings(
        "", mod_channel_id=draft.mod_channel_id, watched_channel_ids=draft.watched_channel_ids
    )
