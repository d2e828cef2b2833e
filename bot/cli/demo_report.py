"""What the demo ends with: the queue, and how it compares with the labels made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from bot.cli.flag_output import plain, show_queue
from bot.comment import Level, TargetType
from bot.moderation import TakeResult
from bot.sources.demo import GUILD_ID, ChatEvent, EventKind, Truth, load_truth
from bot.store import FlagPage, Store

_QUEUE_ROWS = 20
_LISTED = 10
_TEXT_WIDTH = 100

Results = Mapping[tuple[str, int], TakeResult]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One member's message against its labels.

    `truth` is the label of its worst wording that counts; `queued` says whether any
    wording was.
    """

    event: ChatEvent
    truth: Truth
    queued: bool


def compare(chat: Sequence[ChatEvent], results: Results) -> list[Outcome]:
    """Hold each member's message against its labels.

    Messages hostile at a whole fandom alone are left out: queueing them is neither right
    nor wrong.
    """
    worst: dict[str, Outcome] = {}
    labels = load_truth()
    for event in chat:
        key = (event.comment.id, event.revision)
        if event.kind is EventKind.DELETE or key not in results:
            continue
        outcome = Outcome(event, labels[key], results[key].flag is not None)
        earlier = worst.get(event.comment.id)
        if earlier is not None:
            queued = earlier.queued or outcome.queued
            worse = max(outcome, earlier, key=lambda one: (one.truth.queued, one.truth.level))
            outcome = Outcome(worse.event, worse.truth, queued)
        worst[event.comment.id] = outcome
    return [outcome for outcome in worst.values() if outcome.truth.counted]


async def show_ending(
    console: Console,
    store: Store,
    chat: Sequence[ChatEvent],
    results: Results,
    *,
    db: str | None,
) -> None:
    """Print the queue, what was caught and missed, and how to decide.

    Args:
        console: where to.
        store: the demo's database.
        chat: the events that were played.
        results: what became of each wording.
        db: the database to name in the commands, None if they find it by themselves.
    """
    page = await store.flags.log(GUILD_ID, order="strongest", limit=_QUEUE_ROWS)
    console.print()
    console.print(f"The queue: {page.total} messages, the gravest first", style="bold")
    show_queue(FlagPage(page.flags, len(page.flags)))
    if page.total > len(page.flags):
        console.print(f"… and {page.total - len(page.flags)} more: fanguard queue")
    console.print()
    _show_comparison(console, compare(chat, results))
    option = f" --db {db}" if db else ""
    commands = {
        f"fanguard queue{option}": "the queue",
        f"fanguard decide ID remove|dismiss|… --by NAME{option}": "decide on a message",
        f"fanguard log{option}": "every flag, and what was decided",
    }
    width = max(map(len, commands))
    console.print()
    for command, what in commands.items():
        line = Text.assemble("  ", (command.ljust(width), "bold"), f"   {what}")
        console.print(line, soft_wrap=True)


def _show_comparison(console: Console, outcomes: Sequence[Outcome]) -> None:
    hostile = [one for one in outcomes if one.truth.queued]
    fair = [one for one in outcomes if not one.truth.queued]
    missed = [one for one in hostile if not one.queued]
    false_alarms = [one for one in fair if one.queued]
    console.print("Against labels made by hand", style="bold")
    console.print(
        f"Found {_found(hostile)} hostile messages: "
        f"{_found([one for one in hostile if one.truth.target_type is TargetType.PERSON])} "
        "toward the people discussed, "
        f"{_found([one for one in hostile if one.truth.target_type is TargetType.MEMBER])} "
        "at other members; of the abusive ones (level 3) "
        f"{_found([one for one in hostile if one.truth.level is Level.ABUSIVE])}."
    )
    alarms = "1 false alarm" if len(false_alarms) == 1 else f"{len(false_alarms)} false alarms"
    console.print(f"{alarms} among {len(fair)} fair messages.")
    _show_list(console, "Missed", missed)
    _show_list(console, "False alarms", false_alarms)


def _found(outcomes: Sequence[Outcome]) -> str:
    return f"{sum(one.queued for one in outcomes)} of {len(outcomes)}"


def _show_list(console: Console, name: str, outcomes: Sequence[Outcome]) -> None:
    if not outcomes:
        return
    console.print()
    console.print(f"{name}:", style="bold")
    for outcome in outcomes[:_LISTED]:
        text = plain(outcome.event.comment.text)
        text.truncate(_TEXT_WIDTH, overflow="ellipsis")
        author = outcome.event.comment.author_name
        why = (f"  ({outcome.truth.why})", "dim")
        line = Text.assemble(plain(author), ": ", text, why)
        if console.is_terminal:
            console.print(Padding(line, (0, 0, 0, 2)))
        else:
            console.print(Text.assemble("  ", line), soft_wrap=True)
    if len(outcomes) > _LISTED:
        console.print(f"  … and {len(outcomes) - _LISTED} more")
