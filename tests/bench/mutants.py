"""Wrong variants of right queries, each of them surely wrong, made by rules and a fixed seed.

A variant that is still valid is none: a new name stands nowhere in the query or the schema, a
column of another table is one that no table of the query has, and so on. What SQLite would take
for a text, a name in double quotes, is left alone.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from sqlscribe.schema.model import Schema, Table


@dataclass(frozen=True)
class Query:
    """A right query. ``name`` says where it comes from."""

    name: str
    sql: str
    dialect: str
    schema: Schema


@dataclass(frozen=True)
class Mutant:
    """``right`` is the query once the first fix is applied; ``""`` where there is no one fix."""

    kind: str
    sql: str
    dialect: str
    schema: Schema
    right: str = ""
    origin: str = ""


def mutants(query: Query) -> Iterator[Mutant]:
    """All variants of one query: a few of each kind, at places chosen by the query's text."""
    try:
        tree = sqlglot.parse_one(query.sql, read=query.dialect)
    except SqlglotError:
        return
    chance = random.Random(query.sql)
    source = _Source(query, tree)
    for make in (_columns, _tables, _aliases, _foreign_columns, _dropped, _dialects):
        made = list(make(source, chance))
        chance.shuffle(made)
        seen: dict[str, int] = {}
        for mutant in made:
            seen[mutant.kind] = seen.get(mutant.kind, 0) + 1
            if seen[mutant.kind] <= _OF_A_KIND:
                yield replace(mutant, origin=query.name)


_OF_A_KIND = 2


@dataclass(frozen=True)
class _Place:
    """Something written in the query: a name of a column, a table or an alias."""

    start: int
    end: int
    text: str


class _Source:
    """A query, its tree, and what its names stand for."""

    def __init__(self, query: Query, tree: exp.Expression) -> None:
        self.query = query
        self.tree = tree
        self.ctes = {cte.alias.casefold() for cte in tree.find_all(exp.CTE)}
        self.words = {word.casefold() for word in re.findall(r"\w+", query.sql)}
        self.used = {
            table.name.casefold()
            for table in tree.find_all(exp.Table)
            if table.name.casefold() not in self.ctes
        }
        tables = query.schema.tables
        self.known = {column.name.casefold() for table in tables for column in table.columns}
        self.known |= {table.name.casefold() for table in tables}

    def table(self, name: str) -> Table | None:
        found = self.query.schema.named(name)
        return found[0] if len(found) == 1 else None

    def place(self, name: exp.Expression | None) -> _Place | None:
        """Where a name is written, unless it is in quotes."""
        if not isinstance(name, exp.Identifier) or "start" not in name.meta:
            return None
        start, end = name.meta["start"], name.meta["end"] + 1
        text = self.query.sql[start:end]
        return _Place(start, end, text) if text == name.name else None

    def written(self, place: _Place, text: str) -> str:
        return self.query.sql[: place.start] + text + self.query.sql[place.end :]

    def is_new(self, name: str) -> bool:
        folded = name.casefold()
        return folded not in self.words and folded not in self.known

    def mutant(self, kind: str, place: _Place, text: str, *, fix: bool = False) -> Mutant:
        right = self.query.sql if fix else ""
        query = self.query
        return Mutant(kind, self.written(place, text), query.dialect, query.schema, right)

    def schema_columns(self) -> Iterator[tuple[exp.Column, Table]]:
        """Columns that are surely those of one table of the schema."""
        for select in self.tree.find_all(exp.Select):
            sources = dict(_sources(select))
            for column in _own_columns(select):
                qualifier = column.table.casefold()
                names = [sources[qualifier]] if qualifier in sources else list(sources.values())
                if column.table and qualifier not in sources:
                    continue
                if any(name.casefold() in self.ctes for name in names):
                    continue
                tables = [self.table(name) for name in names]
                holders = [t for t in tables if t is not None and t.column(column.name)]
                if len(holders) == 1:
                    yield column, holders[0]


def _sources(select: exp.Select) -> Iterator[tuple[str, str]]:
    """The tables in a SELECT's own FROM, by what it calls them."""
    from_ = select.args.get("from_")
    nodes = [from_.this] if from_ is not None else []
    nodes += [join.this for join in select.args.get("joins") or ()]
    for node in nodes:
        if isinstance(node, exp.Table):
            yield node.alias_or_name.casefold(), node.name


def _own_columns(select: exp.Select) -> Iterator[exp.Column]:
    for column in select.find_all(exp.Column):
        if column.find_ancestor(exp.Select) is select:
            yield column


# Names that do not exist.


def _columns(source: _Source, chance: random.Random) -> Iterator[Mutant]:
    for column, _ in source.schema_columns():
        place = source.place(column.this)
        if place is None:
            continue
        if (slip := _misspelt(place.text, source, chance)) is not None:
            yield source.mutant("column misspelt", place, slip, fix=True)
        yield source.mutant("column renamed", place, _invented(source, chance))


def _tables(source: _Source, chance: random.Random) -> Iterator[Mutant]:
    for table in source.tree.find_all(exp.Table):
        place = source.place(table.this)
        if place is None or source.table(table.name) is None or table.args.get("db"):
            continue
        if table.name.casefold() in source.ctes or not table.alias:
            # Without an alias the name also stands before columns.
            continue
        if (slip := _misspelt(place.text, source, chance)) is not None:
            yield source.mutant("table misspelt", place, slip, fix=True)
        yield source.mutant("table renamed", place, _invented(source, chance))


def _misspelt(name: str, source: _Source, chance: random.Random) -> str | None:
    """One slip of the fingers: a letter left out, doubled, changed, or two swapped."""
    if len(name) < 4:
        return None
    at = chance.randrange(1, len(name) - 1)
    letter = chance.choice("aeiourstln")
    slips = [
        name[:at] + name[at + 1 :],
        name[:at] + name[at] + name[at:],
        name[:at] + letter + name[at + 1 :],
        name[:at] + name[at + 1] + name[at] + name[at + 2 :],
    ]
    good = [slip for slip in slips if source.is_new(slip)]
    return chance.choice(good) if good else None


_INVENTED = ("zone_code", "batch_ref", "quota_pct", "remark_txt", "tariff_band", "vault_key")


def _invented(source: _Source, chance: random.Random) -> str:
    return chance.choice([name for name in _INVENTED if source.is_new(name)])


# Names that exist elsewhere.


def _aliases(source: _Source, chance: random.Random) -> Iterator[Mutant]:
    for column, table in source.schema_columns():
        place = source.place(column.args.get("table"))
        select = column.find_ancestor(exp.Select)
        if place is None or select is None:
            continue
        for key, name in _sources(select):
            other = source.table(name)
            if other is None or other is table or name.casefold() in source.ctes:
                continue
            if other.column(column.name) is None:
                yield source.mutant("alias swapped", place, key, fix=True)
        if (slip := _misspelt(place.text, source, chance)) is not None:
            yield source.mutant("alias misspelt", place, slip, fix=True)


def _foreign_columns(source: _Source, chance: random.Random) -> Iterator[Mutant]:
    """A column of a table that the query does not use."""
    used = [source.table(name) for name in source.used]
    taken = {c.name.casefold() for table in used if table for c in table.columns} | source.words
    others = [
        column.name
        for table in source.query.schema.tables
        if table.name.casefold() not in source.used
        for column in table.columns
        if column.name.casefold() not in taken and re.fullmatch(r"[A-Za-z_]\w*", column.name)
    ]
    for column, _ in source.schema_columns() if others else ():
        place = source.place(column.this)
        if place is not None:
            yield source.mutant("column of another table", place, chance.choice(others))


def _dropped(source: _Source, chance: random.Random) -> Iterator[Mutant]:
    """The query as it is, on a schema that has lost what it uses."""
    query = source.query
    for column, table in source.schema_columns():
        if source.place(column.this) is None:
            continue
        others = (source.table(name) for name in source.used if name != table.name.casefold())
        if any(other is None or other.column(column.name) for other in others):
            continue
        given = {alias.alias.casefold() for alias in source.tree.find_all(exp.Alias)}
        if column.name.casefold() in given:
            continue
        left = tuple(c for c in table.columns if c.name.casefold() != column.name.casefold())
        schema = _with(query.schema, table, replace(table, columns=left))
        if left:
            yield Mutant("column dropped", query.sql, query.dialect, schema)
    for name in sorted(source.used):
        lost = source.table(name)
        if lost is not None and len(query.schema.tables) > 1:
            schema = _with(query.schema, lost, None)
            yield Mutant("table dropped", query.sql, query.dialect, schema)


def _with(schema: Schema, old: Table, new: Table | None) -> Schema:
    tables = ((new if table is old else table) for table in schema.tables)
    return Schema(tuple(table for table in tables if table is not None), schema.functions)


# Forms of other dialects.

_Change = Callable[[str], str | None]


def _more_items(item: str) -> _Change:
    """One more item at the head of the first SELECT list."""
    pattern = re.compile(r"\bSELECT\s+(?:DISTINCT\s+)?", re.IGNORECASE)
    return lambda sql: pattern.sub(lambda found: found[0] + item + ", ", sql, count=1)


def _replaced(pattern: str, new: str) -> _Change:
    compiled = re.compile(pattern, re.IGNORECASE)
    return lambda sql: compiled.sub(new, sql, count=1) if compiled.search(sql) else None


def _behind(text: str) -> _Change:
    return lambda sql: sql.rstrip().rstrip(";") + " " + text


_TOP = _replaced(r"\bSELECT\s+(?!DISTINCT)", "SELECT TOP 3 ")
_QUALIFY = _behind("QUALIFY ROW_NUMBER() OVER (ORDER BY 1) = 1")
_FOREIGN: dict[str, dict[str, _Change]] = {
    "sqlite": {
        "top": _TOP,
        "ilike": _replaced(r"\bLIKE\b", "ILIKE"),
        "double colon": _more_items("1::text"),
        "date_trunc": _more_items("DATE_TRUNC('month', '2024-01-31')"),
        "now": _more_items("NOW()"),
        "getdate": _more_items("GETDATE()"),
        "to_char": _more_items("TO_CHAR(1, '9')"),
        "extract": _more_items("EXTRACT(YEAR FROM '2024-01-31')"),
        "datediff": _more_items("DATEDIFF('2024-01-31', '2024-01-01')"),
        "nvl": _more_items("NVL(1, 2)"),
        "left": _more_items("LEFT('abc', 1)"),
        "interval": _more_items("DATE('2024-01-31') + INTERVAL '1 day'"),
        "string_agg within group": _more_items("STRING_AGG('a', ',') WITHIN GROUP (ORDER BY 1)"),
        "fetch first": _replaced(r"\bLIMIT\s+(\d+)", r"FETCH FIRST \1 ROWS ONLY"),
        "distinct on": _replaced(r"\bSELECT\s+(?!DISTINCT)", "SELECT DISTINCT ON (1) "),
        "qualify": _QUALIFY,
    },
    "postgres": {
        "top": _TOP,
        "ifnull": _more_items("IFNULL(1, 2)"),
        "isnull": _more_items("ISNULL(1, 2)"),
        "nvl": _more_items("NVL(1, 2)"),
        "getdate": _more_items("GETDATE()"),
        "strftime": _more_items("STRFTIME('%Y', CURRENT_DATE)"),
        "datediff": _more_items("DATEDIFF(CURRENT_DATE, CURRENT_DATE)"),
        "dateadd": _more_items("DATEADD(day, 1, CURRENT_DATE)"),
        "date_format": _more_items("DATE_FORMAT(CURRENT_DATE, '%Y')"),
        "group_concat": _more_items("GROUP_CONCAT('a')"),
        "backticks": _more_items("1 AS `one`"),
        "if": _more_items("IF(true, 1, 2)"),
        "julianday": _more_items("JULIANDAY('2024-01-31')"),
        "limit with comma": _replaced(r"\bLIMIT\s+(\d+)", r"LIMIT 0, \1"),
        "qualify": _QUALIFY,
        "countif": _more_items("COUNTIF(true)"),
    },
}


def _dialects(source: _Source, chance: random.Random) -> Iterator[Mutant]:
    query = source.query
    for name, change in _FOREIGN.get(query.dialect, {}).items():
        sql = change(query.sql)
        if sql is not None and sql != query.sql:
            yield Mutant(f"dialect: {name}", sql, query.dialect, query.schema)
