"""Deciding on a flag: which words there are, who may use them, and who was first."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from types import MappingProxyType

from bot.comment import Action, Flag, Status
from bot.errors import UserError
from bot.store import DecideResult, Store, UnknownFlagError
from bot.words import _

QUEUE_PERMISSION = "manage_messages"
UNDO_WINDOW = timedelta(minutes=5)
REQUIRED_PERMISSION: Mapping[Action, str] = MappingProxyType(
    {
        Action.REMOVE: "manage_messages",
        Action.DISMISS: "manage_messages",
        Action.NO_ACTION: "manage_messages",
        Action.WARN: "moderate_members",
        Action.TIMEOUT: "moderate_members",
        Action.KICK: "kick_members",
        Action.BAN: "ban_members",
    }
)


class NotAllowedError(UserError):
    """The moderator lacks the permission that an action needs."""


@dataclass(frozen=True, slots=True)
class Moderator:
    """Who decides. `permissions` are Discord's names ("manage_messages").

    None stands for the operator at the command line, whom nobody's permissions bind.
    """

    id: str
    name: str
    permissions: frozenset[str] | None = None


def parse_action(word: str) -> Action:
    """Return the action that a word means ("remove", "No action", "no-action").

    Raises:
        UserError: no action is called so; the message lists them, the nearest first.
    """
    plain = "_".join(word.replace("-", " ").replace("_", " ").split()).casefold()
    if plain in set(Action):
        return Action(plain)
    nearest = difflib.get_close_matches(plain, list(Action), n=1)
    line = (
        _("“{word}” is not an action. Did you mean “{nearest}”? There are: {actions}.")
        if nearest
        else _("“{word}” is not an action. There are: {actions}.")
    )
    raise UserError(line.format(word=word, nearest="".join(nearest), actions=", ".join(Action)))


def may(moderator: Moderator, permission: str) -> bool:
    """Say whether a moderator holds a permission, or is an administrator."""
    held = moderator.permissions
    return held is None or permission in held or "administrator" in held


async def decide(
    store: Store,
    guild_id: str | None,
    flag_id: int,
    action: Action,
    moderator: Moderator,
    *,
    reason: str = "",
    undoable: bool = False,
) -> DecideResult:
    """Decide on a flag, if nobody was faster; `explain_loss` says who was.

    One that is `undoable` can be taken back for `UNDO_WINDOW` with `undo`.

    Raises:
        NotAllowedError: the moderator lacks Discord's permission for this action.
        UnknownFlagError: there is no such flag in this guild.
    """
    needed = REQUIRED_PERMISSION[action]
    if not may(moderator, needed):
        readable = needed.replace("_", " ").title()
        raise NotAllowedError(
            _("You need the permission “{readable}” for that.").format(readable=readable)
        )
    return await store.flags.decide(
        guild_id,
        flag_id,
        action,
        moderator.id,
        moderator.name,
        reason=reason.strip(),
        undo_for=UNDO_WINDOW if undoable else None,
    )


def check_undoable(flag: Flag) -> None:
    """Check that a flag's decision can still be undone.

    Raises:
        UserError: it cannot, or not any more.
    """
    if flag.decision is None:
        raise UserError(
            _("Flag {flag} is not decided, so there is nothing to undo.").format(flag=flag.id)
        )
    if flag.status is not Status.DECIDED:
        raise UserError(
            _("Flag {flag} is appealed against: answer the appeal.").format(flag=flag.id)
        )
    if flag.decision.action is Action.REMOVE:
        raise UserError(_("A removal cannot be undone. The text can be shown again to moderators."))
    if flag.undo_until is None or flag.undo_until <= datetime.now(UTC):
        minutes = int(UNDO_WINDOW.total_seconds() // 60)
        raise UserError(
            _(
                "The {minutes} minutes for undoing are over. Lift it in Discord: the member's "
                "profile for a timeout, Server Settings for a ban."
            ).format(minutes=minutes)
        )


async def reopen(
    store: Store, guild_id: str | None, flag_id: int, moderator: Moderator, *, reason: str = ""
) -> Flag:
    """Take a decision back: the flag waits in the queue again, the story keeps the decision.

    What was done in Discord stays done.

    Raises:
        NotAllowedError: the moderator may not manage messages.
        UserError: the flag is not decided.
        UnknownFlagError: there is no such flag in this guild.
    """
    if not may(moderator, QUEUE_PERMISSION):
        raise NotAllowedError(_("Only those who may manage messages can open a flag again."))
    flag = await store.flags.get(guild_id, flag_id)
    if flag is None:
        raise UnknownFlagError(flag_id)
    if flag.status is Status.APPEALED:
        raise UserError(
            _("Flag {flag} is appealed against: answer the appeal.").format(flag=flag_id)
        )
    if not flag.status.is_final:
        raise UserError(
            _("Flag {flag_id} is not decided yet, so there is nothing to take back.").format(
                flag_id=flag_id
            )
        )
    return await store.flags.reopen(
        guild_id, flag_id, moderator.id, moderator.name, note=reason.strip()
    )


def explain_loss(flag: Flag) -> str:
    """Say in one sentence whose decision or claim stands on a flag."""
    if flag.decision is not None:
        when = f"{flag.decision.decided_at:%Y-%m-%d %H:%M} UTC"
        done = flag.decision.action.replace("_", " ")
        return _("Flag {flag} was already decided by {moderator_name}: {done}, {when}.").format(
            flag=flag.id, moderator_name=flag.decision.moderator_name, done=done, when=when
        )
    if flag.status is Status.CLAIMED:
        return _("Flag {flag} is being handled by {claimed_by_name}.").format(
            flag=flag.id, claimed_by_name=flag.claimed_by_name
        )
    return _("Flag {flag} is open.").format(flag=flag.id)
