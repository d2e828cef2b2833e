"""`fanguard train`: make a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

MODELS = Path("models")

DataOption = Annotated[
    Path,
    typer.Option(
        "--data", metavar="DIR", help="Where the labelled comments are.", show_default=False
    ),
]
OwnOption = Annotated[
    Path, typer.Option("--own", metavar="DIR", help="The project's own messages and labels.")
]


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command()(train)


def train(
    data: DataOption,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Where to store the model.")
    ] = MODELS / "hostility",
    own: OwnOption = MODELS / "training",
    encoder: Annotated[
        bool, typer.Option("--encoder", help="Train the sentence encoder too (about an hour).")
    ] = False,
) -> None:
    """Train the model. The encoder needs the `train` extra, the words the `evaluate` extra."""
    from bot.classifier.training.train import train as make

    with progress() as tell:
        meta = make(data, own, out, tell, encoder=encoder)
    typer.echo(f"{out}: model {meta.version}, flags from a score of {meta.threshold:.3f}")


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """A function to tell what is being done, on stderr."""
    from rich.console import Console

    console = Console(stderr=True)
    with console.status("starting") as status:

        def tell(step: str) -> None:
            status.update(f"{step} …")
            if not console.is_terminal:
                console.print(step, style="dim")

        yield tell
