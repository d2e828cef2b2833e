"""The classifier: how hostile a message is toward each of the people it discusses."""

from bot.classifier.frugal import without_pandas

with without_pandas():
    from bot.classifier.model import HostilityModel, Query

__all__ = ["HostilityModel", "Query"]
