"""What members are offered: a direct message that tells a decision, and the form of an appeal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Self

import discord

from bot.comment import Action, Flag
from bot.discord_app.errors import RefusedError, explain
from bot.discord_app.items import FORM_SECONDS, ID_LENGTH, Form, LastingItem
from bot.moderation.appeals import APPEAL_LENGTH, appeal
from bot.words import N_, _, speaking

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

TOLD = {
    Action.TIMEOUT: N_(
        "Moderators of {place} have given you a time-out because of a message of yours. If you "
        "see it differently, press Appeal: another moderator will read what you write."
    ),
    Action.KICK: N_(
        "Moderators of {place} have decided to remove you from the server because of a message "
        "of yours. If you see it differently, press Appeal: another moderator will read it."
    ),
    Action.BAN: N_(
        "Moderators of {place} have decided to ban you because of a message of yours. If you "
        "see it differently, press Appeal: another moderator will read what you write."
    ),
}


class FileButton(
    LastingItem[discord.ui.Button[discord.ui.View], str],
    template=r"fanguard:file:(?P<guild>[0-9]{1,20}):(?P<flag>[0-9]{1,18}):(?P<message>.+)",
):
    """Opens the form of an appeal, from a direct message. Whose it is, is checked when sent."""

    def __init__(self, guild_id: int, flag_id: int, message_id: str) -> None:
        """Make the button for the decision on a flag of a server."""
        self.place = (guild_id, flag_id, message_id[:ID_LENGTH])
        custom_id = "fanguard:file:{}:{}:{}".format(*self.place)
        super().__init__(discord.ui.Button(label=_("Appeal"), custom_id=custom_id))

    @classmethod
    def read(cls, match: re.Match[str]) -> Self:
        """Make the item from its custom id."""
        return cls(int(match["guild"]), int(match["flag"]), match["message"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Open the form."""
        await interaction.response.send_modal(AppealForm(*self.place))


class AppealForm(Form):
    """What a member has to say against a decision."""

    def __init__(self, guild_id: int, flag_id: int, message_id: str = "") -> None:
        """Make the form for the decision on a flag of a server."""
        super().__init__(title=_("Appeal"), timeout=FORM_SECONDS)
        self.guild_id = guild_id
        self.flag_id = flag_id
        self.message_id = message_id
        self.text: discord.ui.TextInput[Any] = discord.ui.TextInput(
            custom_id="text", style=discord.TextStyle.paragraph, max_length=APPEAL_LENGTH
        )
        self.add_item(
            discord.ui.Label(text=_("Why should it be decided otherwise?"), component=self.text)
        )

    async def on_submit(self, interaction: discord.Interaction[Any], /) -> None:
        """Keep the appeal, and show on the card that it waits."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        bot: FanguardBot = interaction.client
        try:
            guild = _guild(bot, self.guild_id)
            flag = await bot.actions.load(guild, self.flag_id, self.message_id)
            who = str(interaction.user.id)
            await appeal(bot.store, str(guild.id), flag.id, who, self.text.value)
            bot.outbox.changed(flag)
            with speaking(guild.preferred_locale):
                news = _("An appeal against flag {flag} waits: `/flags show {flag}` opens it.")
                embed = discord.Embed(description=news.format(flag=flag.id))
            bot.outbox.say(guild.id, embed, f"appeal {guild.id}.{flag.id}.{interaction.id}")
            line = _(
                "Thank you. Another moderator than the one who decided will read it, and I will "
                "send you a direct message with the answer."
            )
        except Exception as error:  # noqa: BLE001
            line = explain(error, f"an appeal against flag {self.flag_id}")
        await interaction.followup.send(line, ephemeral=True)


def _guild(bot: FanguardBot, guild_id: int) -> discord.Guild:
    guild = bot.get_guild(guild_id)
    if guild is None:
        raise RefusedError(_("I am no longer in that server, so nobody can answer there."))
    return guild


async def tell_of(guild: discord.Guild, target: discord.Member, flag: Flag, action: Action) -> bool:
    """Tell a member what was decided, with a way to appeal; False if it cannot reach them."""
    with speaking(guild.preferred_locale):
        line = _(TOLD[action]).format(place=guild.name)
        view = discord.ui.View(timeout=None)
        view.add_item(FileButton(guild.id, flag.id, flag.comment.id))
    try:
        await target.send(line, view=view, allowed_mentions=discord.AllowedMentions.none())
    except discord.HTTPException:
        return False
    return True
