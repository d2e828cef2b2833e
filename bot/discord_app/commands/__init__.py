"""Slash commands, one file an area."""

from bot.discord_app.commands.flags import Flags
from bot.discord_app.commands.people import People
from bot.discord_app.commands.queue import Queue
from bot.discord_app.commands.score import Score
from bot.discord_app.commands.setup import Setup

COGS = (Setup, People, Queue, Flags, Score)
