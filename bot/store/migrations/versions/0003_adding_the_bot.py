"""Moderator roles, pauses, shadow mode, the first message, leaving, and drafts of /setup."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Move the schema forward."""
    for name in ("moderator_role_ids", "paused_channel_ids"):
        op.add_column("guilds", sa.Column(name, sa.JSON(), nullable=False, server_default="[]"))
    for name in ("paused", "greeting_due"):
        no: sa.Column[bool] = sa.Column(
            name, sa.Boolean(), nullable=False, server_default=sa.false()
        )
        op.add_column("guilds", no)
    for name in ("shadow_until", "joined_at", "left_at"):
        op.add_column("guilds", sa.Column(name, sa.DateTime(timezone=True), nullable=True))
    op.create_table(
        "setup_drafts",
        sa.Column("guild_id", sa.String(), nullable=False),
        sa.Column("member_id", sa.String(), nullable=False),
        sa.Column("draft", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "member_id", name=op.f("pk_setup_drafts")),
    )
