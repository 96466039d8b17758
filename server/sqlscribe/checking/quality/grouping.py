"""Grouping: columns that are neither grouped nor aggregated, and aggregates in the wrong place."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from sqlscribe.checking.names.scopes import Scope, column_key
from sqlscribe.checking.quality.look import Look, finding, fix, within
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding, Fix, Severity

# Engines that take what a primary key determines.
_KEY_IS_ENOUGH = frozenset({"postgres", "mysql", "sqlite"})
# Engines that answer with some row's value.
_LENIENT = frozenset({"mysql", "sqlite"})
_STRICT = frozenset({"postgres", "tsql", "oracle", "bigquery", "snowflake", "duckdb"}) | frozenset(
    {"redshift", "trino", "spark"}
)
# Engines to which GROUP BY 1 is no position.
_NUMBER_IS_CONSTANT = frozenset({"tsql", "oracle"})
# Engines that take the greatest of the groups' sums at once.
_NESTS = frozenset({"oracle"})
_ORDER_OF_DISTINCT = frozenset({"postgres", "tsql", "oracle", "redshift", "trino"})
_OPAQUE = (exp.AggFunc, exp.Window, exp.WithinGroup, exp.Query, exp.Anonymous, exp.Filter)


def check_grouping(look: Look) -> Iterator[Finding]:
    """What GROUP BY, HAVING and DISTINCT allow."""
    if look.engine not in _LENIENT | _STRICT:
        return
    for select, scope in look.walk.selects:
        yield from _aggregates_in_where(look, select, scope)
        if look.engine not in _NESTS:
            yield from _nested(look, select)
        yield from _windows_in_conditions(look, select)
        yield from _having(look, select)
        yield from _ungrouped(look, select, scope)
        if look.engine in _NUMBER_IS_CONSTANT:
            yield from _positions(look, select)
        if look.engine in _ORDER_OF_DISTINCT:
            yield from _order_of_distinct(look, select)


def _aggregates(look: Look, node: exp.Expression) -> Iterator[exp.Expression]:
    """The aggregates of a part, not those of windows or of queries inside."""
    waiting = [node]
    while waiting:
        found = waiting.pop()
        if isinstance(found, exp.Window | exp.Query):
            continue
        if isinstance(found, exp.AggFunc) and not _is_scalar(look, found):
            yield found
            continue
        waiting += found.iter_expressions()


def _is_scalar(look: Look, node: exp.Expression) -> bool:
    """SQLite's MAX(a, b)."""
    several = isinstance(node, exp.Max | exp.Min) and bool(node.expressions)
    return several and look.engine == "sqlite"


def _aggregates_in_where(look: Look, select: exp.Select, scope: Scope) -> Iterator[Finding]:
    where = select.args.get("where")
    if where is None:
        return
    for found in _aggregates(look, where):
        columns = list(found.find_all(exp.Column))
        # An aggregate of an outer query may stand in a query inside of its HAVING.
        if scope.parent is not None and not all(look.source(c, scope) for c in columns):
            continue
        message = "an aggregate cannot stand in WHERE; put the condition into HAVING"
        place = look.span(found)
        yield from finding("quality/aggregate-in-where", message, place, severity=Severity.ERROR)


def _nested(look: Look, select: exp.Select) -> Iterator[Finding]:
    """``AVG(COUNT(*))``; ``SUM(COUNT(*)) OVER ()`` is none."""
    parts = (select.args.get(name) for name in ("having", "order", "qualify"))
    for part in (*select.expressions, *(part for part in parts if part is not None)):
        for outer in _aggregates(look, part):
            inside = (a for each in outer.iter_expressions() for a in _aggregates(look, each))
            found = next(inside, None)
            if found is not None:
                message = "an aggregate of an aggregate; make the inner one in a query in FROM"
                place = look.span(found)
                code = "quality/nested-aggregate"
                yield from finding(code, message, place, severity=Severity.ERROR)


_QUALIFY = frozenset({"bigquery", "snowflake", "duckdb", "redshift", "spark"})


def _windows_in_conditions(look: Look, select: exp.Select) -> Iterator[Finding]:
    """WHERE and HAVING choose the rows that a window function looks at."""
    other = "QUALIFY" if look.engine in _QUALIFY else "a query around this one"
    for word in ("WHERE", "HAVING"):
        waiting = [select.args.get(word.lower())]
        while waiting:
            found = waiting.pop()
            # KEEP makes an aggregate of it.
            if isinstance(found, exp.Window) and found.args.get("over") != "KEEP":
                message = (
                    f"a window function cannot stand in {word}; put the condition into {other}"
                )
                place = look.span(found)
                code = "quality/window-in-where"
                yield from finding(code, message, place, severity=Severity.ERROR)
            elif found is not None and not isinstance(found, exp.Query):
                waiting += found.iter_expressions()


def _having(look: Look, select: exp.Select) -> Iterator[Finding]:
    having = select.args.get("having")
    # MySQL filters by names of the select list with it.
    if having is None or select.args.get("group") is not None or look.engine == "mysql":
        return
    everywhere = [having, *select.expressions]
    aggregated = any(next(_aggregates(look, part), None) for part in everywhere)
    if aggregated or having.find(exp.Anonymous):
        return
    token = next((t for t in look.view.tokens if t.text.upper() == "HAVING"), None)
    if token is None:
        return
    place = Span(token.start, token.end + 1)
    fixes: list[Fix] = []
    if select.args.get("where") is None:
        fixes.append(fix("Change to WHERE", (place, "WHERE")))
    message = "HAVING without an aggregate and without GROUP BY; WHERE is meant for rows"
    yield from finding("quality/having-without-group", message, place, *fixes)


def _ungrouped(look: Look, select: exp.Select, scope: Scope) -> Iterator[Finding]:
    group = select.args.get("group")
    if group is not None and any(
        group.args.get(name) for name in ("all", "totals", "rollup", "cube", "grouping_sets")
    ):
        return
    aggregates = [found for item in select.expressions for found in _aggregates(look, item)]
    if group is None and not aggregates:
        return
    distinct = select.args.get("distinct")
    if isinstance(distinct, exp.Distinct) and distinct.args.get("on"):
        return
    if look.engine == "sqlite" and _follows_extreme(aggregates):
        return
    grouped = _grouped(look, select, group)
    if grouped is None:
        return
    missing = _missing(look, select, scope, grouped)
    if not missing:
        return
    different = list(dict.fromkeys(look.text(column) for column in missing))
    names = ", ".join(different)
    place = look.span(missing[0])
    if look.engine in _LENIENT:
        verb = "is" if len(different) == 1 else "are"
        message = (
            f"{names} {verb} neither grouped nor aggregated: {look.dialect} takes the value of "
            "any row of the group"
        )
        yield from finding("quality/missing-group-by", message, place, severity=Severity.HINT)
        return
    message = f"{names} must stand in GROUP BY or in an aggregate"
    fixes = list(_added(look, group, missing))
    yield from finding("quality/missing-group-by", message, place, *fixes, severity=Severity.ERROR)


def _positions(look: Look, select: exp.Select) -> Iterator[Finding]:
    """``GROUP BY 1``, where that is the number and not the first of what is selected."""
    group = select.args.get("group")
    for item in group.expressions if group is not None else ():
        number = int(item.name) if isinstance(item, exp.Literal) and item.name.isdigit() else 0
        if not 1 <= number <= len(select.expressions) or item.args.get("is_string"):
            continue
        meant = select.expressions[number - 1].unalias()
        place = look.span(item)
        if place is None or meant.is_star or not meant.find(exp.Column):
            continue
        if meant.find(exp.AggFunc, exp.Window, exp.Query):
            continue
        # Only a name is sure to stand in the text as the tree has it.
        text = look.text(meant) if isinstance(meant, exp.Column) else ""
        right = f"write {text}" if text else "repeat the expression"
        message = f"{look.dialect} takes {number} in GROUP BY for the number itself; {right}"
        fixes = [fix(f"Change to {text}", (place, text))] if text else []
        code = "quality/missing-group-by"
        yield from finding(code, message, place, *fixes, severity=Severity.ERROR)


def _follows_extreme(aggregates: list[exp.Expression]) -> bool:
    """With one MIN or MAX, SQLite takes the other columns from that very row."""
    extremes = [found for found in aggregates if isinstance(found, exp.Min | exp.Max)]
    return len(extremes) == 1


def _grouped(
    look: Look, select: exp.Select, group: exp.Expression | None
) -> list[exp.Expression] | None:
    """What is grouped by, aliases and positions resolved; ``None`` where that is not sure."""
    found: list[exp.Expression] = []
    for item in group.expressions if group is not None else ():
        while isinstance(item, exp.Paren):
            item = item.this
        if isinstance(item, exp.Tuple):
            found += item.expressions
        elif isinstance(item, exp.Rollup | exp.Cube | exp.GroupingSets):
            return None
        elif isinstance(item, exp.Literal) and not item.is_string:
            number = int(item.name) if item.name.isdigit() else 0
            if not 1 <= number <= len(select.expressions):
                return None
            found.append(select.expressions[number - 1].unalias())
        else:
            found.append(item)
            if isinstance(item, exp.Column) and not item.args.get("table"):
                found += (
                    one.unalias()
                    for one in select.expressions
                    if isinstance(one, exp.Alias) and one.alias.casefold() == item.name.casefold()
                )
    return found


def _missing(
    look: Look, select: exp.Select, scope: Scope, grouped: list[exp.Expression]
) -> list[exp.Column]:
    """Columns of this query, used outside of aggregates, that the grouping leaves open."""
    texts = {_plain(item) for item in grouped}
    names = {item.name.casefold() for item in grouped if isinstance(item, exp.Column)}
    parts = list(select.expressions)
    if (having := select.args.get("having")) is not None and look.engine not in _LENIENT:
        parts.append(having)
    missing: list[exp.Column] = []
    waiting = parts[::-1]
    while waiting:
        node = waiting.pop()
        if isinstance(node, _OPAQUE) and not _is_scalar(look, node):
            continue
        if _plain(node) in texts:
            continue
        if not isinstance(node, exp.Column):
            waiting += node.iter_expressions(reverse=True)
        elif not _determined(look, node, scope, grouped, names):
            missing.append(node)
    return missing


def _plain(node: object) -> str:
    """What two spellings of one expression have in common: letter case and quotes aside."""
    if isinstance(node, exp.Identifier | exp.Literal):
        return f"{type(node).__name__} {node.name.casefold()}"
    if isinstance(node, exp.Expression):
        parts = (f"{name}={_plain(part)}" for name, part in node.args.items() if part)
        return f"{type(node).__name__}({','.join(parts)})"
    if isinstance(node, list):
        return ",".join(map(_plain, node))
    return str(node).casefold()


def _determined(
    look: Look,
    column: exp.Column,
    scope: Scope,
    grouped: list[exp.Expression],
    names: set[str],
) -> bool:
    """True unless a column is surely one of this query that the groups leave open."""
    source = look.source(column, scope)
    key = column_key(column.name, bool(column.this.args.get("quoted")), look.dialect)
    if source is None or column.is_star or (key in scope.given and not column.args.get("table")):
        return True
    same = [item for item in grouped if isinstance(item, exp.Column)]
    for item in same:
        if item.name.casefold() == column.name.casefold() and look.source(item, scope) in (
            source,
            None,
        ):
            return True
    if column.name.casefold() in names and key in scope.merged:
        return True
    if source.table is None:
        # What a derived table determines by itself is not known.
        return look.engine in _KEY_IS_ENOUGH
    if look.engine not in _KEY_IS_ENOUGH:
        return False
    if look.engine in _LENIENT and _keyed_elsewhere(look, scope, same):
        return True
    own = {item.name.casefold() for item in same if look.source(item, scope) is source}
    keys = [source.table.primary_key]
    keys += list(source.table.unique) if look.engine != "postgres" else []
    return any(bool(key) and {name.casefold() for name in key} <= own for key in keys)


def _keyed_elsewhere(look: Look, scope: Scope, grouped: list[exp.Column]) -> bool:
    """True where some table's key is grouped by: joined tables follow it, mostly."""
    for item in grouped:
        source = look.source(item, scope)
        if source is None or source.table is None:
            return True
        table = source.table
        referring = {name.casefold() for key in table.foreign_keys for name in key.columns}
        key = {name.casefold() for name in table.primary_key}
        if item.name.casefold() in referring | key:
            return True
    return False


def _added(look: Look, group: exp.Expression | None, missing: list[exp.Column]) -> Iterator[Fix]:
    """The columns at the end of GROUP BY."""
    if group is None or not group.expressions:
        return
    place = look.span(group.expressions[-1])
    if place is not None:
        names = list(dict.fromkeys(look.text(column) for column in missing))
        text = "".join(f", {name}" for name in names)
        yield fix(f"Add {', '.join(names)} to GROUP BY", (Span(place.end, place.end), text))


def _order_of_distinct(look: Look, select: exp.Select) -> Iterator[Finding]:
    """``SELECT DISTINCT`` ordered by what it does not show."""
    distinct, order = select.args.get("distinct"), select.args.get("order")
    if distinct is None or order is None or distinct.args.get("on"):
        return
    if any(item.is_star for item in select.expressions):
        return
    shown = {_plain(item.unalias()) for item in select.expressions}
    names = {item.alias_or_name.casefold() for item in select.expressions}
    for item in order.expressions:
        key = item.this if isinstance(item, exp.Ordered) else item
        known = isinstance(key, exp.Literal) or _plain(key) in shown
        named = isinstance(key, exp.Column) and key.name.casefold() in names
        if not known and not named and next(within(select, exp.Star), None) is None:
            message = (
                "with DISTINCT the rows can only be ordered by what is selected; "
                f"{look.text(key)} is not"
            )
            place = look.span(key)
            yield from finding("quality/distinct-order", message, place, severity=Severity.ERROR)
