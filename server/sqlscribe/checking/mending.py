"""Names put right that a model gave wrong, where there is one thing it meant.

A small model writes ``T2.price`` where the price is in ``T1``, or a condition on a table that it
forgot to join, and gives the same again when it is told. The text stays the model's own: only
the letter case, quotes and qualifiers of names are changed, and joins added along the schema's
keys. A name of another spelling stays as it is. What came of it is checked like anything else,
and nothing is mended where two things may have been meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.tokens import TokenType

from sqlscribe.checking.check import check
from sqlscribe.checking.meaning import may_be_key, may_join, may_move
from sqlscribe.checking.parsing import Parsed, parsed
from sqlscribe.notation.document import Span, TextEdit
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.schema import graph
from sqlscribe.schema.identifiers import DEFAULT_SCHEMAS, spelled
from sqlscribe.schema.model import Schema, Table


@dataclass(frozen=True)
class Mended:
    """SQL in which no wrong name is left, and what was changed in it, a phrase for each."""

    sql: str
    changes: tuple[str, ...]


def mended(sql: str, schema: Schema, dialect: str) -> Mended | None:
    """The SQL with its wrong names put right; ``None`` where not all of them can be."""
    # A qualifier that leaves a column compared with itself was right, and the name was the key's.
    return _mended(sql, schema, dialect, False) or _mended(sql, schema, dialect, True)


def _mended(sql: str, schema: Schema, dialect: str, keys_first: bool) -> Mended | None:
    changes: list[str] = []
    given = sql
    for _ in range(_ROUNDS):
        errors = _errors(sql, schema, dialect)
        # Names without a FROM are nothing that the checker can look up.
        forgotten = _with_from(parsed(sql, dialect), schema)
        if not errors and not forgotten:
            is_sound = (
                bool(changes)
                and not _compares_with_itself(parsed(sql, dialect))
                and _fan_outs(sql, schema, dialect) <= _fan_outs(given, schema, dialect)
            )
            return Mended(sql, tuple(dict.fromkeys(changes))) if is_sound else None
        parse = parsed(sql, dialect)
        chosen = _apart(forgotten or _repairs(errors, parse, schema, keys_first))
        if not chosen:
            return None
        edits = [edit for change in chosen for edit in change.edits]
        for edit in sorted(edits, key=lambda edit: -edit.span.start):
            sql = sql[: edit.span.start] + edit.text + sql[edit.span.end :]
        changes += [change.told for change in chosen]
    return None


_ROUNDS = 4
_LONGEST_PATH = 2
_ENDS = frozenset(
    {
        TokenType.WHERE,
        TokenType.GROUP_BY,
        TokenType.HAVING,
        TokenType.QUALIFY,
        TokenType.WINDOW,
        TokenType.ORDER_BY,
        TokenType.LIMIT,
        TokenType.OFFSET,
        TokenType.FETCH,
        TokenType.UNION,
        TokenType.EXCEPT,
        TokenType.INTERSECT,
        TokenType.SEMICOLON,
    }
)


_CLAUSES = frozenset({"from_", "where", "group", "having", "order", "limit", "joins", "with_"})


@dataclass(frozen=True)
class _Change:
    edits: tuple[TextEdit, ...]
    told: str


def _errors(sql: str, schema: Schema, dialect: str) -> list[Finding]:
    found = check(sql, schema, dialect).findings
    return [finding for finding in found if finding.severity is Severity.ERROR]


def _fan_outs(sql: str, schema: Schema, dialect: str) -> int:
    """How many aggregates count the same rows again: one more is none that was meant."""
    found = check(sql, schema, dialect).findings
    return sum(finding.code == "quality/fan-out" for finding in found)


def _repairs(
    errors: Iterable[Finding], parse: Parsed, schema: Schema, keys_first: bool
) -> list[_Change]:
    found: list[_Change] = []
    for error in errors:
        if keys_first and (as_key := _as_key(error, parse, schema)):
            found += as_key
            continue
        fix = next((fix for fix in error.fixes if fix.preferred and fix.edits), None)
        if fix is not None and not all(_keeps_the_name(edit, parse) for edit in fix.edits):
            # Another spelling is another name: a person decides.
            continue
        if fix is not None and not all(_may_be(edit, parse, schema) for edit in fix.edits):
            continue
        if fix is not None:
            first = fix.edits[0]
            told = f"{first.span.of(parse.sql)} is now {first.text}"
            found.append(_Change(fix.edits, told))
        elif error.code in ("name/unknown-alias", "name/unknown-column"):
            found += _as_key(error, parse, schema) or _with_join(error, parse, schema)
    return found


def _keeps_the_name(edit: TextEdit, parse: Parsed) -> bool:
    """True where an edit leaves a column's or table's own name, but for how its words are joined.

    ``pet_type`` is ``PetType``: letter case, quotes and underscores make no other name.
    """
    before, after = (_last_part(text) for text in (edit.span.of(parse.sql), edit.text))
    if before.replace("_", "") == after.replace("_", ""):
        return True
    column = _column_at(edit.span, parse)
    qualifier = column.args.get("table") if column is not None else None
    return (
        isinstance(qualifier, exp.Identifier)
        and qualifier.meta.get("start") == edit.span.start
        and _last_part(edit.span.of(parse.sql)) == _last_part(qualifier.name)
    )


def _may_be(edit: TextEdit, parse: Parsed, schema: Schema) -> bool:
    """False where an edit moves a column to a table that it was perhaps not meant for."""
    column = _column_at(edit.span, parse)
    select = column.find_ancestor(exp.Select) if column is not None else None
    if column is None or select is None or not column.table:
        return True
    parts = [part.strip('"`[] ') for part in _PARTS.findall(edit.text)]
    is_alone = edit.span.end <= column.this.meta.get("start", 0)
    to = parts[-1] if is_alone else parts[-2] if len(parts) > 1 else column.table
    used = _used(select, schema)
    if column.table.casefold() in (to.casefold(), used[to].name.casefold() if to in used else ""):
        return True
    return may_move(column, to, used.get(column.table))


def _last_part(name: str) -> str:
    parts = _PARTS.findall(name)
    return parts[-1].strip('"`[] ').casefold() if parts else ""


_PARTS = re.compile(r"""(?:"[^"]*"|`[^`]*`|\[[^\]]*\]|[^.])+""")
"""What stands between the dots of a name; a dot in quotes is a part of it."""


def _apart(changes: Sequence[_Change]) -> list[_Change]:
    """Those that touch no place that one before touches."""
    taken: list[Span] = []
    chosen: list[_Change] = []
    for change in changes:
        spans = [edit.span for edit in change.edits]
        if not any(_touch(span, other) for span in spans for other in taken):
            chosen.append(change)
            taken += spans
    return chosen


def _touch(one: Span, other: Span) -> bool:
    return one.start <= other.end and other.start <= one.end


def _compares_with_itself(parse: Parsed) -> bool:
    """True for ``ON T1.zip = T1.zip``, which joins everything: the right name was another one."""
    return any(
        isinstance(pair.this, exp.Column) and pair.this == pair.expression
        for tree in parse.trees
        for pair in tree.find_all(exp.EQ)
    )


# Keys that are called otherwise where they come from, and tables that were forgotten.


def _as_key(error: Finding, parse: Parsed, schema: Schema) -> list[_Change]:
    """``customers.customer_id`` is ``customers.id``, where others refer to that by this name.

    In ``orders.id = customers.id`` it is ``orders.customer_id``, which refers to that.
    """
    column = _column_at(error.span, parse)
    select = column.find_ancestor(exp.Select) if column is not None else None
    if column is None or select is None or error.code != "name/unknown-column":
        return []
    used = _used(select, schema)
    asked = [used[column.table]] if column.table in used else list(used.values())
    keys = {
        join.pairs[0][1]
        for table in asked
        for join in graph.joins_of(schema, table)
        if join.right is table
        and [pair[0].casefold() for pair in join.pairs] == [column.name.casefold()]
        and may_be_key(column, table)
    }
    keys |= {
        join.pairs[0][0]
        for table in asked
        for join in graph.joins_of(schema, table)
        if join.left is table
        and join.right is _compared_with(column, used)
        and [pair[1].casefold() for pair in join.pairs] == [column.name.casefold()]
    }
    start, end = column.this.meta.get("start"), column.this.meta.get("end")
    if len(keys) != 1 or start is None or end is None:
        return []
    key = spelled(keys.pop(), False, parse.dialect)
    edit = TextEdit(Span(start, end + 1), key)
    return [_Change((edit,), f"{column.name} is now {key}")]


def _compared_with(column: exp.Column, used: Mapping[str, Table]) -> Table | None:
    """The table whose column of the same name stands on the other side of an equals sign."""
    equation = column.parent
    if not isinstance(equation, exp.EQ):
        return None
    other = equation.expression if equation.this is column else equation.this
    is_same = isinstance(other, exp.Column) and other.name.casefold() == column.name.casefold()
    return used.get(other.table) if is_same else None


def _with_join(error: Finding, parse: Parsed, schema: Schema) -> list[_Change]:
    """A join to the one table that has the column asked for, if a key leads there."""
    column = _column_at(error.span, parse)
    select = column.find_ancestor(exp.Select) if column is not None else None
    if column is None or select is None or column.find_ancestor(exp.Join, exp.Select) is not select:
        return []
    used = _used(select, schema)
    place = _end_of_from(select, parse)
    if not used or place is None:
        return []
    if error.code == "name/unknown-column" and column.table and column.table not in used:
        # It is said of a source of another query, or of one made here.
        return []
    if error.code == "name/unknown-alias":
        targets = [t for t in schema.named(column.table) if t.column(column.name) is not None]
    else:
        targets = [table for table in schema.tables if table.column(column.name) is not None]
    targets = [table for table in targets if table not in used.values()]
    paths = [(path, table) for table in targets if (path := _path(used, table, schema))]
    shortest = min((len(path) for path, _ in paths), default=0)
    paths = [(path, table) for path, table in paths if len(path) == shortest]
    if len(paths) != 1:
        return []
    path, target = paths[0]
    used = _from_one(used, _end(path[::-1], target), column.table)
    if not used or not may_join(column, select, used, path):
        return []
    text, name = _joins(path, used, parse, schema)
    edits = [TextEdit(Span(place, place), text)]
    qualifier = column.args.get("table")
    if isinstance(qualifier, exp.Identifier) and qualifier.name.casefold() != name.casefold():
        start, end = qualifier.meta.get("start"), qualifier.meta.get("end")
        if start is None or end is None:
            return []
        edits.append(TextEdit(Span(start, end + 1), name))
    return [_Change(tuple(edits), f"{name} is now joined")]


def _from_one(used: dict[str, Table], start: Table, qualifier: str) -> dict[str, Table]:
    """The tables with ``start`` under one name; none where it has several and all may be meant."""
    names = [name for name, table in used.items() if table is start]
    if len(names) > 1 and qualifier not in names:
        return {}
    kept = qualifier if qualifier in names else names[0]
    return {name: table for name, table in used.items() if table is not start or name == kept}


def _with_from(parse: Parsed, schema: Schema) -> list[_Change]:
    """The one table that has all columns of a query that forgets to say where they are."""
    select = parse.trees[0] if len(parse.trees) == 1 else None
    if not isinstance(select, exp.Select) or any(map(select.args.get, _CLAUSES)):
        return []
    columns = list(select.find_all(exp.Column))
    if not columns:
        return []
    having = [
        table
        for table in schema.tables
        if all(table.column(column.name) is not None for column in columns)
    ]
    if len(having) != 1 or any(column.table for column in columns):
        return []
    name = _in_from(having[0], parse, schema)
    last = [token for token in parse.tokens if token.token_type is not TokenType.SEMICOLON][-1]
    edit = TextEdit(Span(last.end + 1, last.end + 1), f" FROM {name}")
    return [_Change((edit,), f"{name} is now read")]


def _column_at(span: Span, parse: Parsed) -> exp.Column | None:
    for tree in parse.trees:
        for column in tree.find_all(exp.Column):
            for part in (column.this, column.args.get("table")):
                if isinstance(part, exp.Identifier) and part.meta.get("start") == span.start:
                    return column
    return None


def _used(select: exp.Select, schema: Schema) -> dict[str, Table]:
    """The tables of the schema that a SELECT reads, by the names that it uses for them."""
    sources = [select.args.get("from_"), *(select.args.get("joins") or ())]
    within = {cte.alias.casefold() for cte in select.root().find_all(exp.CTE)}
    found: dict[str, Table] = {}
    for source in sources:
        table = source.this if source is not None else None
        if isinstance(table, exp.Table) and (table.db or table.name.casefold() not in within):
            named = schema.named(table.name, table.db)
            if len(named) == 1:
                found[table.alias_or_name] = named[0]
    return found


def _path(used: dict[str, Table], target: Table, schema: Schema) -> list[graph.Join]:
    """The fewest joins that lead from a used table to ``target``; none where two ways do.

    A table between that refers to both sides is made for joining them. One that both refer to is
    not: each row of the one side would come with each of the other. Of two keys that lead to the
    same table in the same direction, the one that is called as it is there is the plain one.
    """
    ways: list[list[graph.Join]] = [[]]
    for _ in range(_LONGEST_PATH):
        longer: list[list[graph.Join]] = []
        for way in ways:
            for join in graph.joins_of(schema, _end(way, target)):
                following = join.other(_end(way, target))
                if following is not target and join not in way:
                    longer.append([*way, join])
        reached = [way for way in longer if _end(way, target) in used.values()]
        reached = [way for way in reached if _is_for_joining(way)] or reached
        if len({_tables_of(way) for way in reached}) == 1:
            reached = [way for way in reached if _has_plain_names(way)] or reached
        if reached:
            return list(reversed(reached[0])) if len(reached) == 1 else []
        ways = longer
    return []


def _is_for_joining(way: Sequence[graph.Join]) -> bool:
    return len(way) != _LONGEST_PATH or way[0].left is way[1].left


def _has_plain_names(way: Sequence[graph.Join]) -> bool:
    return all(one.casefold() == other.casefold() for join in way for one, other in join.pairs)


def _tables_of(way: Sequence[graph.Join]) -> tuple[tuple[int, int], ...]:
    return tuple((id(join.left), id(join.right)) for join in way)


def _end(way: Sequence[graph.Join], target: Table) -> Table:
    """The table at which a way that begins at ``target`` ends."""
    table = target
    for join in way:
        table = join.other(table)
    return table


def _joins(
    path: Sequence[graph.Join], used: dict[str, Table], parse: Parsed, schema: Schema
) -> tuple[str, str]:
    """The text of the joins, and the name of the table at their end."""
    dialect = parse.dialect
    names = {id(table): name for name, table in used.items()}
    text, name = "", ""
    for join in path:
        new, old = (join.left, join.right) if id(join.right) in names else (join.right, join.left)
        name = spelled(new.name, new.quoted, dialect)
        pairs = join.pairs if new is join.right else [(b, a) for a, b in join.pairs]
        conditions = [
            f"{names[id(old)]}.{spelled(a, False, dialect)} = {name}.{spelled(b, False, dialect)}"
            for a, b in pairs
        ]
        text += f" JOIN {_in_from(new, parse, schema)} ON {' AND '.join(conditions)}"
        names[id(new)] = name
    return text, name


def _in_from(table: Table, parse: Parsed, schema: Schema) -> str:
    """A table's name with its schema, unless the query leaves that out of another's in it."""
    name = spelled(table.name, table.quoted, parse.dialect)
    left_out = {
        found.schema
        for tree in parse.trees
        for source in tree.find_all(exp.Table)
        if not source.db
        for found in schema.named(source.name)
    }
    if table.schema.casefold() in DEFAULT_SCHEMAS or table.schema in left_out:
        return name
    parts = [spelled(part, False, parse.dialect) for part in table.schema.split(".") if part]
    return ".".join((*parts, name))


def _end_of_from(select: exp.Select, parse: Parsed) -> int | None:
    """Where the last source of a SELECT ends, so that a join can follow."""
    from_ = select.args.get("from_")
    first = from_.this.this if from_ is not None and isinstance(from_.this, exp.Table) else None
    start = first.meta.get("start") if isinstance(first, exp.Identifier) else None
    if start is None:
        return None
    depth, end = 0, None
    for token in parse.tokens:
        if token.start < start:
            continue
        if token.token_type is TokenType.L_PAREN:
            depth += 1
        elif token.token_type is TokenType.R_PAREN:
            depth -= 1
        if depth < 0 or (depth == 0 and token.token_type in _ENDS):
            break
        end = token.end + 1
    return end
