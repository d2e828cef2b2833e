"""The key of the texts at rest, and the cipher made from it.

A key is a Fernet key (44 characters of URL-safe base64). Several, separated by commas,
are tried in turn for reading; the first one writes. So a key is replaced by putting the
new one in front of the old.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from bot.errors import UserError

_MAKE_A_KEY = (
    'python -c "from cryptography.fernet import Fernet; print(Fernet.generate_key().decode())"'
)
_PUT_BACK = (
    "Put your backup of the key back there: flags written with one key cannot be read with another."
)


class Cipher:
    """Encrypts and decrypts texts, and makes blind indexes to find them by."""

    def __init__(self, key: bytes | str, place: str = "FANGUARD_KEY") -> None:
        """Take one key, or several separated by commas.

        Args:
            key: the key.
            place: where it came from, for errors.

        Raises:
            UserError: it is not a Fernet key.
        """
        self._place = place
        text = key.decode("ascii", "replace") if isinstance(key, bytes) else key
        parts = [part.strip() for part in text.split(",") if part.strip()]
        try:
            self._fernet = MultiFernet([Fernet(part) for part in parts])
        except ValueError:  # also when there is no part at all
            msg = (
                f"The key in {place} is not valid: it must be 44 characters of URL-safe base64. "
                f"{_PUT_BACK} For a new database, make one with: {_MAKE_A_KEY}"
            )
            raise UserError(msg) from None
        self._index_secret = b""
        self._text_key = b""

    def seal(self, text: str) -> bytes:
        """Encrypt a text."""
        return self._fernet.encrypt(text.encode("utf-8", "surrogatepass"))

    def open(self, token: bytes) -> str:
        """Decrypt a text.

        Raises:
            UserError: the key does not fit, or the bytes were altered.
        """
        try:
            return self._fernet.decrypt(token).decode("utf-8", "surrogatepass")
        except InvalidToken:
            msg = (
                f"The encryption key does not fit this database: it is not the one in "
                f"{self._place}. {_PUT_BACK}"
            )
            raise UserError(msg) from None

    def index_with(self, secret: str) -> None:
        """Set the database's own secret for blind indexes; it outlives a change of key."""
        self._index_secret = secret.encode("ascii")
        self._text_key = hmac.new(self._index_secret, b"equal texts", "sha256").digest()

    def blind_index(self, name: str) -> str:
        """Return what stands for a name in a searchable column, whatever its case."""
        text = folded(name).encode("utf-8", "surrogatepass")
        return hmac.new(self._index_secret, text, "sha256").hexdigest()

    def text_index(self, text: str) -> str:
        """Return what equal texts have in common; its key is derived from the same secret."""
        data = text.encode("utf-8", "surrogatepass")
        return hmac.new(self._text_key, data, "sha256").hexdigest()


def folded(name: str) -> str:
    """Return a name as it is compared: in one case, with single spaces."""
    return " ".join(name.split()).casefold()


def new_secret() -> str:
    """Make a secret for `Cipher.index_with`."""
    return hashlib.sha256(os.urandom(32)).hexdigest()


def load_or_create_key(env_key: str | None, key_file: Path) -> str:
    """Return the key from the environment, else from its file, which the first run makes.

    The file is readable by its owner alone.

    Raises:
        UserError: the file cannot be read or made, holds no key, or others may read it.
    """
    if env_key:
        return env_key
    try:
        return _read_key_file(key_file) if key_file.exists() else _create_key_file(key_file)
    except (OSError, UnicodeDecodeError) as error:
        if isinstance(error, UnicodeDecodeError):
            msg = f"The key file {key_file} is damaged: it is not text. {_PUT_BACK}"
        else:
            msg = (
                f"The key file {key_file} cannot be used: {error.strerror}. "
                "Check the path and its permissions, or set FANGUARD_KEY."
            )
        raise UserError(msg) from None


def _read_key_file(key_file: Path) -> str:
    if key_file.stat().st_mode & 0o077:
        msg = f"Others can read the key file {key_file}. Run: chmod 600 {key_file}"
        raise UserError(msg)
    key = key_file.read_text(encoding="ascii").strip()
    if not key:
        msg = (
            f"The key file {key_file} is empty. {_PUT_BACK} For a new database, delete the file "
            "and one is made."
        )
        raise UserError(msg)
    Cipher(key, str(key_file))
    return key


def _create_key_file(key_file: Path) -> str:
    key = Fernet.generate_key().decode("ascii")
    key_file.parent.mkdir(parents=True, exist_ok=True)
    partial = key_file.with_name(f"{key_file.name}.{os.getpid()}")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(f"{key}\n")
            file.flush()
            os.fsync(file.fileno())
        os.link(partial, key_file)
    except FileExistsError:
        return _read_key_file(key_file)
    finally:
        partial.unlink(missing_ok=True)
    return key
