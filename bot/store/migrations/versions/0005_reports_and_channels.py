"""Members' reports, what channels set for themselves, exempt roles, and erased texts."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Move the schema forward."""
    moment = sa.DateTime(timezone=True)
    reports = sa.Column("reports", sa.Integer(), nullable=False, server_default="0")
    op.add_column("flags", reports)
    op.add_column("flags", sa.Column("erased_at", moment, nullable=True))
    op.create_table(
        "reports",
        sa.Column("flag_id", sa.Integer(), nullable=False),
        sa.Column("reporter_id", sa.String(), nullable=False),
        sa.Column("guild_id", sa.String(), nullable=False),
        sa.Column("reason", sa.LargeBinary(), nullable=False),
        sa.Column("reported_at", moment, nullable=False),
        sa.ForeignKeyConstraint(
            ["flag_id"], ["flags.id"], name=op.f("fk_reports_flag_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("flag_id", "reporter_id", name=op.f("pk_reports")),
    )
    op.create_index(op.f("ix_reports_guild_id_reporter_id"), "reports", ["guild_id", "reporter_id"])
    op.create_table(
        "erasure_requests",
        sa.Column("guild_id", sa.String(), nullable=False),
        sa.Column("member_id", sa.String(), nullable=False),
        sa.Column("by_id", sa.String(), nullable=False),
        sa.Column("by_name", sa.String(), nullable=False),
        sa.Column("asked_at", moment, nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "member_id", name=op.f("pk_erasure_requests")),
    )
    op.create_table(
        "channel_settings",
        sa.Column("guild_id", sa.String(), nullable=False),
        sa.Column("channel_id", sa.String(), nullable=False),
        sa.Column("threshold", sa.Float(), nullable=True),
        sa.Column("people", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "channel_id", name=op.f("pk_channel_settings")),
    )
    op.create_table(
        "exempt_roles",
        sa.Column("guild_id", sa.String(), nullable=False),
        sa.Column("role_id", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "role_id", name=op.f("pk_exempt_roles")),
    )
