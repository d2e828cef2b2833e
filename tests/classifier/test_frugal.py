"""What a process carries after the classifier is imported, and that the rest still works."""

from __future__ import annotations

import subprocess
import sys

CHECK = """
import sys
import bot.classifier
heavy = {"pandas", "pyarrow", "pytest", "charset_normalizer", "scipy.stats", "sklearn.inspection"}
assert not heavy & set(sys.modules), heavy & set(sys.modules)

import pandas
assert pandas.DataFrame({"a": [1]}).shape == (1, 1)

from sklearn.isotonic import spearmanr
from sklearn.metrics._ranking import rankdata
assert rankdata([30, 10, 20]).tolist() == [3, 1, 2]
assert spearmanr([1, 2, 3], [1, 2, 3]).statistic > 0.99

import scipy.stats
from scipy import stats
assert stats is scipy.stats is sys.modules["scipy.stats"]
assert stats.norm.cdf(0) == 0.5

from sklearn.utils import all_estimators
assert len(all_estimators()) > 100
"""


def test_scoring_carries_little_and_what_was_put_off_works_when_used() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CHECK], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
