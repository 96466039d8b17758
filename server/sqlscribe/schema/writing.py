"""A schema as a DDL script, in the words of one dialect.

What is written is read back as the same schema, but for files and lines, and for the types of
a view's columns, which come back in the parser's spelling and without their values. A pulled
schema is kept so in git, and a cached one on the disk.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sqlscribe.notation.script_lines import is_tsql
from sqlscribe.schema.identifiers import fold, folds, quote, spelled
from sqlscribe.schema.model import Column, ForeignKey, Schema, Table

_COMMENT_ON = frozenset(
    {"postgres", "redshift", "materialize", "risingwave", "duckdb", "oracle", "trino", "presto",
     "exasol", "teradata", "db2", "dremio"}
)  # fmt: skip
_INLINE = frozenset(
    {"mysql", "singlestore", "doris", "starrocks", "snowflake", "spark", "spark2", "databricks",
     "hive", "clickhouse", "athena"}
)  # fmt: skip
_BACKSLASHES = frozenset(
    {"mysql", "singlestore", "doris", "starrocks", "bigquery", "spark", "spark2", "databricks",
     "hive", "clickhouse", "snowflake"}
)  # fmt: skip
_NO_DOUBLED_QUOTES = frozenset({"bigquery", "spark", "spark2", "databricks", "hive"})
"""Where two quotes end one string and begin another."""

# Words that are names often enough and that an engine, or a reader, may take for a keyword.
_KEYWORDS = frozenset(
    "add after always analyse analyze any array authorization before begin both cast clustered"
    " collate collation comment commit current_date current_time current_timestamp current_user"
    " database deferrable describe do escape except exclude exec execute explain family fetch"
    " filter float foreign freeze fulltext function generated glob grouping groups ignore ilike"
    " index initially instead intersect interval inverted isnull key lateral leading left limit"
    " localtime localtimestamp merge minus natural notnull nothing nulls offset only option over"
    " overlaps partition period placing plan pragma procedure projection qualify range rank read"
    " recursive regexp reindex release rename replace returning row rows rownum savepoint schema"
    " session_user shard similar some sort spatial supplemental symmetric system tablesample temp"
    " temporary top trailing transaction trigger truncate unique use vacuum variadic verbose view"
    " virtual watermark window within without condition double int integer char character decimal"
    " date number level size start end mode comment access audit file increment resource share"
    " synonym uid user validate percent out no lag lead first last constraint like".split()
)


def create_statements(schema: Schema, dialect: str) -> str:
    """A script that makes all tables and views of ``schema``.

    Types are written as they are. The query of a view is not known here: its stand-in gives
    the same columns, and no rows. Of functions only the names are known.
    """
    lines = [line for table in schema.tables for line in (*_statements(table, schema, dialect), "")]
    lines += [
        f"CREATE FUNCTION {spelled(name, True, dialect)}();" for name in sorted(schema.functions)
    ]
    return "\n".join(lines).rstrip("\n") + ("\n" if lines else "")


def _statements(table: Table, schema: Schema, dialect: str) -> Iterator[str]:
    is_view = table.kind.endswith("view")
    if is_view:
        yield from _view(table, dialect)
    elif dialect == "sqlite" and table.partly_understood and table.columns:
        yield from _virtual_table(table)
    else:
        yield from _table(table, schema, dialect)
    name = _qualified(table, dialect)
    if dialect in _COMMENT_ON:
        kind = {"materialized view": "MATERIALIZED VIEW", "view": "VIEW"}.get(table.kind, "TABLE")
        if table.comment:
            yield f"COMMENT ON {kind} {name} IS {_text(table.comment, dialect)};"
        for column in table.columns if not is_view else ():
            if column.comment:
                place = f"{name}.{_column_name(column, dialect)}"
                yield f"COMMENT ON COLUMN {place} IS {_text(column.comment, dialect)};"
    elif is_tsql(dialect):
        yield from _properties(table, is_view)


def _table(table: Table, schema: Schema, dialect: str) -> Iterator[str]:
    if dialect not in _COMMENT_ON and dialect not in _INLINE and not _in_statement(dialect):
        yield from _line_comments(table.comment)
    create = "CREATE TEMPORARY TABLE" if table.kind.startswith("temporary") else "CREATE TABLE"
    head = f"{create} {_qualified(table, dialect)}"
    items = [_column(column, dialect) for column in table.columns]
    items += [(constraint, "") for constraint in _constraints(table, schema, dialect)]
    if not items:
        # No columns are known; the reader understands that there may be some.
        yield f"{head} ();"
        return
    yield f"{head} ("
    for index, (item, comment) in enumerate(items):
        comma = "," if index < len(items) - 1 else ""
        yield from (f"  {line}" for line in _line_comments(comment))
        yield f"  {item}{comma}"
    yield f"){_table_comment(table, dialect)};"


def _column(column: Column, dialect: str) -> tuple[str, str]:
    """The column's definition, and its comment where that is to stand above it."""
    parts = [_column_name(column, dialect)]
    parts += [column.type] if column.type else []
    parts += [] if column.nullable else ["NOT NULL"]
    if not column.comment or dialect in _COMMENT_ON or is_tsql(dialect):
        return " ".join(parts), ""
    if dialect in _INLINE:
        return " ".join([*parts, f"COMMENT {_text(column.comment, dialect)}"]), ""
    if dialect == "bigquery":
        return " ".join([*parts, f"OPTIONS (description={_text(column.comment, dialect)})"]), ""
    return " ".join(parts), column.comment


def _in_statement(dialect: str) -> bool:
    return dialect == "bigquery" or is_tsql(dialect)


def _table_comment(table: Table, dialect: str) -> str:
    if not table.comment:
        return ""
    if dialect in _INLINE:
        equals = " = " if dialect in ("mysql", "singlestore", "snowflake") else " "
        return f" COMMENT{equals}{_text(table.comment, dialect)}"
    if dialect == "bigquery":
        return f" OPTIONS (description={_text(table.comment, dialect)})"
    return ""


def _line_comments(text: str) -> Iterator[str]:
    yield from (f"-- {line.strip()}" for line in text.splitlines() if line.strip())


def _constraints(table: Table, schema: Schema, dialect: str) -> Iterator[str]:
    enforced = " NOT ENFORCED" if dialect == "bigquery" else ""
    if table.primary_key:
        yield f"PRIMARY KEY ({_names(table.primary_key, table, dialect)}){enforced}"
    for columns in table.unique:
        yield f"UNIQUE ({_names(columns, table, dialect)})"
    for column in table.columns:
        if column.values and not column.type.lstrip().upper().startswith("ENUM"):
            values = ", ".join(_text(value, dialect) for value in column.values)
            yield f"CHECK ({_column_name(column, dialect)} IN ({values}))"
    for key in table.foreign_keys:
        yield _foreign_key(key, table, schema, dialect) + enforced


def _foreign_key(key: ForeignKey, table: Table, schema: Schema, dialect: str) -> str:
    known = schema.named(key.to_table, key.to_schema)
    target = known[0] if known else Table(key.to_table, (), quoted=_keeps(dialect))
    to = _qualified(replace(target, name=key.to_table, schema=key.to_schema), dialect)
    columns = _names(key.to_columns, target, dialect)
    to += f" ({columns})" if columns else ""
    return f"FOREIGN KEY ({_names(key.columns, table, dialect)}) REFERENCES {to}"


def _virtual_table(table: Table) -> Iterator[str]:
    """A table of a module, which may have more columns than are known."""
    yield from _line_comments(table.comment)
    columns = ", ".join(_column_name(column, "sqlite") for column in table.columns)
    yield f"CREATE VIRTUAL TABLE {_qualified(table, 'sqlite')} USING module ({columns});"


def _view(table: Table, dialect: str) -> Iterator[str]:
    yield "-- What this view selects is not known here, only its columns."
    yield ""
    if dialect not in _COMMENT_ON and not is_tsql(dialect):
        yield from _line_comments(table.comment)
    create = f"CREATE {table.kind.upper()} {_qualified(table, dialect)}"
    if not table.columns:
        yield f"{create} AS SELECT *;"
        return
    yield f"{create} ("
    for index, column in enumerate(table.columns):
        comma = "," if index < len(table.columns) - 1 else ""
        yield from (f"  {line}" for line in _line_comments(column.comment))
        yield f"  {_column_name(column, dialect)}{comma}"
    yield ") AS SELECT"
    for index, column in enumerate(table.columns):
        comma = "," if index < len(table.columns) - 1 else ";"
        value = f"CAST(NULL AS {column.type})" if column.type else "NULL"
        yield f"  {value} AS {_column_name(column, dialect)}{comma}"


def _properties(table: Table, is_view: bool) -> Iterator[str]:
    """Comments of SQL Server, which keeps them as extended properties."""
    schema = table.schema.rpartition(".")[2] or "dbo"
    kind = "VIEW" if is_view else "TABLE"
    place = (
        f"@level0type = N'SCHEMA', @level0name = {_text(schema, 'tsql')},"
        f" @level1type = N'{kind}', @level1name = {_text(table.name, 'tsql')}"
    )
    add = "EXEC sp_addextendedproperty @name = N'MS_Description', @value = "
    if table.comment:
        yield f"{add}{_text(table.comment, 'tsql')}, {place};"
    for column in table.columns if not is_view else ():
        if column.comment:
            part = f"@level2type = N'COLUMN', @level2name = {_text(column.name, 'tsql')}"
            yield f"{add}{_text(column.comment, 'tsql')}, {place}, {part};"


def _names(columns: Sequence[str], table: Table, dialect: str) -> str:
    known = (table.column(name) or Column(name, quoted=_keeps(dialect)) for name in columns)
    return ", ".join(_column_name(column, dialect) for column in known)


def _qualified(table: Table, dialect: str) -> str:
    parts = [_name(part, _keeps(dialect), dialect) for part in table.schema.split(".") if part]
    return ".".join([*parts, _name(table.name, table.quoted, dialect)])


def _keeps(dialect: str) -> bool:
    """Whether a name of which nobody knows whether it was quoted is to keep its letters.

    Catalogues spell names exactly; but those of engines that fold to upper case come to us in
    lower case, as people write them.
    """
    return fold("a", dialect) == "a"


def _column_name(column: Column, dialect: str) -> str:
    return _name(column.name, column.quoted, dialect)


def _name(name: str, quoted: bool, dialect: str) -> str:
    """``name`` in quotes where it needs them; where the engine folds it, as it is folded."""
    written = spelled(name, quoted, dialect)
    if written == name and name.casefold() in _KEYWORDS:
        return quote(name if quoted or not folds(dialect) else fold(name, dialect), dialect)
    return written


def _text(text: str, dialect: str) -> str:
    """A string literal; line ends and quotes written as the dialect reads them back."""
    if dialect in _BACKSLASHES:
        text = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
        if dialect in _NO_DOUBLED_QUOTES:
            return "'" + text.replace("'", "\\'") + "'"
    prefix = "N" if is_tsql(dialect) and not text.isascii() else ""
    return prefix + "'" + text.replace("'", "''") + "'"
