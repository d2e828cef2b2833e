"""The classifier: how hostile a message is toward each of the people it discusses."""

from bot.classifier.frugal import without_the_heavy

with without_the_heavy():
    from bot.classifier.model import HostilityModel, Query

__all__ = ["HostilityModel", "Query"]
