"""Fine-tune the sentence encoder on fan talk and store it.

It learns every head at once and leaves some groups out (`crossval.held_out`): on these it
is weighed against the words (`blending`), so neither has seen what the weights are fitted
on. Needs the `train` extra.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

from bot.classifier.training.corpora import Message
from bot.classifier.training.crossval import held_out
from bot.classifier.training.descent import Descent, batches, padded, read
from bot.classifier.training.examples import (
    EMPTIED,
    MADE_PAIRS,
    Example,
    Examples,
    Reader,
    drawn,
)
from bot.classifier.training.network import Network, export, start

PHASES: Final = ((2, 5e-5, False), (1, 3e-5, True), (1, 3e-5, False), (1, 2e-5, True))
"""Epochs, learning rate, and whether people of rosters come first, of each phase."""
SEED: Final = 1
CHECKPOINT: Final = "checkpoint.pt"

_LAST_RATE: Final = 0.02


def finetune(
    messages: Sequence[Message],
    out: Path,
    progress: Callable[[str], None],
    warm: Path | None = None,
) -> None:
    """Train on all real and written messages but those held out; write network and tokenizer.

    Args:
        messages: All labelled messages.
        out: Where network and tokenizer go, and a checkpoint after each epoch.
        progress: Told of each step.
        warm: The weights that `pretrain` made, to begin with.
    """
    torch.manual_seed(SEED)
    chance = random.Random(SEED)  # noqa: S311
    tokenizer, network = start()
    if warm is not None:
        network.base.load_state_dict(torch.load(warm, weights_only=True))
    kept = [m for m in messages if m.part != "public" and not held_out(m)]
    progress(f"reading {len(kept):,} messages for the encoder")
    reader = Reader(tokenizer)
    examples = [reader.examples(message) for message in kept]
    out.mkdir(parents=True, exist_ok=True)
    for epochs, rate, people_first in PHASES:
        _train(
            network,
            partial(_epoch, reader, examples, chance, people_first=people_first),
            epochs,
            rate,
            out / CHECKPOINT,
            progress,
        )
    export(network, tokenizer, out)
    (out / CHECKPOINT).unlink()


def _epoch(
    reader: Reader, examples: Sequence[Examples], chance: random.Random, *, people_first: bool
) -> list[list[Example]]:
    found = drawn(examples, chance, people_first=people_first)
    found += reader.made_pairs(examples, chance, MADE_PAIRS)
    found += reader.emptied(examples, chance, EMPTIED)
    return batches(found, lambda example: len(example.ids), chance)


def _train(
    network: Network,
    epoch: Callable[[], list[list[Example]]],
    epochs: int,
    rate: float,
    checkpoint: Path,
    progress: Callable[[str], None],
) -> None:
    drawn_batches = epoch()
    total = epochs * len(drawn_batches)
    descent = Descent(network, rate, total, last=_LAST_RATE)
    step, sofar = 0, 0.0
    for number in range(epochs):
        for batch in drawn_batches if number == 0 else epoch():
            types = padded([example.types for example in batch])
            loss = _loss(read(network, [example.ids for example in batch], types), batch)
            descent.step(loss)
            step, sofar = step + 1, sofar + loss.item()
            if step % 100 == 0:
                progress(f"encoder: step {step:,} of about {total:,}, loss {sofar / 100:.3f}")
                sofar = 0.0
        torch.save(network.state_dict(), checkpoint)


def _loss(answers: Tensor, batch: Sequence[Example]) -> Tensor:
    level = torch.tensor([float(e.level) for e in batch])
    member = torch.tensor([float(e.member) for e in batch])
    target = torch.tensor([e.target for e in batch])
    weight = torch.tensor([e.weight for e in batch])
    yes_no = functional.binary_cross_entropy_with_logits
    loss = yes_no(answers[:, 0], (level >= 2).float(), reduction="none")  # noqa: PLR2004
    for rank in (1, 2, 3):
        reached = (level >= rank).float()
        loss = loss + 0.33 * yes_no(answers[:, 1 + rank], reached, reduction="none")
    of_all = (member >= 0).float()
    loss = loss + 0.3 * of_all * yes_no(answers[:, 1], member.clamp(min=0), reduction="none")
    aims = functional.cross_entropy(answers[:, 5:], target.clamp(min=0), reduction="none")
    loss = loss + 0.3 * of_all * aims
    return (loss * weight).sum() / weight.sum()
