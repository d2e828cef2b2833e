"""Whether the right person is named, and those who are spared stay unflagged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.classifier.model import HostilityModel
from bot.classifier.training.corpora import Message
from bot.classifier.training.crossval import is_hostile
from bot.reading import read


def people_figures(model: HostilityModel, messages: Sequence[Message]) -> dict[str, Any]:
    """Of written messages hostile at a person of the roster, as the bot would answer.

    `one_discussed` and `several_discussed` tell, by how many people of the roster a message
    discusses, how many are found (flagged) and in what share of those the right person is
    named. `spared` counts those named beside the one attacked, and the share flagged.
    """
    named: dict[str, list[bool]] = {"one_discussed": [], "several_discussed": []}
    every = dict.fromkeys(named, 0)
    spared: list[bool] = []
    for message in messages:
        roster = {person.name for person in message.people}
        if message.part != "written" or not is_hostile(message) or message.target not in roster:
            continue
        reading = read(message.text, message.context, message.people)
        several = sum(candidate.in_roster for candidate in reading.candidates) > 1
        key = "several_discussed" if several else "one_discussed"
        found = model.assess(message.text, context=message.context, people=message.people)
        every[key] += 1
        if found.flagged:
            named[key].append(found.target == message.target)
        spared += [person.flagged for person in found.people if person.name in message.spared]
    right = [answer for answers in named.values() for answer in answers]
    return {
        "all": _row(sum(every.values()), right),
        **{key: _row(every[key], answers) for key, answers in named.items()},
        "spared": {"people": len(spared), "flagged": _share(spared)},
    }


def _row(messages: int, right: Sequence[bool]) -> dict[str, Any]:
    return {"messages": messages, "found": len(right), "right_person": _share(right)}


def _share(answers: Sequence[bool]) -> float | None:
    return round(sum(answers) / len(answers), 4) if answers else None
