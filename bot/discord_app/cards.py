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
from bot.words import N_, _, ngettext

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
ERASED = N_("*(The text was erased.)*")

NOTHING = Surroundings()

LEVELS = {
    Level.NONE: N_("none"),
    Level.CRITICAL: N_("critical"),
    Level.HOSTILE: N_("hostile"),
    Level.ABUSIVE: N_("abusive"),
}

DONE = {
    Action.REMOVE: N_("removed"),
    Action.DISMISS: N_("dismissed"),
    Action.TIMEOUT: N_("timed out"),
    Action.WARN: N_("warned"),
    Action.KICK: N_("kicked"),
    Action.BAN: N_("banned"),
    Action.NO_ACTION: N_("left as it is"),
}

_DECIDED = {
    Action.REMOVE: N_("Removed by {who} {when}"),
    Action.DISMISS: N_("Dismissed by {who} {when}"),
    Action.TIMEOUT: N_("Timed out by {who} {when}"),
    Action.WARN: N_("Warned by {who} {when}"),
    Action.KICK: N_("Kicked by {who} {when}"),
    Action.BAN: N_("Banned by {who} {when}"),
    Action.NO_ACTION: N_("Left as it is by {who} {when}"),
}

_APPEALS = {
    Status.APPEALED: N_("Appealed: another moderator than the first has to answer."),
    Status.UPHELD: N_("Appealed, and upheld."),
    Status.OVERTURNED: N_("Appealed, and overturned."),
}

_TITLES = {
    Level.NONE: N_("None toward {target}"),
    Level.CRITICAL: N_("Critical toward {target}"),
    Level.HOSTILE: N_("Hostile toward {target}"),
    Level.ABUSIVE: N_("Abusive toward {target}"),
}

_PIECES = {
    PartKind.FORWARDED: N_("Forwarded, written by somebody whom I cannot name"),
    PartKind.POLL: N_("A poll and its answers"),
    PartKind.DESCRIPTION: N_("The description of an attachment"),
    PartKind.TITLE: N_("The title of a thread"),
}

_KINDS = {
    TargetType.MEMBER: N_("another member"),
    TargetType.GROUP: N_("a group"),
    TargetType.OBJECT: N_("a thing"),
    TargetType.SELF: N_("themselves"),
    TargetType.NONE: N_("nobody named"),
    TargetType.PERSON: N_("someone"),
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
        return _(_KINDS[TargetType.MEMBER])
    return assessment.target or _(_KINDS[assessment.target_type])


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
        description=_(ERASED) if flag.erased else _text(flag),
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
        by = ngettext("by {count} member", "by {count} members", flag.reports)
        embed.add_field(name=_("Reported"), value=by.format(count=flag.reports))
    if made_of := made_of_lines(comment):
        embed.add_field(name=_("What it is made of"), value=made_of, inline=False)
    if comment.reply_to is not None:
        name = label(comment.reply_to.author_name, NAME_LIMIT) or _("someone")
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
    foot = [_("Flag {flag}").format(flag=flag.id), assessment.model]
    if flag.revisions > 1:
        foot.append(_("edited, revision {number}").format(number=flag.revisions))
    embed.set_footer(text=short(" · ".join(foot), 200))
    return embed


def _title(flag: Flag, level: Level) -> str:
    assessment = flag.assessment
    if assessment.flagged or assessment.member_flagged:
        return _(_TITLES[level]).format(target=target_of(assessment))
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
            links.append(_("~~{link}~~ (gone)").format(link=link) if part.gone else link)
        elif part.kind in _PIECES:
            piece = spoiler(comment.text[part.start : part.end], PIECE_LIMIT)
            lines.append(f"{_(_PIECES[part.kind])}: {piece}")
    if links:
        several = ngettext(
            "{count} message in a row, read together: {links}",
            "{count} messages in a row, read together: {links}",
            len(links),
        )
        lines.append(several.format(count=len(links), links=" · ".join(links)))
    return "\n".join(lines[:MOST_PIECES])


def happened(flag: Flag, around: Surroundings) -> Iterator[tuple[str, str]]:
    """What else is to be known: others with the same text, the message gone, and notes."""
    if around.others:
        also = ngettext(
            "Also posted by {count} other within a day.",
            "Also posted by {count} others within a day.",
            around.others,
        )
        yield _("Same text"), also.format(count=around.others)
    if flag.gone_at is not None:
        line = _("The message is gone ({when}). Its text is kept here.")
        if flag.gone_by_id:
            line = _("The message is gone ({when}), deleted by {who}. Its text is kept here.")
        yield (
            _("Gone"),
            line.format(
                when=discord.utils.format_dt(flag.gone_at, "R"),
                who=_moderator(flag.gone_by_id or "", flag.gone_by_name or ""),
            ),
        )
    if around.notes:
        lines = (
            f"{label(note.by_name, 40)}: {quote(note.note, NOTE_LIMIT)[0]}" for note in around.notes
        )
        yield _("Notes"), "\n".join(lines)


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
        names = ", ".join(label(name, 40) for name in others) or _("others on the roster")
        lines.append(_("Could also mean {names}.").format(names=names))
    if assessment.foreign:
        lines.append(_("Not in English: Fanguard reads this less well."))
    return "\n".join(lines)


def state_line(flag: Flag) -> str:
    """Who has taken or decided a flag, or let it lapse; empty while nobody has."""
    if flag.decision is not None:
        decision = flag.decision
        reason = f": {quote(decision.reason, 300)[0]}" if decision.reason else ""
        who = _moderator(decision.moderator_id, decision.moderator_name)
        moment = discord.utils.format_dt(decision.decided_at, "R")
        done = _(_DECIDED[decision.action]).format(who=who, when=moment)
        final = _("*A removal cannot be undone.*") if decision.action is Action.REMOVE else ""
        line = f"{done}{reason} {final}".rstrip()
        word = _APPEALS.get(flag.status)
        return line if word is None else f"{line}\n{_(word)}"
    if flag.status is Status.CLAIMED and flag.claimed_at is not None:
        who = _moderator(flag.claimed_by_id or "", flag.claimed_by_name or "")
        return _("Taken by {who} {when}").format(
            who=who, when=discord.utils.format_dt(flag.claimed_at, "R")
        )
    if flag.claim_lapsed_of is not None:
        who = label(flag.claim_lapsed_of, NAME_LIMIT) or _("a moderator")
        return _("The claim of {who} has lapsed: it is open to all again.").format(who=who)
    return ""


def _state_name(flag: Flag) -> str:
    if flag.decision is not None:
        return _("Decision")
    return _("Taken") if flag.status is Status.CLAIMED else _("Lapsed")


def list_line(flag: Flag, *, with_card: bool = False) -> str:
    """A flag in one line of a list: id, who, toward whom, level, score, and how it stands."""
    author = label(flag.comment.author_name, 24) or _("someone")
    line = f"**{flag.id}** {author} → {target_of(flag.assessment, 32)}"
    if flag.decision is not None:
        done, who = _(DONE[flag.decision.action]), label(flag.decision.moderator_name, 24)
        return _("~~{line}~~ {done} by {who}").format(line=line, done=done, who=who)
    line += f" · {_(LEVELS[level_of(flag.assessment)])} {score_of(flag.assessment):.2f}"
    if flag.status is Status.CLAIMED:
        who = label(flag.claimed_by_name or "", 24)
        line += " · " + _("taken by {who}").format(who=who)
    url = jump_url(flag)
    line += f" · [{_('jump')}]({url})" if url else ""
    if with_card and flag.card_channel_id and flag.card_message_id:
        place = f"{flag.comment.guild_id}/{flag.card_channel_id}/{flag.card_message_id}"
        line += f" · [{_('card')}](https://discord.com/channels/{place})"
    return line


def digest_embed(flags: Sequence[Flag]) -> discord.Embed:
    """The card that lists flags which came too fast for cards of their own."""
    left = sum(flag.decision is None for flag in flags)
    title = ngettext("{count} further flag", "{count} further flags", len(flags))
    note = _("{count} to decide: open one below, or use /queue") if left else _("All decided")
    return list_embed(title.format(count=len(flags)), flags, note.format(count=left))


def story_field(embed: discord.Embed, story: Sequence[Event]) -> None:
    """Add what happened to a flag so far, the last steps if not all fit."""
    lines: list[str] = []
    for event in reversed(story):
        by = " " + _("by {who}").format(who=label(event.by_name, 40)) if event.by_name else ""
        done = f" ({_(DONE[event.action])})" if event.action else ""
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
    author = short(flag.comment.author_name, 30) or _("someone")
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
        description="\n".join(lines) or _("Nothing here."),
        colour=discord.Colour.orange() if flags else discord.Colour.green(),
    )
    left = len(flags) - len(lines)
    more = _("and {count} more").format(count=left)
    foot = " · ".join(part for part in (more if left else "", note) if part)
    if foot:
        embed.set_footer(text=foot)
    return embed


def _author(flag: Flag, around: Surroundings) -> str:
    comment = flag.comment
    name = label(comment.author_name, NAME_LIMIT) or _("unknown")
    lines = [f"{name} ({comment.author_id})"]
    if comment.author_id.isdigit():
        made = discord.utils.snowflake_time(int(comment.author_id))
        lines = [f"<@{comment.author_id}>", *lines, _("account from {day}").format(day=_day(made))]
    if comment.author_joined_at is not None:
        lines.append(_("here since {day}").format(day=_day(comment.author_joined_at)))
    lines.append(_earlier(around))
    return "\n".join(lines)


def _day(moment: datetime) -> str:
    return f"{discord.utils.format_dt(moment, 'd')} ({discord.utils.format_dt(moment, 'R')})"


def _earlier(around: Surroundings) -> str:
    total = sum(count for _, count in around.earlier)
    if not total:
        return _("no earlier flags")
    ends = (
        f"{count} {_(DONE[action]) if action else _('undecided')}"
        for action, count in around.earlier
    )
    line = ngettext("{count} earlier flag: {ends}", "{count} earlier flags: {ends}", total)
    return line.format(count=total, ends=", ".join(ends))


def _place(flag: Flag) -> str:
    comment = flag.comment
    if comment.channel_id.isdigit():
        channel = f"<#{comment.channel_id}>"
    else:
        channel = label(comment.channel_name, NAME_LIMIT) or comment.channel_id
    url = jump_url(flag)
    return f"{channel}\n[{_('Jump to it')}]({url})" if url else channel


def _moderator(user_id: str, name: str) -> str:
    shown = label(name, NAME_LIMIT)
    return f"<@{user_id}> ({shown})" if user_id.isdigit() else shown


def _colour(flag: Flag, level: Level) -> discord.Colour:
    if flag.decision is not None:
        return discord.Colour.dark_grey()
    return discord.Colour.red() if level is Level.ABUSIVE else discord.Colour.orange()
