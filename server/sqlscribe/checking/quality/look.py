"""What the rules look at: a statement, what its names mean, and where everything stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from sqlglot import exp
from sqlglot.tokens import TokenType

from sqlscribe.checking.dialects.feature import engine_of
from sqlscribe.checking.dialects.view import View
from sqlscribe.checking.names.misses import Walk
from sqlscribe.checking.names.scopes import Known, Scope, Source, alias_key, column_key
from sqlscribe.notation.document import Span, TextEdit
from sqlscribe.notation.findings import Finding, Fix, Severity

Values = Mapping[tuple[str, str], tuple[str, ...]]
"""Known values by the case-folded names of a table, with its schema, and of a column."""

_WHOLE = re.compile(
    r"(?:u|big|small|tiny|medium|huge)?int(?:eger)?\d*\b|(?:big|small)?serial\d?\b", re.I
)
_NUMBER = re.compile(
    r"(?:(?:big)?numeric|(?:big)?decimal|dec|number|real|double|float|(?:small)?money)\d*\b", re.I
)
_TEXT = re.compile(r"(?:n?(?:var)?char2?|character|text|string|citext|\w*text|clob)\b", re.I)
_DATE = re.compile(r"date\b", re.I)
_MOMENT = re.compile(r"(?:timestamp|datetime|smalldatetime)", re.I)

_NAMES = {exp.TimestampTrunc: "DATE_TRUNC", exp.DateTrunc: "DATE_TRUNC"}
_FILLED_IN = re.compile(r"[$@&:<{]\W?[^\W\d]|\[\[|\{\{|%\(\w|^%[sd]$")
_CONDITIONS = frozenset({"WHERE", "ON", "HAVING", "WHEN", "SELECT", "FROM"})


@dataclass(frozen=True)
class Look:
    """One checked text. ``values`` are known values from elsewhere than the DDL.

    ``own_functions`` are the case-folded names of functions that are not the engine's own.
    """

    view: View
    walk: Walk
    values: Values = field(default_factory=dict)
    own_functions: frozenset[str] = frozenset()

    @property
    def dialect(self) -> str:
        return self.view.dialect

    @property
    def engine(self) -> str:
        return engine_of(self.view.dialect)

    @cached_property
    def nodes(self) -> tuple[exp.Expression, ...]:
        """All parts of the trees, as :meth:`sqlglot.exp.Expression.walk` gives them."""
        return tuple(node for tree in self.view.parse.trees for node in tree.walk())

    @cached_property
    def _starts(self) -> dict[int, int]:
        return {token.start: index for index, token in enumerate(self.view.tokens)}

    @cached_property
    def _ends(self) -> dict[int, int]:
        return {token.end: index for index, token in enumerate(self.view.tokens)}

    def tokens_of(self, node: exp.Expression) -> tuple[int, int] | None:
        """The first and the last token of a part of the tree, brackets closed."""
        places = [found.meta for found in node.walk() if "start" in found.meta]
        if not places:
            return None
        first = self._starts.get(min(place["start"] for place in places))
        last = self._ends.get(max(place["end"] for place in places))
        if first is None or last is None:
            return None
        if isinstance(node, exp.Func) and self.view.kind(first + 1) is TokenType.L_PAREN:
            last = max(last, self.view.pairs.get(first + 1, last))
        first, last = self._closed(first, last)
        while isinstance(node, exp.Paren):
            first, last, node = first - 1, last + 1, node.this
            if self.view.pairs.get(first) != last:
                return None
        return first, last

    def _closed(self, first: int, last: int) -> tuple[int, int]:
        index = first
        while index <= last:
            other = self.view.pairs.get(index, index)
            first, last = min(first, other), max(last, other)
            index += 1
        return first, last

    def span(self, node: exp.Expression) -> Span | None:
        """Where a part of the tree stands; ``None`` for what has no place of its own."""
        found = self.tokens_of(node)
        return self.view.span(*found) if found is not None else None

    def text(self, node: exp.Expression) -> str:
        """A part of the tree as it is written; its name where it has no place of its own."""
        span = self.span(node)
        return span.of(self.view.parse.sql) if span is not None else node.alias_or_name

    def called(self, node: exp.Func) -> str:
        """The name of a function as it is written, in capitals."""
        found = self.tokens_of(node)
        if found is not None and self.view.kind(found[0] + 1) is TokenType.L_PAREN:
            return self.view.word(found[0])
        return _NAMES.get(type(node)) or node.sql_name()

    def is_own_call(self, node: exp.Expression) -> bool:
        """Whether a call is of a function that users made by the name of another."""
        if not self.own_functions or not isinstance(node, exp.Func):
            return False
        return self.called(node).casefold() in self.own_functions

    def is_filled_in(self, start: int, text: str) -> bool:
        """Whether a literal waits for a value of a program: ``'${from}'``, psql's ``:'day'``."""
        before = self.view.parse.sql[max(start - 1, 0) : start]
        return before == ":" or _FILLED_IN.search(text) is not None

    def assigned(self, index: int) -> bool:
        """True where the ``=`` behind a column sets it, in UPDATE and the like."""
        for place in range(index - 1, max(self.view.depth_start(index), index - 300) - 1, -1):
            word = self.view.word(place)
            if word in _CONDITIONS:
                return False
            if word == "SET":
                return True
        return False

    def known(self, node: exp.Expression | None) -> Known:
        """The column of a table that a name means; nothing for anything else."""
        if not isinstance(node, exp.Column):
            return Known()
        return self.walk.bound.get(node.this.meta.get("start", -1), Known())

    def source(self, column: exp.Column, scope: Scope) -> Source | None:
        """The one source of this very scope that a column is of."""
        qualifier = column.args.get("table")
        if isinstance(qualifier, exp.Identifier):
            key = alias_key(qualifier.name, bool(qualifier.args.get("quoted")), self.dialect)
            same = [source for source in scope.sources if source.key == key]
            if len(same) > 1 and column.db:
                inside = column.db.casefold()
                same = [s for s in same if s.table and _ends_in(s.table.schema, inside)]
        else:
            name = column.this
            quoted = isinstance(name, exp.Identifier) and bool(name.args.get("quoted"))
            same = scope.holders(column_key(column.name, quoted, self.dialect))
        return same[0] if len(same) == 1 else None


def _ends_in(schema: str, name: str) -> bool:
    return schema.casefold().rpartition(".")[2] == name


def finding(
    code: str,
    message: str,
    span: Span | None,
    *fixes: Fix,
    severity: Severity = Severity.WARNING,
) -> Iterator[Finding]:
    """One finding, where there is a place for it."""
    if span is not None:
        yield Finding(code, severity, message, span, fixes)


def fix(title: str, *edits: tuple[Span, str], sure: bool = True) -> Fix:
    """A fix from pairs of a place and the text for it."""
    return Fix(title, tuple(TextEdit(span, text) for span, text in edits), preferred=sure)


def within(select: exp.Select, *kinds: type[exp.Expression]) -> Iterator[exp.Expression]:
    """Nodes of some kinds that belong to a SELECT itself, not to a query inside of it."""
    waiting: list[exp.Expression] = list(select.iter_expressions())
    while waiting:
        node = waiting.pop()
        if isinstance(node, exp.Query | exp.CTE | exp.With):
            continue
        if isinstance(node, kinds):
            yield node
        waiting += node.iter_expressions()


def is_whole(type_: str) -> bool:
    """True for the integer types."""
    return _WHOLE.match(type_) is not None


def is_number(type_: str) -> bool:
    return is_whole(type_) or _NUMBER.match(type_) is not None


def is_text(type_: str) -> bool:
    return _TEXT.match(type_) is not None


def is_date(type_: str) -> bool:
    """True for dates without a time of day."""
    return _DATE.match(type_) is not None and not is_moment(type_)


def is_moment(type_: str, dialect: str = "") -> bool:
    """True for dates with a time of day. SQL Server's ``timestamp`` is a version's number."""
    if engine_of(dialect) == "tsql" and type_.casefold().startswith("timestamp"):
        return False
    return _MOMENT.match(type_) is not None
