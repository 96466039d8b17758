"""Words of other dialects that stand where nothing else can."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot.tokens import TokenType

from sqlscribe.checking.dialects import clause_features, features
from sqlscribe.checking.dialects.feature import Feature, engine_of, findings, rewrite
from sqlscribe.checking.dialects.view import View
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding, Fix
from sqlscribe.schema.model import Schema

_PAREN_LESS = {
    "postgres": frozenset({"CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP"}),
    "redshift": frozenset({"CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP"}),
    "sqlite": frozenset({"CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP"}),
    "oracle": frozenset({"CURRENT_DATE", "CURRENT_TIMESTAMP"}),
    "trino": frozenset({"CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP"}),
    "tsql": frozenset({"CURRENT_TIMESTAMP"}),
    "duckdb": frozenset({"CURRENT_TIMESTAMP"}),
}
PARENTHESES = Feature(
    "dialect/parentheses",
    "wants no parentheses behind this word",
    dict.fromkeys(_PAREN_LESS, "the word alone"),
)
_HINTS = frozenset({"NOLOCK", "READUNCOMMITTED", "READPAST", "UPDLOCK", "HOLDLOCK", "TABLOCK"})
_AFTER_ALIAS = frozenset({"", ",", "FROM", ")", "WHERE", "UNION", ";", "ORDER BY", "GROUP BY"})


def words(view: View, schema: Schema) -> Iterator[Finding]:
    """Clauses of other dialects that their first words give away."""
    yield from _beginning(view)
    query = view.word(0) in ("SELECT", "WITH", "(")
    for index in range(len(view.tokens)):
        word = view.word(index)
        if word in _PAREN_LESS.get(engine_of(view.dialect), ()) and view.words(index + 1, "(", ")"):
            out = view.span(index + 1, index + 2)
            fix = rewrite("Remove the parentheses", (out, ""))
            yield from _plain(PARENTHESES, view, index, index + 2, fix)
        elif word == "WITH":
            yield from _with(view, index)
        elif word == "AT" and view.words(index + 1, "TIME", "ZONE"):
            yield from _plain(features.TIME_ZONE, view, index, index + 2)
        elif word == "AT TIME ZONE":
            yield from _plain(features.TIME_ZONE, view, index, index)
        elif word in ("IGNORE", "IGNORE NULLS", "RESPECT NULLS") and (
            word != "IGNORE" or view.word(index + 1) == "NULLS"
        ):
            last = index + (word == "IGNORE")
            yield from _plain(features.IGNORE_NULLS, view, index, last)
        elif query and view.kind(index) is TokenType.ALIAS:
            yield from _quoted_alias(view, index)
        else:
            yield from _other(view, index, word, schema)


def _other(view: View, index: int, word: str, schema: Schema) -> Iterator[Finding]:
    if word == "STRAIGHT_JOIN" and view.kind(index + 1) is not TokenType.DOT:
        own = "" if view.word(index - 1) == "SELECT" else "JOIN"
        fix = rewrite(f"Change to {own}" if own else "Remove it", (view.span(index, index), own))
        yield from _plain(clause_features.STRAIGHT_JOIN, view, index, index, fix)
    elif word in ("CONNECT", "CONNECT BY") and view.word(index + 1) in ("BY", "PRIOR", "NOCYCLE"):
        yield from _plain(features.CONNECT_BY, view, index, index)
    elif word == "USING" and view.word(index + 1) == "SAMPLE":
        yield from _plain(clause_features.USING_SAMPLE, view, index, index + 1)
    elif word == "USING SAMPLE":
        yield from _plain(clause_features.USING_SAMPLE, view, index, index)
    elif word == "FOR" and view.word(index + 1) == "SYSTEM_TIME":
        yield from _plain(clause_features.AS_OF, view, index, index + 1)
    elif word in ("ROLLUP", "CUBE") and view.word(index + 1) == "(":
        if view.word(index - 1) in ("GROUP BY", ","):
            yield from _plain(features.ROLLUP, view, index, index)
    elif word == "GROUPING SETS" or (word == "GROUPING" and view.word(index + 1) == "SETS"):
        yield from _plain(features.ROLLUP, view, index, index)
    elif word == "*" and view.words(index + 1, "REPLACE", "("):
        yield from _plain(clause_features.STAR_REPLACE, view, index, index + 1)
    elif word == "(" and view.words(index + 1, "+", ")"):
        yield from _plain(clause_features.OUTER_JOIN_MARK, view, index, index + 2)
    elif word == "FROM" and view.word(index + 1) == "DUAL":
        yield from _dual(view, index, schema)


def _plain(feature: Feature, view: View, first: int, last: int, *fixes: Fix) -> Iterator[Finding]:
    last = min(last, len(view.tokens) - 1)
    yield from findings(feature, view.span(first, last), view.dialect, *fixes)


def _beginning(view: View) -> Iterator[Finding]:
    first, second = view.word(0), view.word(1)
    if first == "FROM" and len(view.tokens) > 1:
        yield from _plain(clause_features.FROM_FIRST, view, 0, 0)
    elif first == "INSERT" and second == "OR":
        yield from _plain(clause_features.INSERT_OR, view, 0, 2)
    elif first == "INSERT" and second == "IGNORE":
        yield from _plain(clause_features.INSERT_IGNORE, view, 0, 1)
    elif first == "MERGE" and second != "":
        yield from _plain(clause_features.MERGE, view, 0, 0)
    elif first == "DELETE" and view.kind(1) is TokenType.VAR and view.word(2) == "FROM":
        out = Span(view.tokens[0].end + 1, view.tokens[1].end + 1)
        fix = rewrite("Change to DELETE FROM", (out, ""), sure=False)
        yield from _plain(clause_features.DELETE_ALIAS, view, 0, 2, fix)


def _with(view: View, index: int) -> Iterator[Finding]:
    if view.word(index + 1) == "ROLLUP":
        yield from _plain(features.WITH_ROLLUP, view, index, index + 1)
    elif view.word(index + 1) == "(" and view.word(index + 2) in _HINTS:
        closing = view.pairs.get(index + 1, index + 2)
        start = view.tokens[index - 1].end + 1 if index else 0
        fix = rewrite("Remove the hint", (Span(start, view.tokens[closing].end + 1), ""))
        yield from _plain(clause_features.TABLE_HINT, view, index, closing, fix)


def _quoted_alias(view: View, index: int) -> Iterator[Finding]:
    """``AS 'total'``."""
    behind = view.kind(index + 1)
    if behind is not TokenType.STRING or view.word(index + 2) not in _AFTER_ALIAS:
        return
    if view.word(view.depth_start(index) - 2) == "IN":
        # UNPIVOT: the value that stands for a column.
        return
    place = view.span(index + 1, index + 1)
    written = place.of(view.parse.sql)
    if written[:1] == "'" and "'" not in written[1:-1]:
        mark = "`" if engine_of(view.dialect) == "bigquery" else '"'
        text = f"{mark}{written[1:-1]}{mark}"
        fix = rewrite(f"Change to {text}", (place, text))
        yield from findings(features.QUOTED_ALIAS, place, view.dialect, fix)


def _dual(view: View, index: int, schema: Schema) -> Iterator[Finding]:
    if view.word(index + 2) in ("", ")", ";", "UNION", "WHERE") and not schema.named("dual"):
        start = view.tokens[index - 1].end + 1 if index else 0
        fix = rewrite("Remove FROM dual", (Span(start, view.tokens[index + 1].end + 1), ""))
        yield from _plain(clause_features.DUAL, view, index, index + 1, fix)
