"""One row of the table a model is fitted on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A view and what is known of it: labels by head, 1, 0 or UNKNOWN.

    `person` is the candidate asked about; `whole` marks the view that asks about anyone;
    `weight` multiplies that of the message's part.
    """

    view: str
    labels: dict[str, int]
    person: str | None = None
    whole: bool = False
    weight: float = 1.0
