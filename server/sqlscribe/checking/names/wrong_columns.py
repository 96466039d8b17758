"""What is said about a column, an alias or a field that is not there, or could be several."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from sqlscribe.checking.names.lookup import shown
from sqlscribe.checking.names.misses import Miss
from sqlscribe.checking.names.offers import (
    MOST_FIXES,
    Offer,
    finding_on_name,
    meant,
    place_of_name,
    rightly,
)
from sqlscribe.checking.names.scopes import Known, Source
from sqlscribe.checking.names.spelling import is_clear, nearest
from sqlscribe.checking.parsing import Parsed
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding
from sqlscribe.schema import graph
from sqlscribe.schema.identifiers import fold, quote
from sqlscribe.schema.model import Schema, Table

_STRONG = 0.8
"""A name this much alike is meant, even where another table has exactly the wrong one."""


def unknown_column(miss: Miss, parse: Parsed, schema: Schema) -> Finding:
    span = place_of_name(miss.name, parse)
    sources = (miss.source,) if miss.source else miss.sources
    places = ", ".join(dict.fromkeys(source.label for source in sources))
    start = f"unknown column {miss.name.name} in {places}"
    beside = _beside(miss, span, parse) if miss.before is not None else []
    if beside:
        message = start + meant(offer.shown for offer in beside)
        return finding_on_name("name/unknown-column", message, span, beside, clear=len(beside) == 1)
    columns = _columns(sources)
    near = nearest(miss.name.name, columns, MOST_FIXES)
    offers = [_column_offer(columns[item.name], item.name, span, parse) for item in near]
    elsewhere = _elsewhere(miss, schema)
    if near and (near[0].score >= _STRONG or not elsewhere):
        elsewhere = meant(item.name for item in near)
    message = start + (elsewhere or "; no column there is close")
    return finding_on_name("name/unknown-column", message, span, offers, clear=is_clear(near))


def _columns(sources: Iterable[Source]) -> dict[str, Known]:
    """The columns of some sources by the name that a person knows them by."""
    return {
        known.column.name if known.column is not None and known.column.name.casefold()
        == key.casefold() else key: known
        for source in sources
        for key, known in source.output.columns.items()
    }  # fmt: skip


def _column_offer(known: Known, name: str, span: Span, parse: Parsed) -> Offer:
    quoted = known.column.quoted if known.column is not None else False
    return Offer(name, rightly(name, quoted, span, parse), span)


def _beside(miss: Miss, span: Span, parse: Parsed) -> list[Offer]:
    """The same column in another source of the query: the wrong alias stands in front."""
    offers: list[Offer] = []
    last: list[Offer] = []
    folded = miss.name.name.casefold()
    opposite = _opposite(miss.name.parent)
    start = miss.before.meta.get("start", span.start) if miss.before else span.start
    for source in miss.scope.sources:
        if source is miss.source or not source.name:
            continue
        for name, known in _columns((source,)).items():
            if name.casefold() == folded:
                right = _column_offer(known, name, span, parse).text
                text = f"{source.name}.{right}"
                # Nobody compares a column with itself.
                same = opposite == (source.name.casefold(), folded)
                (last if same else offers).append(Offer(text, text, Span(start, span.end)))
    return offers + last


def _opposite(column: exp.Expression | None) -> tuple[str, str]:
    """Table and name of the column that a column is compared with."""
    pair = column.parent if column is not None else None
    if not isinstance(pair, exp.EQ):
        return "", ""
    other = pair.expression if pair.this is column else pair.this
    if not isinstance(other, exp.Column):
        return "", ""
    return other.table.casefold(), other.name.casefold()


def _elsewhere(miss: Miss, schema: Schema) -> str:
    tables = [table for table in schema.tables if table.column(miss.name.name) is not None]
    if not tables:
        return ""
    places = " and ".join(shown(table) for table in tables[:2])
    return f"; there is one in {places}" + (" and others" if len(tables) > 2 else "")


def spelled_column(miss: Miss, parse: Parsed, schema: Schema) -> Finding:
    span = place_of_name(miss.name, parse)
    known = miss.known or Known()
    name = known.column.name if known.column is not None else ""
    quoted = known.column.quoted if known.column is not None else True
    if known.column is None and miss.source is not None:
        folded = miss.name.name.casefold()
        name = next(key for key in miss.source.output.columns if key.casefold() == folded)
    right = rightly(name, quoted, span, parse)
    offers = [Offer(right, right, span)]
    label = miss.source.label if miss.source else ""
    written_quoted = bool(miss.name.args.get("quoted"))
    if right[:1] in ('"', "`", "["):
        said = miss.name.name if written_quoted else fold(miss.name.name, parse.dialect)
        message = f"unknown column {said} in {label}; it is spelled {right}, with its quotes"
        return finding_on_name("name/needs-quotes", message, span, offers, clear=True)
    said = f'"{miss.name.name}"' if written_quoted else miss.name.name
    message = f"unknown column {said} in {label}; letter case counts here: it is spelled {right}"
    return finding_on_name("name/unknown-column", message, span, offers, clear=True)


def taken_column(miss: Miss, parse: Parsed, schema: Schema) -> Finding:
    span = place_of_name(miss.name, parse)
    right = quote(miss.known.column.name if miss.known and miss.known.column else "", parse.dialect)
    message = (
        f"{miss.name.name} is a word of {parse.dialect} itself where it stands alone; the column is"
        f" spelled {right}, with its quotes"
    )
    return finding_on_name(
        "name/needs-quotes", message, span, [Offer(right, right, span)], clear=True
    )


def ambiguous_column(miss: Miss, parse: Parsed, schema: Schema) -> Finding:
    span = place_of_name(miss.name, parse)
    written = span.of(parse.sql)
    labels = [source.label for source in miss.sources]
    names = labels if len(set(labels)) == len(labels) else [s.name for s in miss.sources]
    choices = " or ".join(f"{name}.{miss.name.name}" for name in names)
    offers = [
        Offer(f"{source.name}.{written}", f"{source.name}.{written}", span)
        for source in miss.sources
        if source.name
    ]
    message = f"{miss.name.name} is ambiguous: {choices}"
    return finding_on_name("name/ambiguous-column", message, span, offers)


def early_column(miss: Miss, parse: Parsed, schema: Schema) -> Finding:
    name = miss.name.name
    message = (
        f"unknown column {name}: it is a name of the SELECT list, "
        f"which {miss.within} cannot use; repeat its expression"
    )
    return finding_on_name("name/unknown-column", message, place_of_name(miss.name, parse))


def unknown_alias(miss: Miss, parse: Parsed, schema: Schema) -> Finding:
    span = place_of_name(miss.name, parse)
    sources = [source for scope in miss.scope.outward() for source in scope.sources]
    sources = [source for source in sources if source.name]
    folded = miss.name.name.casefold()
    if any(source.key.casefold() == folded and source.gone for source in miss.scope.sources):
        message = f"{miss.name.name} is in a semi join, which gives none of its columns"
        return finding_on_name("name/unknown-alias", message, span)
    if any(source.key.casefold() == folded for source in miss.scope.sources):
        message = f"{miss.name.name} is joined further down: this condition cannot use it yet"
        offers = _with_column(miss, sources, span)
        return finding_on_name("name/unknown-alias", message, span, offers)
    renamed = [s for s in sources if s.table is not None and s.table.name.casefold() == folded]
    if renamed:
        offers = [Offer(source.name, source.name, span) for source in renamed]
        message = f"{miss.name.name} is called {renamed[0].name} in this query"
        return finding_on_name("name/unknown-alias", message, span, offers, clear=len(renamed) == 1)
    if named := schema.named(miss.name.name):
        # Another table with a name like it is not what was meant.
        message = (
            f"the table {miss.name.name} is not joined in this query{_way(named, sources, schema)}"
        )
        offers = _with_column(miss, sources, span)
        return finding_on_name("name/unknown-alias", message, span, offers)
    near = nearest(miss.name.name, (source.name for source in sources), MOST_FIXES)
    offers = [Offer(item.name, item.name, span) for item in near]
    if not offers:
        offers = _with_column(miss, sources, span)
    message = f"unknown table or alias {miss.name.name}{meant(o.shown for o in offers)}"
    return finding_on_name("name/unknown-alias", message, span, offers, clear=is_clear(near))


def unknown_window(miss: Miss, parse: Parsed, schema: Schema) -> Finding:
    span = place_of_name(miss.name, parse)
    near = nearest(miss.name.name, (miss.scope.windows or {}).values(), MOST_FIXES)
    offers = [Offer(item.name, item.name, span) for item in near]
    message = f"unknown window {miss.name.name}{meant(item.name for item in near)}"
    return finding_on_name("name/unknown-alias", message, span, offers, clear=is_clear(near))


def _way(tables: Iterable[Table], sources: Iterable[Source], schema: Schema) -> str:
    """How a table could be joined to what is there, if a key says so."""
    here = {id(source.table): source.name for source in sources if source.table is not None}
    for table in tables:
        for join in graph.joins_of(schema, table):
            other = join.other(table)
            if id(other) in here:
                mine, theirs = join.pairs[0] if table is join.left else join.pairs[0][::-1]
                return f"; {table.name}.{mine} = {here[id(other)]}.{theirs} joins it"
    return ""


def _with_column(miss: Miss, sources: Iterable[Source], span: Span) -> list[Offer]:
    """The sources that have the column behind a wrong alias."""
    if miss.before is None:
        return []
    column = miss.before.name.casefold()
    opposite = _opposite(miss.name.parent)
    own = miss.name.name.casefold()
    having = [
        source
        for source in sources
        if column in {key.casefold() for key in source.output.columns}
        and source.key.casefold() != own
    ]
    having.sort(key=lambda source: opposite == (source.name.casefold(), column))
    return [Offer(source.name, source.name, span) for source in having]


def unknown_field(miss: Miss, parse: Parsed, schema: Schema) -> Finding:
    span = place_of_name(miss.name, parse)
    if miss.source is not None:
        fields = list(miss.source.output.columns)
    else:
        depth = miss.within.count(".")
        column = miss.known.column if miss.known else None
        paths = [path.split(".") for path in column.fields] if column else []
        fields = [path[depth] for path in paths if len(path) > depth]
    near = nearest(miss.name.name, fields, MOST_FIXES)
    offers = [Offer(item.name, item.name, span) for item in near]
    message = f"unknown field {miss.name.name} in {miss.within}{meant(n.name for n in near)}"
    return finding_on_name("name/unknown-field", message, span, offers, clear=is_clear(near))
