"""Servers: how each one is asked about a query without running it, and what it answers.

An asker gives ``None`` where the engine takes the query, and a refusal as ``Said``. What the
engine says about itself (rights, time, a lost connection) is raised as it came.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from sqlscribe.checking.engine.answers import Said, offset_of_line
from sqlscribe.schema.database.connecting import words_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

Asker = Callable[["Connection", str], Said | None]


class NotAboutTheQuery(Exception):
    """The engine refused for a reason of its own; ``str()`` is its message."""


def _postgres(connection: Connection, sql: str) -> Said | None:
    cursor: Any = connection.connection.cursor()
    # Asked for in binary, psycopg sends one statement; as text it would send several.
    one_statement = {"binary": True} if connection.dialect.driver == "psycopg" else {}
    try:
        cursor.execute("EXPLAIN\n" + sql, **one_statement)
    except _errors(connection) as error:
        state = getattr(error, "sqlstate", None) or getattr(error, "pgcode", None) or ""
        if state[:2] not in ("42", "22", "0A", "3F", "21") or state in ("42501", "42P02"):
            raise NotAboutTheQuery(words_of(error)) from None
        said = error.diag
        hint = f" {said.message_hint}" if said.message_hint else ""
        place = said.statement_position
        offset = int(place) - 1 - len("EXPLAIN\n") if place else None
        return Said(f"{said.message_primary}.{hint}" if hint else str(said.message_primary), offset)
    finally:
        cursor.close()
    return None


_MYSQL = frozenset(
    {1046, 1049, 1051, 1052, 1053, 1054, 1055, 1056, 1057, 1060, 1063, 1064, 1065, 1066, 1104,
     1107, 1109, 1110, 1111, 1115, 1116, 1128, 1140, 1146, 1149, 1176, 1193, 1210, 1221, 1222,
     1231, 1235, 1241, 1247, 1248, 1250, 1267, 1270, 1271, 1273, 1305, 1318, 1327, 1370, 1463,
     1525, 1582, 1583, 1584, 1630, 1747, 3029, 3065, 3143, 3574, 3575, 3577, 3580}
)  # fmt: skip
_MYSQL_WINDOWS = (range(3579, 3600), range(4003, 4030), range(4155, 4160))
_NEAR = re.compile(r"near '(?P<text>.*)' at line (?P<line>\d+)\s*\Z", re.DOTALL)


def _mysql(connection: Connection, sql: str) -> Said | None:
    cursor = connection.connection.cursor()
    try:
        cursor.execute("EXPLAIN\n" + sql)
        cursor.fetchall()
    except _errors(connection) as error:
        number = error.args[0] if error.args else 0
        about = number in _MYSQL or any(number in numbers for numbers in _MYSQL_WINDOWS)
        if not about:
            raise NotAboutTheQuery(words_of(error)) from None
        message = str(error.args[1])
        return Said(_without_manual(message), _near(sql, message))
    finally:
        cursor.close()
    return None


def _without_manual(message: str) -> str:
    """Without MySQL's advice to read the manual, and with the query's own number of the line."""
    plain = re.sub(r"; check the manual that .*? to use (?=near )", " ", message, flags=re.DOTALL)
    return re.sub(r"(?<= at line )\d+\s*\Z", lambda line: str(int(line[0]) - 1), plain)


def _near(sql: str, message: str) -> int | None:
    found = _NEAR.search(message)
    if found is None:
        return None
    start = offset_of_line(sql, int(found["line"]) - 1) if int(found["line"]) > 1 else 0
    if not found["text"]:
        return len(sql)
    at = sql.find(found["text"], start or 0)
    return at if at >= 0 else None


_DESCRIBE = """
SELECT error_number, error_message FROM sys.dm_exec_describe_first_result_set(:query, NULL, 0)
WHERE error_number IS NOT NULL
"""
# The result cannot be described, though the query may be right; rights.
_TSQL_NOT = (range(11500, 11600), range(229, 231), range(15000, 16000))


def _tsql(connection: Connection, sql: str) -> Said | None:
    """SQL Server describes what a query would give; a refusal comes as a row."""
    from sqlalchemy import text

    row = connection.execute(text(_DESCRIBE), {"query": sql}).first()
    if row is None:
        return None
    number, message = row
    if any(number in numbers for numbers in _TSQL_NOT):
        raise NotAboutTheQuery(str(message))
    return Said(str(message))


_ORACLE = frozenset(
    {932, 1719, 1740, 1742, 1756, 1786, 1789, 1790, 2201, 6553, 30089, 30483, 30484}
)


def _oracle(connection: Connection, sql: str) -> Said | None:
    """A cursor parses a query without running it."""
    cursor: Any = connection.connection.cursor()
    try:
        cursor.parse(sql)
    except _errors(connection) as error:
        said = error.args[0] if error.args else None
        code = getattr(said, "code", 0)
        if not (900 <= code < 1000 or code in _ORACLE):
            raise NotAboutTheQuery(words_of(error)) from None
        offset = getattr(said, "offset", None)
        message = str(getattr(said, "message", said)).partition("\n")[0]
        return Said(message, offset if isinstance(offset, int) and offset > 0 else None)
    finally:
        cursor.close()
    return None


_SNOWFLAKE_PLACE = re.compile(r"line (?P<line>\d+) at position (?P<column>\d+)")


def _snowflake(connection: Connection, sql: str) -> Said | None:
    cursor = connection.connection.cursor()
    try:
        cursor.execute("EXPLAIN USING TEXT\n" + sql)
    except _errors(connection) as error:
        message = str(getattr(error, "raw_msg", None) or error)
        if "compilation error" not in message:
            raise NotAboutTheQuery(words_of(error)) from None
        return Said(message, _placed(sql, _SNOWFLAKE_PLACE.search(message), lines=1, columns=0))
    finally:
        cursor.close()
    return None


_BIGQUERY_PLACE = re.compile(r"\[(?P<line>\d+):(?P<column>\d+)\]")


def _bigquery(connection: Connection, sql: str) -> Said | None:
    """A dry run: BigQuery checks and prices a query, and does not run it."""
    bigquery = import_module("google.cloud.bigquery")
    exceptions = import_module("google.api_core.exceptions")
    driver: Any = connection.connection.driver_connection
    client = driver._client
    settings = bigquery.QueryJobConfig(dry_run=True, use_query_cache=False)
    try:
        client.query(sql, job_config=settings)
    except (exceptions.BadRequest, exceptions.NotFound) as error:
        message = str(error.message).rpartition("prettyPrint=false: ")[2]
        return Said(message, _placed(sql, _BIGQUERY_PLACE.search(message), lines=0, columns=1))
    return None


def _placed(sql: str, found: re.Match[str] | None, *, lines: int, columns: int) -> int | None:
    """A line and a column; ``lines`` were sent before the query, ``columns`` count from it."""
    if found is None:
        return None
    start = offset_of_line(sql, int(found["line"]) - lines)
    return None if start is None else start + int(found["column"]) - columns


def _errors(connection: Connection) -> type[Any]:
    """The class of all errors of the driver, as every driver must have one."""
    driver: Any = connection.dialect.loaded_dbapi
    found: type[Any] = driver.Error
    return found


ASKERS: dict[str, Asker] = {
    "postgres": _postgres,
    "mysql": _mysql,
    "tsql": _tsql,
    "oracle": _oracle,
    "snowflake": _snowflake,
    "bigquery": _bigquery,
}
