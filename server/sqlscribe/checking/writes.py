"""What the tree of a query says against its being a read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

STATEMENTS: tuple[type[exp.Expression], ...] = (
    exp.Alter,
    exp.AlterSession,
    exp.Analyze,
    exp.Attach,
    exp.Cache,
    exp.Command,
    exp.Comment,
    exp.Commit,
    exp.ConnectTo,
    exp.Copy,
    exp.Create,
    exp.Declare,
    exp.Delete,
    exp.Detach,
    exp.Disconnect,
    exp.Drop,
    exp.EndStatement,
    exp.Execute,
    exp.Export,
    exp.Get,
    exp.Grant,
    exp.Insert,
    exp.Install,
    exp.Kill,
    exp.LoadData,
    exp.Merge,
    exp.Put,
    exp.Refresh,
    exp.Revoke,
    exp.Rollback,
    exp.Set,
    exp.Transaction,
    exp.TruncateTable,
    exp.Uncache,
    exp.Undrop,
    exp.Update,
    exp.Use,
)
"""Nodes that do something. None of them may stand anywhere in a read."""

READS: tuple[type[exp.Expression], ...] = (
    exp.Query,
    exp.Values,
    exp.Describe,
    exp.Show,
    exp.Summarize,
    exp.Pragma,
    exp.Pivot,
)
"""Nodes a read may have at its root, if nothing below them writes."""

_FILE = re.compile(
    r"://|[/\\]|\.(?:csv|tsv|txt|parquet|json|jsonl|ndjson|xlsx?|ods|arrows?|db|duckdb|sqlite|avro"
    r"|orc|shp|gpkg|fgb|geojson|geoparquet|lance|vortex|xml|html?|ya?ml|pbf|sas7bdat|dta|sav|xpt"
    r")(?:\.(?:gz|zst|bz2))?(?:\?.*)?\Z",
    re.IGNORECASE,
)
_FORMATS = frozenset(
    "avro binaryfile csv delta excel hudi iceberg image jdbc json libsvm orc parquet text"
    " xml".split()
)
_LOCKING_HINTS = frozenset(
    "updlock xlock tablock tablockx holdlock serializable repeatableread".split()
)
_ASSIGNING = frozenset({"tsql", "fabric", ""})
_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")


def word_of(tree: exp.Expression) -> str:
    """The keyword a person knows a statement by."""
    if isinstance(tree, exp.Query | exp.Values):
        return "SELECT"
    if isinstance(tree, exp.Command):
        return str(tree.this).upper()
    if isinstance(tree, (*STATEMENTS, *READS)):
        return _WORDS.sub(" ", type(tree).__name__).upper()
    return ""


def objections_of_tree(tree: exp.Expression, dialect: str) -> Iterator[str]:
    """What speaks against a read, anywhere in its tree."""
    for node in tree.walk():
        if node is not tree and isinstance(node, STATEMENTS):
            yield f"the query changes data ({word_of(node)})"
        elif reason := _REASONS.get(type(node)) or _objection(node, dialect):
            yield reason


def _objection(node: exp.Expression, dialect: str) -> str:
    if isinstance(node, exp.Table | exp.Summarize):
        if file := _file(node, dialect):
            return f"the query reads the file {file}"
        if node.name.lower() == "pragma_optimize" and dialect == "sqlite":
            return "pragma_optimize changes what is stored"
    elif isinstance(node, exp.WithTableHint):
        if any(hint.name.lower() in _LOCKING_HINTS for hint in node.expressions):
            return "the query locks rows (by a hint on a table)"
    elif isinstance(node, exp.Select):
        if dialect in _ASSIGNING and any(map(_is_assignment, node.expressions)):
            return "the query sets a variable"
    elif isinstance(node, exp.SetOperation):
        if not (isinstance(node.this, exp.Query) and isinstance(node.expression, exp.Query)):
            return "a part of the answer is not a query"
    elif isinstance(node, exp.QueryTransform) and node.args.get("command_script"):
        return "the query runs a program (TRANSFORM … USING)"
    return ""


_REASONS: dict[type[exp.Expression], str] = {
    exp.Into: "the query writes its result (SELECT INTO)",
    exp.Lock: "the query locks rows (FOR UPDATE or FOR SHARE)",
    exp.NextValueFor: "the query advances a sequence",
}


def _is_assignment(projection: exp.Expression) -> bool:
    """``@a = 1`` in the list of a SELECT. Elsewhere it compares."""
    return isinstance(projection, exp.EQ) and isinstance(projection.this, exp.Parameter)


def _file(node: exp.Table | exp.Summarize, dialect: str) -> str:
    """The file that stands in place of a table, ``""`` for a table."""
    if isinstance(node, exp.Summarize):
        return node.this.name if isinstance(node.this, exp.Literal) else ""
    name = ".".join(part.name for part in node.parts)
    match dialect:
        case "snowflake":
            return name if name.startswith("@") else ""
        case "duckdb":
            # The parser takes ``TABLE 'a.csv'`` in parentheses for a table with an alias.
            name = node.alias if name.upper() == "TABLE" else name
            return name if _FILE.search(name) else ""
        case "spark" | "spark2" | "databricks":
            quoted = isinstance(node.this, exp.Identifier) and node.this.quoted
            format_ = node.db.lower().rpartition(".")[2]
            return name if quoted and (format_ in _FORMATS or "/" in node.name) else ""
        case "clickhouse":
            return name if isinstance(node.this, exp.Literal) else ""
    return ""
