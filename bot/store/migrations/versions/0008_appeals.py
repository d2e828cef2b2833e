"""Members' appeals against decisions, and how each was answered."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0012"


def upgrade() -> None:
    """Move the schema forward."""
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "appeals",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("flag_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("decided_at", moment, nullable=False),
        sa.Column("guild_id", sa.String(), nullable=False),
        sa.Column("member_id", sa.String(), nullable=False),
        sa.Column("text", sa.LargeBinary(), nullable=False),
        sa.Column("appealed_at", moment, nullable=False),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.Column("answered_by_id", sa.String(), nullable=True),
        sa.Column("answered_by_name", sa.String(), nullable=True),
        sa.Column("answered_at", moment, nullable=True),
        sa.Column("reason", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["flag_id"], ["flags.id"], name=op.f("fk_appeals_flag_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_appeals")),
        sa.UniqueConstraint("flag_id", "decided_at", name=op.f("uq_appeals_flag_id_decided_at")),
    )
    op.create_index(op.f("ix_appeals_guild_id_member_id"), "appeals", ["guild_id", "member_id"])
