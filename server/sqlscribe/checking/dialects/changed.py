"""How statements that change data say what they change: UPDATE and DELETE."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp
from sqlglot.tokens import TokenType

from sqlscribe.checking.dialects import clause_features
from sqlscribe.checking.dialects.feature import Feature, findings, rewrite
from sqlscribe.checking.dialects.view import View
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding


def changed(view: View) -> Iterator[Finding]:
    """What the engine lacks in how a change is written."""
    first = view.word(0)
    if first == "DELETE" and _word(view, "FROM") is None and len(view.tokens) > 1:
        place = view.span(0, 0)
        fix = rewrite("Add FROM", (Span(place.end, place.end), " FROM"))
        yield from findings(clause_features.DELETE_BARE, place, view.dialect, fix)
    for tree in view.parse.trees:
        if isinstance(tree, exp.Update):
            yield from _update(tree, view)
        elif isinstance(tree, exp.Delete):
            yield from _delete(tree, view)
        if isinstance(tree, exp.Update | exp.Delete):
            yield from _alias(tree, view)


def _word(view: View, word: str) -> int | None:
    """The index of a word that stands in no parentheses."""
    indices = view.at_depth(0, len(view.tokens) - 1)
    return next((index for index in indices if view.word(index) == word), None)


def _told(feature: Feature, word: str, view: View) -> Iterator[Finding]:
    index = _word(view, word)
    if index is not None:
        yield from findings(feature, view.span(index, index), view.dialect)


def _update(tree: exp.Update, view: View) -> Iterator[Finding]:
    target = tree.this
    if not isinstance(target, exp.Table):
        return
    from_ = tree.args.get("from_")
    if target.args.get("joins"):
        word = "JOIN" if _word(view, "JOIN") is not None else ","
        yield from _told(clause_features.UPDATE_JOIN, word, view)
    elif from_ is not None:
        yield from _told(clause_features.UPDATE_FROM, "FROM", view)
        if _names_alias(target, from_, tree):
            yield from findings(clause_features.UPDATE_ALIAS, _span(target.this), view.dialect)
    if not target.args.get("joins"):
        yield from _qualified(tree, target, view)


def _names_alias(target: exp.Table, from_: exp.From, tree: exp.Update) -> bool:
    """``UPDATE o SET … FROM orders AS o``."""
    joins = (*(from_.this.args.get("joins") or ()), *(tree.args.get("joins") or ()))
    tables = (each for each in (from_.this, *(join.this for join in joins)))
    own = target.name.casefold()
    return not target.args.get("db") and any(
        isinstance(table, exp.Table) and table.name.casefold() != own == table.alias.casefold()
        for table in tables
    )


def _qualified(tree: exp.Update, target: exp.Table, view: View) -> Iterator[Finding]:
    names = {target.name.casefold(), target.alias.casefold()}
    for pair in tree.expressions:
        if not isinstance(pair, exp.EQ):
            continue
        for column in pair.this.expressions if isinstance(pair.this, exp.Tuple) else [pair.this]:
            table = column.args.get("table") if isinstance(column, exp.Column) else None
            if isinstance(table, exp.Identifier) and table.name.casefold() in names:
                start, name = _span(table).start, _span(column.this)
                fix = rewrite("Remove it", (Span(start, name.start), ""))
                place = Span(start, name.end)
                yield from findings(clause_features.SET_QUALIFIED, place, view.dialect, fix)


def _delete(tree: exp.Delete, view: View) -> Iterator[Finding]:
    using = tree.args.get("using")
    if not isinstance(using, list) or not isinstance(tree.this, exp.Table):
        return
    if not using or (view.dialect == "mysql" and _is_in(tree.this, using)):
        return
    yield from _told(clause_features.DELETE_USING, "USING", view)


def _is_in(target: exp.Expression, using: list[exp.Expression]) -> bool:
    """MySQL's own form names what it deletes from once more behind USING."""
    tables = (table for each in using for table in each.find_all(exp.Table))
    return any(target.name.casefold() == table.alias_or_name.casefold() for table in tables)


def _alias(tree: exp.Update | exp.Delete, view: View) -> Iterator[Finding]:
    """The alias behind the table that is changed."""
    target = tree.this
    alias = target.args.get("alias") if isinstance(target, exp.Table) else None
    name = alias.this if isinstance(alias, exp.TableAlias) else None
    if not isinstance(name, exp.Identifier) or "start" not in name.meta or tree.args.get("tables"):
        return
    place = _span(name)
    yield from findings(clause_features.TARGET_ALIAS, place, view.dialect)
    at = next((i for i, token in enumerate(view.tokens) if token.start == place.start), None)
    if at is not None and view.kind(at - 1) is not TokenType.ALIAS:
        fix = rewrite("Add AS", (Span(place.start, place.start), "AS "))
        yield from findings(clause_features.TARGET_AS, place, view.dialect, fix)


def _span(name: exp.Expression) -> Span:
    return Span(name.meta.get("start", 0), name.meta.get("end", -1) + 1)
