"""The tables. Texts that people wrote are `EncryptedText`; no unique key holds a NULL."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    SmallInteger,
    String,
    Table,
    UniqueConstraint,
    false,
)

from bot.store.columns import EncryptedText, LongInteger, UtcDateTime

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

secrets = Table(
    "secrets",
    metadata,
    Column("name", String, primary_key=True),
    Column("value", EncryptedText, nullable=False),
)

guilds = Table(
    "guilds",
    metadata,
    Column("guild_id", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("mod_channel_id", String),
    Column("watched_channel_ids", JSON, nullable=False),
    Column("threshold", Float),
    Column("member_flags", Boolean, nullable=False),
    Column("proxies", Boolean, nullable=False),
    Column("seeded", Boolean, nullable=False),
    Column("threshold_share", Float),
    Column("threshold_model", String),
    Column("remove_above", Float),
    Column("ping_role_id", String),
    Column("moderator_role_ids", JSON, nullable=False, server_default="[]"),
    Column("paused", Boolean, nullable=False, server_default=false()),
    Column("paused_channel_ids", JSON, nullable=False, server_default="[]"),
    Column("shadow_until", UtcDateTime),
    Column("greeting_due", Boolean, nullable=False, server_default=false()),
    Column("joined_at", UtcDateTime),
    Column("left_at", UtcDateTime),
)

setup_drafts = Table(
    "setup_drafts",
    metadata,
    Column("guild_id", String, primary_key=True),
    Column("member_id", String, primary_key=True),
    Column("draft", JSON, nullable=False),
)

roster_people = Table(
    "roster_people",
    metadata,
    Column("id", LongInteger, primary_key=True),
    Column("guild_id", String, nullable=False),
    Column("name", String, nullable=False),
    Column("name_folded", String, nullable=False),
    Column("aliases", JSON, nullable=False),
    Column("handles", JSON, nullable=False),
    Column("pronouns", String),
    Column("channels", JSON, nullable=False),
    UniqueConstraint("guild_id", "name_folded"),
)

guild_phrases = Table(
    "guild_phrases",
    metadata,
    Column("id", LongInteger, primary_key=True),
    Column("guild_id", String, nullable=False),
    Column("phrase", EncryptedText, nullable=False),
    Column("phrase_index", String, nullable=False),
    UniqueConstraint("guild_id", "phrase_index"),
)

threshold_notices = Table(
    "threshold_notices",
    metadata,
    Column("id", LongInteger, primary_key=True),
    Column("guild_id", String, nullable=False, index=True),
    Column("model", String, nullable=False),
    Column("before", Float, nullable=False),
    Column("after", Float, nullable=False),
    Column("share", Float, nullable=False),
    sqlite_autoincrement=True,
)

flags = Table(
    "flags",
    metadata,
    Column("id", LongInteger, primary_key=True),
    Column("guild_id", String, nullable=False),
    Column("message_id", String, nullable=False),
    Column("channel_id", String, nullable=False),
    Column("channel_name", String, nullable=False),
    Column("parent_id", String),
    Column("author_id", String, nullable=False),
    Column("author_name", EncryptedText, nullable=False),
    Column("author_index", String, nullable=False),
    Column("text", EncryptedText, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("edited_at", UtcDateTime),
    Column("reply_id", String),
    Column("reply_text", EncryptedText),
    Column("reply_author_name", EncryptedText),
    Column("jump_url", String),
    Column("source", String, nullable=False),
    Column("score", Float, nullable=False),
    Column("level", SmallInteger, nullable=False),
    Column("flagged", Boolean, nullable=False),
    Column("threshold", Float, nullable=False),
    Column("target", EncryptedText),
    Column("target_index", String),
    Column("target_type", String, nullable=False),
    Column("member_score", Float, nullable=False),
    Column("member_flagged", Boolean, nullable=False),
    Column("why", EncryptedText, nullable=False),
    Column("model", String, nullable=False),
    Column("revisions", Integer, nullable=False),
    Column("flagged_at", UtcDateTime, nullable=False),
    Column("status", String, nullable=False),
    Column("claimed_by_id", String),
    Column("claimed_by_name", String),
    Column("claimed_at", UtcDateTime),
    Column("card_state", String, nullable=False),
    Column("card_channel_id", String),
    Column("card_message_id", String),
    Column("ambiguous", Boolean, nullable=False, server_default=false()),
    Column("foreign", Boolean, nullable=False, server_default=false()),
    Column("text_index", String),
    Column("author_joined_at", UtcDateTime),
    Column("gone_at", UtcDateTime),
    Column("gone_by_id", String),
    Column("gone_by_name", String),
    Column("undo_until", UtcDateTime),
    Column("reports", Integer, nullable=False, server_default="0"),
    Column("erased_at", UtcDateTime),
    Column("parts", String, nullable=False, server_default="[]"),
    UniqueConstraint("guild_id", "message_id"),
    Index(None, "guild_id", "status", "flagged_at"),
    Index(None, "guild_id", "created_at"),
    Index(None, "guild_id", "author_id"),
    Index(None, "guild_id", "card_message_id"),
    Index(None, "guild_id", "text_index"),
    Index(None, "author_index"),
    Index(None, "target_index"),
    Index(None, "card_state"),
    sqlite_autoincrement=True,
)

flag_people = Table(
    "flag_people",
    metadata,
    Column("flag_id", LongInteger, ForeignKey("flags.id", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("name", String, nullable=False),
    Column("name_index", String, nullable=False),
    Column("score", Float, nullable=False),
    Column("level", SmallInteger, nullable=False),
    Column("flagged", Boolean, nullable=False),
    Index(None, "name_index"),
)

flag_messages = Table(
    "flag_messages",
    metadata,
    Column("flag_id", LongInteger, ForeignKey("flags.id", ondelete="CASCADE"), primary_key=True),
    Column("message_id", String, primary_key=True),
    Column("guild_id", String, nullable=False),
    Index(None, "guild_id", "message_id"),
)

flag_revisions = Table(
    "flag_revisions",
    metadata,
    Column("flag_id", LongInteger, ForeignKey("flags.id", ondelete="CASCADE"), primary_key=True),
    Column("revision", String, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("edited_at", UtcDateTime),
    Column("text", EncryptedText, nullable=False),
    Column("assessment", EncryptedText, nullable=False),
    Column("recorded_at", UtcDateTime, nullable=False),
)

decisions = Table(
    "decisions",
    metadata,
    Column("flag_id", LongInteger, ForeignKey("flags.id", ondelete="CASCADE"), primary_key=True),
    Column("action", String, nullable=False),
    Column("moderator_id", String, nullable=False),
    Column("moderator_name", String, nullable=False),
    Column("decided_at", UtcDateTime, nullable=False),
    Column("reason", EncryptedText, nullable=False),
)

appeals = Table(
    "appeals",
    metadata,
    Column("id", LongInteger, primary_key=True),
    Column("flag_id", LongInteger, ForeignKey("flags.id", ondelete="CASCADE"), nullable=False),
    Column("decided_at", UtcDateTime, nullable=False),
    Column("guild_id", String, nullable=False),
    Column("member_id", String, nullable=False),
    Column("text", EncryptedText, nullable=False),
    Column("appealed_at", UtcDateTime, nullable=False),
    Column("outcome", String),
    Column("answered_by_id", String),
    Column("answered_by_name", String),
    Column("answered_at", UtcDateTime),
    Column("reason", EncryptedText, nullable=False),
    UniqueConstraint("flag_id", "decided_at"),
    Index(None, "guild_id", "member_id"),
)

flag_events = Table(
    "flag_events",
    metadata,
    Column("id", LongInteger, primary_key=True),
    Column(
        "flag_id",
        LongInteger,
        ForeignKey("flags.id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    Column("kind", String, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("by_id", String, nullable=False),
    Column("by_name", String, nullable=False),
    Column("action", String),
    Column("note", EncryptedText, nullable=False),
)

reports = Table(
    "reports",
    metadata,
    Column("flag_id", LongInteger, ForeignKey("flags.id", ondelete="CASCADE"), primary_key=True),
    Column("reporter_id", String, primary_key=True),
    Column("guild_id", String, nullable=False),
    Column("reason", EncryptedText, nullable=False),
    Column("reported_at", UtcDateTime, nullable=False),
    Index(None, "guild_id", "reporter_id"),
)

erasure_requests = Table(
    "erasure_requests",
    metadata,
    Column("guild_id", String, primary_key=True),
    Column("member_id", String, primary_key=True),
    Column("by_id", String, nullable=False),
    Column("by_name", String, nullable=False),
    Column("asked_at", UtcDateTime, nullable=False),
)

channel_settings = Table(
    "channel_settings",
    metadata,
    Column("guild_id", String, primary_key=True),
    Column("channel_id", String, primary_key=True),
    Column("threshold", Float),
    Column("people", JSON, nullable=False),
    Column("threshold_share", Float),
    Column("threshold_model", String),
)

exempt_roles = Table(
    "exempt_roles",
    metadata,
    Column("guild_id", String, primary_key=True),
    Column("role_id", String, primary_key=True),
)

checkpoints = Table(
    "checkpoints",
    metadata,
    Column("guild_id", String, primary_key=True),
    Column("channel_id", String, primary_key=True),
    Column("message_id", BigInteger, nullable=False),
    Column("moved_at", UtcDateTime, nullable=False),
)

imports = Table(
    "imports",
    metadata,
    Column("fingerprint", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("position", BigInteger, nullable=False),
    Column("digest", String, nullable=False),
    Column("messages", BigInteger, nullable=False),
    Column("flagged", BigInteger, nullable=False),
    Column("done", Boolean, nullable=False),
    Column("started_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
)

channel_scans = Table(
    "channel_scans",
    metadata,
    Column("guild_id", String, primary_key=True),
    Column("scan_id", String, nullable=False),
    Column("channel_id", String, nullable=False),
    Column("since", UtcDateTime, nullable=False),
    Column("started_at", UtcDateTime, nullable=False),
    Column("by_id", String, nullable=False),
    Column("notice_channel_id", String, nullable=False),
    Column("notice_message_id", String, nullable=False),
    Column("messages", Integer, nullable=False),
    Column("place_id", String),
    Column("reached_at", UtcDateTime),
)
