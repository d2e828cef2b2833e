"""Loading scikit-learn without what it takes along and scoring never uses."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_HEAVY = ("pandas", "pyarrow", "pytest")


@contextmanager
def without_the_heavy() -> Iterator[None]:
    """Hide some packages meanwhile, unless they are loaded already.

    scikit-learn imports them wherever they are installed, as they are for training and
    tests: 75 MB that each bot and each scan would carry for nothing.
    """
    hidden = [name for name in _HEAVY if name not in sys.modules]
    for name in hidden:
        sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]
