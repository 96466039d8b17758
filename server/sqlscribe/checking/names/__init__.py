"""Findings on the names of a query, with the nearest right names as quick fixes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from sqlglot import exp

from sqlscribe.checking.names.lookup import shown
from sqlscribe.checking.names.misses import Miss, MissKind, Walk
from sqlscribe.checking.names.resolution import resolve
from sqlscribe.checking.names.scopes import Known, Source
from sqlscribe.checking.names.spelling import CLOSE, Near, is_clear, likeness, nearest
from sqlscribe.checking.parsing import Parsed
from sqlscribe.notation.document import Span, TextEdit
from sqlscribe.notation.findings import Finding, Fix, Severity
from sqlscribe.schema.identifiers import fold, spelled
from sqlscribe.schema.model import Schema, Table

_MOST_FIXES = 3
_STRONG = 0.8
"""A name this much alike is meant, even where another table has exactly the wrong one."""
_WORTH = 0.5
"""How much it counts, for what a table was meant to be, that it has the columns asked for."""


@dataclass(frozen=True)
class Names:
    """``findings`` on names, and the walk that led to them."""

    findings: tuple[Finding, ...]
    walk: Walk


def check_names(parse: Parsed, schema: Schema, made: Collection[str] = ()) -> Names:
    """Wrong names of a parsed text. ``made`` are names that earlier statements made."""
    walk = resolve(parse, schema, made)
    findings = [_TELLERS[miss.kind](miss, parse, schema) for miss in walk.misses]
    return Names(tuple(dict.fromkeys(findings)), walk)


def _place_of(name: exp.Identifier, parse: Parsed) -> Span:
    """Where an identifier stands; for one that the parser lost, its first mention."""
    start, end = name.meta.get("start"), name.meta.get("end")
    if start is None or end is None:
        found = next((token for token in parse.tokens if name.name in token.text), None)
        if found is None:
            return Span(0, len(parse.sql))
        start, end = found.start, found.end
    span = Span(start, end + 1)
    text = span.of(parse.sql)
    inside = text.rfind(name.name)
    if "." in text and inside >= 0 and len(text) > len(name.name) + 2:
        # One pair of backticks around all of `project.dataset.table`.
        return Span(start + inside, start + inside + len(name.name))
    return span


@dataclass(frozen=True)
class _Offer:
    """A right name: how a message shows it, and the text that takes the place of a span."""

    shown: str
    text: str
    span: Span


def _finding(
    code: str,
    message: str,
    span: Span,
    offers: Iterable[_Offer] = (),
    *,
    clear: bool = False,
    severity: Severity = Severity.ERROR,
) -> Finding:
    fixes = tuple(
        Fix(f"Change to {offer.shown}", (TextEdit(offer.span, offer.text),), clear and not index)
        for index, offer in enumerate(list(offers)[:_MOST_FIXES])
    )
    return Finding(code, severity, message, span, fixes)


def _meant(names: Iterable[str]) -> str:
    right = list(dict.fromkeys(names))[:2]
    return f"; did you mean {' or '.join(right)}?" if right else ""


def _right(name: str, quoted: bool, span: Span, parse: Parsed) -> str:
    """A name as the query must write it at a place, which may lie inside backticks."""
    around = parse.sql[span.start - 1 : span.start] + parse.sql[span.end : span.end + 1]
    if "`" in around and "`" not in span.of(parse.sql):
        return name
    return spelled(name, quoted, parse.dialect)


# Tables.


def _unknown_table(miss: Miss, parse: Parsed, schema: Schema) -> Finding:
    span = _place_of(miss.name, parse)
    wanted = miss.source.wanted if miss.source else set()
    holders = Counter(column.name.casefold() for table in schema.tables for column in table.columns)
    telling = {column for column in wanted if holders[column.casefold()] == 1}
    scored = sorted(
        ((_resembles(miss.name.name, wanted, telling, table), table) for table in schema.tables),
        key=lambda pair: -pair[0],
    )
    close = [(score, table) for score, table in scored if score >= CLOSE][:_MOST_FIXES]
    offers = [_table_offer(table, miss, span, parse) for _, table in close]
    clear = is_clear([Near(table.name, score) for score, table in close])
    message = f"unknown table {_as_written(miss)}{_meant(offer.shown for offer in offers)}"
    return _finding("name/unknown-table", message, span, offers, clear=clear)


def _resembles(name: str, wanted: set[str], telling: set[str], table: Table) -> float:
    """How likely a table was meant: by its name, and by columns that only it has."""
    score = likeness(name, table.name)
    if not wanted:
        return score
    have = {column.name.casefold() for column in table.columns}
    share = sum(column.casefold() in have for column in telling) / len(wanted)
    return score + _WORTH * share if share > _WORTH else score


def _as_written(miss: Miss) -> str:
    return f"{miss.within}.{miss.name.name}" if miss.within else miss.name.name


def _table_offer(table: Table, miss: Miss, span: Span, parse: Parsed) -> _Offer:
    """The table's name in the place of the wrong one and of the schema in front of it."""
    right = _right(table.name, table.quoted, span, parse)
    node = miss.name.parent
    qualifiers = [node.args.get(part) for part in ("catalog", "db")] if node else []
    first = next((part for part in qualifiers if isinstance(part, exp.Identifier)), None)
    if first is not None and first.meta.get("start") == miss.name.meta.get("start"):
        return _Offer(shown(table), right, span)
    if first is not None and "start" in first.meta:
        span = Span(first.meta["start"], span.end)
    if shown(table) != table.name:
        parts = [spelled(part, False, parse.dialect) for part in table.schema.split(".")]
        right = ".".join((*parts, right))
    return _Offer(shown(table), right, span)


def _spelled_table(miss: Miss, parse: Parsed, schema: Schema) -> Finding:
    span = _place_of(miss.name, parse)
    table = miss.tables[0]
    right = _right(table.name, table.quoted, span, parse)
    offers = [_Offer(right, right, span)]
    quoted = bool(miss.name.args.get("quoted"))
    if right[:1] in ('"', "`", "["):
        said = miss.name.name if quoted else fold(miss.name.name, parse.dialect)
        message = f"unknown table {said}; it is spelled {right}, with its quotes"
        return _finding("name/needs-quotes", message, span, offers, clear=True)
    said = f'"{miss.name.name}"' if quoted and parse.dialect != "bigquery" else miss.name.name
    message = f"unknown table {said}; letter case counts here: it is spelled {right}"
    return _finding("name/unknown-table", message, span, offers, clear=True)


def _ambiguous_table(miss: Miss, parse: Parsed, schema: Schema) -> Finding:
    span = _place_of(miss.name, parse)
    offers = [_table_offer(table, miss, span, parse) for table in miss.tables]
    schemas = ", ".join(sorted(table.schema or "no schema" for table in miss.tables))
    message = f"table {miss.name.name} is ambiguous: it is in several schemas ({schemas})"
    return _finding("name/ambiguous-table", message, span, offers, severity=Severity.WARNING)


# Columns.


def _unknown_column(miss: Miss, parse: Parsed, schema: Schema) -> Finding:
    span = _place_of(miss.name, parse)
    sources = (miss.source,) if miss.source else miss.sources
    places = ", ".join(dict.fromkeys(source.label for source in sources))
    start = f"unknown column {miss.name.name} in {places}"
    beside = _beside(miss, span, parse) if miss.before is not None else []
    if beside:
        message = start + _meant(offer.shown for offer in beside)
        return _finding("name/unknown-column", message, span, beside, clear=len(beside) == 1)
    columns = _columns(sources)
    near = nearest(miss.name.name, columns, _MOST_FIXES)
    offers = [_column_offer(columns[item.name], item.name, span, parse) for item in near]
    elsewhere = _elsewhere(miss, schema)
    if near and (near[0].score >= _STRONG or not elsewhere):
        elsewhere = _meant(item.name for item in near)
    message = start + (elsewhere or "; no column there is close")
    return _finding("name/unknown-column", message, span, offers, clear=is_clear(near))


def _columns(sources: Iterable[Source]) -> dict[str, Known]:
    """The columns of some sources by the name that a person knows them by."""
    return {
        known.column.name if known.column is not None and known.column.name.casefold()
        == key.casefold() else key: known
        for source in sources
        for key, known in source.output.columns.items()
    }  # fmt: skip


def _column_offer(known: Known, name: str, span: Span, parse: Parsed) -> _Offer:
    quoted = known.column.quoted if known.column is not None else False
    return _Offer(name, _right(name, quoted, span, parse), span)


def _beside(miss: Miss, span: Span, parse: Parsed) -> list[_Offer]:
    """The same column in another source of the query: the wrong alias stands in front."""
    offers = []
    folded = miss.name.name.casefold()
    start = miss.before.meta.get("start", span.start) if miss.before else span.start
    for source in miss.scope.sources:
        if source is miss.source or not source.name:
            continue
        for name, known in _columns((source,)).items():
            if name.casefold() == folded:
                right = _column_offer(known, name, span, parse).text
                text = f"{source.name}.{right}"
                offers.append(_Offer(text, text, Span(start, span.end)))
    return offers


def _elsewhere(miss: Miss, schema: Schema) -> str:
    tables = [table for table in schema.tables if table.column(miss.name.name) is not None]
    if not tables:
        return ""
    places = " and ".join(shown(table) for table in tables[:2])
    return f"; there is one in {places}" + (" and others" if len(tables) > 2 else "")


def _spelled_column(miss: Miss, parse: Parsed, schema: Schema) -> Finding:
    span = _place_of(miss.name, parse)
    known = miss.known or Known()
    name = known.column.name if known.column is not None else ""
    quoted = known.column.quoted if known.column is not None else True
    if known.column is None and miss.source is not None:
        folded = miss.name.name.casefold()
        name = next(key for key in miss.source.output.columns if key.casefold() == folded)
    right = _right(name, quoted, span, parse)
    offers = [_Offer(right, right, span)]
    label = miss.source.label if miss.source else ""
    written_quoted = bool(miss.name.args.get("quoted"))
    if right[:1] in ('"', "`", "["):
        said = miss.name.name if written_quoted else fold(miss.name.name, parse.dialect)
        message = f"unknown column {said} in {label}; it is spelled {right}, with its quotes"
        return _finding("name/needs-quotes", message, span, offers, clear=True)
    said = f'"{miss.name.name}"' if written_quoted else miss.name.name
    message = f"unknown column {said} in {label}; letter case counts here: it is spelled {right}"
    return _finding("name/unknown-column", message, span, offers, clear=True)


def _ambiguous_column(miss: Miss, parse: Parsed, schema: Schema) -> Finding:
    span = _place_of(miss.name, parse)
    written = span.of(parse.sql)
    labels = [source.label for source in miss.sources]
    names = labels if len(set(labels)) == len(labels) else [s.name for s in miss.sources]
    choices = " or ".join(f"{name}.{miss.name.name}" for name in names)
    offers = [
        _Offer(f"{source.name}.{written}", f"{source.name}.{written}", span)
        for source in miss.sources
        if source.name
    ]
    message = f"{miss.name.name} is ambiguous: {choices}"
    return _finding("name/ambiguous-column", message, span, offers)


def _early_column(miss: Miss, parse: Parsed, schema: Schema) -> Finding:
    name = miss.name.name
    message = (
        f"unknown column {name}: it is a name of the SELECT list, "
        f"which {miss.within} cannot use; repeat its expression"
    )
    return _finding("name/unknown-column", message, _place_of(miss.name, parse))


def _unknown_alias(miss: Miss, parse: Parsed, schema: Schema) -> Finding:
    span = _place_of(miss.name, parse)
    sources = [source for scope in miss.scope.outward() for source in scope.sources]
    sources = [source for source in sources if source.name]
    folded = miss.name.name.casefold()
    renamed = [s for s in sources if s.table is not None and s.table.name.casefold() == folded]
    if renamed:
        offers = [_Offer(source.name, source.name, span) for source in renamed]
        message = f"{miss.name.name} is called {renamed[0].name} in this query"
        return _finding("name/unknown-alias", message, span, offers, clear=len(renamed) == 1)
    near = nearest(miss.name.name, (source.name for source in sources), _MOST_FIXES)
    offers = [_Offer(item.name, item.name, span) for item in near]
    if not offers and miss.before is not None:
        column = miss.before.name.casefold()
        having = [s for s in sources if column in {key.casefold() for key in s.output.columns}]
        offers = [_Offer(source.name, source.name, span) for source in having]
    message = f"unknown table or alias {miss.name.name}{_meant(o.shown for o in offers)}"
    return _finding("name/unknown-alias", message, span, offers, clear=is_clear(near))


def _unknown_field(miss: Miss, parse: Parsed, schema: Schema) -> Finding:
    span = _place_of(miss.name, parse)
    if miss.source is not None:
        fields = list(miss.source.output.columns)
    else:
        depth = miss.within.count(".")
        column = miss.known.column if miss.known else None
        paths = [path.split(".") for path in column.fields] if column else []
        fields = [path[depth] for path in paths if len(path) > depth]
    near = nearest(miss.name.name, fields, _MOST_FIXES)
    offers = [_Offer(item.name, item.name, span) for item in near]
    message = f"unknown field {miss.name.name} in {miss.within}{_meant(n.name for n in near)}"
    return _finding("name/unknown-field", message, span, offers, clear=is_clear(near))


_TELLERS: dict[MissKind, Callable[[Miss, Parsed, Schema], Finding]] = {
    MissKind.TABLE: _unknown_table,
    MissKind.TABLE_SPELLING: _spelled_table,
    MissKind.TABLE_AMBIGUOUS: _ambiguous_table,
    MissKind.COLUMN: _unknown_column,
    MissKind.COLUMN_SPELLING: _spelled_column,
    MissKind.COLUMN_AMBIGUOUS: _ambiguous_column,
    MissKind.COLUMN_TOO_EARLY: _early_column,
    MissKind.ALIAS: _unknown_alias,
    MissKind.FIELD: _unknown_field,
}
