"""Features of other dialects that only the syntax tree shows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from sqlglot import exp
from sqlglot.tokens import TokenType

from sqlscribe.checking.dialects import clause_features, features
from sqlscribe.checking.dialects.feature import Feature, engine_of, findings, rewrite
from sqlscribe.checking.dialects.view import View
from sqlscribe.checking.parsing import span_of
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding, Fix


def clauses(view: View) -> Iterator[Finding]:
    """Clauses that the dialect lacks, in the order of the tree."""
    seen: dict[str, int] = {}
    for tree in view.parse.trees:
        for node in tree.walk():
            for feature, word in (*_clause(node), *_selected(node)):
                seen[word] = seen.get(word, 0) + 1
                span = _word_span(word, seen[word], view)
                if span is not None:
                    yield from findings(feature, span, view.dialect)
        yield from _table_aliases(tree, view)
        yield from _predicates(tree, view)
        yield from _conditions(tree, view)
    yield from _aggregates(view)


def _clause(node: exp.Expression) -> Iterator[tuple[Feature, str]]:
    if isinstance(node, exp.Distinct) and node.args.get("on"):
        yield features.DISTINCT_ON, "DISTINCT"
    elif isinstance(node, exp.Join):
        yield from _join(node)
    elif isinstance(node, exp.Star) and node.args.get("except_"):
        yield clause_features.STAR_EXCEPT, "*"
    elif isinstance(node, exp.Pivot):
        yield clause_features.PIVOT, "UNPIVOT" if node.args.get("unpivot") else "PIVOT"
    elif isinstance(node, exp.In) and isinstance(node.this, exp.Tuple):
        yield features.TUPLES, "IN"
    elif isinstance(node, exp.Lateral):
        if node.args.get("cross_apply") is None and not node.args.get("view"):
            yield clause_features.LATERAL, "LATERAL"
    elif isinstance(node, exp.TableAlias):
        lists = isinstance(node.parent, exp.CTE | exp.Lateral | exp.Unnest)
        if node.args.get("columns") and not lists:
            yield clause_features.ALIAS_COLUMNS, node.name.upper()
    elif isinstance(node, exp.Into) and not _is_variable(node):
        yield clause_features.SELECT_INTO, "INTO"
    elif type(node) in _WORDS:
        yield _WORDS[type(node)]


def _selected(node: exp.Expression) -> Iterator[tuple[Feature, str]]:
    """What may not be selected: ``SELECT UNNEST(names)``."""
    for item in node.expressions if isinstance(node, exp.Select) else ():
        if isinstance(item.unalias(), exp.Unnest):
            yield clause_features.UNNEST_SELECTED, "UNNEST"


_WORDS: dict[type[exp.Expression], tuple[Feature, str]] = {
    exp.Qualify: (features.QUALIFY, "QUALIFY"),
    exp.TableSample: (clause_features.SAMPLE, "TABLESAMPLE"),
    exp.Lock: (clause_features.LOCKING, "FOR"),
    exp.Sort: (clause_features.SORT_BY, "SORT BY"),
    exp.Distribute: (clause_features.SORT_BY, "DISTRIBUTE BY"),
    exp.Cluster: (clause_features.SORT_BY, "CLUSTER BY"),
}


def _is_variable(into: exp.Into) -> bool:
    """``SELECT … INTO @total``, which makes no table."""
    target = into.this
    return isinstance(target, exp.Table) and isinstance(target.this, exp.Parameter)


def _join(node: exp.Join) -> Iterator[tuple[Feature, str]]:
    if node.args.get("side") == "FULL":
        yield clause_features.FULL_JOIN, "FULL"
    if node.args.get("method") == "NATURAL":
        yield clause_features.NATURAL_JOIN, "NATURAL"
    if node.args.get("using"):
        yield clause_features.USING, "USING"


def _word_span(word: str, which: int, view: View) -> Span | None:
    """The place of a clause's word: of the first one, where they cannot be told apart."""
    places = [token for token in view.tokens if token.text.upper() == word]
    if not places:
        return None
    return span_of(places[which - 1] if which <= len(places) else places[0])


def _table_aliases(tree: exp.Expression, view: View) -> Iterator[Finding]:
    """``FROM orders AS o``, where an engine wants the alias alone."""
    if view.dialect not in features.TABLE_AS.instead:
        return
    before = {token.start: last for last, token in pairwise(view.tokens)}
    for node in tree.find_all(exp.Table, exp.Subquery):
        alias = node.args.get("alias")
        name = alias.this if isinstance(alias, exp.TableAlias) else None
        if not isinstance(name, exp.Identifier) or not isinstance(
            node.this, exp.Identifier | exp.Query
        ):
            continue
        word = before.get(name.meta.get("start", -1))
        if word is not None and word.token_type is TokenType.ALIAS:
            fix = rewrite("Remove AS", (Span(word.start, name.meta["start"]), ""))
            yield from findings(features.TABLE_AS, span_of(word), view.dialect, fix)


def _predicates(tree: exp.Expression, view: View) -> Iterator[Finding]:
    """A column alone as condition, where only comparisons are conditions."""
    if engine_of(view.dialect) not in features.PREDICATE.instead:
        return
    for node in tree.find_all(exp.Where, exp.And, exp.Or, exp.Not, exp.Having):
        for part in (node.args.get("this"), node.args.get("expression")):
            inner = part.this if isinstance(part, exp.Not) else part
            if isinstance(inner, exp.Column) and not isinstance(node.parent, exp.Xor):
                meta = inner.this.meta
                if "end" in meta:
                    span = Span(meta["start"], meta["end"] + 1)
                    fix = rewrite("Add = 1", (Span(span.end, span.end), " = 1"), sure=False)
                    yield from findings(features.PREDICATE, span, view.dialect, fix)


_CONDITIONS = (
    exp.GT, exp.GTE, exp.LT, exp.LTE, exp.EQ, exp.NEQ, exp.Between, exp.In, exp.Like, exp.Is,
    exp.And, exp.Or, exp.Not, exp.Exists,
)  # fmt: skip


def _conditions(tree: exp.Expression, view: View) -> Iterator[Finding]:
    """``SELECT (total > 5) AS big``, where a condition is no value."""
    if not features.CONDITION.is_missing(view.dialect):
        return
    for select in tree.find_all(exp.Select):
        for item in select.expressions:
            value = item.unalias()
            # Without brackets = gives a name in SQL Server, or sets a variable.
            if isinstance(value.unnest(), _CONDITIONS) and not isinstance(value, exp.EQ):
                yield from _told_condition(item, view)


def _told_condition(item: exp.Expression, view: View) -> Iterator[Finding]:
    starts = [name.meta["start"] for name in item.find_all(exp.Identifier) if "start" in name.meta]
    at = next(
        (i for i, token in enumerate(view.tokens) if token.start == min(starts, default=-1)), 0
    )
    opening = at - 1
    closing = view.pairs.get(opening, opening)
    before = view.kind(opening - 1)
    if view.kind(opening) is TokenType.L_PAREN and before in (TokenType.SELECT, TokenType.COMMA):
        text = f"CASE WHEN {view.text(at, closing - 1)} THEN 1 ELSE 0 END"
        place = view.span(opening, closing)
        fix = rewrite("Change to CASE", (place, text))
        yield from findings(features.CONDITION, place, view.dialect, fix)
    elif at:
        yield from findings(features.CONDITION, view.span(at, at), view.dialect)


_ORDERED_CALLS = frozenset({"string_agg", "listagg", "group_concat", "array_agg"})
_PLAIN_CALLS = frozenset({"sum", "avg", "min", "max", "count"})


def _aggregates(view: View) -> Iterator[Finding]:
    """What stands behind an aggregate, and the order inside of one."""
    for index in range(len(view.tokens) - 1):
        word = view.word(index)
        if word == "FILTER" and view.words(index + 1, "(", "WHERE"):
            place = view.span(index, index)
            yield from findings(clause_features.FILTER, place, view.dialect, *_cased(view, index))
        elif word == "WITHIN" and view.word(index + 1) == "GROUP":
            yield from _within(view, index)
        elif word.casefold() in _ORDERED_CALLS and view.is_call(index):
            yield from _inner_order(view, index)


def _cased(view: View, index: int) -> Iterator[Fix]:
    """``SUM(CASE WHEN … THEN value END)``."""
    opening = view.pairs.get(index - 1)
    closing = view.pairs.get(index + 1)
    if opening is None or closing is None or closing < index + 4:
        return
    name = view.word(opening - 1)
    inner = view.arguments(opening) or []
    if name.casefold() not in _PLAIN_CALLS or len(inner) != 1 or view.word(opening + 1) == (
        "DISTINCT"
    ):  # fmt: skip
        return
    value = view.text(*inner[0])
    condition = view.text(index + 3, closing - 1)
    value = "1" if value == "*" else value
    text = f"{view.text(opening - 1, opening - 1)}(CASE WHEN {condition} THEN {value} END)"
    yield rewrite("Change to CASE", (view.span(opening - 1, closing), text))


def _within(view: View, index: int) -> Iterator[Finding]:
    place = view.span(index, index + 1)
    opening = view.pairs.get(index - 1)
    closing = view.pairs.get(index + 2)
    names = {"STRING_AGG", "GROUP_CONCAT"}
    names |= {"LISTAGG"} if view.dialect == "duckdb" else set()
    joins = opening is not None and view.word(opening - 1) in names
    if view.dialect == "mysql" and closing is not None and view.word(closing + 1) == "OVER":
        # MariaDB has it for window functions.
        return
    fixes: list[Fix] = []
    if joins and closing is not None and index + 3 < closing:
        inside = view.text(index + 3, closing - 1)
        start = view.tokens[index - 1].start
        fixes.append(
            rewrite(
                "Move the ORDER BY inside",
                (Span(start, view.tokens[closing].end + 1), f" {inside})"),
            )
        )
    feature = clause_features.AGGREGATE_WITHIN if joins else clause_features.WITHIN_GROUP
    yield from findings(feature, place, view.dialect, *fixes)


def _inner_order(view: View, index: int) -> Iterator[Finding]:
    closing = view.pairs.get(index + 1)
    if closing is None:
        return
    level = view.at_depth(index + 2, closing - 1)
    limit = next((i for i in level if view.kind(i) is TokenType.LIMIT), None)
    if limit is not None:
        place = view.span(limit, limit)
        yield from findings(clause_features.AGGREGATE_LIMIT, place, view.dialect)
    order = next((i for i in level if view.kind(i) is TokenType.ORDER_BY), None)
    if order is not None:
        text = view.text(order, closing - 1)
        start = view.tokens[order - 1].end + 1
        end = view.tokens[closing].end + 1
        fix = rewrite("Move the ORDER BY behind", (Span(start, end), f") WITHIN GROUP ({text})"))
        yield from findings(
            clause_features.AGGREGATE_ORDER, view.span(order, order), view.dialect, fix
        )
