"""Slash commands, one file an area."""

from bot.discord_app.commands.appeal import Appeals
from bot.discord_app.commands.calibrate import Calibrate
from bot.discord_app.commands.channels import Channels
from bot.discord_app.commands.desk import Desk
from bot.discord_app.commands.exempt import Exempt
from bot.discord_app.commands.flags import Flags
from bot.discord_app.commands.help import Help
from bot.discord_app.commands.members import Members
from bot.discord_app.commands.messages import Messages
from bot.discord_app.commands.pause import Pause
from bot.discord_app.commands.people import People
from bot.discord_app.commands.phrases import Phrases
from bot.discord_app.commands.privacy import Erase, Privacy
from bot.discord_app.commands.queue import Queue
from bot.discord_app.commands.report import Reports
from bot.discord_app.commands.scan import Scan
from bot.discord_app.commands.score import Score
from bot.discord_app.commands.setup import Setup
from bot.discord_app.commands.strictness import Strict

COGS = (
    Setup,
    Desk,
    Pause,
    Strict,
    Calibrate,
    People,
    Phrases,
    Queue,
    Flags,
    Members,
    Reports,
    Score,
    Scan,
    Messages,
    Appeals,
    Channels,
    Exempt,
    Privacy,
    Erase,
    Help,
)
