"""`fanguard train` and `fanguard evaluate`: make a model and measure it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

MODELS = Path("models")

DataOption = Annotated[
    Path, typer.Option("--data", metavar="DIR", help="Where the labelled comments are.", show_default=False)
]
OwnOption = Annotated[
    Path, typer.Option("--own", metavar="DIR", help="The project's own messages and labels.")
]


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    app.command()(train)


def train(
    data: DataOption,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Where to store the model.")
    ] = MODELS / "hostility",
    own: OwnOption = MODELS / "training",
) -> None:
    """Train the model. Needs the `train` extra; the same data gives the same model."""
    from bot.classifier.training.train import train as make

    with _progress() as tell:
        meta = make(data, own, out, tell)
    typer.echo(f"{out}: model {meta.version}, flags from a score of {meta.threshold:.3f}")


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    from rich.console import Console

    console = Console(stderr=True)
    with console.status("starting") as status:

        def tell(step: str) -> None:
            status.update(f"{step} …")
            if not console.is_terminal:
                console.print(step, style="dim")

        yield tell
