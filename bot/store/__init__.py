"""The database: the only room that knows SQL."""

from bot.store.appeals import Appeal, AppealResult, Appeals
from bot.store.channel_settings import Channels, ChannelSettings, ExemptRoles
from bot.store.checkpoints import Checkpoints
from bot.store.configured import DatabaseChoice, choose_database, open_configured, same_file
from bot.store.crypto import load_or_create_key
from bot.store.drafts import Drafts, SetupDraft
from bot.store.erasure import Erased, Erasure
from bot.store.errors import StoreError, UnknownFlagError
from bot.store.figures import FlagFigures, Ruled
from bot.store.flag_batches import Surroundings
from bot.store.flag_intake import Intake
from bot.store.flag_log import Filters, Order
from bot.store.flags import Flags
from bot.store.guilds import Guilds, GuildSettings
from bot.store.imports import ImportProgress, Imports
from bot.store.maintenance import CheckReport, back_up, check
from bot.store.moving import Moved, copy
from bot.store.notices import Notices, ThresholdNotice
from bot.store.phrases import LONGEST_PHRASE, MOST_PHRASES, Phrases
from bot.store.records import (
    AddResult,
    CardState,
    ClaimResult,
    DecideResult,
    Event,
    EventKind,
    FlagPage,
    Revision,
)
from bot.store.reports import Report, Reports
from bot.store.roster import Roster
from bot.store.scans import ChannelScan, ChannelScans
from bot.store.store import Store, open_store

__all__ = [
    "LONGEST_PHRASE",
    "MOST_PHRASES",
    "AddResult",
    "Appeal",
    "AppealResult",
    "Appeals",
    "CardState",
    "ChannelScan",
    "ChannelScans",
    "ChannelSettings",
    "Channels",
    "CheckReport",
    "Checkpoints",
    "ClaimResult",
    "DatabaseChoice",
    "DecideResult",
    "Drafts",
    "Erased",
    "Erasure",
    "Event",
    "EventKind",
    "ExemptRoles",
    "Filters",
    "FlagFigures",
    "FlagPage",
    "Flags",
    "GuildSettings",
    "Guilds",
    "ImportProgress",
    "Imports",
    "Intake",
    "Moved",
    "Notices",
    "Order",
    "Phrases",
    "Report",
    "Reports",
    "Revision",
    "Roster",
    "Ruled",
    "SetupDraft",
    "Store",
    "StoreError",
    "Surroundings",
    "ThresholdNotice",
    "UnknownFlagError",
    "back_up",
    "check",
    "choose_database",
    "copy",
    "load_or_create_key",
    "open_configured",
    "open_store",
    "same_file",
]
