"""Flags as tables for people and as records for programs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from bot.comment import Flag, Level
from bot.moderation import others_meant
from bot.store import Event, EventKind, FlagPage, Revision

_LEVEL_STYLE = {
    Level.NONE: "dim",
    Level.CRITICAL: "yellow",
    Level.HOSTILE: "bright_red",
    Level.ABUSIVE: "bold white on red",
}
_SHORT_TEXT = 90
_MOST_WORDS = 4
_QUEUE_WIDTH = 70
_LOG_WIDTH = 90


def flag_record(flag: Flag, story: Sequence[Event] | None = None) -> dict[str, Any]:
    """Return a flag as JSON data, with its story if one is given."""
    comment, assessment, decision = flag.comment, flag.assessment, flag.decision
    record: dict[str, Any] = {
        "id": flag.id,
        "status": flag.status,
        "person": assessment.target,
        "target_type": assessment.target_type,
        "score": assessment.score,
        "level": int(assessment.level),
        "flagged": assessment.flagged,
        "threshold": assessment.threshold,
        "people": [
            {"name": one.name, "score": one.score, "level": int(one.level), "flagged": one.flagged}
            for one in assessment.people
        ],
        "member_score": assessment.member_score,
        "member_flagged": assessment.member_flagged,
        "why": [
            {"start": word.start, "end": word.end, "text": word.text, "weight": word.weight}
            for word in assessment.why
        ],
        "model": assessment.model,
        "ambiguous": assessment.ambiguous,
        "foreign": assessment.foreign,
        "text": comment.text,
        "author": comment.author_name,
        "author_id": comment.author_id,
        "channel": comment.channel_name,
        "channel_id": comment.channel_id,
        "guild_id": comment.guild_id,
        "message_id": comment.id,
        "parent_id": comment.parent_id,
        "jump_url": comment.jump_url,
        "reply_to": None
        if comment.reply_to is None
        else {
            "id": comment.reply_to.id,
            "text": comment.reply_to.text,
            "author": comment.reply_to.author_name,
        },
        "created_at": comment.created_at.isoformat(),
        "edited_at": _iso(comment.edited_at),
        "flagged_at": flag.flagged_at.isoformat(),
        "revisions": flag.revisions,
        "claimed_by": flag.claimed_by_name,
        "claimed_at": _iso(flag.claimed_at),
        "decision": None
        if decision is None
        else {
            "action": decision.action,
            "by": decision.moderator_name,
            "by_id": decision.moderator_id,
            "at": decision.decided_at.isoformat(),
            "reason": decision.reason,
        },
    }
    if story is not None:
        record["story"] = [
            {
                "kind": event.kind,
                "at": event.at.isoformat(),
                "by": event.by_name,
                "action": event.action,
                "note": event.note,
            }
            for event in story
        ]
    return record


def show_queue(
    page: FlagPage, empty: str = "The queue is empty.", *, with_guild: bool = False
) -> None:
    """Print the queue as a table, or `empty` when there is nothing in it."""
    console = Console()
    if not page.flags:
        console.print(plain(empty))
        return
    if console.width < _QUEUE_WIDTH:
        _show_blocks(console, page, with_guild=with_guild)
        console.print("Decide with: fanguard decide ID remove|dismiss|… --by NAME", markup=False)
        return
    table = _table("Level", "Person", "From", "Message, and words that tell", with_guild=with_guild)
    for flag in page.flags:
        words = _words(flag)
        words.stylize("dim italic")
        table.add_row(
            *_first_cells(flag, with_guild=with_guild),
            level_label(flag),
            target_label(flag),
            _from(flag),
            Text("\n").join([_short(flag.comment.text), words, *_notes(flag)]),
        )
    console.print(table)
    _show_rest(console, page)
    console.print("Decide with: fanguard decide ID remove|dismiss|… --by NAME", markup=False)


def show_log(page: FlagPage, empty: str, *, with_guild: bool = False) -> None:
    """Print a page of the flag log as a table, or `empty` when nothing matches."""
    console = Console()
    if not page.flags:
        console.print(plain(empty))
        return
    if console.width < _LOG_WIDTH:
        _show_blocks(console, page, with_guild=with_guild)
        return
    table = _table(
        "Posted (UTC)", "Status", "Level", "Person", "From", "Message", with_guild=with_guild
    )
    for flag in page.flags:
        table.add_row(
            *_first_cells(flag, with_guild=with_guild),
            Text(f"{flag.comment.created_at:%Y-%m-%d\n%H:%M}"),
            _status(flag),
            level_label(flag),
            target_label(flag),
            _from(flag),
            Text("\n").join([_short(flag.comment.text), *_notes(flag)]),
        )
    console.print(table)
    _show_rest(console, page)


def show_story(flag: Flag, story: Sequence[Event], wordings: Sequence[Revision]) -> None:
    """Print one flag in full, all its wordings and every step of its life."""
    console = Console()
    level = Text(" ").join(level_label(flag).split("\n"))
    console.print(Text(", ").join(_given(Text.assemble(f"Flag {flag.id}: ", level), flag)))
    author = flag.comment.author_name or flag.comment.author_id
    where = flag.comment.channel_name or flag.comment.channel_id
    console.print(plain(f"{author} in {where}, {_time(flag.comment.created_at)}"))
    for wording in wordings:
        console.print(Text.assemble((f"  {wording.number}. ", "dim"), plain(wording.text)))
    if words := _words(flag):
        console.print(Text.assemble(("Words that tell: ", "dim"), words))
    for line in _notes(flag):
        console.print(line)
    for event in story:
        by = f" by {event.by_name}" if event.by_name else ""
        note = f" ({event.note})" if event.note else ""
        what = str(event.kind)
        if event.kind is EventKind.DECIDED and event.action is not None:
            what = f"decided: {event.action.replace('_', ' ')}"
        console.print(plain(f"{_time(event.at)}  {what}{by}{note}"))


def _show_blocks(console: Console, page: FlagPage, *, with_guild: bool) -> None:
    """Print flags one below the other, for a terminal too narrow for a table."""
    for flag in page.flags:
        number, *server = _first_cells(flag, with_guild=with_guild)
        number.stylize("bold")
        level = Text(" ").join(level_label(flag).split("\n"))
        console.print(
            Text(" · ").join([*_given(Text.assemble(number, "  ", level), flag), _status(flag)])
        )
        place = Text(" ").join(_from(flag).split("\n"))
        details = [Text(" · ").join([*server, place, Text(_time(flag.comment.created_at))])]
        details += [part for part in (_short(flag.comment.text), _words(flag)) if part]
        details[0].stylize("dim")
        if len(details) > 2:  # noqa: PLR2004
            details[2].stylize("dim italic")
        details += _notes(flag)
        console.print(Padding(Text("\n").join(details), (0, 0, 1, 3)))
    _show_rest(console, page)


def _table(*names: str, with_guild: bool) -> Table:
    table = Table(header_style="bold", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("ID", justify="right", no_wrap=True)
    for name in (["Server"] if with_guild else []) + list(names):
        table.add_column(name, overflow="fold", no_wrap=name == "Level")
    return table


def _first_cells(flag: Flag, *, with_guild: bool) -> list[Text]:
    cells = [Text(str(flag.id))]
    return [*cells, plain(flag.comment.guild_id)] if with_guild else cells


def _show_rest(console: Console, page: FlagPage) -> None:
    if page.total > len(page.flags):
        console.print(f"{len(page.flags)} of {page.total} flags; --limit shows more.")


def level_label(flag: Flag) -> Text:
    """Return a flag's level and, on a second line, its score."""
    assessment = flag.assessment
    if _at_member_only(flag):
        name = ("member", _LEVEL_STYLE[Level.HOSTILE])
        return Text.assemble(name, f"\n{assessment.member_score:.2f}")
    level = assessment.level
    name = (f"{int(level)} {level.name.lower()}", _LEVEL_STYLE[level])
    return Text.assemble(name, f"\n{assessment.score:.2f}")


def target_label(flag: Flag) -> Text:
    """Return whom a flag is about."""
    if _at_member_only(flag):
        return Text("another member", style="italic")
    return plain(flag.assessment.target or "")


def _given(head: Text, flag: Flag) -> list[Text]:
    """A head, and behind it whom the flag is about if that is known."""
    return [part for part in (head, target_label(flag)) if part]


def _at_member_only(flag: Flag) -> bool:
    return flag.assessment.member_flagged and not flag.assessment.flagged


def _from(flag: Flag) -> Text:
    comment = flag.comment
    author = plain(comment.author_name or comment.author_id)
    channel = plain(f"#{comment.channel_name}" if comment.channel_name else comment.channel_id)
    return Text.assemble(author, "\n", channel)


def _status(flag: Flag) -> Text:
    if flag.decision is not None:
        done = flag.decision.action.replace("_", " ")
        return plain(f"{done} by {flag.decision.moderator_name}")
    if flag.claimed_by_name is not None:
        return plain(f"claimed by {flag.claimed_by_name}")
    return Text("open")


def _words(flag: Flag) -> Text:
    strongest = sorted(flag.assessment.why, key=lambda word: -word.weight)[:_MOST_WORDS]
    return plain(", ".join(word.text for word in strongest))


def _notes(flag: Flag) -> list[Text]:
    """What to keep in mind about a reading, line by line."""
    notes = []
    if flag.assessment.ambiguous and not _at_member_only(flag):
        others = ", ".join(others_meant(flag.assessment)) or "others on the roster"
        notes.append(f"Could also mean {others}.")
    if flag.assessment.foreign:
        notes.append("Not in English: read less well.")
    return [Text(plain(note).plain, style="yellow") for note in notes]


def _short(text: str) -> Text:
    short = plain(text)
    short.truncate(_SHORT_TEXT, overflow="ellipsis")
    return short


def plain(text: str) -> Text:
    """Return a text without markup, line breaks and terminal control codes."""
    kept = "".join(char if char.isprintable() else " " for char in text)
    return Text(" ".join(kept.split()))


def _time(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
