"""Flags as files."""

from __future__ import annotations

import csv
import io
import json

import pytest

from bot.moderation.exporting import as_csv, as_json
from bot.store import Store
from tests.store.samples import assessment, comment


@pytest.mark.parametrize("beginning", ["=", "+", "-", "@", "\t", "\r"])
async def test_no_field_of_a_table_is_a_formula(beginning: str, store: Store) -> None:
    text = f"{beginning}HYPERLINK(1)"
    flag = (await store.flags.add(comment(text=text), assessment(), source="gateway")).flag
    assert flag is not None
    (row,) = csv.DictReader(io.StringIO(as_csv([flag], text=True).decode("utf-8-sig"), newline=""))
    assert row["text"] == f"'{text}"
    assert json.loads(as_json([flag], text=True))[0]["text"] == text
