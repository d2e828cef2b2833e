import subprocess
from pathlib import Path

from bot.settings import PROJECT_DIR


def test_the_first_setting_up_is_announced_before_it_begins(tmp_path: Path) -> None:
    done = subprocess.run(
        ["make", "--no-print-directory", "--dry-run", "demo", f"VENV={tmp_path}/venv"],
        cwd=PROJECT_DIR,
        capture_output=True,
        text=True,
        check=True,
    )
    said, *commands = done.stdout.splitlines()
    assert said == 'echo "Setting up (a minute or two, once)…"'
    assert "-m venv" in commands[0]
    assert commands[-1].rstrip().endswith("fanguard demo")
