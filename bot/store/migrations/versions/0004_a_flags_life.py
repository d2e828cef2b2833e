"""What a flag's life needs: equal texts, lost messages, undoing, and two settings of a guild."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Move the schema forward."""
    moment = sa.DateTime(timezone=True)
    for name, kind in (
        ("text_index", sa.String()),
        ("author_joined_at", moment),
        ("gone_at", moment),
        ("gone_by_id", sa.String()),
        ("gone_by_name", sa.String()),
        ("undo_until", moment),
    ):
        op.add_column("flags", sa.Column(name, kind, nullable=True))
    op.create_index(op.f("ix_flags_guild_id_text_index"), "flags", ["guild_id", "text_index"])
    op.add_column("guilds", sa.Column("remove_above", sa.Float(), nullable=True))
    op.add_column("guilds", sa.Column("ping_role_id", sa.String(), nullable=True))
