"""The forms that a moderator fills in: a warning, a note, the reason of a kick or ban."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord

from bot.comment import Action
from bot.discord_app.actions import Details
from bot.discord_app.errors import RefusedError, explain
from bot.discord_app.items import FORM_SECONDS, Form, member_of
from bot.discord_app.measures import WARNING_LENGTH
from bot.discord_app.permissions import moderator_of, require, require_team
from bot.words import N_, _, speaking

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

REASON_LENGTH = 300
BY_DM, IN_CHANNEL = "dm", "channel"
WARNING = N_(
    "Hi! A message of yours in {place} was hard on someone. Fair criticism of what people do is "
    "welcome here; insults, contempt and threats are not. Please keep it kind. Thank you!"
)


class FlagForm(Form):
    """A form about a flag. What it asks for is done when it is sent, permissions checked then."""

    def __init__(self, title: str, flag_id: int, message_id: str) -> None:
        """Make a form for a flag; `message_id` is what the flag must be about."""
        super().__init__(title=title, timeout=FORM_SECONDS)
        self.flag_id = flag_id
        self.message_id = message_id

    async def on_submit(self, interaction: discord.Interaction[Any], /) -> None:
        """Answer at once, then act; an error becomes one line for the one who sent it."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        try:
            member = member_of(interaction)
            settings = await interaction.client.guild_settings(member.guild.id)
            require_team(member, settings.moderator_role_ids)
            line = await self.act(interaction.client, member)
        except Exception as error:  # noqa: BLE001
            line = explain(error, f"a form for flag {self.flag_id}")
        await interaction.followup.send(line, ephemeral=True)

    async def act(self, bot: FanguardBot, member: discord.Member) -> str:
        """Do what the form asks for, and say what came of it."""
        raise NotImplementedError


class WarnForm(FlagForm):
    """A kind warning, to be edited, and the way it goes."""

    def __init__(self, guild: discord.Guild, flag_id: int, message_id: str) -> None:
        """Make the form with the template, which is in the server's language."""
        super().__init__(_("Warn the author"), flag_id, message_id)
        with speaking(guild.preferred_locale):
            template = _(WARNING).format(place=guild.name)
        self.text: discord.ui.TextInput[Any] = discord.ui.TextInput(
            custom_id="text",
            style=discord.TextStyle.paragraph,
            default=template,
            max_length=WARNING_LENGTH,
        )
        self.way: discord.ui.Select[Any] = discord.ui.Select(
            custom_id="way",
            options=[
                discord.SelectOption(label=_("By direct message"), value=BY_DM, default=True),
                discord.SelectOption(
                    label=_("In the channel, below the message"), value=IN_CHANNEL
                ),
            ],
        )
        self.add_item(discord.ui.Label(text=_("What they are told"), component=self.text))
        self.add_item(discord.ui.Label(text=_("How"), component=self.way))

    async def act(self, bot: FanguardBot, member: discord.Member) -> str:
        """Send the warning and decide the flag."""
        text = self.text.value.strip()
        if not text:
            raise RefusedError(_("The warning was empty, so nothing was sent. Press Warn again."))
        by_dm = IN_CHANNEL not in self.way.values
        details = Details(reason=text, by_dm=by_dm)
        return await bot.actions.decide(member, self.flag_id, self.message_id, Action.WARN, details)


class ReasonForm(FlagForm):
    """The reason of a kick or a ban; without an action, a note on the flag."""

    def __init__(self, action: Action | None, flag_id: int, message_id: str) -> None:
        """Make the form for an action, or for a note."""
        names = {Action.KICK: _("Kick the author"), Action.BAN: _("Ban the author")}
        super().__init__(_("Note") if action is None else names[action], flag_id, message_id)
        self.action = action
        self.text: discord.ui.TextInput[Any] = discord.ui.TextInput(
            custom_id="text",
            style=discord.TextStyle.paragraph,
            required=action is None,
            max_length=REASON_LENGTH,
        )
        words = _("For the other moderators") if action is None else _("Reason, for the audit log")
        self.add_item(discord.ui.Label(text=words, component=self.text))

    async def act(self, bot: FanguardBot, member: discord.Member) -> str:
        """Write the note, or carry the action out and decide the flag."""
        text = self.text.value.strip()
        if self.action is None:
            return await bot.actions.note(member, self.flag_id, self.message_id, text)
        return await bot.actions.decide(
            member, self.flag_id, self.message_id, self.action, Details(reason=text)
        )


async def open_form(
    interaction: discord.Interaction[Any], form: discord.ui.Modal, action: Action | None
) -> None:
    """Open a form, unless who pressed plainly lacks the permission for its action.

    A form must be the first response, so that what the database knows is checked when it
    is sent.
    """
    try:
        member = member_of(interaction)
        if action is not None:
            require(moderator_of(member, None), action, None)
    except RefusedError as error:
        await interaction.response.send_message(str(error), ephemeral=True)
        return
    await interaction.response.send_modal(form)
