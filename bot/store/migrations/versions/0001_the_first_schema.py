"""The first schema."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Move the schema forward."""
    op.create_table(
        "checkpoints",
        sa.Column("guild_id", sa.String(), nullable=False),
        sa.Column("channel_id", sa.String(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=False),
        sa.Column("moved_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "channel_id", name=op.f("pk_checkpoints")),
    )
    op.create_table(
        "flags",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("guild_id", sa.String(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("channel_id", sa.String(), nullable=False),
        sa.Column("channel_name", sa.String(), nullable=False),
        sa.Column("parent_id", sa.String(), nullable=True),
        sa.Column("author_id", sa.String(), nullable=False),
        sa.Column("author_name", sa.LargeBinary(), nullable=False),
        sa.Column("author_index", sa.String(), nullable=False),
        sa.Column("text", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("edited_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("reply_id", sa.String(), nullable=True),
        sa.Column("reply_text", sa.LargeBinary(), nullable=True),
        sa.Column("reply_author_name", sa.LargeBinary(), nullable=True),
        sa.Column("jump_url", sa.String(), nullable=True),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("level", sa.SmallInteger(), nullable=False),
        sa.Column("flagged", sa.Boolean(), nullable=False),
        sa.Column("threshold", sa.Float(), nullable=False),
        sa.Column("target", sa.LargeBinary(), nullable=True),
        sa.Column("target_index", sa.String(), nullable=True),
        sa.Column("target_type", sa.String(), nullable=False),
        sa.Column("member_score", sa.Float(), nullable=False),
        sa.Column("member_flagged", sa.Boolean(), nullable=False),
        sa.Column("why", sa.LargeBinary(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("revisions", sa.Integer(), nullable=False),
        sa.Column("flagged_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("claimed_by_id", sa.String(), nullable=True),
        sa.Column("claimed_by_name", sa.String(), nullable=True),
        sa.Column("claimed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("card_state", sa.String(), nullable=False),
        sa.Column("card_channel_id", sa.String(), nullable=True),
        sa.Column("card_message_id", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_flags")),
        sa.UniqueConstraint("guild_id", "message_id", name=op.f("uq_flags_guild_id_message_id")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_flags_author_index"), "flags", ["author_index"])
    op.create_index(op.f("ix_flags_card_state"), "flags", ["card_state"])
    op.create_index(op.f("ix_flags_guild_id_author_id"), "flags", ["guild_id", "author_id"])
    op.create_index(
        op.f("ix_flags_guild_id_card_message_id"), "flags", ["guild_id", "card_message_id"]
    )
    op.create_index(op.f("ix_flags_guild_id_created_at"), "flags", ["guild_id", "created_at"])
    op.create_index(op.f("ix_flags_guild_id_status"), "flags", ["guild_id", "status"])
    op.create_index(op.f("ix_flags_target_index"), "flags", ["target_index"])

    op.create_table(
        "guilds",
        sa.Column("guild_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("mod_channel_id", sa.String(), nullable=True),
        sa.Column("watched_channel_ids", sa.JSON(), nullable=False),
        sa.Column("threshold", sa.Float(), nullable=True),
        sa.Column("member_flags", sa.Boolean(), nullable=False),
        sa.Column("proxies", sa.Boolean(), nullable=False),
        sa.Column("seeded", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_guilds")),
    )
    op.create_table(
        "imports",
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("messages", sa.BigInteger(), nullable=False),
        sa.Column("flagged", sa.BigInteger(), nullable=False),
        sa.Column("done", sa.Boolean(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("fingerprint", name=op.f("pk_imports")),
    )
    op.create_table(
        "roster_people",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("guild_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_folded", sa.String(), nullable=False),
        sa.Column("aliases", sa.JSON(), nullable=False),
        sa.Column("handles", sa.JSON(), nullable=False),
        sa.Column("pronouns", sa.String(), nullable=True),
        sa.Column("channels", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_roster_people")),
        sa.UniqueConstraint(
            "guild_id", "name_folded", name=op.f("uq_roster_people_guild_id_name_folded")
        ),
    )
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_secrets")),
    )
    op.create_table(
        "decisions",
        sa.Column("flag_id", sa.Integer(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("moderator_id", sa.String(), nullable=False),
        sa.Column("moderator_name", sa.String(), nullable=False),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("reason", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["flag_id"], ["flags.id"], name=op.f("fk_decisions_flag_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("flag_id", name=op.f("pk_decisions")),
    )
    op.create_table(
        "flag_events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("flag_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by_id", sa.String(), nullable=False),
        sa.Column("by_name", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=True),
        sa.Column("note", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["flag_id"], ["flags.id"], name=op.f("fk_flag_events_flag_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_flag_events")),
    )
    op.create_index(op.f("ix_flag_events_flag_id"), "flag_events", ["flag_id"])

    op.create_table(
        "flag_people",
        sa.Column("flag_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_index", sa.String(), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("level", sa.SmallInteger(), nullable=False),
        sa.Column("flagged", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["flag_id"], ["flags.id"], name=op.f("fk_flag_people_flag_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("flag_id", "position", name=op.f("pk_flag_people")),
    )
    op.create_index(op.f("ix_flag_people_name_index"), "flag_people", ["name_index"])

    op.create_table(
        "flag_revisions",
        sa.Column("flag_id", sa.Integer(), nullable=False),
        sa.Column("revision", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("edited_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("text", sa.LargeBinary(), nullable=False),
        sa.Column("assessment", sa.LargeBinary(), nullable=False),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["flag_id"], ["flags.id"], name=op.f("fk_flag_revisions_flag_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("flag_id", "revision", name=op.f("pk_flag_revisions")),
    )
