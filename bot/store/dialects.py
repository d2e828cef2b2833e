"""Where SQLite and PostgreSQL say the same thing differently; all other SQL is common to both."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, String
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement, GenericFunction

SQLITE = "sqlite"
POSTGRESQL = "postgresql"


class greatest(GenericFunction[Any]):  # noqa: N801
    """The largest of several values in a row."""

    inherit_cache = True


class epoch(GenericFunction[int]):  # noqa: N801
    """The seconds since 1970 of a moment, without their fraction."""

    type = BigInteger()
    inherit_cache = True


class json_strings(FunctionElement[str]):  # noqa: N801
    """The strings of a JSON list, as a table with one column `value`."""

    name = "json_strings"
    type = String()
    inherit_cache = True


@compiles(greatest, SQLITE)
def _greatest_in_sqlite(element: Any, compiler: SQLCompiler, **options: Any) -> str:  # noqa: ANN401
    return f"max({compiler.process(element.clauses, **options)})"


@compiles(epoch)
def _epoch(element: Any, compiler: SQLCompiler, **options: Any) -> str:  # noqa: ANN401
    moment = compiler.process(element.clauses, **options)
    return f"CAST(floor(EXTRACT(EPOCH FROM {moment})) AS BIGINT)"


@compiles(epoch, SQLITE)
def _epoch_in_sqlite(element: Any, compiler: SQLCompiler, **options: Any) -> str:  # noqa: ANN401
    return f"CAST(strftime('%s', {compiler.process(element.clauses, **options)}) AS INTEGER)"


@compiles(json_strings)
def _json_strings(element: Any, compiler: SQLCompiler, **options: Any) -> str:  # noqa: ANN401
    text = compiler.process(element.clauses, **options)
    return f"json_array_elements_text(CAST({text} AS JSON))"


@compiles(json_strings, SQLITE)
def _json_strings_in_sqlite(element: Any, compiler: SQLCompiler, **options: Any) -> str:  # noqa: ANN401
    return f"json_each({compiler.process(element.clauses, **options)})"
