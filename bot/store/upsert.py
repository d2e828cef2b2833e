"""`INSERT ... ON CONFLICT`: SQLite took it from PostgreSQL, and one statement serves both."""

from __future__ import annotations

from sqlalchemy import Table
from sqlalchemy.dialects.postgresql import Insert, insert


def insert_or(table: Table) -> Insert:
    """Return an INSERT that can take `on_conflict_do_nothing` or `on_conflict_do_update`."""
    return insert(table)
