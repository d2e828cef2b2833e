"""The tree of slash commands: one answer to every error, and syncing only when needed."""

from __future__ import annotations

import logging
from typing import Any

import discord
from discord import app_commands
from discord.http import Route

from bot.discord_app.errors import explain
from bot.discord_app.logs import where
from bot.words import speak

log = logging.getLogger(__name__)

_COMPARED = (
    "type",
    "name",
    "name_localizations",
    "description",
    "description_localizations",
    "default_member_permissions",
    "contexts",
    "nsfw",
    "required",
    "autocomplete",
    "choices",
    "channel_types",
    "min_value",
    "max_value",
    "min_length",
    "max_length",
)


class CommandTree(app_commands.CommandTree[Any]):
    """Slash commands that speak the language of who asks, and fail kindly."""

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Answer in the language of the one who asks."""
        speak(interaction.locale)
        return True

    async def on_error(
        self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError, /
    ) -> None:
        """Tell who asked what went wrong; the log gets ids alone."""
        name = interaction.command.qualified_name if interaction.command else "a command"
        line = explain(error, f"/{name} in guild {interaction.guild_id}")
        try:
            if interaction.response.is_done():
                await interaction.followup.send(line, ephemeral=True)
            else:
                await interaction.response.send_message(line, ephemeral=True)
        except discord.HTTPException as unsent:
            log.info("the answer to /%s could not be sent: %s", name, where(unsent))

    async def sync_if_changed(self) -> bool:
        """Register the commands with Discord unless it has them as they are.

        Returns:
            Whether they were sent.
        """
        application_id = self.client.application_id
        if application_id is None:
            raise app_commands.MissingApplicationID
        try:
            registered = await self._registered(application_id)
        except discord.HTTPException as error:
            log.info("the registered commands cannot be read: %s", where(error))
            registered = []
        ours = {each["name"]: _essence(each) for each in await self._payloads()}
        theirs = {each["name"]: _essence(each) for each in registered}
        if ours == theirs:
            return False
        await self.sync()
        log.info("registered %d commands", len(ours))
        return True

    async def _payloads(self) -> list[dict[str, Any]]:
        commands, translator = self.get_commands(), self.translator
        if translator is None:
            return [each.to_dict(self) for each in commands]
        return [await each.get_translated_payload(self, translator) for each in commands]

    async def _registered(self, application_id: int) -> list[dict[str, Any]]:
        """The commands as Discord has them, in all languages, which discord.py does not ask for."""
        route = Route(
            "GET", "/applications/{application_id}/commands", application_id=application_id
        )
        found: list[dict[str, Any]] = await self.client.http.request(
            route, params={"with_localizations": "true"}
        )
        return found


def _essence(command: dict[str, Any]) -> dict[str, Any]:
    """What of a command makes a difference, as Discord and discord.py both write it."""
    kept = {key: command[key] for key in _COMPARED if command.get(key)}
    kept["type"] = command.get("type", 1)
    if "default_member_permissions" in kept:
        kept["default_member_permissions"] = str(kept["default_member_permissions"])
    if "choices" in kept:
        kept["choices"] = [
            (each["name"], each.get("name_localizations") or {}, each["value"])
            for each in kept["choices"]
        ]
    kept["options"] = [_essence(option) for option in command.get("options") or ()]
    return kept
