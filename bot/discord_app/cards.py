"""What moderators see: the card of one flag, the digest of many, a page of a list.

Everything a member wrote is escaped and stands behind a spoiler; mentions stay inside
embeds, where Discord pings nobody. Each embed keeps within 6000 characters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

import discord

from bot.comment import Action, Assessment, Comment, Flag, Level, PartKind, Status, TargetType
from bot.discord_app.quoting import label, quote, short, spoiler
from bot.moderation import others_meant
from bot.store import Event, Surroundings
from bot.words import _

TEXT_LIMIT = 1900
REPLY_LIMIT = 700
WORDS_LIMIT = 400
NAME_LIMIT = 80
STORY_LIMIT = 600
LINES_LIMIT = 3900
MOST_WORDS = 6
NOTE_LIMIT = 120
MOST_OTHERS = 4
PIECE_LIMIT = 160
MOST_PIECES = 6
ERASED = "*(The text was erased.)*"

NOTHING = Surroundings()

LEVELS = {
    Level.NONE: "none",
    Level.CRITICAL: "critical",
    Level.HOSTILE: "hostile",
    Level.ABUSIVE: "abusive",
}

DONE = {
    Action.REMOVE: "removed",
    Action.DISMISS: "dismissed",
    Action.TIMEOUT: "timed out",
    Action.WARN: "warned",
    Action.KICK: "kicked",
    Action.BAN: "banned",
    Action.NO_ACTION: "left as it is",
}

_PIECES = {
    PartKind.FORWARDED: "Forwarded, written by somebody whom I cannot name",
    PartKind.POLL: "A poll and its answers",
    PartKind.DESCRIPTION: "The description of an attachment",
    PartKind.TITLE: "The title of a thread",
}

_KINDS = {
    TargetType.MEMBER: "another member",
    TargetType.GROUP: "a group",
    TargetType.OBJECT: "a thing",
    TargetType.SELF: "themselves",
    TargetType.NONE: "nobody named",
    TargetType.PERSON: "someone",
}


def score_of(assessment: Assessment) -> float:
    """The score that put the message in the queue."""
    if not assessment.flagged and assessment.member_flagged:
        return assessment.member_score
    return assessment.score


def level_of(assessment: Assessment) -> Level:
    """The level to show: an attack on a member is hostile though no person is."""
    if not assessment.flagged and assessment.member_flagged:
        return max(assessment.level, Level.HOSTILE)
    return assessment.level


def plain_target_of(assessment: Assessment) -> str:
    """Whom a message is aimed at, in plain words."""
    if not assessment.flagged and assessment.member_flagged:
        return _KINDS[TargetType.MEMBER]
    return assessment.target or _KINDS[assessment.target_type]


def target_of(assessment: Assessment, limit: int = NAME_LIMIT) -> str:
    """Whom a message is aimed at, escaped."""
    return label(plain_target_of(assessment), limit)


def jump_url(flag: Flag) -> str | None:
    """Where the message is, or None for one that is not on Discord."""
    comment = flag.comment
    ids = (comment.guild_id, comment.channel_id, comment.id)
    if flag.erased:
        return None
    if comment.jump_url:
        return comment.jump_url
    return f"https://discord.com/channels/{'/'.join(ids)}" if all(map(str.isdigit, ids)) else None


def flag_embed(flag: Flag, around: Surroundings = NOTHING) -> discord.Embed:
    """The card of one flag, with what surrounds it."""
    comment, assessment = flag.comment, flag.assessment
    level = level_of(assessment)
    embed = discord.Embed(
        title=_title(flag, level),
        url=jump_url(flag),
        description=ERASED if flag.erased else _text(flag),
        colour=_colour(flag, level),
        timestamp=comment.created_at,
    )
    embed.add_field(name=_("Author"), value=_author(flag, around))
    embed.add_field(name=_("Message"), value=_place(flag))
    embed.add_field(
        name=_("Level"),
        value=_(
            "{level} ({number} of {most})\nscore {score:.2f}, queued from {threshold:.2f}"
        ).format(
            level=_(LEVELS[level]),
            number=int(level),
            most=int(max(Level)),
            score=score_of(assessment),
            threshold=assessment.threshold,
        ),
    )
    if flag.reports:
        members = "1 member" if flag.reports == 1 else f"{flag.reports} members"
        embed.add_field(name=_("Reported"), value=_("by {members}").format(members=members))
    if made_of := made_of_lines(comment):
        embed.add_field(name=_("What it is made of"), value=made_of, inline=False)
    if comment.reply_to is not None:
        name = label(comment.reply_to.author_name, NAME_LIMIT) or "someone"
        value = f"**{name}**: {spoiler(comment.reply_to.text, REPLY_LIMIT)}"
        embed.add_field(name=_("In reply to"), value=value, inline=False)
    others = [person for person in assessment.people if person.flagged]
    if len(others) > 1:
        lines = (f"{label(p.name, 40)} {p.score:.2f}" for p in others[:6])
        embed.add_field(name=_("Aimed at"), value="\n".join(lines), inline=False)
    words = words_of(assessment)
    if words:
        embed.add_field(name=_("Words that tell"), value=words, inline=False)
    notes = notes_of(assessment)
    if notes:
        embed.add_field(name=_("Note"), value=notes, inline=False)
    for name, value in happened(flag, around):
        embed.add_field(name=name, value=value, inline=False)
    state = state_line(flag)
    if state:
        embed.add_field(name=_state_name(flag), value=state, inline=False)
    revision = f" · edited, revision {flag.revisions}" if flag.revisions > 1 else ""
    embed.set_footer(text=short(f"Flag {flag.id} · {assessment.model}{revision}", 200))
    return embed


def _title(flag: Flag, level: Level) -> str:
    assessment = flag.assessment
    if assessment.flagged or assessment.member_flagged:
        return f"{LEVELS[level].capitalize()} toward {target_of(assessment)}"
    return _("Reported to you") if flag.reports else _("Sent to the queue")


def _text(flag: Flag) -> str:
    """The text behind a spoiler, the telling words in bold."""
    spans = ((why.start, why.end) for why in flag.assessment.why if why.weight > 0)
    return spoiler(flag.comment.text, TEXT_LIMIT, spans)


def made_of_lines(comment: Comment) -> str:
    """Where the pieces of a text come from, line by line; empty if it was simply written."""
    lines, links = list[str](), list[str]()
    for part in comment.parts:
        if part.kind is PartKind.MESSAGE:
            place = f"{comment.guild_id}/{comment.channel_id}/{part.message_id}"
            link = f"[{len(links) + 1}](https://discord.com/channels/{place})"
            links.append(f"~~{link}~~ (gone)" if part.gone else link)
        elif part.kind in _PIECES:
            piece = spoiler(comment.text[part.start : part.end], PIECE_LIMIT)
            lines.append(f"{_PIECES[part.kind]}: {piece}")
    if links:
        lines.append(f"{len(links)} messages in a row, read together: {' · '.join(links)}")
    return "\n".join(lines[:MOST_PIECES])


def happened(flag: Flag, around: Surroundings) -> Iterator[tuple[str, str]]:
    """What else is to be known: others with the same text, the message gone, and notes."""
    if around.others:
        members = f"{around.others} other{'s' if around.others > 1 else ''}"
        yield "Same text", f"Also posted by {members} within a day."
    if flag.gone_at is not None:
        by = ""
        if flag.gone_by_id:
            by = f", deleted by {_moderator(flag.gone_by_id, flag.gone_by_name or '')}"
        moment = discord.utils.format_dt(flag.gone_at, "R")
        yield "Gone", f"The message is gone ({moment}){by}. Its text is kept here."
    if around.notes:
        lines = (
            f"{label(note.by_name, 40)}: {quote(note.note, NOTE_LIMIT)[0]}" for note in around.notes
        )
        yield "Notes", "\n".join(lines)


def words_of(assessment: Assessment) -> str:
    """The words that tell, the weightiest first, behind a spoiler; empty if there are none."""
    ranked = sorted(assessment.why, key=lambda why: why.weight, reverse=True)
    words = list(dict.fromkeys(short(why.text, 60) for why in ranked if why.text.strip()))
    return spoiler(" · ".join(words[:MOST_WORDS]), WORDS_LIMIT) if words else ""


def notes_of(assessment: Assessment) -> str:
    """What to keep in mind about a reading, line by line; empty if there is nothing."""
    lines: list[str] = []
    if assessment.ambiguous and (assessment.flagged or not assessment.member_flagged):
        others = others_meant(assessment)[:MOST_OTHERS]
        names = ", ".join(label(name, 40) for name in others) or "others on the roster"
        lines.append(f"Could also mean {names}.")
    if assessment.foreign:
        lines.append("Not in English: Fanguard reads this less well.")
    return "\n".join(lines)


def state_line(flag: Flag) -> str:
    """Who has taken or decided a flag, or let it lapse; empty while nobody has."""
    if flag.decision is not None:
        decision = flag.decision
        reason = f": {quote(decision.reason, 300)[0]}" if decision.reason else ""
        done = DONE[decision.action].capitalize()
        who = _moderator(decision.moderator_id, decision.moderator_name)
        moment = discord.utils.format_dt(decision.decided_at, "R")
        final = " *A removal cannot be undone.*" if decision.action is Action.REMOVE else ""
        return f"{done} by {who} {moment}{reason}{final}"
    if flag.status is Status.CLAIMED and flag.claimed_at is not None:
        who = _moderator(flag.claimed_by_id or "", flag.claimed_by_name or "")
        return _("Taken by {who} {claimed_at}").format(
            who=who, claimed_at=discord.utils.format_dt(flag.claimed_at, "R")
        )
    if flag.claim_lapsed_of is not None:
        who = label(flag.claim_lapsed_of, NAME_LIMIT) or "a moderator"
        return _("The claim of {who} has lapsed: it is open to all again.").format(who=who)
    return ""


def _state_name(flag: Flag) -> str:
    if flag.decision is not None:
        return "Decision"
    return "Taken" if flag.status is Status.CLAIMED else "Lapsed"


def list_line(flag: Flag, *, with_card: bool = False) -> str:
    """A flag in one line of a list: id, who, toward whom, level, score, and how it stands."""
    author = label(flag.comment.author_name, 24) or "someone"
    line = f"**{flag.id}** {author} → {target_of(flag.assessment, 32)}"
    if flag.decision is not None:
        done, who = DONE[flag.decision.action], label(flag.decision.moderator_name, 24)
        return f"~~{line}~~ {done} by {who}"
    line += f" · {LEVELS[level_of(flag.assessment)]} {score_of(flag.assessment):.2f}"
    if flag.status is Status.CLAIMED:
        line += f" · taken by {label(flag.claimed_by_name or '', 24)}"
    url = jump_url(flag)
    line += f" · [jump]({url})" if url else ""
    if with_card and flag.card_channel_id and flag.card_message_id:
        place = f"{flag.comment.guild_id}/{flag.card_channel_id}/{flag.card_message_id}"
        line += f" · [card](https://discord.com/channels/{place})"
    return line


def digest_embed(flags: Sequence[Flag]) -> discord.Embed:
    """The card that lists flags which came too fast for cards of their own."""
    left = sum(flag.decision is None for flag in flags)
    title = f"{len(flags)} further flags" if len(flags) > 1 else "1 further flag"
    note = f"{left} to decide: open one below, or use /queue" if left else "All decided"
    return list_embed(title, flags, note)


def story_field(embed: discord.Embed, story: Sequence[Event]) -> None:
    """Add what happened to a flag so far, the last steps if not all fit."""
    lines: list[str] = []
    for event in reversed(story):
        by = f" by {label(event.by_name, 40)}" if event.by_name else ""
        done = f" ({DONE[event.action]})" if event.action else ""
        line = f"{discord.utils.format_dt(event.at, 'f')} {event.kind}{done}{by}"
        if sum(map(len, lines)) + len(lines) + len(line) > STORY_LIMIT:
            break
        lines.insert(0, line)
    if lines:
        embed.add_field(name=_("Story"), value="\n".join(lines), inline=False)


def option_label(flag: Flag) -> str:
    """A flag as an entry of a menu, in plain text of at most 100 characters."""
    assessment = flag.assessment
    target = short(plain_target_of(assessment), 30)
    author = short(flag.comment.author_name, 30) or "someone"
    return f"{flag.id}: {author} → {target} ({score_of(assessment):.2f})"


def list_embed(
    title: str, flags: Sequence[Flag], note: str = "", *, with_card: bool = False
) -> discord.Embed:
    """Flags line by line, as many as fit; `note` stands at the foot."""
    lines: list[str] = []
    used = 0
    for flag in flags:
        line = list_line(flag, with_card=with_card)
        if used + len(line) + 1 > LINES_LIMIT:
            break
        lines.append(line)
        used += len(line) + 1
    embed = discord.Embed(
        title=title,
        description="\n".join(lines) or "Nothing here.",
        colour=discord.Colour.orange() if flags else discord.Colour.green(),
    )
    left = len(flags) - len(lines)
    foot = " · ".join(part for part in (f"and {left} more" if left else "", note) if part)
    if foot:
        embed.set_footer(text=foot)
    return embed


def _author(flag: Flag, around: Surroundings) -> str:
    comment = flag.comment
    name = label(comment.author_name, NAME_LIMIT) or "unknown"
    lines = [f"{name} ({comment.author_id})"]
    if comment.author_id.isdigit():
        made = discord.utils.snowflake_time(int(comment.author_id))
        lines = [f"<@{comment.author_id}>", *lines, f"account from {_day(made)}"]
    if comment.author_joined_at is not None:
        lines.append(f"here since {_day(comment.author_joined_at)}")
    lines.append(_earlier(around))
    return "\n".join(lines)


def _day(moment: datetime) -> str:
    return f"{discord.utils.format_dt(moment, 'd')} ({discord.utils.format_dt(moment, 'R')})"


def _earlier(around: Surroundings) -> str:
    total = sum(count for _, count in around.earlier)
    if not total:
        return "no earlier flags"
    ends = (
        f"{count} {DONE[action] if action else 'undecided'}" for action, count in around.earlier
    )
    return f"{total} earlier flag{'s' if total > 1 else ''}: {', '.join(ends)}"


def _place(flag: Flag) -> str:
    comment = flag.comment
    if comment.channel_id.isdigit():
        channel = f"<#{comment.channel_id}>"
    else:
        channel = label(comment.channel_name, NAME_LIMIT) or comment.channel_id
    url = jump_url(flag)
    return f"{channel}\n[Jump to it]({url})" if url else channel


def _moderator(user_id: str, name: str) -> str:
    shown = label(name, NAME_LIMIT)
    return f"<@{user_id}> ({shown})" if user_id.isdigit() else shown


def _colour(flag: Flag, level: Level) -> discord.Colour:
    if flag.decision is not None:
        return discord.Colour.dark_grey()
    return discord.Colour.red() if level is Level.ABUSIVE else discord.Colour.orange()
