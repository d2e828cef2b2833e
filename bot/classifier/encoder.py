"""A small transformer that reads a view as a sentence: what words alone cannot tell.

It runs as int8 ONNX on one thread. Dynamic int8 scales its activations over everything
that is computed together, so texts are always read one by one: the same text gets the
same answer alone and among others.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from scipy.special import logsumexp
from tokenizers import Tokenizer

MOST_TOKENS: Final = 96
"""Longer inputs are cut; `windows` sees to it that every part of a text is read."""

_HOSTILE, _MEMBER, _ATTITUDE, _ABUSIVE = 0, 1, 2, 4
_TARGETS: Final = 5
_TARGET_OF: Final = {"group": 2, "object": 3, "self": 4}


class SentenceEncoder:
    """Answers the heads of `estimator.HEADS` for a view and the message it replies to.

    Args:
        model: an ONNX graph with the inputs `input_ids`, `attention_mask` and
            `token_type_ids` and one output of shape (texts, 11): hostile, member, level
            at least 1, 2 and 3, and the six target types.
        tokenizer: its `tokenizers` file, which knows the role tokens.
    """

    def __init__(self, model: Path, tokenizer: Path) -> None:
        """Load both files; whatever their readers raise passes through."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False
        self._session = onnxruntime.InferenceSession(
            str(model), options, providers=["CPUExecutionProvider"]
        )
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.enable_truncation(MOST_TOKENS, strategy="longest_first")
        self._tokenizer.no_padding()

    def logits(self, text: str, context: str | None = None) -> dict[str, float]:
        """The log-odds of each head for one view text and, if any, its context's."""
        encoding = (
            self._tokenizer.encode(text, context) if context else self._tokenizer.encode(text)
        )
        inputs = {
            "input_ids": encoding.ids,
            "attention_mask": encoding.attention_mask,
            "token_type_ids": encoding.type_ids,
        }
        arrays = {name: np.array([ids], dtype=np.int64) for name, ids in inputs.items()}
        (answers,) = self._session.run(None, arrays)
        return heads_of(np.asarray(answers[0], dtype=np.float64))


def heads_of(output: NDArray[np.float64]) -> dict[str, float]:
    """One output of the network as log-odds by head."""
    targets = output[_TARGETS:]
    heads = {
        "hostile": float(output[_HOSTILE]),
        "attitude": float(output[_ATTITUDE]),
        "abusive": float(output[_ABUSIVE]),
        "member": float(output[_MEMBER]),
    }
    for name, place in _TARGET_OF.items():
        others = np.delete(targets, place)
        heads[name] = float(targets[place] - logsumexp(others))
    return heads
