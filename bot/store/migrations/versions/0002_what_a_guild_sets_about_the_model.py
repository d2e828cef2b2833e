"""Thresholds that outlive a model, phrases of affection, and two more words on a flag."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Move the schema forward."""
    op.add_column("guilds", sa.Column("threshold_share", sa.Float(), nullable=True))
    op.add_column("guilds", sa.Column("threshold_model", sa.String(), nullable=True))
    for name in ("ambiguous", "foreign"):
        op.add_column(
            "flags", sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false())
        )
    op.create_table(
        "guild_phrases",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("guild_id", sa.String(), nullable=False),
        sa.Column("phrase", sa.LargeBinary(), nullable=False),
        sa.Column("phrase_index", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_guild_phrases")),
        sa.UniqueConstraint(
            "guild_id", "phrase_index", name=op.f("uq_guild_phrases_guild_id_phrase_index")
        ),
    )
    op.create_table(
        "threshold_notices",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("guild_id", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("before", sa.Float(), nullable=False),
        sa.Column("after", sa.Float(), nullable=False),
        sa.Column("share", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_threshold_notices")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_threshold_notices_guild_id"), "threshold_notices", ["guild_id"])
