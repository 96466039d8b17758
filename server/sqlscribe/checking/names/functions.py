"""What well-known functions in FROM give: the names of their columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sqlglot import exp

from sqlscribe.checking.names.scopes import Known

_POSTGRES = {
    **dict.fromkeys(("json_each", "jsonb_each", "json_each_text", "jsonb_each_text"), "key value"),
    **dict.fromkeys(
        (
            "json_array_elements",
            "jsonb_array_elements",
            "json_array_elements_text",
            "jsonb_array_elements_text",
        ),
        "value",
    ),
}
_SQLITE = {
    **dict.fromkeys(
        ("json_each", "json_tree", "jsonb_each", "jsonb_tree"),
        "key value type atom id parent fullkey path json root",
    ),
    "generate_series": "value start stop step",
}
_TSQL = {
    "string_split": "value ordinal",
    "generate_series": "value",
    "openjson": "key value type",
    **dict.fromkeys(("containstable", "freetexttable"), "key rank"),
}
_SNOWFLAKE = {"flatten": "seq key path index value this"}
_DUCKDB = {"range": "range", "generate_series": "generate_series"}
_GIVES = {
    "postgres": _POSTGRES,
    "sqlite": _SQLITE,
    "tsql": _TSQL,
    "fabric": _TSQL,
    "snowflake": _SNOWFLAKE,
    "duckdb": _DUCKDB,
}
# PostgreSQL names the one column of these after the alias, or after the function.
_ONE_VALUE = frozenset(
    """
    generate_series generate_subscripts regexp_split_to_table string_to_table json_object_keys
    jsonb_object_keys
    """.split()
)


def columns_given(call: exp.Expression, alias: str, dialect: str) -> list[str] | None:
    """The names that a call in FROM gives its columns; ``None`` where nobody knows.

    ``alias`` is what the query calls it, ``""`` for nothing.
    """
    if isinstance(call, exp.JSONTable):
        return _plain_names(_defined(call.args.get("schema")))
    if isinstance(call, exp.XMLTable) or (isinstance(call, exp.OpenJSON) and call.expressions):
        return _plain_names(call.args.get("columns") or call.expressions)
    name = _function(call)
    if dialect == "postgres" and name in _ONE_VALUE:
        return [alias or name]
    given = _GIVES.get(dialect, {}).get(name)
    return given.split() if given else None


def _plain_names(columns: Iterable[exp.Expression]) -> list[str] | None:
    """Names that engines fold as they do others; of names in quotes nothing is said."""
    names = [column.this for column in columns if isinstance(column.this, exp.Identifier)]
    if any(name.args.get("quoted") for name in names):
        return None
    return [name.name for name in names] or None


def _defined(schema: exp.Expression | None) -> Iterator[exp.Expression]:
    """The columns of a JSON_TABLE, those of nested paths too."""
    for column in schema.expressions if schema is not None else ():
        yield column
        yield from _defined(column.args.get("nested_schema"))


def _function(call: exp.Expression) -> str:
    if isinstance(call, exp.TableFromRows):
        call = call.this
    if isinstance(call, exp.GenerateSeries):
        return "range" if call.args.get("is_end_exclusive") else "generate_series"
    if isinstance(call, exp.ExplodingGenerateSeries):
        return "generate_series"
    if isinstance(call, exp.OpenJSON):
        return "openjson"
    if isinstance(call, exp.Explode):
        return "flatten"
    if isinstance(call, exp.XMLTable):
        return "xmltable"
    name = call.name if isinstance(call, exp.Anonymous) else ""
    return name.casefold()


def called_by(call: exp.Expression | None) -> str:
    """What a call in FROM is called where it has no alias; ``""`` where that is not known."""
    if isinstance(call, exp.Anonymous) or not isinstance(call, exp.Func):
        return call.name if isinstance(call, exp.Anonymous) else ""
    return _function(call) or call.sql_name().casefold()


_TAKES_TABLES = frozenset(
    """
    containstable freetexttable changetable openquery openrowset query_table remote remotesecure
    cluster clusterallreplicas merge dictionary getnextval
    """.split()
)


def takes_names(call: exp.Expression) -> bool:
    """True for a function whose arguments may be names of tables, which are no columns."""
    return _function(call) in _TAKES_TABLES


_BASE_TYPES = frozenset(
    """
    text varchar character char uuid int int2 int4 int8 integer smallint bigint numeric decimal
    real float4 float8 double date time timestamp timestamptz boolean bool bytea citext inet
    string int64 float64 bignumeric datetime bytes tinyint
    """.split()
)
_ARRAY_OF = re.compile(r"(?:array\s*[<(]\s*)?([a-z]\w*)(?!\s*[<(]\s*[a-z])")
_PLAIN_ARRAYS = (
    exp.GenerateDateArray,
    exp.GenerateTimestampArray,
    exp.GenerateSeries,
    exp.Split,
    exp.StringToArray,
)


def gives_plain_values(array: exp.Expression | None, known: Known | None) -> bool:
    """True for an array whose elements have no fields: a list of literals, ``text[]``."""
    if isinstance(array, exp.Array):
        return not any(isinstance(each, exp.Struct | exp.Tuple) for each in array.expressions)
    if isinstance(array, _PLAIN_ARRAYS):
        return True
    if known is None or known.column is None:
        return False
    base = _ARRAY_OF.match(known.column.type.casefold())
    return base is not None and base[1] in _BASE_TYPES


_FIRST_VALUE = {
    "postgres": ("column", 1),
    "sqlite": ("column", 1),
    "snowflake": ("column", 1),
    "redshift": ("column", 1),
    "spark": ("col", 1),
    "databricks": ("col", 1),
    "duckdb": ("col", 0),
    "mysql": ("column_", 0),
    "trino": ("_col", 0),
}


def columns_of_values(values: exp.Values, dialect: str) -> list[str] | None:
    """What an engine calls the columns of VALUES; ``None`` where they have no names."""
    row = values.expressions[0] if values.expressions else None
    if dialect not in _FIRST_VALUE or row is None:
        return None
    word, first = _FIRST_VALUE[dialect]
    inside = row.expressions[0] if isinstance(row, exp.Tuple) and row.expressions else None
    if isinstance(inside, exp.Anonymous) and inside.name.upper() == "ROW":
        row = inside
    count = len(row.expressions) if isinstance(row, exp.Tuple | exp.Anonymous) else 1
    return [f"{word}{first + index}" for index in range(count)]
