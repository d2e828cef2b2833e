"""Column types of our own: encrypted text, times in UTC, and numbers of 64 bits."""

from __future__ import annotations

from datetime import UTC, datetime
from weakref import WeakKeyDictionary

from sqlalchemy import BigInteger, DateTime, Integer, LargeBinary, MetaData, Table
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

from bot.store.crypto import Cipher

LongInteger = BigInteger().with_variant(Integer(), "sqlite")
"""64 bits on each database; SQLite counts by itself in a column that is plainly INTEGER."""

_ciphers: WeakKeyDictionary[Dialect, Cipher] = WeakKeyDictionary()


def use_cipher(dialect: Dialect, cipher: Cipher) -> None:
    """Let every `EncryptedText` of the engine with this dialect use `cipher`."""
    _ciphers[dialect] = cipher


class EncryptedText(TypeDecorator[str]):
    """Text that is encrypted before it reaches the database."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> bytes | None:
        """Encrypt a value on its way in."""
        return None if value is None else _ciphers[dialect].seal(value)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> str | None:
        """Decrypt a value on its way out."""
        return None if value is None else _ciphers[dialect].open(value)


class UtcDateTime(TypeDecorator[datetime]):
    """A moment: aware in Python, stored in UTC whether or not the database knows zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Move an aware moment to UTC; a naive one is refused."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a naive datetime cannot be stored: give it a time zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Give the moment back in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def raw(table: Table) -> Table:
    """The same table, with its encrypted texts as the bytes that they are in the database."""
    bare = table.to_metadata(MetaData())
    for column in bare.columns:
        if isinstance(column.type, EncryptedText):
            column.type = LargeBinary()
    return bare
