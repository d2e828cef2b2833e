"""Measured figures in a document, between the comments that mark their section."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path


def as_table(rows: Mapping[str, str]) -> str:
    """The figures as a table in Markdown."""
    return "\n".join(
        ["| what | figure |", "|---|---|", *(f"| {a} | {b} |" for a, b in rows.items())]
    )


def write_section(document: Path, name: str, text: str) -> None:
    """Replace what stands between `<!-- name -->` and `<!-- /name -->`."""
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    old = document.read_text(encoding="utf-8")
    if not pattern.search(old):
        raise LookupError(f"{document} has no section {begin}")
    new = pattern.sub(lambda _: f"{begin}\n{text}\n{end}", old)
    document.write_text(new, encoding="utf-8")
