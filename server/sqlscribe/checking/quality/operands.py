"""Values of types that an engine with strict types does not take together, or in a function."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from sqlglot import exp

from sqlscribe.checking.quality.kinds import (
    DAYS,
    NUMBERS,
    SCALARS,
    Kind,
    Kinds,
    argument_of,
    results_of,
)
from sqlscribe.checking.quality.look import Look, finding
from sqlscribe.checking.quality.operand_fixes import SHOWN, OperandFixes
from sqlscribe.checking.quality.strictness import STRICT, Strictness
from sqlscribe.notation.findings import Finding, Fix, Severity

_SHOWN_TOGETHER = 3
_MOMENTS = frozenset(
    "now today tomorrow yesterday epoch infinity -infinity +infinity allballs".split()
)
_TRUTHS = ("true", "false", "yes", "no", "on", "off", "1", "0")


def check_operands(look: Look) -> Iterator[Finding]:
    """What the engine refuses for the types of its operands, as far as the DDL gives them."""
    strict = STRICT.get(look.engine)
    if strict is None:
        return
    checker = _Checker(look, strict)
    for node in look.nodes:
        rule = _RULES.get(type(node))
        if rule is not None and not look.is_own_call(node):
            yield from rule(checker, node)


class _Checker:
    """The rules on one text, for one engine."""

    def __init__(self, look: Look, strict: Strictness) -> None:
        self.look = look
        self.strict = strict
        self.kinds = Kinds(look)
        self.fixes = OperandFixes(look)

    def comparison(self, node: exp.Expression) -> Iterator[Finding]:
        # ``SET a = 1`` is no comparison.
        if not isinstance(node.parent, _ASSIGNING):
            yield from self._pair(node, node.this, node.expression)

    def membership(self, node: exp.Expression) -> Iterator[Finding]:
        query = node.args.get("query")
        yield from self._first(node, [query] if query is not None else node.expressions)

    def range(self, node: exp.Expression) -> Iterator[Finding]:
        yield from self._first(node, [node.args["low"], node.args["high"]])

    def _first(self, node: exp.Expression, others: Iterable[exp.Expression]) -> Iterator[Finding]:
        """One finding for all that a value is compared with."""
        found = [told for other in others for told in self._pair(node, node.this, other)]
        if found:
            fixes = [told.fixes[0] for told in found if told.fixes]
            together = [_all_of(fixes)] if len(fixes) == len(found) > 1 else list(found[0].fixes)
            yield replace(found[0], fixes=tuple(together))

    def _pair(
        self, node: exp.Expression, left: exp.Expression, right: exp.Expression
    ) -> Iterator[Finding]:
        one, two = self.kinds.of(left), self.kinds.of(right)
        if one is None or two is None:
            return
        if isinstance(left, exp.Literal) and not isinstance(right, exp.Literal):
            left, right, one, two = right, left, two, one
        if Kind.LITERAL in (one, two):
            fixes = self._for_literal(left, one, right, two)
            shown = f"'{right.name[:SHOWN]}'"
        elif not self.strict.mixes(one, two):
            fixes = self.fixes.comparable(right, two, left, one)
            fixes = fixes or self.fixes.comparable(left, one, right, two)
            shown = _a(two)
        else:
            return
        if fixes is not None:
            text = f"{self._is(left, one)} does not compare it with {shown}"
            yield from self._told(text, node, *fixes)

    def _for_literal(
        self, value: exp.Expression, kind: Kind, literal: exp.Expression, its: Kind
    ) -> list[Fix] | None:
        """What to do about a quoted literal beside a value; ``None`` where they fit."""
        if kind is Kind.LITERAL or its is not Kind.LITERAL or self._fits(literal, kind):
            return None
        if kind is Kind.JSON:
            return self.fixes.as_text(value)
        if kind is Kind.ARRAY:
            return self.fixes.contained(value, literal)
        return self.fixes.unquoted(literal, kind)

    def _fits(self, literal: exp.Expression, kind: Kind) -> bool:
        """Whether a quoted literal can stand beside a value."""
        if kind in self.strict.literal:
            return False
        return not self.strict.reads_literals or _reads(literal.name, kind)

    def pattern(self, node: exp.Expression) -> Iterator[Finding]:
        yield from self._taken(node, node.this, self.strict.pattern, "matches no pattern with it")

    def text(self, node: exp.Expression) -> Iterator[Finding]:
        yield from self._taken(node, node.this, self.strict.text, self._no_call(node))

    def total(self, node: exp.Expression) -> Iterator[Finding]:
        value = argument_of(node)
        casts = {Kind.TEXT: self.fixes.number_type, Kind.BOOLEAN: "INT"}
        cast = casts.get(self.kinds.of(value) or Kind.DATE, "")
        yield from self._taken(node, value, self.strict.total, self._no_call(node), cast)

    def extreme(self, node: exp.Expression) -> Iterator[Finding]:
        value = argument_of(node)
        cast = "INT" if self.kinds.of(value) is Kind.BOOLEAN else ""
        yield from self._taken(node, value, self.strict.extreme, self._no_call(node), cast)

    def day(self, node: exp.Expression) -> Iterator[Finding]:
        value = node.expression if isinstance(node, exp.Extract) else node.this
        cast = "DATE" if self.kinds.of(value) is Kind.TEXT else ""
        fixes = self.fixes.days_between(node, value)
        yield from self._taken(node, value, self.strict.day, self._no_call(node), cast, *fixes)

    def digits(self, node: exp.Expression) -> Iterator[Finding]:
        if not self.strict.exact_digits or node.args.get("decimals") is None:
            return
        if self.kinds.of(node.this) is Kind.DOUBLE:
            text = f"{self._is(node.this, Kind.DOUBLE)} rounds it to no number of digits"
            yield from self._told(text, node, *self.fixes.cast(node.this, "NUMERIC", sure=True))

    def arithmetic(self, node: exp.Expression) -> Iterator[Finding]:
        left, right = node.this, node.expression
        one, two = self.kinds.of(left), self.kinds.of(right)
        if isinstance(node, exp.Mod) and self.strict.exact_digits and Kind.DOUBLE in (one, two):
            value, other = (left, two) if one is Kind.DOUBLE else (right, one)
            fixes = self.fixes.cast(value, "NUMERIC", sure=True) if other is Kind.NUMBER else []
            text = f"{self._is(value, Kind.DOUBLE)} has no remainder of it"
            yield from self._told(text, node, *fixes)
            return
        steps = isinstance(node, exp.Add | exp.Sub)
        refused = self.strict.number_added if steps else self.strict.number_added | {Kind.DATE}
        if one not in NUMBERS and two not in NUMBERS:
            return
        value, kind, number = (left, one, right) if two in NUMBERS else (right, two, left)
        if kind is None or kind not in refused:
            return
        if kind is Kind.INTERVAL and not steps:
            return
        fixes = []
        if kind in DAYS and number is right and steps:
            fixes = self.fixes.interval(number)
        elif kind is Kind.TEXT:
            sure = isinstance(value, SCALARS)
            fixes = self.fixes.cast(value, self.fixes.number_type, sure=sure)
        says = "adds no number to it" if steps else "does not multiply or divide it"
        text = f"{self._is(value, kind)} {says}"
        yield from self._told(text, node, *fixes)

    def _taken(
        self,
        node: exp.Expression,
        value: exp.Expression | None,
        refused: frozenset[Kind],
        says: str,
        cast: str | None = None,
        *fixes: Fix,
    ) -> Iterator[Finding]:
        """A value in a place that does not take its kind; ``cast`` is a type that it takes."""
        kind = self.kinds.of(value)
        if value is None or kind is None or kind not in refused:
            return
        if cast is None:
            cast = self.fixes.text_type
        if not fixes and cast:
            fixes = tuple(self.fixes.cast(value, cast, sure=kind is not Kind.TEXT))
        yield from self._told(f"{self._is(value, kind)} {says}", node, *fixes)

    def condition(self, node: exp.Expression) -> Iterator[Finding]:
        if not self.strict.only_conditions:
            return
        for part in _conditions(node):
            kind = self.kinds.of(part)
            if kind not in (None, Kind.BOOLEAN, Kind.LITERAL):
                fixes: list[Fix] = []
                if kind is Kind.NUMBER and (own := self.fixes.text(part)):
                    fixes = self.fixes.written(part, f"{own} <> 0")
                text = f"{self._is(part, kind)} takes nothing but a condition here"
                yield from self._told(text, part, *fixes)

    def choice(self, node: exp.Expression) -> Iterator[Finding]:
        yield from self.condition(node)
        if node.this is not None:
            yield from self._first(node, [branch.this for branch in node.args.get("ifs") or ()])
        yield from self._results(results_of(node))

    def fallback(self, node: exp.Expression) -> Iterator[Finding]:
        yield from self._results([node.this, *node.expressions])

    def combined(self, node: exp.Expression) -> Iterator[Finding]:
        """UNION and its like: each column of one query stands above one of the other."""
        first, second = _first_select(node.this), _first_select(node.expression)
        if first is None or second is None or node.args.get("by_name"):
            return
        above, below = first.expressions, second.expressions
        if len(above) == len(below) and not (first.is_star or second.is_star):
            for one, other in zip(above, below, strict=True):
                yield from self._results([one.unalias(), other.unalias()])

    def _results(self, nodes: list[exp.Expression]) -> Iterator[Finding]:
        """Values of which one is taken, so that all must have a type in common."""
        known = [(each, kind) for each in nodes if (kind := self.kinds.of(each)) is not None]
        first = next((pair for pair in known if pair[1] is not Kind.LITERAL), None)
        if first is None:
            return
        value, kind = first
        for other, its in known:
            if its is Kind.LITERAL:
                fits, shown = self._fits(other, kind), f"'{other.name[:SHOWN]}'"
            else:
                fits, shown = self.strict.mixes(kind, its), _a(its)
            if not fits:
                text = f"{self._is(value, kind)} does not give {shown} in the same column"
                yield from self._told(text, other, *self._as_texts(value, kind, other, its))
                return

    def _as_texts(
        self, value: exp.Expression, kind: Kind, other: exp.Expression, its: Kind
    ) -> list[Fix]:
        """The one of two results that is no text, as a text."""
        if kind is not Kind.TEXT and its not in (Kind.TEXT, Kind.LITERAL):
            return []
        odd = other if kind is Kind.TEXT else value
        if isinstance(odd, exp.Literal):
            return self.fixes.quoted(odd)
        return self.fixes.cast(odd, self.fixes.text_type, sure=False)

    def _is(self, value: exp.Expression, kind: Kind) -> str:
        """The head of each message: what a value is, and who does not take it."""
        return f"{self.fixes.text(value) or 'this'} is {_a(kind)}, and {self.look.dialect}"

    def _no_call(self, node: exp.Expression) -> str:
        return f"has no {self.look.called(node)} of it"

    def _told(self, text: str, node: exp.Expression, *fixes: Fix) -> Iterator[Finding]:
        """A finding that names what to write instead."""
        for offered in fixes[:1]:
            text += f"; use {offered.edits[0].text}"
        span = self.look.span(node)
        yield from finding("quality/type-mismatch", text, span, *fixes, severity=Severity.ERROR)


def _all_of(fixes: Sequence[Fix]) -> Fix:
    """Several fixes as one; a value that is cast in each of them is cast once."""
    edits = tuple(dict.fromkeys(edit for each in fixes for edit in each.edits))
    texts = ", ".join(dict.fromkeys(edit.text for edit in edits[:_SHOWN_TOGETHER]))
    more = ", …" if len(edits) > _SHOWN_TOGETHER else ""
    return Fix(f"Change to {texts}{more}", edits, preferred=all(each.preferred for each in fixes))


def _a(kind: Kind) -> str:
    return f"{'an' if kind[0] in 'ai' else 'a'} {kind}"


def _first_select(node: exp.Expression) -> exp.Select | None:
    """The SELECT that names the columns of a query."""
    while isinstance(node, exp.SetOperation | exp.Subquery):
        node = node.this
    return node if isinstance(node, exp.Select) else None


def _conditions(node: exp.Expression) -> Iterator[exp.Expression]:
    """The parts of a node that must be conditions."""
    if isinstance(node, exp.Case):
        if node.this is None:
            yield from (branch.this for branch in node.args.get("ifs") or ())
    elif isinstance(node, exp.Join):
        on = node.args.get("on")
        if on is not None:
            yield on
    elif isinstance(node, exp.Connector):
        yield from (node.this, node.expression)
    else:
        yield node.this


def _reads(text: str, kind: Kind) -> bool:
    """Whether PostgreSQL reads a quoted literal as a value of a kind, as far as it is known."""
    text = text.strip()
    if kind in NUMBERS:
        return _is_number(text)
    if kind is Kind.BOOLEAN:
        return bool(text) and any(word.startswith(text.casefold()) for word in _TRUTHS)
    if kind in DAYS:
        return any(letter.isdigit() for letter in text) or text.casefold() in _MOMENTS
    if kind is Kind.UUID:
        return re.fullmatch(r"[0-9a-fA-F]{32}", re.sub(r"[-{}]", "", text)) is not None
    if kind is Kind.ARRAY:
        return text.startswith(("{", "["))
    return kind is not Kind.JSON or _is_json(text)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return text.casefold().startswith(("0x", "0o", "0b"))
    return True


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


_ASSIGNING = (
    exp.Update,
    exp.OnConflict,
    exp.When,
    exp.SetItem,
    exp.Set,
    exp.Property,
    exp.Properties,
    exp.Kwarg,
)
_COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NullSafeEQ, exp.NullSafeNEQ)
_PATTERNS = (exp.Like, exp.ILike, exp.SimilarTo, exp.RegexpLike, exp.RegexpILike)
_TEXT_CALLS = (
    exp.Lower,
    exp.Upper,
    exp.Initcap,
    exp.Length,
    exp.Substring,
    exp.Trim,
    exp.Left,
    exp.Right,
    exp.Replace,
    exp.SplitPart,
    exp.Pad,
    exp.StrPosition,
    exp.RegexpReplace,
)
_DAY_CALLS = (exp.Extract, exp.TimestampTrunc, exp.DateTrunc, exp.Year, exp.Month, exp.Day)
_RULES: dict[type[exp.Expression], Callable[[_Checker, exp.Expression], Iterator[Finding]]] = {
    **dict.fromkeys(_COMPARISONS, _Checker.comparison),
    exp.In: _Checker.membership,
    exp.Between: _Checker.range,
    **dict.fromkeys(_PATTERNS, _Checker.pattern),
    **dict.fromkeys(_TEXT_CALLS, _Checker.text),
    **dict.fromkeys((exp.Sum, exp.Avg), _Checker.total),
    **dict.fromkeys((exp.Min, exp.Max), _Checker.extreme),
    **dict.fromkeys(_DAY_CALLS, _Checker.day),
    **dict.fromkeys((exp.Round, exp.Trunc), _Checker.digits),
    **dict.fromkeys((exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod), _Checker.arithmetic),
    **dict.fromkeys(
        (exp.Where, exp.Having, exp.Join, exp.And, exp.Or, exp.Not), _Checker.condition
    ),
    exp.Case: _Checker.choice,
    exp.Coalesce: _Checker.fallback,
    **dict.fromkeys((exp.Union, exp.Except, exp.Intersect), _Checker.combined),
}
