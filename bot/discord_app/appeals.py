"""Appeals on Discord: a member chooses a decision and writes, another moderator answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import discord

from bot.comment import Flag, Status
from bot.discord_app.actions import UNDOABLE, channel_of
from bot.discord_app.appeal_offers import AppealForm
from bot.discord_app.cards import DONE
from bot.discord_app.errors import RefusedError, explain
from bot.discord_app.forms import FlagForm
from bot.discord_app.items import ID_LENGTH, LastingItem
from bot.discord_app.measures import Measures
from bot.discord_app.permissions import moderator_of, require, require_own
from bot.discord_app.quoting import short, spoiler
from bot.moderation import REQUIRED_PERMISSION
from bot.moderation.appeals import APPEAL_LENGTH, answer, check_may_answer
from bot.words import N_, _, speaking

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

PICK = "fanguard:appealed"
REASON_LENGTH = 500
READ, UPHOLD, OVERTURN = "read", "uphold", "overturn"
_OUTCOMES = {UPHOLD: Status.UPHELD, OVERTURN: Status.OVERTURNED}
_LABELS = {
    READ: (N_("Read the appeal"), discord.ButtonStyle.primary),
    UPHOLD: (N_("Uphold"), discord.ButtonStyle.secondary),
    OVERTURN: (N_("Overturn"), discord.ButtonStyle.secondary),
}
_BUTTON = re.compile(
    r"fanguard:appeal:(?P<act>read|uphold|overturn):(?P<flag>[0-9]{1,18}):(?P<message>.+)"
)


class AppealButton(LastingItem[discord.ui.Button[discord.ui.View], str], template=_BUTTON):
    """One of the buttons that the card of an appealed flag has."""

    def __init__(self, act: str, flag_id: int, message_id: str) -> None:
        """Make the button of a flag; `message_id` is what the flag must be about."""
        self.act_name = act
        self.flag_id = flag_id
        self.message_id = message_id[:ID_LENGTH]
        label, style = _LABELS[act]
        custom_id = f"fanguard:appeal:{act}:{flag_id}:{self.message_id}"
        super().__init__(discord.ui.Button(label=_(label), style=style, custom_id=custom_id))

    @classmethod
    def read(cls, match: re.Match[str]) -> Self:
        """Make the item from its custom id."""
        return cls(match["act"], int(match["flag"]), match["message"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Open the form of an answer, else show the appeal."""
        if self.act_name == READ:
            await super().callback(interaction)
            return
        form = AnswerForm(self.act_name, self.flag_id, self.message_id)
        await interaction.response.send_modal(form)

    async def act(self, interaction: discord.Interaction[Any], member: discord.Member) -> str:
        """Show what the member wrote."""
        bot: FanguardBot = interaction.client
        flag = await bot.actions.look(member, self.flag_id, self.message_id)
        found = await bot.store.appeals.of_flag(str(member.guild.id), flag.id)
        if found is None or not found.text:
            raise RefusedError(_("There is no appeal to read any more."))
        return spoiler(found.text, APPEAL_LENGTH)

    def doing(self, interaction: discord.Interaction[Any]) -> str:
        """Name the flag."""
        del interaction
        return f"{self.act_name} of the appeal against flag {self.flag_id}"


class AnswerForm(FlagForm):
    """The reason with which a decision is upheld or overturned."""

    def __init__(self, act: str, flag_id: int, message_id: str) -> None:
        """Make the form for an answer."""
        titles = {UPHOLD: _("Uphold the decision"), OVERTURN: _("Overturn the decision")}
        super().__init__(titles[act], flag_id, message_id)
        self.outcome = _OUTCOMES[act]
        self.text: discord.ui.TextInput[Any] = discord.ui.TextInput(
            custom_id="text",
            style=discord.TextStyle.paragraph,
            required=False,
            max_length=REASON_LENGTH,
        )
        self.add_item(
            discord.ui.Label(text=_("Reason, which the member is told"), component=self.text)
        )

    async def act(self, bot: FanguardBot, member: discord.Member) -> str:
        """Answer the appeal."""
        flag = await bot.actions.load(member.guild, self.flag_id, self.message_id)
        return await answer_for(bot, member, flag, self.outcome, self.text.value.strip())


class AppealPicker(LastingItem[discord.ui.Select[discord.ui.View], str], template=re.escape(PICK)):
    """A member's own decisions; the one chosen opens the form of an appeal."""

    team = False

    def __init__(self, flags: Sequence[Flag] = ()) -> None:
        """Offer up to 25 decided flags."""
        options = []
        for flag in flags[:25]:
            if flag.decision is not None:
                line = _("{done}, {when} UTC").format(
                    done=_(DONE[flag.decision.action]),
                    when=f"{flag.decision.decided_at:%Y-%m-%d %H:%M}",
                )
                place = f"#{flag.comment.channel_name}" if flag.comment.channel_name else None
                options.append(
                    discord.SelectOption(
                        label=short(line, 100), value=str(flag.id), description=place
                    )
                )
        super().__init__(
            discord.ui.Select(custom_id=PICK, placeholder=_("Appeal against…"), options=options)
        )

    @classmethod
    def read(cls, match: re.Match[str]) -> Self:
        """Make the item; what was chosen comes with the interaction."""
        del match
        return cls()

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Open the form."""
        await interaction.response.send_modal(
            AppealForm(interaction.guild_id or 0, int(self.item.values[0]))
        )

    def doing(self, interaction: discord.Interaction[Any]) -> str:
        """Name the flag."""
        del interaction
        return f"an appeal against flag {self.item.values[0]}"


async def answer_for(
    bot: FanguardBot, member: discord.Member, flag: Flag, outcome: Status, reason: str
) -> str:
    """Answer an appeal, undo what can be undone, and tell the member.

    Returns:
        The line to answer with.

    Raises:
        RefusedError: not allowed.
        UserError: not allowed, or another answer was first.
    """
    guild, channel = member.guild, channel_of(member.guild, flag)
    moderator = moderator_of(member, channel)
    check_may_answer(flag, moderator)
    action = None if flag.decision is None else flag.decision.action
    lifts = outcome is Status.OVERTURNED and action in UNDOABLE
    if lifts and action is not None:
        require(moderator, action, channel)
        require_own(guild, REQUIRED_PERMISSION[action])
    await answer(bot.store, str(guild.id), flag.id, outcome, moderator, reason=reason)
    lines = [_("Upheld.") if outcome is Status.UPHELD else _("Overturned.")]
    if lifts and action is not None:
        try:
            lines.append(await Measures(bot).lift(member, flag, action))
        except (RefusedError, discord.HTTPException) as error:
            lines.append(explain(error, f"lifting the {action} of flag {flag.id}"))
    elif outcome is Status.OVERTURNED:
        lines.append(_("What was done cannot be undone by me; the member is told the outcome."))
    if not await _tell(bot, guild, flag, outcome, reason):
        lines.append(_("They take no direct messages from me, so they do not know yet."))
    story = " ".join(lines)
    await bot.store.flags.note(str(guild.id), flag.id, story, moderator.id, moderator.name)
    bot.outbox.changed(flag)
    return story


async def _tell(
    bot: FanguardBot, guild: discord.Guild, flag: Flag, outcome: Status, reason: str
) -> bool:
    """Send the outcome to the member, without a moderator's name; False if it cannot reach them."""
    with speaking(guild.preferred_locale):
        line = (
            _("Your appeal in {place} was read by another moderator: the decision stays.")
            if outcome is Status.UPHELD
            else _("Your appeal in {place} was read by another moderator: it was overturned.")
        ).format(place=guild.name)
    try:
        user = await bot.fetch_user(int(flag.comment.author_id))
        await user.send(
            f"{line}\n\n{reason}".strip(), allowed_mentions=discord.AllowedMentions.none()
        )
    except (ValueError, discord.HTTPException):
        return False
    return True
