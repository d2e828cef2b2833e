"""Scans of channels' histories that have begun."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0008"


def upgrade() -> None:
    """Move the schema forward."""
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "channel_scans",
        sa.Column("guild_id", sa.String(), nullable=False),
        sa.Column("scan_id", sa.String(), nullable=False),
        sa.Column("channel_id", sa.String(), nullable=False),
        sa.Column("since", moment, nullable=False),
        sa.Column("started_at", moment, nullable=False),
        sa.Column("by_id", sa.String(), nullable=False),
        sa.Column("notice_channel_id", sa.String(), nullable=False),
        sa.Column("notice_message_id", sa.String(), nullable=False),
        sa.Column("messages", sa.Integer(), nullable=False),
        sa.Column("place_id", sa.String(), nullable=True),
        sa.Column("reached_at", moment, nullable=True),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_channel_scans")),
    )
