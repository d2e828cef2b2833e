"""`INSERT ... ON CONFLICT`, the one statement that SQLAlchemy leaves to each dialect."""

from __future__ import annotations

from sqlalchemy import Table
from sqlalchemy.dialects.sqlite import Insert, insert


def insert_or(table: Table) -> Insert:
    """Return an INSERT that can take `on_conflict_do_nothing` or `on_conflict_do_update`.

    PostgreSQL's has the same two methods; a second dialect is chosen here.
    """
    return insert(table)
