"""Slash commands, one file an area."""

from bot.discord_app.commands.flags import Flags
from bot.discord_app.commands.people import People
from bot.discord_app.commands.phrases import Phrases
from bot.discord_app.commands.queue import Queue
from bot.discord_app.commands.score import Score
from bot.discord_app.commands.setup import Setup
from bot.discord_app.commands.strictness import Strict

COGS = (Setup, Strict, People, Phrases, Queue, Flags, Score)
