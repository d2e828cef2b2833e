"""What pretraining and fine-tuning share: batches, padding, and steps down the loss."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

import torch
from torch import Tensor, nn

from bot.classifier.training.network import Network

BATCH: Final = 32

_HEAD_RATE: Final = 1e-3
_WARM_UP: Final = 0.06

Item = TypeVar("Item")


def batches(
    items: list[Item], length: Callable[[Item], int], chance: random.Random
) -> list[list[Item]]:
    """Batches of items of about one length, in random order; `items` are shuffled in place."""
    chance.shuffle(items)
    made = []
    for first in range(0, len(items), BATCH * 50):
        near = sorted(items[first : first + BATCH * 50], key=length)
        made += [near[i : i + BATCH] for i in range(0, len(near), BATCH)]
    chance.shuffle(made)
    return made


def padded(rows: Sequence[Sequence[int]]) -> Tensor:
    """Rows of whole numbers as one table, filled up with zeros."""
    table = torch.zeros(len(rows), max(map(len, rows)), dtype=torch.long)
    for place, row in enumerate(rows):
        table[place, : len(row)] = torch.tensor(row)
    return table


def read(network: Network, ids: Sequence[Sequence[int]], types: Tensor | None = None) -> Tensor:
    """The network's answers for texts as token ids; of one segment unless `types` says."""
    tokens = padded(ids)
    mask = padded([[1] * len(text) for text in ids])
    answers: Tensor = network(tokens, mask, torch.zeros_like(tokens) if types is None else types)
    return answers


class Descent:
    """AdamW on a network, whose rate warms up and then falls over the steps to come."""

    def __init__(
        self, network: Network, rate: float, steps: int, *, last: float, decay: float = 0.0
    ) -> None:
        """Plan `steps` steps from `rate` down to the share `last` of it."""
        self._network = network
        body = [p for p in network.base.parameters() if p.requires_grad]
        self._optimizer = torch.optim.AdamW(
            [
                {"params": body, "lr": rate},
                {"params": network.head.parameters(), "lr": _HEAD_RATE},
            ],
            weight_decay=decay,
            fused=True,
        )
        self._schedule = torch.optim.lr_scheduler.LambdaLR(
            self._optimizer,
            lambda step: min(1.0, (step + 1) / (_WARM_UP * steps)) * max(last, 1 - step / steps),
        )
        network.train()

    def step(self, loss: Tensor) -> None:
        """Take one step."""
        loss.backward()
        nn.utils.clip_grad_norm_(self._network.parameters(), 1.0)
        self._optimizer.step()
        self._schedule.step()
        self._optimizer.zero_grad()
