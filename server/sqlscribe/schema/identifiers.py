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


# What stands alone for no column without its quotes: behind a dot many engines take it.
_EVERYWHERE = """
    and as check create distinct else from group having in into is not null on or order primary
    references select table then union when where
"""
_POSTGRES = f"""{_EVERYWHERE}
    analyse analyze any array asc both cast column constraint desc do end except fetch for foreign
    grant limit offset only returning some symmetric to trailing unique user using variadic window
    with
"""
_TAKEN_IN = {
    "postgres": _POSTGRES,
    "redshift": _POSTGRES,
    "duckdb": _EVERYWHERE,
    "sqlite": f"{_EVERYWHERE} index limit to",
    "trino": "and as by else end from group having in into is not on or order table then union"
    " when where",
    "bigquery": "asc by desc from group interval limit order range rows set to",
    "mysql": f"""{_EVERYWHERE}
        asc by column condition constraint desc div each explain fetch for force foreign grant if
        ignore index interval key keys leading limit lines load lock loop match natural option
        outer procedure purge range read release rename repeat replace require return revoke
        schema separator set show sql starting to trigger unique unlock unsigned update usage use
        using while with write
    """,
    "tsql": f"""{_EVERYWHERE}
        add alter any asc backup begin break browse bulk by cascade column constraint cursor
        database delete deny desc disk double drop end exec exists exit external file for foreign
        full function grant identity index key kill like merge national off open option over
        percent plan pivot print proc procedure public restore return rule save schema set some
        statistics top trigger truncate unique update use user view while with
    """,
}
_TAKEN = {dialect: frozenset(words.split()) for dialect, words in _TAKEN_IN.items()}


def is_taken(name: str, dialect: str) -> bool:
    """Whether a name that stands alone without quotes surely means something else."""
    return name.lower() in _TAKEN.get(dialect, ())


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
