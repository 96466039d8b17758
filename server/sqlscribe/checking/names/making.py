"""From a statement to what it makes, and what is known inside of its parts."""

from __future__ import annotations

import re
from dataclasses import replace

from sqlglot import exp

from sqlscribe.checking.names.lookup import written_name
from sqlscribe.checking.names.parts import Part, first_word, parts_of
from sqlscribe.checking.names.resolution import resolve
from sqlscribe.checking.names.scopes import Output
from sqlscribe.checking.names.script import (
    NO_DEEDS,
    Deeds,
    Made,
    ddl_deeds,
    is_opaque,
    table_variables,
    variables,
)
from sqlscribe.checking.parsing import Parsed, parsed
from sqlscribe.notation.script_lines import is_tsql
from sqlscribe.schema.ddl.tokens import words
from sqlscribe.schema.identifiers import fold
from sqlscribe.schema.model import Column, Schema, Table

MAKERS = words(
    "CREATE ALTER DROP RENAME USE SET LET DECLARE EXEC EXECUTE CALL DO IF BEGIN WHILE ATTACH CACHE"
)
"""First words of statements that may make or change something for those after them."""


def may_make(sql: str) -> bool:
    """A quick look whether a statement may do such a thing."""
    word = first_word(sql)
    if word in ("SELECT", "WITH"):
        return _INTO.search(sql) is not None
    return word in MAKERS


_INTO = re.compile(r"(?i)\binto\b")


# Spark's, of a table or of a query, to which it gives a name.
_CACHE = re.compile(r"(?i)\A\s*CACHE\s+(?:LAZY\s+)?TABLE\s+(?=\S+\s+(?:OPTIONS|AS|SELECT|WITH)\b)")


def made_by(sql: str, schema: Schema, dialect: str, made: Made) -> Deeds:
    """What a statement does for those after it. Never raises."""
    try:
        return _made_by(sql, schema, dialect, made)
    except RecursionError:
        return Deeds(unknown=True)


def _made_by(sql: str, schema: Schema, dialect: str, made: Made) -> Deeds:
    word = first_word(sql)
    if word in ("SELECT", "WITH"):
        table = _selected_into(parsed(sql, dialect), schema, made)
        return Deeds((table,)) if table is not None else NO_DEEDS
    if word == "DECLARE":
        return Deeds(tuple(table_variables(sql, dialect)), variables(sql))
    if word not in MAKERS:
        return NO_DEEDS
    if word == "CACHE":
        word, sql = "CREATE", _CACHE.sub("CREATE TABLE ", sql)
    deeds = ddl_deeds(sql, schema, dialect, made)
    if names := variables(sql):
        deeds = replace(deeds, names=(*deeds.names, *names))
    if word == "CREATE" and len(deeds.tables) == 1:
        table = _with_columns(deeds.tables[0], sql, schema, dialect, made)
        deeds = replace(deeds, tables=(table,))
    return replace(deeds, unknown=is_opaque(sql))


def _with_columns(table: Table, sql: str, schema: Schema, dialect: str, made: Made) -> Table:
    """A table or view with the columns of its query, where it has one."""
    parts = parts_of(sql, dialect) or ()
    parse = parsed(parts[0].sql, dialect) if len(parts) == 1 else None
    if parse is None or len(parse.trees) != 1 or not isinstance(parse.trees[0], exp.Query):
        return table
    output = resolve(parse, schema, made).output or Output(open=True)
    columns = _columns(output, dialect)
    if not output.open and len(columns) == len(table.columns):
        # The statement's own names, which may be a list of them, and what they stand for.
        columns = tuple(
            replace(column, name=own.name, quoted=own.quoted)
            for column, own in zip(columns, table.columns, strict=True)
        )
        return replace(table, columns=columns, partly_understood=False)
    if not table.partly_understood:
        return table
    named = {column.name.casefold() for column in table.columns}
    more = (column for column in columns if column.name.casefold() not in named)
    return replace(table, columns=(*table.columns, *more), partly_understood=output.open)


def _columns(output: Output, dialect: str) -> tuple[Column, ...]:
    columns = []
    for key, known in output.columns.items():
        if known.column is not None and known.column.name.casefold() == key.casefold():
            columns.append(replace(known.column, nullable=True))
        else:
            columns.append(Column(key, quoted=key != fold(key, dialect)))
    return tuple(columns)


def _selected_into(parse: Parsed, schema: Schema, made: Made) -> Table | None:
    """The table that ``SELECT … INTO`` makes."""
    tree = parse.trees[0] if len(parse.trees) == 1 else None
    into = tree.args.get("into") if isinstance(tree, exp.Query) else None
    if not isinstance(into, exp.Into):
        return None
    target = into.this
    if not isinstance(target, exp.Table) or not isinstance(target.this, exp.Identifier):
        return None
    output = resolve(parse, schema, made).output or Output(open=True)
    temporary = bool(target.this.args.get("temporary")) or bool(into.args.get("temporary"))
    return Table(
        written_name(target),
        _columns(output, parse.dialect),
        target.db,
        kind="temporary table" if temporary else "table",
        quoted=bool(target.this.args.get("quoted")),
        partly_understood=output.open,
    )


def declared_in(sql: str, dialect: str, made: Made) -> Made:
    """What is known in all parts of a statement: its table variables, and its own function."""
    tables = tuple(table_variables(sql, dialect)) if is_tsql(dialect) else ()
    if tables:
        made = replace(made, tables=(*made.tables, *tables))
    if (function := _FUNCTION.match(sql)) is not None:
        made = replace(made, names=made.names | {f"{function[1].casefold()}()"})
    return made


_FUNCTION = re.compile(
    r"""\s*CREATE\s+(?:OR\s+\w+\s+)?(?:TEMP(?:ORARY)?\s+)?(?:FUNCTION|MACRO)\s+
        (?:IF\s+NOT\s+EXISTS\s+)?(?:[\w$"`\[\]]+\.)*["`\[]?([\w$]+)""",
    re.IGNORECASE | re.VERBOSE,
)


def around(part: Part, made: Made, schema: Schema, dialect: str) -> Made:
    """What is known at a part of a statement: also its parameters and a trigger's rows."""
    if not part.names and part.trigger is None:
        return made
    made = replace(made, names=made.names | part.names, loose=part.loose)
    if part.trigger is None:
        return made
    found = (
        *made.schema.named(part.trigger.name, part.trigger.schema),
        *schema.named(part.trigger.name, part.trigger.schema),
    )
    if not found:
        return made
    if is_tsql(dialect):
        rows = (replace(found[0], name=n, schema="", kind="temporary table")
                for n in ("inserted", "deleted"))  # fmt: skip
        return replace(made, tables=(*made.tables, *rows))
    return replace(made, rows=(("new", found[0]), ("old", found[0])))
