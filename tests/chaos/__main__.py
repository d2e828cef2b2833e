"""The chaos run at full size: `python -m tests.chaos --messages 5000 --seed 1`."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from tests.chaos.figures import as_table, write_section
from tests.chaos.run import Outcome, Plan, chaos


def table(outcome: Outcome, seed: int) -> str:
    """The figures as a Markdown table."""
    verdict = outcome.verdict
    troubles = ", ".join(f"{name} {count}" for name, count in sorted(outcome.troubles.items()))
    rows = {
        "messages posted": f"{outcome.messages:,}",
        "edits": f"{outcome.edits:,}",
        "hostile in the end": f"{outcome.hostile:,}",
        "flags": f"{verdict.flags:,}",
        "processes killed": f"{outcome.kills}",
        "troubles ordered": troubles,
        "**missing**": f"**{verdict.missing}**",
        "**double**": f"**{verdict.double}**",
        "wrongly flagged": f"{len(verdict.wrongly_flagged)}",
        "seed": f"{seed}",
        "minutes": f"{outcome.seconds / 60:.0f}",
    }
    return as_table(rows)


def main() -> int:
    """Read the command line, run, and say whether anything was missing or double."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--messages", type=int, default=5000)
    parser.add_argument("--rate", type=float, default=12.0, help="messages a second")
    parser.add_argument("--pause", type=float, default=4.0, help="seconds from trouble to trouble")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path, help="the file whose section “chaos” takes the table")
    chosen = parser.parse_args()
    plan = Plan(
        messages=chosen.messages,
        rate=chosen.rate,
        pause=chosen.pause,
        threads=30,
        longest=6.0,
        settle=600.0,
        discord_limits=True,
    )
    with tempfile.TemporaryDirectory(prefix="fanguard-chaos-") as folder:
        outcome = asyncio.run(chaos(plan, chosen.seed, Path(folder)))
    figures = table(outcome, chosen.seed)
    sys.stdout.write(f"{figures}\n")
    if not outcome.verdict.is_clean:
        sys.stdout.write(f"{outcome.verdict}\n")
    if chosen.write is not None:
        write_section(chosen.write, "chaos", figures)
    return 0 if outcome.verdict.is_clean and outcome.exit_code == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
