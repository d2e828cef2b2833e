"""Alembic migrations; `bot.store.migrate` runs them."""
