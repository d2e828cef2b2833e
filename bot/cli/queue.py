"""`fanguard queue`, `decide`, `reopen` and `log`: the moderators' work at the command line."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.database import DatabaseOption, opened
from bot.comment import Status
from bot.errors import UserError

if TYPE_CHECKING:
    from bot.moderation import Moderator

_LISTED = 50
_MOST_LISTED = 1_000_000
_MOST_CHARACTERS = {"--by": 100, "--reason": 512}
"""How long a text may be; Discord's audit log takes no longer reason."""


class StatusChoice(StrEnum):
    """The statuses that a list can be narrowed to."""

    WAITING = "waiting"
    OPEN = "open"
    CLAIMED = "claimed"
    DECIDED = "decided"
    APPEALED = "appealed"
    UPHELD = "upheld"
    OVERTURNED = "overturned"
    ALL = "all"

    @property
    def statuses(self) -> Sequence[Status] | None:
        """The flags' own statuses; None for any."""
        if self is StatusChoice.ALL:
            return None
        if self is StatusChoice.WAITING:
            return (Status.OPEN, Status.CLAIMED)
        return (Status(self.value),)


def _text(param: typer.CallbackParam, value: str | None) -> str | None:
    """Refuse bytes that are no text, and texts that are too long."""
    option = param.opts[0]
    try:
        (value or "").encode()
    except UnicodeEncodeError:
        raise UserError(f"What {option} was given is not text in UTF-8. Type it anew.") from None
    most = _MOST_CHARACTERS.get(option)
    if value and most and len(value) > most:
        raise UserError(
            f"{option} takes at most {most} characters and was given {len(value)}. Shorten it."
        )
    return value


def _in_bounds(limit: int | None) -> int | None:
    if limit is not None and not 1 <= limit <= _MOST_LISTED:
        raise UserError(f"--limit takes a number from 1 to {_MOST_LISTED}.")
    return limit


GuildOption = Annotated[
    str | None,
    typer.Option("--guild", metavar="ID", help="Only this server's flags.", callback=_text),
]
PersonOption = Annotated[
    str | None,
    typer.Option(
        "--person",
        metavar="NAME",
        help="Only flags for this person: any part of a name.",
        callback=_text,
    ),
]
ReasonOption = Annotated[str, typer.Option("--reason", help="Why, for the log.", callback=_text)]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON array instead.")]
LimitOption = Annotated[
    int | None,
    typer.Option(
        "--limit",
        help=f"How many at most (table: {_LISTED}; JSON: all).",
        callback=_in_bounds,
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(queue)
    app.command()(decide)
    app.command()(reopen)
    app.command()(log)


def queue(
    *,
    status: Annotated[
        StatusChoice, typer.Option("--status", help="waiting is open or claimed.")
    ] = StatusChoice.WAITING,
    person: PersonOption = None,
    guild: GuildOption = None,
    limit: LimitOption = None,
    as_json: JsonOption = False,
    db: DatabaseOption = None,
) -> None:
    """Show the flags that wait for a decision, the gravest first (level times score)."""
    from bot.cli.flag_output import flag_record, show_queue

    async def run() -> None:
        async with opened(db) as store:
            page = await store.flags.log(
                guild,
                status=status.statuses,
                person=person,
                order="strongest",
                limit=_limit(limit, as_json=as_json),
            )
            elsewhere = 0 if page.total else await store.flags.count(guild, person=person)
            guilds = await store.flags.guild_ids()
        if as_json:
            typer.echo(json.dumps([flag_record(flag) for flag in page.flags]))
        else:
            empty = _empty(person, elsewhere, "The queue is empty.")
            show_queue(page, empty, with_guild=guild is None and len(guilds) > 1)

    asyncio.run(run())


def decide(
    flag_id: Annotated[int, typer.Argument(metavar="ID", help="The flag's number.")],
    action: Annotated[
        str, typer.Argument(help="remove, dismiss, timeout, warn, kick, ban or no_action.")
    ],
    by: Annotated[str, typer.Option("--by", metavar="NAME", help="Who decides.", callback=_text)],
    reason: ReasonOption = "",
    db: DatabaseOption = None,
) -> None:
    """Decide on a flag. The first decision stands."""
    from bot.comment import Action
    from bot.moderation import decide as decide_on
    from bot.moderation import explain_loss, parse_action

    chosen = parse_action(action)
    moderator = _operator(by)

    async def run() -> None:
        async with opened(db) as store:
            result = await decide_on(store, None, flag_id, chosen, moderator, reason=reason)
        if not result.won:
            raise UserError(explain_loss(result.flag))
        typer.echo(f"Flag {flag_id}: {chosen.replace('_', ' ')}, decided by {moderator.name}.")
        if chosen not in {Action.DISMISS, Action.NO_ACTION}:
            typer.echo("This is recorded; nothing was done in Discord.")

    asyncio.run(run())


def reopen(
    flag_id: Annotated[int, typer.Argument(metavar="ID", help="The flag's number.")],
    by: Annotated[
        str, typer.Option("--by", metavar="NAME", help="Who takes it back.", callback=_text)
    ],
    reason: ReasonOption = "",
    db: DatabaseOption = None,
) -> None:
    """Take a decision back. The flag waits in the queue again; the log keeps both steps."""
    from bot.moderation import reopen as open_again

    moderator = _operator(by)

    async def run() -> None:
        async with opened(db) as store:
            await open_again(store, None, flag_id, moderator, reason=reason)
        typer.echo(f"Flag {flag_id}: open again, by {moderator.name}.")
        typer.echo("What was done in Discord, if anything was, stays done.")

    asyncio.run(run())


def log(
    flag_id: Annotated[
        int | None, typer.Argument(metavar="[ID]", help="One flag, with its whole story.")
    ] = None,
    *,
    status: Annotated[
        StatusChoice, typer.Option("--status", help="waiting is open or claimed.")
    ] = StatusChoice.ALL,
    person: PersonOption = None,
    member: Annotated[
        str | None,
        typer.Option(
            "--member", metavar="NAME", help="Who posted: a name or an id.", callback=_text
        ),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(
            "--since",
            metavar="DATE",
            help="From this day on, such as 2026-11-30, yesterday or 7d (UTC).",
        ),
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="DATE", help="To the end of this day (UTC).")
    ] = None,
    guild: GuildOption = None,
    limit: LimitOption = None,
    as_json: JsonOption = False,
    db: DatabaseOption = None,
) -> None:
    """Show the flag log, the newest first; with an ID, one flag and its story."""
    from bot.cli.flag_output import flag_record, show_log, show_story
    from bot.store import FlagPage, UnknownFlagError

    start = None if since is None else _moment(since, end_of_day=False)
    end = None if until is None else _moment(until, end_of_day=True)

    async def run() -> None:
        async with opened(db) as store:
            if flag_id is None:
                page = await store.flags.log(
                    guild,
                    status=status.statuses,
                    person=person,
                    author=member,
                    since=start,
                    until=end,
                    limit=_limit(limit, as_json=as_json),
                )
            elif (one := await store.flags.get(guild, flag_id)) is None:
                raise UnknownFlagError(flag_id)
            else:
                page = FlagPage((one,), 1)
            elsewhere = 0 if page.total else await store.flags.count(guild, person=person)
            guilds = await store.flags.guild_ids()
            stories = await store.flags.stories(guild, [flag.id for flag in page.flags])
            wordings = await store.flags.revisions(guild, flag_id) if flag_id is not None else []
        if as_json:
            records = [flag_record(flag, stories[flag.id]) for flag in page.flags]
            typer.echo(json.dumps(records))
        elif flag_id is not None:
            show_story(page.flags[0], stories[flag_id], wordings)
        else:
            empty = _empty(person, elsewhere, "No flag matches.")
            show_log(page, empty, with_guild=guild is None and len(guilds) > 1)

    asyncio.run(run())


def _operator(by: str) -> Moderator:
    from bot.moderation import Moderator

    name = " ".join(by.split())
    if not name:
        raise UserError("Say who decides: --by NAME")
    return Moderator(f"cli:{name.casefold()}", name)


def _empty(person: str | None, elsewhere: int, otherwise: str) -> str:
    """What to say when nothing was found; `elsewhere` counts what other filters keep out."""
    if person is None:
        return otherwise
    more = f' here; {elsewhere} in all: fanguard log --person "{person}"' if elsewhere else ""
    return f"No flags for “{person}”{more}."


def _limit(limit: int | None, *, as_json: bool) -> int | None:
    return limit if limit is not None or as_json else _LISTED


def _moment(text: str, *, end_of_day: bool) -> datetime:
    from bot.moderation import parse_day

    try:
        moment = datetime.fromisoformat(text)
        is_day = len(text) <= len("2026-11-30")
    except ValueError:
        day = parse_day(text, datetime.now(UTC).date())
        moment, is_day = datetime.combine(day, time()), True
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    try:
        moment = moment.astimezone(UTC)
        return moment + timedelta(days=1) if end_of_day and is_day else moment
    except OverflowError:
        raise UserError(
            f"“{text}” is at the edge of the calendar. Give a day of the years 2 to 9998."
        ) from None
