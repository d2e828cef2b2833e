"""Which language a message is in, and how well each is read.

Readers mark comments that are not English (`l` in `labels.csv`), and written messages have
the kind `foreign`; the language is then told by script or by a vote of short words. Comments
whose labels came with the data were never marked, so a few of them count as English.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bot.classifier.training.corpora import LABELS, Message

ENGLISH: Final = ""
OTHER: Final = "other or mixed"

_SCRIPTS: Final = {
    "Korean": r"[\uac00-\ud7af\u1100-\u11ff\u3130-\u318f]",
    "Japanese": r"[\u3040-\u30ff]",
    "Chinese": r"[\u4e00-\u9fff]",
    "Hindi": r"[\u0900-\u097f]",
    "Arabic": r"[\u0600-\u06ff]",
    "Russian": r"[\u0400-\u04ff]",
    "Thai": r"[\u0e00-\u0e7f]",
}
_SHORT_WORDS: Final = {
    "Spanish": "el la los las una de que es en por para con no muy pero como más mas esta este eso "
    "está qué se su tu mi le lo me te ya porque siempre todo eres soy fue ser tan nada bien hay y",
    "Portuguese": "o a os as um uma de que é em por para com não nao muito mas como mais esta "
    "isso você vc ele ela se seu sua meu minha tá ta na no do da dos das pra só também e foi",
    "French": "le la les un une des de du que est en pour avec pas très mais comme plus cette ce "
    "il elle je tu on nous vous sa son ses mon ma qui et c'est j'ai être fait trop bien à dans",
    "German": "der die das ein eine und ist nicht mit für auf sie er es ich du wir ihr sich von zu "
    "den dem auch so wie aber immer hat war sind was noch nur kein keine im",
    "Italian": "il lo la gli le un una di che è per con non molto ma come più questa questo lui "
    "lei si suo sua mio mia sono sei e anche sempre bene tutto quando del della",
    "Hindi": "hai ka ki ke ko nahi nahin aur bhi kya yaar ye yeh wo woh se hi tha thi ho kar raha "
    "rahi bhai acha bahut koi mein",
    "Tagalog": "ang ng mga sa na naman kasi siya ako ko mo po lang talaga yung hindi ba si ni kayo",
    "Indonesian": "yang dan di itu ini tidak gak nggak aku kamu dia banget saya juga sama untuk "
    "ada bisa kalau udah lagi aja",
    "Turkish": "bir bu çok ve için ama ne da de mi ben sen o gibi daha değil var yok",
}
_WORD: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_VOTES: Final = {name: frozenset(words.split()) for name, words in _SHORT_WORDS.items()}


def language(text: str) -> str:
    """The language of a text that is known not to be English, `OTHER` if it cannot be told."""
    scripts = {name: len(re.findall(pattern, text)) for name, pattern in _SCRIPTS.items()}
    if scripts["Japanese"]:
        scripts["Japanese"] += scripts.pop("Chinese")
    most = max(scripts, key=lambda name: scripts[name])
    if scripts[most] > 1:
        return most
    words = _WORD.findall(text.lower())
    votes = sorted(((sum(w in own for w in words), name) for name, own in _VOTES.items()))
    (second, _), (first, name) = votes[-2:]
    return name if first > second else OTHER


def languages_of(messages: Sequence[Message], own: Path | None) -> list[str]:
    """The language of each message, `ENGLISH` unless it is marked as another."""
    foreign = _marked(own)
    return [
        language(m.text) if m.kind == "foreign" or m.id in foreign else ENGLISH for m in messages
    ]


def _marked(own: Path | None) -> frozenset[str]:
    if own is None or not (path := own / LABELS).exists():
        return frozenset()
    with path.open(encoding="utf-8", newline="") as file:
        return frozenset(r["id"] for r in csv.DictReader(file) if "l" in (r.get("tags") or ""))


def by_language(
    languages: NDArray[np.str_], hostile: NDArray[np.bool_], flagged: NDArray[np.bool_]
) -> dict[str, dict[str, Any]]:
    """Of each language: how many hostile messages are found, how many fine ones flagged."""
    names = sorted(set(languages.tolist()) - {ENGLISH})
    rows = {
        "English": languages == ENGLISH,
        "all others": languages != ENGLISH,
        **{name: languages == name for name in names},
    }
    return {
        name: {
            "hostile": int((inside & hostile).sum()),
            "found": int((inside & hostile & flagged).sum()),
            "fine": int((inside & ~hostile).sum()),
            "fine_flagged": int((inside & ~hostile & flagged).sum()),
        }
        for name, inside in rows.items()
    }
