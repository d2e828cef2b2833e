"""All that can be done with flags, put together."""

from __future__ import annotations

from bot.store.flag_batches import FlagBatches
from bot.store.flag_cards import CardOutbox
from bot.store.flag_intake import FlagIntake
from bot.store.flag_rulings import FlagRulings


class Flags(FlagIntake, FlagRulings, CardOutbox, FlagBatches):
    """The moderators' queue and its log: intake, reading, rulings and cards."""
