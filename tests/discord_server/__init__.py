"""A loopback Discord: REST and gateway that an unmodified client logs in to.

Example:
    async with DiscordServer() as discord:
        guild = discord.add_guild("Fan club")
        channel = guild.add_channel("general")
        fan = guild.add_member("Robin")
        bot = discord.add_bot()
        # start the bot under test with discord.environment(bot)
        message = await fan.post(channel, "hello")
        answer = await channel.wait_message(bot, after=message.id)
        click = await fan.click(answer, "Remove")
        assert (await click.reply()).ephemeral

Troubles are ordered with `discord.faults` (REST), with the methods of `Bot` (its connections
and events) and with `discord.clock.advance` (time). All REST calls are in `discord.requests`.
What a person could not do in Discord's own client raises `NotPossible`.
"""

from tests.discord_server.driver import Bot, Guild
from tests.discord_server.facade import DiscordServer
from tests.discord_server.intents import PRIVILEGED, Intent
from tests.discord_server.interaction import Interaction
from tests.discord_server.people import Member
from tests.discord_server.permissions import ALL, EVERYONE, MODERATOR, Permission
from tests.discord_server.places import Channel, Role, Webhook
from tests.discord_server.server import Request
from tests.discord_server.state import CallbackType, ChannelType
from tests.discord_server.views import Button, Message, Modal, NotPossible, Select

__all__ = [
    "ALL",
    "EVERYONE",
    "MODERATOR",
    "PRIVILEGED",
    "Bot",
    "Button",
    "CallbackType",
    "Channel",
    "ChannelType",
    "DiscordServer",
    "Guild",
    "Intent",
    "Interaction",
    "Member",
    "Message",
    "Modal",
    "NotPossible",
    "Permission",
    "Request",
    "Role",
    "Select",
    "Webhook",
]
