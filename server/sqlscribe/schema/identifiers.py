"""How each engine spells a name: which letters fold, and which quotes keep them."""

from __future__ import annotations

import re

DEFAULT_SCHEMAS = frozenset({"", "public", "dbo", "main"})
"""What goes without saying before a table's name; case-folded."""

_PLAIN = re.compile(r"[^\W\d][\w$]*\Z")
_BACKTICKS = frozenset(
    {"mysql", "bigquery", "spark", "spark2", "databricks", "hive", "clickhouse", "doris",
     "starrocks", "singlestore", "drill", "athena"}
)  # fmt: skip
_BRACKETS = frozenset({"tsql", "fabric"})
_LOWER = frozenset({"postgres", "redshift", "materialize", "risingwave"})
_UPPER = frozenset({"snowflake", "oracle", "exasol", "teradata"})

# Words that name columns and tables often enough, and that no engine takes unquoted.
_RESERVED = frozenset(
    "all and as asc between by case check column constraint create cross default delete desc"
    " distinct drop else end exists false for foreign from full grant group having in inner"
    " insert into is join left like limit not null on or order outer primary references right"
    " select set table then to true union unique update user using values when where with".split()
)


def quote(name: str, dialect: str) -> str:
    """``name`` in the quotes of ``dialect``, quotes inside doubled."""
    if dialect in _BACKTICKS:
        return "`" + name.replace("`", "``") + "`"
    if dialect in _BRACKETS:
        return "[" + name.replace("]", "]]") + "]"
    return '"' + name.replace('"', '""') + '"'


def fold(name: str, dialect: str) -> str:
    """What the engine makes of ``name`` written without quotes."""
    if dialect in _LOWER:
        return name.lower()
    if dialect in _UPPER:
        return name.upper()
    return name


def folds(dialect: str) -> bool:
    """Whether the engine folds names written without quotes, and keeps the quoted ones."""
    return dialect in _LOWER or dialect in _UPPER


def spelled(name: str, quoted: bool, dialect: str) -> str:
    """``name`` as a query must write it: in quotes only where it needs them.

    ``quoted`` says that the DDL wrote it in quotes, so that its letters did not fold.
    """
    plain = _PLAIN.match(name) is not None and name.lower() not in _RESERVED
    if plain and not (quoted and fold(name, dialect) != name):
        return name
    return quote(name, dialect)
