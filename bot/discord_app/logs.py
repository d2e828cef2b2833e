"""Logging of the live bot: ids and counts, never a message's text and never a token.

discord.py writes whole payloads at DEBUG and, in a few warnings, addresses that contain an
interaction's token; SQLAlchemy writes the values of its statements. Their loggers therefore
stay above that, and a filter on the handler takes tokens out of whatever passes.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from datetime import UTC, datetime
from types import TracebackType
from typing import TextIO

import discord

from bot.errors import FanguardError
from bot.settings import LogSettings

_WEBHOOK = re.compile(r"(/(?:webhooks|interactions)/\d+/)[^/\s?\"']+")
_BOT_TOKEN = re.compile(r"[\w-]{18,}\.[\w-]{6,}\.[\w-]{27,}", re.ASCII)
_TALKATIVE = ("sqlalchemy", "alembic", "aiosqlite", "aiohttp", "asyncio", "discord.client")


def configure(settings: LogSettings, stream: TextIO | None = None) -> None:
    """Send the log to stderr (or `stream`) in the form the settings ask for."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(_JsonFormatter() if settings.format == "json" else _TextFormatter())
    handler.addFilter(redact)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.level)
    logging.getLogger("discord").setLevel(max(logging.INFO, root.level))
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
    # This bot never speaks: that the libraries for voice are missing is no news.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False


def redact(record: logging.LogRecord) -> bool:
    """A logging filter that takes tokens out of a record."""
    message = record.getMessage()
    clean = _BOT_TOKEN.sub("[token]", _WEBHOOK.sub(r"\1[token]", message))
    if clean != message:
        record.msg, record.args = clean, None
    return True


def where(error: BaseException) -> str:
    """An error as the log may say it: the kind, and the line it came from.

    The message of a foreign error is left out, since it may quote what it failed on; an
    error of this project says what to do and quotes no message.
    """
    if isinstance(error, FanguardError):
        return str(error)
    step: TracebackType | None = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    if step is None:
        return type(error).__name__
    return f"{type(error).__name__} at {step.tb_frame.f_code.co_filename}:{step.tb_lineno}"


def _outline(record: logging.LogRecord) -> str | None:
    return where(record.exc_info[1]) if record.exc_info and record.exc_info[1] else None


class _TextFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(" ", "seconds")
        line = f"{moment} {record.levelname:<7} {record.name}: {record.getMessage()}"
        outline = _outline(record)
        return f"{line} ({outline})" if outline else line


class _JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        outline = _outline(record)
        if outline:
            entry["error"] = outline
        return json.dumps(entry, ensure_ascii=False)
