"""Loading scikit-learn without what it takes along and scoring never uses."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any

_ARENAS, _MMAP_THRESHOLD = -8, -3
"""`M_ARENA_MAX` and `M_MMAP_THRESHOLD` of glibc's mallopt(3)."""

_HEAVY = ("pandas", "pyarrow", "pytest", "charset_normalizer")
_STATISTICS = "scipy.stats"


class _PutOff:
    """Something of a module that is loaded when it is first called or looked into."""

    def __init__(self, module: str, name: str) -> None:
        self._place = module, name

    def _load(self) -> Callable[..., object]:
        module, name = self._place
        loaded: Callable[..., object] = getattr(import_module(module), name)
        return loaded

    def __call__(self, *arguments: object, **options: object) -> object:
        return self._load()(*arguments, **options)

    def __getattr__(self, name: str) -> object:
        return getattr(self._load(), name)


class _PutOffModule(ModuleType):
    def __getattr__(self, name: str) -> _PutOff:
        if name.startswith("__"):
            raise AttributeError(name)
        return _PutOff(self.__name__, name)


@contextmanager
def without_the_heavy() -> Iterator[None]:
    """Import scikit-learn and skops with less, unless they are loaded already.

    Packages that scikit-learn imports wherever they are installed (as for training and
    tests) are hidden: 75 MB that each bot and each scan would carry for nothing.
    `scipy.stats`, of which some of its functions make use, is put off until one of them
    is called (15 MB), and skops does not load every estimator there is to trust it (6 MB).
    """
    hidden = [name for name in _HEAVY if name not in sys.modules]
    put_off = _STATISTICS not in sys.modules
    for name in hidden:
        sys.modules[name] = None  # type: ignore[assignment]
    if put_off:
        sys.modules[_STATISTICS] = _PutOffModule(_STATISTICS)
    try:
        with _no_estimators_found():
            yield
    finally:
        for name in hidden:
            del sys.modules[name]
        if put_off:
            del sys.modules[_STATISTICS]
            vars(import_module("scipy")).pop("stats", None)


@contextmanager
def _no_estimators_found() -> Iterator[None]:
    utils: Any = import_module("sklearn.utils")
    find, utils.all_estimators = utils.all_estimators, list
    try:
        yield
    finally:
        utils.all_estimators = find


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
