"""A channel's own threshold is kept as a share too, for another model."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Move the schema forward."""
    op.add_column("channel_settings", sa.Column("threshold_share", sa.Float(), nullable=True))
    op.add_column("channel_settings", sa.Column("threshold_model", sa.String(), nullable=True))
