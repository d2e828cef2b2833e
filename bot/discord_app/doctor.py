"""Asks Discord over REST, without going online, whether the bot can do its work."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass

import discord

from bot.discord_app.channels import problems_of
from bot.discord_app.client import use_addresses
from bot.discord_app.login import PORTAL, explain
from bot.discord_app.quoting import short
from bot.settings import DiscordSettings
from bot.store import GuildSettings


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the doctor's: what was looked at, and what to do if it is not well."""

    what: str
    to_do: str = ""
    note: str = ""


def application_of(token: str) -> int | None:
    """The application's id, which is the first part of a token; None if it says none."""
    first = token.split(".", maxsplit=1)[0]
    try:
        number = base64.urlsafe_b64decode(first + "=" * (-len(first) % 4)).decode("ascii")
    except ValueError:
        return None
    return int(number) if number.isdecimal() else None


async def examine(
    settings: DiscordSettings, token: str, guilds: Mapping[str, GuildSettings]
) -> AsyncIterator[Finding]:
    """Look at token, intents, and each server's channels and permissions.

    Args:
        settings: the addresses of Discord.
        token: of the right form, as `check_token` returns it.
        guilds: the settings of the guilds that are in the database, by id.
    """
    use_addresses(settings)
    client = discord.Client(intents=discord.Intents.none())
    try:
        async with client:
            await client.login(token)
            async for finding in _logged_in(client, guilds):
                yield finding
    except discord.HTTPException as error:
        yield Finding("Discord", f"Discord answers with error {error.status}. Try again later.")
    except Exception as error:
        known = explain(error)
        if known is None:
            raise
        yield Finding("token" if isinstance(error, discord.LoginFailure) else "Discord", str(known))


async def _logged_in(
    client: discord.Client, guilds: Mapping[str, GuildSettings]
) -> AsyncIterator[Finding]:
    yield Finding("token", note=f"accepted, as {client.user}")
    application = client.application
    flags = discord.ApplicationFlags() if application is None else application.flags
    if flags.gateway_message_content or flags.gateway_message_content_limited:
        yield Finding("intents")
    else:
        yield Finding(
            "intents",
            f"Turn on “Message Content Intent” at {PORTAL} (your application, Bot, Privileged "
            "Gateway Intents).",
        )
    joined = [guild async for guild in client.fetch_guilds(limit=None)]
    if not joined:
        yield Finding("servers", "The bot is in no server yet. Open the link above to invite it.")
    for guild in joined:
        yield await _server(client, guild.id, guilds.get(str(guild.id)))


async def _server(client: discord.Client, guild_id: int, settings: GuildSettings | None) -> Finding:
    guild = await client.fetch_guild(guild_id, with_counts=False)
    what = f"server “{short(guild.name, 60)}”"
    if settings is None:
        return Finding(what, "It is not set up yet. Start the bot, then /setup in Discord.")
    if client.user is None:
        raise discord.ClientException("not logged in")
    me = await guild.fetch_member(client.user.id)
    channels = {channel.id: channel for channel in await guild.fetch_channels()}
    problems = [
        problem.say(_name(channels, problem.channel_id))
        for problem in problems_of(me, channels.get, settings)
    ]
    watched = len(settings.watched_channel_ids)
    note = f"{watched} channel{'' if watched == 1 else 's'} watched"
    return Finding(what, " ".join(problems), note)


def _name(channels: Mapping[int, discord.abc.GuildChannel], channel_id: str) -> str:
    channel = channels.get(int(channel_id)) if channel_id else None
    return f"channel {channel_id}" if channel is None else f"#{channel.name} ({channel_id})"
