"""The most memory a process held, for tests that start one.

`ru_maxrss` would count the process that started it, up to the moment it ran the program.
"""

from __future__ import annotations

from pathlib import Path


def peak_kilobytes() -> int:
    """The most resident memory this process has held since it ran its program."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    raise LookupError("VmHWM")
