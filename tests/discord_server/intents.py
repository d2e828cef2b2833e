"""Gateway intents: what a bot asked to be told."""

from __future__ import annotations

from enum import IntFlag


class Intent(IntFlag):
    """The bits of IDENTIFY's `intents`, those this server heeds."""

    GUILDS = 1 << 0
    GUILD_MEMBERS = 1 << 1
    GUILD_MODERATION = 1 << 2
    GUILD_PRESENCES = 1 << 8
    GUILD_MESSAGES = 1 << 9
    DIRECT_MESSAGES = 1 << 12
    MESSAGE_CONTENT = 1 << 15


PRIVILEGED = Intent.GUILD_MEMBERS | Intent.GUILD_PRESENCES | Intent.MESSAGE_CONTENT
"""Those that an application's portal page must allow."""

KNOWN = (1 << 26) - 1
"""Every bit that Discord accepts in IDENTIFY."""

_BY_PREFIX = {
    "GUILD_MEMBER_": Intent.GUILD_MEMBERS,
    "GUILD_BAN_": Intent.GUILD_MODERATION,
    "GUILD_AUDIT_LOG_": Intent.GUILD_MODERATION,
    "THREAD_MEMBERS_": Intent.GUILD_MEMBERS,
    "MESSAGE_": Intent.GUILD_MESSAGES,
}


def required(event: str, *, direct: bool) -> int:
    """The intent without which `event` is not sent; 0 if none is needed."""
    if event == "INTERACTION_CREATE":
        return 0
    if direct:
        return Intent.DIRECT_MESSAGES
    for prefix, intent in _BY_PREFIX.items():
        if event.startswith(prefix):
            return intent
    return Intent.GUILDS
