"""The fields that both file formats share, and what to say of one that is wrong."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Annotated, Final

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError

MAX_ID_CHARACTERS: Final = 1_000
MAX_TEXT_CHARACTERS: Final = 64 * 1024
"""Sixteen times what Discord lets anybody write; reading takes some seconds for so much."""


class Fields(BaseModel):
    """Known fields are checked; others are ignored, for formats grow."""

    model_config = ConfigDict(extra="ignore", frozen=True)


def _number_as_text(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _iso_time(value: object) -> datetime:
    if not isinstance(value, str):
        raise ValueError(value)  # noqa: TRY004
    moment = datetime.fromisoformat(value)
    try:
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError(value) from error


def whole_characters(text: str) -> str:
    """Join surrogate pairs and put U+FFFD for a surrogate that stands alone."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def is_whole(text: str) -> bool:
    """Whether a text is free of surrogates, so that it can be stored."""
    return text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text)


def _whole(text: str) -> str:
    if not is_whole(text):
        raise PydanticCustomError("half_character", "half a character")
    return text


_Id = Annotated[str, AfterValidator(_whole), Field(max_length=MAX_ID_CHARACTERS)]

Id = Annotated[_Id, BeforeValidator(_number_as_text), Field(min_length=1)]
Link = _Id
Time = Annotated[datetime, BeforeValidator(_iso_time)]
Text = Annotated[str, AfterValidator(whole_characters), Field(max_length=MAX_TEXT_CHARACTERS)]

_PROBLEMS: Final = {
    "missing": "is missing",
    "value_error": "is not an ISO 8601 time",
    "half_character": "has half a character in it (a lone surrogate)",
    "too_long": "is longer than {max_length:,} characters",
}


def problem_of(error: ValueError | RecursionError) -> str:
    """Say what is wrong with an entry without quoting any of it."""
    if isinstance(error, json.JSONDecodeError):
        return f"it is not valid JSON (at character {error.pos + 1})"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if not isinstance(error, ValidationError):
        return "it has a number of too many digits"
    first = error.errors(include_url=False, include_input=False)[0]
    names = [part for part in first["loc"] if isinstance(part, str)]
    if not names:
        return "it is not a JSON object"
    problem = _PROBLEMS.get(first["type"], "is not of the right kind")
    return f"“{'.'.join(names)}” {problem.format_map(first.get('ctx', {}))}"
