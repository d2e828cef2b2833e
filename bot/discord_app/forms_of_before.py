"""Answers a form that was open while the bot restarted, so that nobody's words are lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import discord
from discord.ext import commands

from bot.discord_app.items import FORMS, FORMS_OF_THIS_RUN
from bot.words import _, speak

_MOST = 1800


class FormsOfBefore(commands.Cog):
    """Listens for forms that nobody waits for any more."""

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Give back what was written, and say what to do."""
        if interaction.type is not discord.InteractionType.modal_submit:
            return
        data: dict[str, Any] = dict(interaction.data or {})
        form = str(data.get("custom_id", ""))
        if not form.startswith(FORMS) or form.startswith(FORMS_OF_THIS_RUN):
            return
        speak(interaction.locale)
        line = _(
            "I was restarted while this form was open, so nothing was done. Please open it again."
        )
        written = "\n".join(_written(data.get("components", [])))[:_MOST].replace("`", "'")
        if written:
            line += "\n" + _("What you wrote: {text}").format(text=f"||```\n{written}\n```||")
        await interaction.response.send_message(
            line, ephemeral=True, allowed_mentions=discord.AllowedMentions.none()
        )


def _written(components: list[dict[str, Any]]) -> Iterator[str]:
    """The texts in the fields of a form, in rows or in labels."""
    for each in components:
        if isinstance(each.get("value"), str) and each["value"]:
            yield each["value"]
        yield from _written(each.get("components", []))
        if isinstance(each.get("component"), dict):
            yield from _written([each["component"]])
