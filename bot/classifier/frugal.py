"""Loading scikit-learn without what it takes along and scoring never uses."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_ARENAS, _MMAP_THRESHOLD = -8, -3
"""`M_ARENA_MAX` and `M_MMAP_THRESHOLD` of glibc's mallopt(3)."""

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


def return_what_is_freed() -> None:
    """Have glibc give large freed blocks back at once, and keep one heap for all threads.

    Reading a model frees as much as it keeps; without this, some 20 MB stay with the
    process for good. Elsewhere than on glibc it does nothing.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return
    mallopt(_ARENAS, 1)
    mallopt(_MMAP_THRESHOLD, 128 * 1024)
