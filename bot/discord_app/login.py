"""What can go wrong when logging in, said so that it can be mended."""

from __future__ import annotations

import re

import aiohttp
import discord

from bot.errors import UserError

PORTAL = "https://discord.com/developers/applications"
_TOKEN = re.compile(r"[\w-]{3,}={0,2}\.[\w-]{3,}\.[\w-]{3,}", re.ASCII)
_AUTHENTICATION_FAILED = 4004
_DISALLOWED_INTENTS = 4014


def check_token(token: str | None) -> str:
    """Refuse, before anything is sent, a token that cannot be one.

    A bot token is three parts in URL-safe base64, joined by dots.

    Raises:
        UserError: there is none, or it has not that form. The token is not quoted.
    """
    where = (
        f"Copy it from {PORTAL} (your application, Bot, Reset Token) into .env as DISCORD_TOKEN=…"
    )
    cleaned = (token or "").strip()
    if not cleaned:
        raise UserError(f"No Discord token is set. {where}")
    if cleaned.lower().startswith("bot "):
        raise UserError(f"The Discord token must be given without the word “Bot”. {where}")
    if not _TOKEN.fullmatch(cleaned):
        raise UserError(
            "DISCORD_TOKEN is not a bot token: a token is three parts joined by dots "
            f"(not the client secret or the public key). {where}"
        )
    return cleaned


def explain(error: Exception) -> UserError | None:
    """The clear message for a failed login, or None if the error is of another kind."""
    if isinstance(error, discord.LoginFailure) or (
        isinstance(error, discord.ConnectionClosed) and error.code == _AUTHENTICATION_FAILED
    ):
        return UserError(
            "Discord does not accept this token. It was reset or belongs to a deleted bot: "
            f"make a new one at {PORTAL} (your application, Bot, Reset Token) and put it into "
            ".env as DISCORD_TOKEN=…"
        )
    if isinstance(error, discord.PrivilegedIntentsRequired) or (
        isinstance(error, discord.ConnectionClosed) and error.code == _DISALLOWED_INTENTS
    ):
        return UserError(
            "The bot may not read messages yet. Turn on “Message Content Intent” at "
            f"{PORTAL} (your application, Bot, Privileged Gateway Intents), save, and start again."
        )
    if isinstance(error, (aiohttp.ClientConnectionError, discord.GatewayNotFound, TimeoutError)):
        return UserError(
            "Discord cannot be reached. Check this machine's network (and DISCORD_API_BASE, "
            "DISCORD_GATEWAY if you set them), then start again."
        )
    return None
