"""Statements that change data, and more of it than was meant."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from sqlscribe.checking.names.scopes import Known
from sqlscribe.checking.quality.look import Look, finding
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding

# Engines where the tables of FROM and USING stand beside the one that is changed.
_BESIDE = frozenset({"postgres", "redshift", "sqlite", "duckdb", "snowflake", "bigquery"})
_TOP = re.compile(r"\b(?:UPDATE|DELETE)\s+TOP\s*\(", re.IGNORECASE)


def check_changes(look: Look) -> Iterator[Finding]:
    """UPDATE and DELETE of all rows."""
    for tree in look.view.parse.trees:
        if isinstance(tree, exp.Update | exp.Delete):
            yield from _all_rows(look, tree)
            yield from _unlinked(look, tree)


def _all_rows(look: Look, tree: exp.Expression) -> Iterator[Finding]:
    narrowed = ("where", "limit", "using", "from_", "joins", "cluster")
    if any(tree.args.get(name) for name in narrowed) or tree.find(exp.Join):
        return
    if _TOP.search(look.view.parse.sql) or _is_of_query(tree):
        return
    word = "UPDATE" if isinstance(tree, exp.Update) else "DELETE"
    token = next((t for t in look.view.tokens if t.text.upper() == word), None)
    if token is not None:
        verb = "changes" if word == "UPDATE" else "deletes"
        message = f"without WHERE this {verb} every row of the table"
        yield from finding("quality/no-where", message, Span(token.start, token.end + 1))


def _is_of_query(tree: exp.Expression) -> bool:
    """``WITH doubles AS (…) DELETE FROM doubles``: the query says which rows."""
    with_ = tree.args.get("with_")
    names = {cte.alias.casefold() for cte in with_.expressions} if with_ is not None else set()
    tables = [tree.this, *(tree.args.get("tables") or ())]
    return any(isinstance(table, exp.Table) and table.name.casefold() in names for table in tables)


def _unlinked(look: Look, tree: exp.Expression) -> Iterator[Finding]:
    """``UPDATE orders SET … FROM orders o JOIN …``: no condition is about what is changed."""
    target = tree.this
    from_ = tree.args.get("from_")
    beside = [from_.this] if from_ is not None else list(tree.args.get("using") or ())
    if look.engine not in _BESIDE or not beside or not isinstance(target, exp.Table):
        return
    made = {cte.alias.casefold() for cte in tree.find_all(exp.CTE)}
    tables = [table for each in beside for table in (each, *each.find_all(exp.Table))]
    if any(not isinstance(t, exp.Table) or t.name.casefold() in made for t in tables):
        # A subquery may have one row, which is for all.
        return
    own = target.alias_or_name.casefold()
    if any(table.alias.casefold() == own for table in tables):
        return
    where = tree.args.get("where")
    on = [join.args.get("on") for each in beside for join in each.find_all(exp.Join)]
    for condition in (where, *on):
        for column in condition.find_all(exp.Column) if condition is not None else ():
            known = look.known(column)
            if column.table.casefold() == own or (not column.table and _may_be(known, target)):
                return
    message = f"no condition is about {own}, so this changes or deletes every row of it"
    yield from finding("quality/no-where", message, look.span(target))


def _may_be(known: Known, target: exp.Table) -> bool:
    return known.table is None or known.table.name.casefold() == target.name.casefold()
