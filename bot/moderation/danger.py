"""Threats, doxxing and calls to pile on, told by their words.

Asked only of messages that the model already reads as abusive: what is looked for here is
the kind, not whether it is hostile.
"""

from __future__ import annotations

import re
from enum import StrEnum

from bot.comment import Assessment, Level

_HARM = (
    r"(?:kill|murder|hurt|harm|beat|stab|shoot|strangle|choke|burn|bomb|punch|slap|smash|break|"
    r"hunt|poison|drown|behead|lynch|rape|gut|end|destroy|find|follow|get)"
)
_WHOM = r"(?:you|her|him|them|that|this|those|these|the|their|his|your|[A-Z]\w+)"
_THREAT = re.compile(
    rf"\b(?:i'?(?:ll| will|m going to|m gonna|mma| am going to| want to)|"
    rf"we'?(?:ll| will|re going to|re gonna| are going to)|"
    rf"(?:some(?:one|body)|people) (?:should|will|must|has to|needs to|ought to))"
    rf"(?: \w+)? {_HARM} {_WHOM}"
    r"|\bwatch (?:your|her|his|their) back\b"
    r"|\b(?:you|she|he|they)'?(?:re| are| is|s)? (?:going to|gonna) "
    r"(?:die|bleed|regret|pay)\b"
    r"|\b(?:i|we) know where (?:you|she|he|they) (?:lives?|works?|sleeps?)\b"
    r"|\bdeath threats?\b|\bput a bullet\b",
    re.IGNORECASE,
)
_DOXXING = re.compile(
    r"\b(?:lives?|staying|stays) (?:at|on) \d+\b"
    r"|\b(?:(?:home|house|real|full|her|his|their|private) )+(?:address|number|phone|e-?mail)\b"
    r"|\b\d{1,5} (?:[A-Z]\w+ ){1,3}(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|court)\b"
    r"|(?<!\d)(?:\+\d{1,3}[ .-]?)?\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}(?!\d)"
    r"|[\w.+-]+@[\w-]+\.\w{2,}"
    r"|\bdox+(?:ed|ing)?\b",
    re.IGNORECASE,
)
_PILE_ON = re.compile(
    r"\b(?:every(?:one|body)|all of you|you all|y'?all|guys|let'?s(?: all)?|we should(?: all)?|"
    r"go(?: and)?|please)\b[^.!?\n]{0,30}"
    r"\b(?:mass[- ]?report|report|spam|flood|raid|brigade|harass|bully|attack|dogpile|bombard|"
    r"ratio|cancel|drag|ruin|swarm|hound|mob)\b"
    r"|\bmass[- ]report|\bpile on\b"
    r"|\bmake (?:her|his|their) life (?:a )?(?:living )?hell\b",
    re.IGNORECASE,
)


class Danger(StrEnum):
    """What may not wait for somebody to look at the queue."""

    THREAT = "a threat"
    DOXXING = "private details"
    PILE_ON = "a call to pile on"


def danger_of(text: str, assessment: Assessment) -> Danger | None:
    """Return which of these an abusive message is; None for any other and below level 3."""
    if not assessment.flagged or assessment.level < Level.ABUSIVE:
        return None
    plain = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    for danger, pattern in (
        (Danger.THREAT, _THREAT),
        (Danger.DOXXING, _DOXXING),
        (Danger.PILE_ON, _PILE_ON),
    ):
        if pattern.search(plain):
            return danger
    return None
