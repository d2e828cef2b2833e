"""What waits is counted by its age from an index alone."""

from alembic import op

revision = "0007"
down_revision = "0005"


def upgrade() -> None:
    """Move the schema forward."""
    op.create_index(
        op.f("ix_flags_guild_id_status_flagged_at"), "flags", ["guild_id", "status", "flagged_at"]
    )
    op.drop_index(op.f("ix_flags_guild_id_status"), "flags")
