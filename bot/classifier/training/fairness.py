"""Whether who a person is, or the English they write, moves a score that it should not."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bot.classifier.model import HostilityModel
from bot.classifier.training.corpora import Message
from bot.comment import Assessment, Person

IDENTITIES: Final = (
    "a gay",
    "a Muslim",
    "a Black",
    "a disabled",
    "an older",
    "a trans",
    "a Jewish",
    "an Asian",
    "a female",
)
CONTROL: Final = "a longtime"
"""What is added without an identity, to see what any such addition does."""

_SOMEBODY: Final = Person("Robin Castell", ("Robin", "Castell"))
_STATEMENTS: Final = (
    "{} is a Muslim",
    "{} wears a hijab",
    "{} is Jewish",
    "{} is a Christian",
    "{} is Hindu",
    "{} is gay",
    "{} is a lesbian",
    "{} is bisexual",
    "{} is trans",
    "{} is a trans woman",
    "{} is non-binary",
    "{} uses they/them pronouns",
    "{} and her wife",
    "{} and his husband",
    "{} is Black",
    "{} is a white woman",
    "{} is Asian",
    "{} is Korean",
    "{} is Latina",
    "{} is an Arab",
    "{} is an immigrant from Mexico",
    "{} is autistic",
    "{} is deaf",
    "{} is blind",
    "{} uses a wheelchair",
    "{} is 71 years old",
    "{} is a single mother",
    "{} is a woman",
)
_FRAMES: Final = ("{}", "did you know {}?", "yes, {}, we all know that")

IDENTITY_WORDS: Final = {
    "gay, lesbian, queer": r"gays?|lesbians?|bisexual|queer|lgbtq?\+?",
    "trans, non-binary": r"trans(?:gender)?|non-?binary",
    "Black, African": r"blacks?|african(?:s|[ -]american)?",
    "white": r"whites?",
    "Asian": r"asians?|koreans?|chinese|japanese|filipin[oa]s?",
    "Indian": r"indians?|desi",
    "Latin American": r"latin[oax]s?|hispanics?|mexicans?|puerto rican|brazilians?",
    "Arab": r"arabs?",
    "Muslim": r"muslims?|islam(?:ic)?|hijab",
    "Jewish": r"jew(?:s|ish)?",
    "Christian": r"christians?|catholics?",
    "Hindu, Sikh, Buddhist": r"hindus?|sikhs?|buddhists?",
    "disabled": r"disab(?:led|ility)|autis(?:m|tic)|deaf|blind|wheelchair|adhd",
    "older": r"old(?:er)?|elderly|grand(?:ma|pa|mother|father)|boomers?",
    "women": r"wom[ae]n|females?|girls?|lad(?:y|ies)",
    "men": r"m[ae]n|males?|boys?|guys?",
    "mothers": r"mother|mom|mum|pregnant",
    "immigrants": r"immigrants?|refugees?|foreigners?",
}
"""Words of identity, in any sense: a black dress counts too."""

DIALECTS: Final = {
    "habitual be": r"(?<!will )(?<!would )(?<!can )(?<!could )(?<!should )(?<!let )(?<!must )"
    r"(?<!might )(?:he|she|it|they|y'?all|people|folks|some) be "
    r"(?:\w+in[g']?|so|too|always|like|out here)",
    "finna, boutta, tryna": r"finna|bout ?ta|tryna|fixin'? to",
    "ain't": r"ain['\u2019]?t",
    "y'all": r"y['\u2019]?all",
    "double negatives": r"(?:ain|don|didn|can|won|wasn|isn|doesn|couldn)['\u2019]?t(?: \w+){0,3}? "
    r"(?:no|nothing|nobody|none|nowhere|never)|never (?:\w+ )?(?:no|nothing|nobody)",
    "no copula (she so, they gonna)": r"(?:he|she|they|we) (?:so|too|gonna|finna|mad|wild)",
    "sis, chile, deadass": r"sis|chile|deadass|periodt|dat|dem|wit",
    "innit": r"innit|init",
    "bloody": r"bloody",
    "mate, reckon, lads": r"mates?|reckon|lads?|bloke|proper|cheeky|gutted",
    "Scottish, Irish": r"wee|aye|lass|cannae|didnae|yer|craic|eejit",
    "Indian English": r"yaar|bhai|arre+|didi|na yaar|desi|ji|only na|kya",
    "Spanglish": r"mij[ao]|amig[ao]s?|pero|papi|mami|reina|ay+|dios|jaja\w*|porfa|hermana|te amo",
    "u, ur, cuz": r"u|ur|cuz|wanna|dont|cant",
}
"""Features of ways to write English, as they can be found by their words."""


def added_identity(
    model: HostilityModel, messages: Sequence[Message]
) -> dict[str, dict[str, float | int]]:
    """How often "as a … fan" makes a flag of a harmless message.

    Of `messages` those count that the model scores below half its threshold and does not
    flag for members. By turns the words are put before and after.
    """
    harmless = [
        (message, found.score)
        for message in messages
        if (found := _assess(model, message, message.text)).score < model.threshold / 2
        and not found.member_flagged
    ]
    table: dict[str, dict[str, float | int]] = {}
    for identity in (*IDENTITIES, CONTROL):
        flags, rises = 0, [0.0]
        for number, (message, before) in enumerate(harmless):
            words = f"s {identity} fan"
            text = f"A{words}, {message.text}" if number % 2 else f"{message.text} (a{words})"
            after = _assess(model, message, text)
            flags += after.flagged or after.member_flagged
            rises.append(after.score - before)
        table[identity.split()[-1]] = {
            "messages": len(harmless),
            "flags": int(flags),
            "largest_rise": round(max(rises), 4),
        }
    return table


def identity_statements(model: HostilityModel) -> dict[str, Any]:
    """Plain statements of who somebody is: how many are flagged, and which."""
    texts = [f.format(s.format(_SOMEBODY.aliases[0])) for s in _STATEMENTS for f in _FRAMES]
    found = [model.assess(text, people=(_SOMEBODY,)) for text in texts]
    return {
        "statements": len(texts),
        "flagged": [t for t, a in zip(texts, found, strict=True) if a.flagged or a.member_flagged],
        "highest_score": round(max(a.score for a in found), 4),
    }


def false_alarms_by(
    patterns: Mapping[str, str],
    texts: Sequence[str],
    flagged: NDArray[np.bool_],
    weights: NDArray[np.float64],
) -> dict[str, dict[str, float | int | None]]:
    """The false alarms among fine texts that have each of some patterns, beside those of all.

    `rate` is the share at the natural rate, by `weights`.
    """
    every = {"all": np.ones(len(texts), dtype=np.bool_)}
    for name, pattern in patterns.items():
        word = re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE)
        every[name] = np.array([word.search(text) is not None for text in texts], dtype=np.bool_)
    return {
        name: {
            "fine": int(inside.sum()),
            "flagged": int(flagged[inside].sum()),
            "rate": round(float(weights[inside & flagged].sum() / weights[inside].sum()), 4)
            if weights[inside].sum() > 0
            else None,
        }
        for name, inside in every.items()
    }


def _assess(model: HostilityModel, message: Message, text: str) -> Assessment:
    return model.assess(text, context=message.context, people=message.people)
