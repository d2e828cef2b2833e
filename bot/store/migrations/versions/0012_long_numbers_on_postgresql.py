"""Numbers of flags and the like have 64 bits on PostgreSQL too; on SQLite they have already."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0009"

_NUMBERED = ("flags", "flag_events", "guild_phrases", "roster_people", "threshold_notices")
_BENEATH = ("decisions", "flag_events", "flag_messages", "flag_people", "flag_revisions", "reports")


def upgrade() -> None:
    """Move the schema forward."""
    if op.get_bind().dialect.name != "postgresql":
        return
    for table in _NUMBERED:
        op.alter_column(table, "id", type_=sa.BigInteger())
        op.execute(f"ALTER SEQUENCE {table}_id_seq AS bigint")
    for table in _BENEATH:
        op.alter_column(table, "flag_id", type_=sa.BigInteger())
