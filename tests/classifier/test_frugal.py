"""Scoring carries no pandas, and training can still load it."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import sys
import bot.classifier
assert "sklearn" in sys.modules
assert "pandas" not in sys.modules
import pandas
assert pandas.DataFrame({"a": [1]}).shape == (1, 1)
"""


def test_pandas_is_loaded_only_where_it_is_asked_for() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
