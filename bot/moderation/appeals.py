"""Appeals: who may appeal against what, and who may answer."""

from __future__ import annotations

from bot.comment import Action, Flag, Status
from bot.errors import UserError
from bot.moderation.decisions import QUEUE_PERMISSION, Moderator, NotAllowedError, explain_loss, may
from bot.store import Appeal, Store, UnknownFlagError
from bot.words import _

APPEAL_LENGTH = 1000
ADMIN_PERMISSION = "manage_guild"
APPEALABLE = frozenset({Action.REMOVE, Action.WARN, Action.TIMEOUT, Action.KICK, Action.BAN})


async def appeal(store: Store, guild_id: str, flag_id: int, member_id: str, text: str) -> Appeal:
    """Appeal against what was decided on one's own message.

    Raises:
        UserError: it is not theirs, nothing was decided against them, it was appealed before,
            or nothing was written.
    """
    words = text.strip()
    if not words:
        raise UserError(_("Your appeal was empty. Write in a sentence or two what you think."))
    flag = await store.flags.get(guild_id, flag_id)
    if (
        flag is None
        or flag.comment.author_id != member_id
        or flag.decision is None
        or flag.decision.action not in APPEALABLE
    ):
        raise UserError(_("There is no decision here that you can appeal against."))
    filed = await store.appeals.file(guild_id, flag_id, member_id, words[:APPEAL_LENGTH])
    if not filed.won or filed.appeal is None:
        raise UserError(
            _("You have appealed against this decision already. There is one appeal for each.")
        )
    return filed.appeal


async def answer(
    store: Store,
    guild_id: str,
    flag_id: int,
    outcome: Status,
    moderator: Moderator,
    *,
    reason: str = "",
) -> Appeal:
    """Uphold or overturn what was decided on a flag, as somebody else than who decided it.

    Raises:
        NotAllowedError: the moderator may not manage messages, decided it themselves, or is
            whom it is about.
        UserError: there is no appeal, or another answer was first; the message says whose.
        UnknownFlagError: there is no such flag in this guild.
    """
    if outcome not in (Status.UPHELD, Status.OVERTURNED):
        raise ValueError(f"{outcome} answers no appeal")
    flag = await store.flags.get(guild_id, flag_id)
    if flag is None:
        raise UnknownFlagError(flag_id)
    check_may_answer(flag, moderator)
    found = await store.appeals.of_flag(guild_id, flag_id)
    if found is None:
        raise UserError(_("There is no appeal against flag {flag_id}.").format(flag_id=flag_id))
    result = await store.appeals.answer(
        guild_id, found.id, outcome, moderator.id, moderator.name, reason=reason.strip()
    )
    if result.won and result.appeal is not None:
        return result.appeal
    if result.appeal is None or result.appeal.outcome is None:
        current = await store.flags.get(guild_id, flag_id)
        raise UserError(explain_loss(current or flag))
    line = (
        _("{moderator} was first: the decision on flag {flag_id} is upheld.")
        if result.appeal.outcome is Status.UPHELD
        else _("{moderator} was first: the decision on flag {flag_id} is overturned.")
    )
    raise UserError(line.format(moderator=result.appeal.answered_by_name, flag_id=flag_id))


def check_may_answer(flag: Flag, moderator: Moderator) -> None:
    """Check that a moderator may answer the appeal against what was decided on a flag.

    Raises:
        NotAllowedError: they may not.
    """
    if not may(moderator, QUEUE_PERMISSION) and not may(moderator, ADMIN_PERMISSION):
        raise NotAllowedError(_("Only those who may manage messages can answer an appeal."))
    if moderator.id == flag.comment.author_id:
        raise NotAllowedError(_("This appeal is your own. Somebody else has to answer it."))
    if flag.decision is not None and flag.decision.moderator_id == moderator.id:
        raise NotAllowedError(
            _("You decided this yourself. Somebody else has to answer the appeal.")
        )
