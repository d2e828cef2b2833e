"""Loading scikit-learn without what it takes along and scoring never uses."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_pandas() -> Iterator[None]:
    """Hide pandas meanwhile, unless it is loaded already.

    scikit-learn imports pandas wherever it is installed, as it is for training: 65 MB
    that each bot and each scan would carry for nothing.
    """
    if "pandas" in sys.modules:
        yield
        return
    sys.modules["pandas"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["pandas"]
