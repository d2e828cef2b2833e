"""Finding out what a file is, by its content and never by its name."""

from __future__ import annotations

from pathlib import Path

from bot.errors import UserError
from bot.sources.exports import open_export
from bot.sources.files import TextFile
from bot.sources.jsonl import JsonLinesFile, looks_like_lines
from bot.sources.records import Source

_EXPECTED = "Expected a DiscordChatExporter export in JSON, or JSON Lines (docs/formats.md)"
_AGAIN = "export the channel again with --format Json"


def open_source(path: Path, guild_id: str | None = None) -> Source:
    """Open a file of messages of either format.

    Args:
        path: the file, plain or gzipped.
        guild_id: takes the place of the guild that the file names.

    Raises:
        UserError: it cannot be read, or is neither; says what was expected and found.
    """
    file = TextFile(path)
    try:
        return _recognise(file, guild_id)
    except UserError:
        file.close()
        raise


def _recognise(file: TextFile, guild_id: str | None) -> Source:
    export = open_export(file, guild_id)
    if export:
        return export
    if looks_like_lines(file.head):
        return JsonLinesFile(file, guild_id)
    raise UserError(f"{file.path} is {_found(file)}. {_EXPECTED}.")


def _found(file: TextFile) -> str:
    start = file.head.lstrip()[:200].casefold()
    found = "no file of messages"
    if not start:
        found = "empty"
    elif start.startswith(("<!doctype", "<html")):
        found = f"an HTML page; if it is an export, {_AGAIN}"
    elif start.startswith(("authorid,", '"authorid"')):
        found = f"an export in CSV; {_AGAIN}"
    elif start.startswith("=====") and "guild:" in start:
        found = f"an export in plain text; {_AGAIN}"
    elif start.startswith("pk\x03\x04"):
        found = "a zip archive; unpack it first"
    elif start.startswith("["):
        found = "a JSON array; write one object a line, such as with: jq -c '.[]'"
    elif start.startswith("{"):
        found = "JSON, but has no guild, channel and messages"
    return found
