"""What a channel may set for itself, as managers write it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.comment import Person
from bot.errors import UserError
from bot.words import _

FOLLOWS_SERVER = "server"
EVERYONE = "all"
LOWEST, HIGHEST = 0.01, 0.99


def parse_strictness(text: str) -> float | None:
    """Read from which score messages are queued; None follows the server.

    Raises:
        UserError: it is neither “server” nor a score.
    """
    if text.strip().casefold() == FOLLOWS_SERVER:
        return None
    try:
        score = float(text.strip().replace(",", "."))
    except ValueError:
        score = 0.0
    if not LOWEST <= score <= HIGHEST:
        raise UserError(
            _(
                "“{text}” is no strictness. Write “{follows_server}”, or a score from {lowest} "
                "to {highest}; the lower, the stricter."
            ).format(text=text, follows_server=FOLLOWS_SERVER, lowest=LOWEST, highest=HIGHEST)
        )
    return score


def parse_followed(text: str, roster: Sequence[Person]) -> tuple[str, ...]:
    """Read whom a channel follows, by names or aliases with commas; empty means everyone.

    Raises:
        UserError: somebody is not on the roster.
    """
    if text.strip().casefold() == EVERYONE:
        return ()
    found: dict[str, None] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        person = _called(part, roster)
        if person is None:
            raise UserError(
                _("Nobody called “{part}” is on the roster. /people list shows it.").format(
                    part=part
                )
            )
        found[person.name] = None
    if not found:
        raise UserError(
            _("Name someone of the roster, or write “{everyone}”.").format(everyone=EVERYONE)
        )
    return tuple(found)


def _called(name: str, roster: Sequence[Person]) -> Person | None:
    wanted = name.casefold()
    by_name = [one for one in roster if one.name.casefold() == wanted]
    by_alias = [one for one in roster if wanted in map(str.casefold, one.aliases)]
    return next(iter((*by_name, *by_alias)), None)
