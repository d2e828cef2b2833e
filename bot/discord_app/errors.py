"""What went wrong with a press or a command, as one kind line for the one who asked."""

from __future__ import annotations

import logging

import discord
from discord import app_commands

from bot.discord_app.logs import where
from bot.errors import FanguardError, UserError
from bot.words import _

log = logging.getLogger(__name__)


class RefusedError(FanguardError):
    """An action was not taken. The message is one kind line for the one who asked."""


def explain(error: BaseException, doing: str) -> str:
    """One line that says what happened and what to do; unknown errors also go to the log.

    Args:
        error: what was raised.
        doing: ids for the log, such as "remove of flag 12"; never a message's text.
    """
    if isinstance(error, app_commands.CommandInvokeError | app_commands.TransformerError):
        error = error.__cause__ or error
    line = _known(error)
    if line is None:
        log.error("%s failed: %s", doing, where(error))
        line = _("Something went wrong on my side and nothing was changed. Please try again.")
    return line


def _known(error: BaseException) -> str | None:
    match error:
        case RefusedError() | UserError():
            return str(error)
        case app_commands.MissingPermissions():
            names = ", ".join(name.replace("_", " ").title() for name in error.missing_permissions)
            return _("You need the permission {names} for that.").format(names=names)
        case app_commands.NoPrivateMessage():
            return _("This works inside a server only.")
        case app_commands.CheckFailure():
            return _("You may not use this here.")
        case discord.HTTPException() | discord.RateLimited():
            return _discord(error)
        case _:
            return None


def _discord(error: discord.HTTPException | discord.RateLimited) -> str:
    match error:
        case discord.RateLimited():
            line = _("Discord asks me to slow down. Please try again in {count} seconds.").format(
                count=int(error.retry_after) + 1
            )
        case discord.HTTPException(code=50083):
            line = _("That thread is archived. Open it again first, then press once more.")
        case discord.Forbidden():
            line = _(
                "Discord does not let me do that. Check my role's permissions there, and that "
                "my role stands above the member's."
            )
        case discord.NotFound():
            line = _("Discord no longer knows it: it was deleted or has left.")
        case discord.HTTPException(status=429):
            line = _("Discord asks me to slow down. Please try again in a minute.")
        case discord.DiscordServerError():
            line = _(
                "Discord has trouble right now and nothing was changed. Try again in a minute."
            )
        case _:
            line = _("Discord refused that (error {code}) and nothing was changed.").format(
                code=error.code
            )
    return line
