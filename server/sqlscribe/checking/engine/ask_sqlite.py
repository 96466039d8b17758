"""SQLite: whether it would prepare a query, and which of its refusals can be believed."""

from __future__ import annotations

import re
import time
from typing import Any

import apsw
from sqlglot import exp

from sqlscribe.checking.engine.answers import Said

_SYNTAX = re.compile(r'near ".*": syntax error|incomplete input|unrecognized token: ', re.DOTALL)
_ABOUT_NAMES = re.compile(
    r"no such column: |ambiguous column name: |a JOIN clause is required|cannot join using column"
    r"|no tables specified|no such window: "
    r"|(?:1st|2nd|3rd|\d+th) (?:ORDER|GROUP) BY term|ORDER BY clause should come after"
    r"|LIMIT clause should come after|SELECTs to the left and right of"
    r"|all VALUES must have the same number of terms|sub-select returns \d+ columns"
    r"|row value misused|wrong number of arguments to function|HAVING clause on a non-aggregate"
    r"|a GROUP BY clause is required|aggregate functions are not allowed|misuse of aggregate"
    r"|misuse of (?:aliased )?(?:aggregate|window)|table .* has \d+ values for \d+ columns"
    r"|too many columns on|near \S+: ORDER BY"
)
_NO_TABLE = re.compile(r"no such table: (?:main\.)?([^.]+)\Z")
_NO_FUNCTION = re.compile(r"(?:no such function|wrong number of arguments to function):? (\w+)")

# Functions of other engines that well-known extensions of SQLite bring along as well.
_OF_EXTENSIONS = frozenset(
    "median stddev stddev_pop stddev_samp variance var_pop var_samp mode percentile"
    " percentile_cont percentile_disc quantile corr regexp regexp_like regexp_replace"
    " regexp_substr regexp_instr regexp_matches regexp_extract md5 sha sha1 sha2 sha256 sha512"
    " uuid gen_random_uuid left right lpad rpad reverse repeat replicate split_part concat"
    " concat_ws format initcap levenshtein soundex translate charindex strpos greatest least"
    " generate_series series acos asin atan atan2 ceil ceiling cos cot degrees exp floor ln log"
    " log10 log2 mod pi pow power radians sign sin sqrt square tan trunc cbrt random rand now"
    " date_trunc date_part encode decode edit_distance fuzzy crypto_hash base64 hex unhex"
    " jaro_winkler dlevenshtein damlev ilike unaccent icu_load_collation if".split()
)
_FUNCTIONS = frozenset(name.casefold() for name in exp.FUNCTION_BY_NAME)

_ALLOWED = frozenset(
    {apsw.SQLITE_SELECT, apsw.SQLITE_READ, apsw.SQLITE_FUNCTION, apsw.SQLITE_RECURSIVE}
)
_STEPS = 10_000
"""Instructions of SQLite's machine between two looks at the clock."""


def only_reads(action: int, first: str | None, second: str | None, *_: str | None) -> int:
    """An authorizer. A virtual table such as json_each seems to write when it is declared."""
    declares = action == apsw.SQLITE_UPDATE and first == "sqlite_master"
    loads = action == apsw.SQLITE_FUNCTION and second == "load_extension"
    allowed = (action in _ALLOWED or declares) and not loads
    return apsw.SQLITE_OK if allowed else apsw.SQLITE_DENY


def ask(connection: apsw.Connection, sql: str, seconds: float) -> Said | None:
    """What SQLite says against a query, without running it; ``None`` where it takes it."""
    connection.authorizer = only_reads
    end = time.monotonic() + seconds
    connection.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
    try:
        # The flag makes it explain whatever the text says: nothing can run here.
        connection.cursor().execute(sql, explain=1, can_cache=False).close(True)
    except (apsw.SQLError, apsw.BindingsError) as error:
        message = str(error)
        offset = _characters(sql, getattr(error, "error_offset", -1))
        return Said(message, len(sql) if message == "incomplete input" else offset)
    return None


def _characters(sql: str, offset: Any) -> int | None:
    """SQLite counts bytes."""
    if not isinstance(offset, int) or offset < 0:
        return None
    return len(sql.encode()[:offset].decode(errors="ignore"))


def is_syntax(said: Said) -> bool:
    return _SYNTAX.match(said.message) is not None


def is_about_names(said: Said, own_functions: frozenset[str]) -> bool:
    """A refusal that holds wherever the query's tables look as they do here.

    Functions, collations and modules are an application's to add: a missing one is believed
    only where it is known to belong to another engine.
    """
    function = _NO_FUNCTION.match(said.message)
    if function is not None and function[1].casefold() in own_functions:
        return False
    if said.message.startswith("no such function"):
        name = function[1].casefold() if function else ""
        return name in _FUNCTIONS and name not in _OF_EXTENSIONS
    return _ABOUT_NAMES.match(said.message) is not None


def is_missing_table(said: Said) -> bool:
    """A table that the file does not have; another schema's may be attached elsewhere."""
    return _NO_TABLE.match(said.message) is not None
