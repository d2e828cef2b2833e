"""What the encoder learns before it is fine-tuned: public sets, and fan comments unlabelled.

Public sets teach it insult and emotion, each by an output of its own, as their labels are
not ours. Unlabelled fan comments teach it fan talk: an earlier model's scores of them are
its targets. The outputs for the public sets are dropped afterwards. Needs the `train` extra.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pandas as pd
import torch
from torch import Tensor
from torch.nn import functional

from bot.classifier.model import HostilityModel
from bot.classifier.training.corpora import PUBLIC, unlabelled_texts
from bot.classifier.training.descent import Descent, batches
from bot.classifier.training.descent import read as read_ids
from bot.classifier.training.network import OUTPUTS, start
from bot.reading import read

WEIGHTS: Final = "warm.pt"
OFFENSIVE: Final = {
    "jigsaw_wiki_20k": 14_000,
    "reddit_incivility_davidson2020": 5_000,
    "misogyny_reddit_guest2021": 6_000,
    "surge_toxicity": 1_000,
    "convabuse": 3_000,
    "davidson2017": 6_000,
    "hatexplain": 9_000,
    "hatemoji": 4_000,
}
"""Sets with a label "offensive", and how many texts of each are read at most."""
EMOTIONS: Final = (
    *("anger", "annoyance", "disgust", "disapproval", "disappointment", "embarrassment"),
    *("admiration", "amusement", "approval", "caring", "joy", "love"),
    *("neutral", "confusion", "curiosity", "sadness"),
)
EMOTION_TEXTS: Final = 24_000
SUSPECT: Final = 0.05
SUSPECTS, OTHERS = 22_000, 16_000
"""Unlabelled comments that the earlier model scores at least `SUSPECT`, and others."""
SEED: Final = 7

_TOKENS: Final = 64
_RATE: Final = 7e-5
_HOSTILE, _MEMBER = 0, 1
_FIRST_EMOTION = OUTPUTS + len(OFFENSIVE)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A text and its targets: (output, probability, weight) each."""

    text: str
    targets: tuple[tuple[int, float, float], ...]


def pretrain(
    data: Path, out: Path, progress: Callable[[str], None], teacher: HostilityModel | None
) -> Path:
    """Train the encoder from its origin and return the file of its weights.

    Args:
        data: Where the public sets and the unlabelled comments are.
        out: Where the weights are written.
        progress: Told of each step.
        teacher: An earlier model; without one the unlabelled comments are left out.
    """
    torch.manual_seed(SEED)
    chance = random.Random(SEED)  # noqa: S311
    lessons = list(_public(data / PUBLIC))
    if teacher is not None:
        progress("scoring the unlabelled comments")
        lessons += _scored(unlabelled_texts(data), teacher, chance)
    tokenizer, network = start(_FIRST_EMOTION + len(EMOTIONS))
    vectors = network.base.embeddings.word_embeddings
    vectors.added.requires_grad_(requires_grad=False)
    ids = [
        tokenizer(lesson.text, truncation=True, max_length=_TOKENS)["input_ids"]
        for lesson in lessons
    ]
    found = batches(list(range(len(ids))), lambda i: len(ids[i]), chance)
    descent = Descent(network, _RATE, len(found), last=0.05, decay=0.01)
    for step, batch in enumerate(found, 1):
        answers = read_ids(network, [ids[i] for i in batch])
        targets, weights = _targets([lessons[i] for i in batch], answers.shape[1])
        losses = functional.binary_cross_entropy_with_logits(answers, targets, reduction="none")
        loss = (losses * weights).sum() / len(batch)
        descent.step(loss)
        if step % 100 == 0:
            progress(f"pretraining: step {step:,} of {len(found):,}, loss {loss.item():.3f}")
    out.mkdir(parents=True, exist_ok=True)
    torch.save(network.base.state_dict(), out / WEIGHTS)
    return out / WEIGHTS


def _public(path: Path) -> Iterator[Lesson]:
    table = pd.read_parquet(path, columns=["source", "text", "offensive", "extra_labels"])
    for place, (source, most) in enumerate(OFFENSIVE.items()):
        rows = table[(table["source"] == source) & table["offensive"].notna()]
        for row in _some(rows, most):
            offensive = float(row["offensive"] > 0)
            yield Lesson(row["text"].lower(), ((OUTPUTS + place, offensive, 1.0),))
    weight = 2.0 / len(EMOTIONS)
    for row in _some(table[table["source"] == "goemotions"], EMOTION_TEXTS):
        felt = json.loads(row["extra_labels"])["emotions"]
        yield Lesson(
            row["text"].lower(),
            tuple(
                (_FIRST_EMOTION + i, float(emotion in felt), weight)
                for i, emotion in enumerate(EMOTIONS)
            ),
        )


def _some(rows: pd.DataFrame, most: int) -> list[dict[str, Any]]:
    rows = rows.drop_duplicates("text")
    found: list[dict[str, Any]] = rows.sample(min(most, len(rows)), random_state=SEED).to_dict(
        "records"
    )
    return found


def _scored(texts: Sequence[str], teacher: HostilityModel, chance: random.Random) -> list[Lesson]:
    suspects: list[Lesson] = []
    others: list[Lesson] = []
    for text in texts:
        found = teacher.assess(text)
        targets = ((_HOSTILE, found.score, 1.5), (_MEMBER, found.member_score, 0.4))
        lesson = Lesson(read(text).view(strangers=True).text, targets)
        (suspects if found.score >= SUSPECT else others).append(lesson)
    return [
        *chance.sample(suspects, min(SUSPECTS, len(suspects))),
        *chance.sample(others, min(OTHERS, len(others))),
    ]


def _targets(lessons: Sequence[Lesson], outputs: int) -> tuple[Tensor, Tensor]:
    targets, weights = torch.zeros(len(lessons), outputs), torch.zeros(len(lessons), outputs)
    for row, lesson in enumerate(lessons):
        for output, probability, weight in lesson.targets:
            targets[row, output], weights[row, output] = probability, weight
    return targets, weights
