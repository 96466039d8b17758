"""One form for queries that say the same in other words, so that they can be counted together.

Only what surely changes nothing is made alike: letter case, comments, names that a query makes
itself, and the order of what stands on both sides of AND, OR and =.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp
from sqlglot.errors import SqlglotError

from sqlscribe.checking.parsing import SLIPS, parsed

_SLIPS = (SqlglotError, *SLIPS)


def canonical(sql: str, dialect: str) -> str:
    """The form of a query; the text without its blanks where it cannot be made. Never raises."""
    parse = parsed(sql, dialect)
    if parse.problem is None and len(parse.trees) == 1:
        try:
            return _written(_ordered(_unnamed(parse.trees[0].copy())))
        except _SLIPS:
            pass
    return " ".join(sql.split()).casefold().rstrip("; ")


def _written(tree: exp.Expression) -> str:
    return str(tree.sql(comments=False))


def _unnamed(tree: exp.Expression) -> exp.Expression:
    """With tables called by numbers, and no other names for the result's columns."""
    for identifier in tree.find_all(exp.Identifier):
        if not identifier.args.get("quoted"):
            identifier.set("this", identifier.name.casefold())
    selects = list(tree.find_all(exp.Select))
    names = {alias: f"t{number}" for number, alias in enumerate(_aliases(tree), 1)}
    for node in tree.find_all(exp.Table):
        name = names.get(node.alias.casefold()) or names.get(node.name.casefold())
        if name:
            node.set("alias", exp.TableAlias(this=exp.to_identifier(name)))
    for column in tree.find_all(exp.Column):
        if column.table and (name := names.get(column.table.casefold())):
            # With one table there is nothing to tell apart.
            column.set("table", exp.to_identifier(name) if len(names) > 1 else None)
    if len(selects) == 1:
        _inline(selects[0])
    return tree


def _aliases(tree: exp.Expression) -> Iterator[str]:
    """What the tables of a query are called in it, each once, in order."""
    found: dict[str, None] = {}
    made = {cte.alias.casefold() for cte in tree.find_all(exp.CTE)}
    for table in tree.find_all(exp.Table):
        if table.name.casefold() not in made:
            found[(table.alias or table.name).casefold()] = None
    yield from found


def _inline(select: exp.Select) -> None:
    """Names of the result's columns replaced by what they stand for, as in ORDER BY."""
    meant = {
        item.alias.casefold(): item.this
        for item in select.expressions
        if isinstance(item, exp.Alias)
    }
    for part in ("group", "having", "order"):
        clause = select.args.get(part)
        for column in list(clause.find_all(exp.Column)) if clause is not None else ():
            if not column.table and column.name.casefold() in meant:
                column.replace(meant[column.name.casefold()].copy())
    select.set("expressions", [item.unalias() for item in select.expressions])


_EITHER_WAY = (exp.And, exp.Or, exp.EQ)


def _ordered(tree: exp.Expression) -> exp.Expression:
    for node in tree.find_all(*_EITHER_WAY, bfs=False):
        if isinstance(node, exp.EQ):
            one, other = node.this, node.expression
            if _written(one) > _written(other):
                node.set("this", other)
                node.set("expression", one)
    for kind in (exp.And, exp.Or):
        for node in list(tree.find_all(kind)):
            if isinstance(node.parent, kind):
                continue
            parts = sorted(node.flatten(unnest=False), key=_written)
            joined = parts[0].copy()
            for part in parts[1:]:
                joined = kind(this=joined, expression=part.copy())
            if node is tree:
                return joined
            node.replace(joined)
    return tree
