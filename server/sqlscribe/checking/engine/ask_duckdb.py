"""DuckDB: whether it would plan a query, and which of its refusals can be believed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING

from sqlglot import exp

from sqlscribe.checking.engine.answers import Said, offset_of_line

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SAFE = {
    "autoinstall_known_extensions": "false",
    "enable_external_access": "false",
    "python_enable_replacements": "false",
    "threads": "1",
}
"""No file, no network, no extension that is not built in, no variable of this program."""

_SYNTAX = re.compile(r"Parser Error: (?:syntax error|unterminated)")
_ABOUT_NAMES = re.compile(
    r"Binder Error: (?:Referenced (?:column|table) |Table \".*\" does not have a column"
    r"|Values list |Ambiguous reference|column \".*\" must appear in the GROUP BY"
    r"|Set operations can only apply|aggregate function calls cannot"
    r"|(?:WHERE|GROUP BY|JOIN|HAVING) clause cannot contain|ORDER term out of range"
    r"|Duplicate alias |Column \".*\" in (?:EXCLUDE|REPLACE|RENAME) list"
    r"|Subquery returns \d+ columns)"
)
_ABOUT_TYPES = re.compile(
    r"Binder Error: (?:No function matches the given name and argument types"
    r"|Cannot compare values of type|Cannot mix values of type)"
)
_NO_FUNCTION = re.compile(r"Catalog Error: \w+ Function with name \"?(\w+)\"? does not exist")
_NO_TABLE = re.compile(r"Catalog Error: Table with name \w+ does not exist")
_FUNCTION = re.compile(r"argument types '(\w+)\(")
_OF_EXTENSIONS = re.compile(r"st_|h3_|json_|xml_|bm25|match_|vss_|array_|list_|a5_", re.IGNORECASE)
_FUNCTIONS = frozenset(name.casefold() for name in exp.FUNCTION_BY_NAME)
_PLACE = re.compile(r"^(?P<head>LINE (?P<line>\d+): )(?P<text>[^\n]*)\n(?P<caret> *\^)", re.M)


def ask(connection: DuckDBPyConnection, sql: str, seconds: float) -> Said | None:
    """What DuckDB says against a query, without running it; ``None`` where it takes it."""
    import duckdb

    try:
        statements = connection.extract_statements(sql)
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            return None
        with interrupted_after(connection, seconds):
            connection.execute("EXPLAIN\n" + sql).fetchall()
    except duckdb.Error as error:
        return Said(_message(str(error)), _offset(sql, str(error)))
    return None


@contextmanager
def interrupted_after(connection: DuckDBPyConnection, seconds: float) -> Iterator[None]:
    timer = Timer(seconds, connection.interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        # A timer that outlives the interpreter while it holds the connection aborts the process.
        timer.join()


def _message(text: str) -> str:
    """Without the excerpt of the query, and without the list of what could have been meant."""
    return text.partition("\n\nLINE ")[0].partition("\n\tCandidate functions")[0].strip()


def _offset(sql: str, text: str) -> int | None:
    """From ``LINE 2: …from orderz`` and the caret under it to a place in the query."""
    found = _PLACE.search(text)
    if found is None:
        return None
    # The first line is EXPLAIN's own, but not where the text was only taken apart.
    column = len(found["caret"]) - 1 - len(found["head"])
    excerpt = found["text"].removeprefix("...")
    column -= len(found["text"]) - len(excerpt)
    excerpt = excerpt.removesuffix("...").strip("\r")
    for line in (int(found["line"]) - 1, int(found["line"])):
        start = offset_of_line(sql, line) if line > 0 else None
        if start is None:
            continue
        end = sql.find("\n", start)
        at = sql.find(excerpt, start, end if end >= 0 else len(sql)) if excerpt else -1
        if at >= 0 and column >= 0:
            return min(at + column, len(sql))
    return None


def is_syntax(said: Said) -> bool:
    return _SYNTAX.match(said.message) is not None


def is_about_names(said: Said, own_functions: frozenset[str]) -> bool:
    """A refusal that holds wherever the query's tables have the columns that they have here."""
    function = _NO_FUNCTION.match(said.message)
    if function is not None:
        name = function[1].casefold()
        known = name in _FUNCTIONS and name not in own_functions
        return known and not _OF_EXTENSIONS.match(name)
    return _ABOUT_NAMES.match(said.message) is not None


def is_about_types(said: Said, own_functions: frozenset[str]) -> bool:
    """A refusal that holds where the columns have the types that they have here, too."""
    function = _FUNCTION.search(said.message)
    if function is not None and function[1].casefold() in own_functions:
        return False
    return _ABOUT_TYPES.match(said.message) is not None


def is_missing_table(said: Said) -> bool:
    """A table that the file does not have; one of another database may be attached elsewhere."""
    return _NO_TABLE.match(said.message) is not None
