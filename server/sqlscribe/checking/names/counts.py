"""How many columns stand where as many others must stand: rows and columns, parts of a UNION.

What may be any number of columns, a star for one, is not counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from sqlglot import exp
from sqlglot.tokens import TokenType

from sqlscribe.checking.names.items import may_be_several
from sqlscribe.checking.names.lookup import Match, look_up, shown
from sqlscribe.checking.names.offers import finding_on_name, place_of_name
from sqlscribe.checking.names.script import Made
from sqlscribe.checking.parsing import Parsed, span_of
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding
from sqlscribe.schema.model import Schema

_WORTH_A_LOOK = re.compile(
    r"\b(?:INSERT|REPLACE|UNION|INTERSECT|EXCEPT|MINUS|WITH|VALUES)\b|\)\s*(?:AS\s+)?\w+\s*\("
    r"|\bIN\s*\(\s*SELECT\b|\bBY\s+\d",
    re.IGNORECASE,
)
# Engines that take fewer names than columns behind WITH, or of which nobody is sure.
_NAMES_ALL = frozenset({"sqlite", "mysql", "tsql", "fabric", "oracle"})
# Engines where a column may hold a row, which IN compares with several columns.
_ROWS_IN_COLUMNS = frozenset({"", "clickhouse", "spark", "spark2", "databricks", "hive"})
# Engines where a number behind GROUP BY is no column.
_NO_NUMBERS = frozenset({"", "tsql", "fabric", "oracle"})
_BEFORE_NUMBERS = frozenset({TokenType.ORDER_BY, TokenType.GROUP_BY, TokenType.COMMA})

_Place: TypeAlias = exp.Expression | None


def check_counts(parse: Parsed, schema: Schema, made: Made) -> Iterator[Finding]:
    """Findings on numbers of columns that do not fit."""
    if _WORTH_A_LOOK.search(parse.sql) is None:
        return
    for tree in parse.trees:
        for node in tree.walk():
            for place, message in _told(node, parse.dialect, schema, made):
                span = _span(place, parse)
                if span is not None:
                    yield finding_on_name("name/column-count", message, span)


def _told(
    node: exp.Expression, dialect: str, schema: Schema, made: Made
) -> Iterator[tuple[_Place, str]]:
    if isinstance(node, exp.Insert):
        yield from _inserted(node, dialect, schema, made)
    elif isinstance(node, exp.SetOperation):
        yield from _put_together(node)
        yield from _by_number(node, dialect)
    elif isinstance(node, exp.Select):
        yield from _by_number(node, dialect)
    elif isinstance(node, exp.CTE | exp.Subquery | exp.Values):
        yield from _named(node, dialect)
    elif isinstance(node, exp.In) and dialect not in _ROWS_IN_COLUMNS:
        count = width(node.args.get("query"))
        if count is not None and count > 1 and isinstance(node.this, exp.Column | exp.Literal):
            yield node.args["query"], f"IN compares one value, but this query gives {count} columns"


def width(query: _Place) -> int | None:
    """The number of columns that a query gives; ``None`` where it cannot be told."""
    if isinstance(query, exp.Subquery):
        return width(query.this) if not query.args.get("pivots") else None
    if isinstance(query, exp.SetOperation):
        return width(query.this)
    if isinstance(query, exp.Values):
        return _row_width(query.expressions[0]) if query.expressions else None
    if not isinstance(query, exp.Select) or not query.expressions or query.args.get("kind"):
        return None
    return None if any(map(_is_uncounted, query.expressions)) else len(query.expressions)


def _is_uncounted(item: exp.Expression) -> bool:
    """A star, or what stands for a whole list: a parameter, which a program may fill in."""
    if item.is_star or isinstance(item, exp.Placeholder | exp.Parameter | exp.Aliases):
        return True
    return may_be_several(item)


def _row_width(row: exp.Expression) -> int | None:
    """The number of values in one row of VALUES."""
    if not isinstance(row, exp.Tuple):
        return None
    values = row.expressions
    if len(values) == 1 and isinstance(values[0], exp.Anonymous) and values[0].name == "ROW":
        values = values[0].expressions
    alone = values[0] if len(values) == 1 else None
    if isinstance(alone, exp.Query | exp.Placeholder | exp.Parameter | exp.Null):
        # It may stand for a whole row; NULL does for one too long to be read.
        return None
    return None if any(map(_is_uncounted, values)) else len(values)


# INSERT.


def _inserted(
    insert: exp.Insert, dialect: str, schema: Schema, made: Made
) -> Iterator[tuple[_Place, str]]:
    if insert.args.get("by_name") or insert.args.get("is_function"):
        return
    target, rows = insert.this, insert.expression
    if isinstance(target, exp.Tuple) and isinstance(rows, exp.Tuple):
        # In a MERGE.
        yield from _compared(target, "INSERT names", len(target.expressions), [rows])
    elif isinstance(target, exp.Schema):
        if all(isinstance(name, exp.Identifier | exp.Column) for name in target.expressions):
            wanted = len(target.expressions)
            yield from _compared(target.this, "INSERT names", wanted, _rows(rows))
    elif isinstance(target, exp.Table) and not insert.args.get("partition"):
        found = look_up(target, schema, dialect, made)
        table = found.tables[0] if len(found.tables) == 1 else None
        if table is None or found.match is not Match.FOUND:
            return
        if table.columns and not table.partly_understood:
            # Fewer values are right in some engines, and with generated columns in all.
            wanted = len(table.columns)
            said = f"{shown(table)} has"
            yield from _compared(target, said, wanted, _rows(rows), fewer=True)


def _rows(rows: _Place) -> Sequence[exp.Expression]:
    """The rows of VALUES, or one query."""
    if isinstance(rows, exp.Values):
        return [row for row in rows.expressions if isinstance(row, exp.Tuple) and row.expressions]
    return [rows] if isinstance(rows, exp.Query) else []


def _compared(
    place: _Place, said: str, wanted: int, rows: Sequence[exp.Expression], *, fewer: bool = False
) -> Iterator[tuple[_Place, str]]:
    """The first row that has another number of values than there are columns."""
    for index, row in enumerate(rows, 1):
        is_row = isinstance(row, exp.Tuple)
        count = _row_width(row) if is_row else width(row)
        if count is None or count == wanted or (fewer and count < wanted):
            continue
        which = f"row {index} gives" if len(rows) > 1 else "there are"
        rest = f"{which} {_many(count, 'value')}" if is_row else f"the query gives {count}"
        yield place, f"{said} {_many(wanted, 'column')}, but {rest}"
        return


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


# Set operations, and names given to columns.


def _put_together(node: exp.SetOperation) -> Iterator[tuple[_Place, str]]:
    if node.args.get("by_name") or node.args.get("on") or node.args.get("side"):
        return
    left, right = width(node.this), width(node.expression)
    if left is not None and right is not None and left != right:
        word = node.key.upper()
        yield (
            node.expression,
            f"this part of {word} gives {_many(right, 'column')}, the one before it {left}",
        )


def _named(node: exp.CTE | exp.Subquery | exp.Values, dialect: str) -> Iterator[tuple[_Place, str]]:
    """``WITH a (x, y) AS …`` and ``(…) AS a (x, y)``."""
    alias = node.args.get("alias")
    names = alias.args.get("columns") if isinstance(alias, exp.TableAlias) else None
    if not names or not all(isinstance(name, exp.Identifier) for name in names):
        return
    if not isinstance(alias.this, exp.Identifier) or node.args.get("pivots"):
        return
    count = width(node if isinstance(node, exp.Values) else node.this)
    if count is None or count == len(names):
        return
    if count < len(names) or (isinstance(node, exp.CTE) and dialect in _NAMES_ALL):
        yield (
            alias.this,
            f"{alias.this.name} has {_many(count, 'column')}, but {_many(len(names), 'name')}",
        )


def _by_number(query: exp.Query, dialect: str) -> Iterator[tuple[_Place, str]]:
    """``ORDER BY 3`` of two columns."""
    count = width(query)
    for word in ("order", "group"):
        part = query.args.get(word)
        if count is None or part is None or (word == "group" and dialect in _NO_NUMBERS):
            continue
        for each in part.expressions:
            number = each.this if isinstance(each, exp.Ordered) else each
            if isinstance(number, exp.Literal) and number.is_int and int(number.name) > count:
                which = f"{word.upper()} BY {number.name}"
                yield number, f"{which}, but the query gives {_many(count, 'column')}"


def _span(place: _Place, parse: Parsed) -> Span | None:
    """Where a part of the text starts: its first name, or the number that it is."""
    if isinstance(place, exp.Literal):
        found = (token for before, token in pairwise(parse.tokens)
                 if token.text == place.name and before.token_type in _BEFORE_NUMBERS)  # fmt: skip
        token = next(found, None)
        return span_of(token) if token is not None else None
    if place is None:
        return None
    placed = (name for name in place.find_all(exp.Identifier) if "start" in name.meta)
    first = min(placed, key=lambda name: name.meta["start"], default=None)
    return place_of_name(first, parse) if first is not None else None
