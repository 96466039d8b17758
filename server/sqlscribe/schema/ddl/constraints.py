"""Constraints of a table: keys, references, and checks that list a column's values."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from sqlscribe.notation.script_lines import is_tsql
from sqlscribe.schema.ddl.changes import Constraint
from sqlscribe.schema.ddl.cursor import Cursor
from sqlscribe.schema.ddl.tokens import Sort, words
from sqlscribe.schema.ddl.types import checked_values
from sqlscribe.schema.model import Column, ForeignKey

_KEY_NOISE = words("KEY INDEX CLUSTERED NONCLUSTERED USING BTREE HASH NULLS NOT DISTINCT TYPE")
_OTHER_CONSTRAINTS = (
    ("PERIOD", "FOR"),
    ("SUPPLEMENTAL", "LOG"),
    ("WATERMARK", "FOR"),
    ("SHARD", "KEY"),
    ("SORT", "KEY"),
    ("EXCLUDE", "USING"),
    ("CLUSTERED", "COLUMNSTORE"),
    ("SECONDARY", "INDEX"),
    ("PERIOD", "SYSTEM_TIME"),
    ("PERIOD", "BUSINESS_TIME"),
    ("VECTOR", "KEY"),
    ("VECTOR", "INDEX"),
    ("DISTRIBUTE", "BY"),
    ("PARTITION", "BY"),
)

_INDEX_WORDS = words("KEY INDEX FULLTEXT SPATIAL INVERTED FAMILY")
_FIRST_WORDS = (
    words("CONSTRAINT PRIMARY FOREIGN UNIQUE CHECK EXCLUDE PROJECTION")
    | {first for first, _ in _OTHER_CONSTRAINTS}
    | _INDEX_WORDS
)


def read_constraint(item: Cursor) -> tuple[Constraint, ...] | None:
    """The table constraint here, empty for one of no interest; ``None`` if this is none."""
    if item.peek().word not in _FIRST_WORDS:
        return None
    start = item.at
    named, name = item.take("CONSTRAINT"), ""
    if named and not _starts_constraint(item):
        given = item.name()
        name = given.name if given else ""
    found = _constraint(item, name)
    if found is None and named:
        return ()
    if found is None:
        item.at = start
    return found


def _starts_constraint(item: Cursor) -> bool:
    return (
        item.sees("PRIMARY", "KEY")
        or item.sees("FOREIGN", "KEY")
        or (item.peek().word in ("UNIQUE", "CHECK") and item.sees_mark("(", 1))
    )


def _constraint(item: Cursor, name: str) -> tuple[Constraint, ...] | None:
    if item.take("PRIMARY", "KEY"):
        return _key("primary", item, name)
    if item.take("FOREIGN", "KEY"):
        return _foreign_key(item, name)
    if item.sees("UNIQUE") and item.peek(1).sort is not Sort.END:
        item.next()
        return _key("unique", item, name)
    if item.sees("CHECK") and item.sees_mark("(", 1):
        item.next()
        return read_check(item, name)
    if item.sees("EXCLUDE") and item.sees_mark("(", 1):
        return ()
    if item.sees("PROJECTION") and item.sees_mark("(", 2):
        return ()
    if any(item.sees(*words) for words in _OTHER_CONSTRAINTS) or _is_index(item):
        return ()
    return None


def _key(kind: Literal["primary", "unique"], item: Cursor, name: str) -> tuple[Constraint, ...]:
    item.skip_words(_KEY_NOISE)
    if not item.sees_mark("(") and not item.sees("USING"):
        # MySQL may name the key here.
        given = item.identifier()
        name = name or (given.text if given else "")
        item.skip_words(_KEY_NOISE)
    columns = key_columns(item.group())
    return (Constraint(kind, columns, name),) if columns else ()


def _foreign_key(item: Cursor, name: str) -> tuple[Constraint, ...]:
    if not item.sees_mark("("):
        given = item.identifier()
        name = name or (given.text if given else "")
    columns = key_columns(item.group())
    if not columns or not item.take("REFERENCES"):
        return ()
    return read_reference(item, columns, name)


def read_reference(item: Cursor, columns: tuple[str, ...], name: str) -> tuple[Constraint, ...]:
    if item.take("WITH"):
        # Teradata: REFERENCES WITH NO CHECK OPTION t (a).
        item.skip_words(frozenset({"NO", "CHECK", "OPTION"}))
    to = item.name()
    if to is None:
        return ()
    target = ForeignKey(columns, to.name, to.schema, key_columns(item.group()))
    return (Constraint("foreign", columns, name, target),)


def read_check(item: Cursor, name: str) -> tuple[Constraint, ...]:
    check = item.group()
    found = checked_values(check) if check else None
    if found is None:
        return ()
    column, values = found
    return (Constraint("check", (column,), name, values=values),)


def key_columns(group: Cursor | None) -> tuple[str, ...]:
    """Names in a key's list; an expression is left out, a length or an order ignored."""
    if group is None:
        return ()
    names: list[str] = []
    for part in group.items():
        name = part.identifier()
        called = part.sees_mark("(") and part.peek(1).sort is not Sort.NUMBER
        if name is not None and not called:
            names.append(name.text)
    return tuple(names)


def _is_index(item: Cursor) -> bool:
    """``KEY idx (a)`` is an index, ``key varchar(10)`` a column."""
    if item.peek().word not in _INDEX_WORDS:
        return False
    if item.tokens.dialect == "clickhouse":
        return item.sees("INDEX") and item.copy().seek(lambda at: at.sees("TYPE"))
    if is_tsql(item.tokens.dialect) and item.sees("INDEX"):
        return True
    ahead = 1
    while item.peek(ahead).sort in (Sort.WORD, Sort.NAME) and ahead < 8:
        ahead += 1
    inside = item.peek(ahead + 1)
    return (
        item.sees_mark("(", ahead)
        and inside.sort in (Sort.WORD, Sort.NAME, Sort.MARK)
        and inside.word != "MAX"
    )


def with_constraints(columns: list[Column], constraints: list[Constraint]) -> list[Column]:
    """``columns`` with what the table's own constraints say of them: values, and NOT NULL."""
    checks = {each.columns[0].casefold(): each for each in constraints if each.kind == "check"}
    primary = next((each for each in constraints if each.kind == "primary"), None)
    required = {name.casefold() for name in primary.columns} if primary else set()
    found: list[Column] = []
    for column in columns:
        name = column.name.casefold()
        if name in checks:
            column = replace(column, values=checks[name].values)
        if column.nullable and name in required:
            column = replace(column, nullable=False)
        found.append(column)
    return found
