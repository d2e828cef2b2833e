"""The fields that both file formats share, and what to say of one that is wrong."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError


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


Id = Annotated[str, BeforeValidator(_number_as_text), Field(min_length=1)]
Time = Annotated[datetime, BeforeValidator(_iso_time)]
Text = Annotated[str, AfterValidator(whole_characters)]


def problem_of(error: ValueError | RecursionError) -> str:
    """Say what is wrong with an entry without quoting any of it."""
    if isinstance(error, json.JSONDecodeError):
        return f"it is not valid JSON (at character {error.pos + 1})"
    if not isinstance(error, ValidationError):
        return "it is not valid JSON"
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    names = [part for part in first["loc"] if isinstance(part, str)]
    if not names:
        return "it is not a JSON object"
    field = ".".join(names)
    if first["type"] == "missing":
        return f"“{field}” is missing"
    if first["type"] == "value_error":
        return f"“{field}” is not an ISO 8601 time"
    return f"“{field}” is not of the right kind"
