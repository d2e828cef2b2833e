"""What the text of a flag is made of, and the messages that are read as one."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0007"


def upgrade() -> None:
    """Move the schema forward."""
    parts = sa.Column("parts", sa.String(), nullable=False, server_default="[]")
    op.add_column("flags", parts)
    op.create_table(
        "flag_messages",
        sa.Column("flag_id", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("guild_id", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["flag_id"], ["flags.id"], name=op.f("fk_flag_messages_flag_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("flag_id", "message_id", name=op.f("pk_flag_messages")),
    )
    op.create_index(
        op.f("ix_flag_messages_guild_id_message_id"), "flag_messages", ["guild_id", "message_id"]
    )
