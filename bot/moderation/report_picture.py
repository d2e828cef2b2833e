"""A report as a picture, and in words."""

from __future__ import annotations

from typing import Final

from bot.comment import Action, Level
from bot.drawing import Bars, Columns, Facts, Panel, Picture, Series
from bot.moderation.report import APPEALED, OVERTURNED, UPHELD, Report
from bot.words import _, ngettext

_MOST_MINUTES: Final = 100
_MOST_HOURS: Final = 48


def picture_of(report: Report, title: str) -> Picture:
    """Return the picture of a report; `title` is its first line, such as the server's name."""
    panels: list[Panel] = [_by_day(report)]
    people = _people(report)
    if people:
        panels.append(people)
    panels.append(_in_time(report))
    if report.decided:
        panels.append(_decisions(report))
    if any(report.figures.waiting):
        panels.append(_waiting(report))
    zone = zone_name(report)
    busiest = (
        Columns(
            _("By hour ({zone})").format(zone=zone.rpartition("/")[2].replace("_", " ")),
            tuple(f"{hour:02}" for hour in range(24)),
            (Series("", report.hours),),
            alt=_("Busiest hour: {hour:02}:00, {number} flags.").format(
                hour=report.hours.index(max(report.hours)), number=max(report.hours)
            ),
            half=True,
        ),
        Columns(
            _("By weekday"),
            weekday_names(),
            (Series("", report.weekdays),),
            alt=_("Busiest weekday: {day}, {number} flags.").format(
                day=weekday_names()[report.weekdays.index(max(report.weekdays))],
                number=max(report.weekdays),
            ),
            half=True,
        ),
    )
    subtitle = _("Flags of {first} to {last}, {zone}").format(
        first=report.days.first, last=report.days.last, zone=zone
    )
    appeals = _appeals(report)
    return Picture(title, (*panels, *busiest, *appeals), subtitle)


def zone_name(report: Report) -> str:
    """The name of a report's time zone."""
    return str(report.days.zone)


def weekday_names() -> tuple[str, ...]:
    """Short names, Monday first."""
    return (_("Mon"), _("Tue"), _("Wed"), _("Thu"), _("Fri"), _("Sat"), _("Sun"))


def length(seconds: float) -> str:
    """A length of time in its largest fitting unit."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return _("under 1 min")
    if minutes < _MOST_MINUTES:
        return _("{number} min").format(number=minutes)
    hours = round(seconds / 3600)
    if hours < _MOST_HOURS:
        return _("{number} h").format(number=hours)
    return _("{number} days").format(number=round(seconds / 86400))


def _by_day(report: Report) -> Panel:
    names = weekday_names()
    days = tuple(f"{names[day.weekday()]} {day.day}" for day in report.days.each())
    below = tuple(
        none + critical
        for none, critical in zip(
            report.levels[Level.NONE], report.levels[Level.CRITICAL], strict=True
        )
    )
    series = [
        Series(_("hostile"), report.levels[Level.HOSTILE]),
        Series(_("abusive"), report.levels[Level.ABUSIVE]),
    ]
    if any(below):
        series.append(Series(_("sent or reported"), below))
    return Columns(_("Flags by day"), days, tuple(series))


def _people(report: Report) -> Panel | None:
    figures = report.figures
    rows = list(figures.people)
    rows += [(_("others"), figures.others)] if figures.others else []
    rows += [(_("members"), figures.members)] if figures.members else []
    if not rows:
        return None
    return Bars(_("Aimed at"), tuple(name for name, _n in rows), tuple(n for _name, n in rows))


def _in_time(report: Report) -> Panel:
    if report.share_dismissed is None or report.figures.times is None:
        return Facts(_("Decided"), (("0", _("nothing decided yet")),))
    half, nine_tenths = report.figures.times
    decided = ngettext("of {number} decided", "of {number} decided", report.decided)
    return Facts(
        _("Dismissed, and time to decision"),
        (
            (f"{report.share_dismissed:.0%}", decided.format(number=report.decided)),
            (length(half), _("half within")),
            (length(nine_tenths), _("nine in ten within")),
        ),
    )


def _decisions(report: Report) -> Panel:
    words = {
        Action.REMOVE.value: _("removed"),
        Action.DISMISS.value: _("dismissed"),
        Action.TIMEOUT.value: _("timed out"),
        Action.WARN.value: _("warned"),
        Action.KICK.value: _("kicked"),
        Action.BAN.value: _("banned"),
        Action.NO_ACTION.value: _("no action"),
    }
    found = report.figures.decisions.most_common()
    names = tuple(words.get(name, name.replace("_", " ")) for name, _n in found)
    return Bars(_("Decisions"), names, tuple(number for _name, number in found), half=True)


def _waiting(report: Report) -> Panel:
    ages = (_("under 1 h"), _("1 to 24 h"), _("1 to 3 days"), _("older"))
    return Bars(_("Waiting now, by age"), ages, report.figures.waiting, half=True)


def _appeals(report: Report) -> tuple[Panel, ...]:
    words = {
        APPEALED: _("appeals wait"),
        UPHELD: _("upheld"),
        OVERTURNED: _("overturned"),
    }
    statuses = report.figures.statuses
    if not any(statuses[name] for name in words):
        return ()
    return (
        Facts(_("Appeals"), tuple((str(statuses[name]), word) for name, word in words.items())),
    )
