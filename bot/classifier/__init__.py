"""The classifier: how hostile a message is toward each of the people it discusses."""

from bot.classifier.frugal import return_what_is_freed, without_the_heavy

return_what_is_freed()
with without_the_heavy():
    from bot.classifier.model import HostilityModel, Query

__all__ = ["HostilityModel", "Query"]
