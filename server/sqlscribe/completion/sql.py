"""Inside SQL: what may be named at a place, by the sources in scope there."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Protocol

from sqlscribe.completion.joins import join_conditions, label
from sqlscribe.completion.questions import MOST
from sqlscribe.completion.suggestion import Suggestion
from sqlscribe.completion.tables import table_suggestions
from sqlscribe.navigation.around import dialect_of, look, spot_near
from sqlscribe.navigation.ddl_names import owner_at
from sqlscribe.navigation.items import is_operand
from sqlscribe.navigation.reading import Clause, Context, Path, Reading, Source, is_dot, is_name
from sqlscribe.navigation.scopes import Field, Scopes
from sqlscribe.navigation.things import Look
from sqlscribe.notation.document import Document, Span
from sqlscribe.notation.lexicon import Kind, scan
from sqlscribe.schema.ddl.tokens import Sort, Token
from sqlscribe.schema.identifiers import spelled
from sqlscribe.schema.model import Schema

_AFTER_ITEMS = (Clause.ORDER, Clause.GROUP, Clause.HAVING)
_BEFORE_TABLE = frozenset({"TABLE", "REFERENCES", "TRUNCATE", "DESCRIBE", "ANALYZE"})
_QUOTES = '"`['
_CLOSES = {"[": "]"}
_LINE_END = re.compile(r"[\r\n]")
_LONGEST_LINE = 10_000
_ENOUGH = 2
"""Letters of a column of no known table, before tables are looked through for it."""
_MOST_TABLES = 2_000
_START = Token(Sort.END, "", "", 0, 0)


class Known(Protocol):
    """What a folder knows, as far as it is needed here."""

    @property
    def schema(self) -> Schema: ...

    @property
    def dialect(self) -> str: ...

    @property
    def relations(self) -> Mapping[str, str]: ...


@dataclass(frozen=True)
class Place:
    """Where the cursor is. ``typed`` is the beginning of a name, ``before`` what qualifies it.

    ``span`` is the typed part of the last name, ``whole`` that of all its parts; both in the
    document. ``written`` is the text of ``whole``, ``previous`` the token in front, ``index``
    that of the first of its tokens.
    """

    look: Look
    context: Context
    previous: Token
    before: Path
    typed: str
    span: Span
    whole: Span
    written: str
    index: int

    @property
    def scopes(self) -> Scopes:
        return self.look.scopes

    def sources(self) -> list[Source]:
        """The sources of the block that the cursor is in."""
        return self.context.block.sources if self.context.block is not None else []


def in_sql(document: Document, offset: int, known: Known) -> list[Suggestion] | None:
    """Suggestions at an offset of a SQL file; ``None`` outside of SQL: in a comment, between."""
    dialect = dialect_of(document.text, known.dialect)
    own = document.around(offset)
    text = _with_quote_closed(own, offset, dialect)
    spot = spot_near(text, offset, dialect, known.relations)
    if spot is None:
        return None
    view = look(text, spot, known.schema)
    if _in_comment(view.reading, offset - spot.start):
        return None
    place = _place(view, offset - spot.start, spot.start)
    if place is not None and text is not own:
        # The quote that closes the name is not in the document.
        span, whole = (each._replace(end=offset) for each in (place.span, place.whole))
        place = replace(place, span=span, whole=whole)
    return list(islice(_suggestions(place), MOST)) if place is not None else []


def _with_quote_closed(text: str, offset: int, dialect: str) -> str:
    """The text with the name closed that is just being typed: it would go on to its line's end."""
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    end = _LINE_END.search(text, offset)
    line = text[start : end.start() if end else len(text)][:_LONGEST_LINE]
    for piece in scan(line, dialect):
        opens = line[piece.start]
        if piece.kind is Kind.IDENTIFIER and piece.start < offset - start < piece.end:
            closes = _CLOSES.get(opens, opens)
            if not line.endswith(closes, piece.start + 1, piece.end):
                return f"{text[:offset]}{closes}{text[offset:]}"
    return text


def _in_comment(reading: Reading, offset: int) -> bool:
    return any(
        comment.start < offset < comment.end + comment.line for comment in reading.tokens.comments
    )


def _place(view: Look, offset: int, start: int) -> Place | None:
    """The place of an offset in a statement; ``None`` within strings and numbers."""
    reading = view.reading
    tokens = reading.tokens.tokens
    index = bisect_left(reading.starts, offset)
    touched = tokens[index - 1] if index and tokens[index - 1].end >= offset else None
    typed, first = "", index
    if touched is not None and is_name(touched):
        first = index - 1
        typed = reading.sql[touched.start : offset]
    elif touched is not None and touched.sort is not Sort.MARK:
        return None
    begin = tokens[first].start if first < index else offset
    parts: list[Token] = []
    end = begin
    while first >= 2 and is_dot(tokens[first - 1]) and tokens[first - 1].end == end:
        if not is_name(tokens[first - 2]):
            return None
        first -= 2
        end = tokens[first].start
        parts.insert(0, tokens[first])
    # An editor may have closed the quote already: it goes with the name.
    is_closed = typed[:1] in ('"', "`", "[") and touched is not None and touched.end == offset + 1
    stop = offset + is_closed
    return Place(
        view,
        reading.contexts[first],
        tokens[first - 1] if first else _START,
        tuple(parts),
        typed.lstrip(_QUOTES),
        Span(begin, stop).moved(start),
        Span(end, stop).moved(start),
        reading.sql[end:offset],
        first,
    )


def _suggestions(place: Place) -> Iterator[Suggestion]:
    context = place.context
    if context.expects_source or place.previous.word in _BEFORE_TABLE:
        return _sources(place)
    if place.previous.word == "AS" or _is_cast(place):
        return iter(())
    if context.block is None:
        return _columns_in_ddl(place)
    if context.clause is Clause.COLUMNS:
        return _columns_of_target(place)
    if context.clause is Clause.USING:
        return _common_columns(place)
    if context.clause in _NOT_COMPLETED or is_operand(place.previous):
        return iter(())
    if context.clause is Clause.SET and (place.previous.word == "SET" or _in_list(place)):
        return _columns_of_target(place)
    return _expression(place)


_NOT_COMPLETED = (
    Clause.NONE, Clause.WITH, Clause.FROM, Clause.INTO, Clause.LIMIT, Clause.VALUES,
)  # fmt: skip


def _is_cast(place: Place) -> bool:
    return place.previous.text == ":"


def _in_list(place: Place) -> bool:
    return place.previous.text == ","


# What may stand in FROM.


def _sources(place: Place) -> Iterator[Suggestion]:
    """Named queries, then tables; behind JOIN those first that a foreign key leads to."""
    if not place.before:
        for cte in reversed(place.context.ctes):
            if place.typed.casefold() in cte.name.text.casefold():
                name = spelled(cte.name.text, not cte.name.word, place.look.dialect)
                yield Suggestion(name, "table", place.span, "CTE", label=cte.name.text)
    near = [table for source in place.sources() for table in place.scopes.tables(source)[:1]]
    yield from table_suggestions(place.scopes, place.before, place.typed, place.span, near)


# Columns.


def _is_new_column(place: Place) -> bool:
    """Whether a column is to be named here that the table does not have yet."""
    words = [token.word for token in place.look.reading.tokens.tokens[: place.index]]
    if words[:1] == ["CREATE"] and "TABLE" in words[:5]:
        return place.context.depth < 2 and "REFERENCES" not in words[-4:]
    return "ADD" in (words[-5:] if place.context.depth == 0 else words[-2:])


def _columns_in_ddl(place: Place) -> Iterator[Suggestion]:
    """Columns of the table that is altered or indexed, and of what a key refers to."""
    owner = owner_at(place.look.reading, place.index)
    if owner is None or _is_new_column(place):
        return
    for table in place.scopes.tables_named(owner)[:1]:
        fields = (Field(c.name, c.quoted, c, table) for c in table.columns)
        yield from _best_first((_column(place, field) for field in fields), place.typed)


def _expression(place: Place) -> Iterator[Suggestion]:
    if place.context.clause is Clause.ON and place.previous.word == "ON":
        yield from _conditions(place)
    if place.before:
        yield from _qualified(place)
        return
    found = chain(_given_names(place), _columns_in_scope(place))
    yield from _best_first(found, place.typed)
    yield from _labels(place)
    if not place.sources():
        yield from table_suggestions(place.scopes, (), place.typed, place.span, [])
        yield from _columns_of_all(place)


def _columns_of_all(place: Place) -> Iterator[Suggestion]:
    """Columns that begin as typed, of whatever table: FROM is still to be written."""
    folded = place.typed.casefold()
    if len(folded) < _ENOUGH:
        return
    seen: set[str] = set()
    for table in place.scopes.schema.tables[:_MOST_TABLES]:
        for column in table.columns:
            name = column.name.casefold()
            if name.startswith(folded) and name not in seen:
                seen.add(name)
                yield _column(place, Field(column.name, column.quoted, column, table))


def _conditions(place: Place) -> Iterator[Suggestion]:
    sources = place.sources()
    if len(sources) < 2:
        return
    typed = place.written.casefold()
    for condition, reason in join_conditions(sources, place.scopes):
        if condition.casefold().startswith(typed):
            yield Suggestion(condition, "key", place.whole, reason)


def _qualified(place: Place) -> Iterator[Suggestion]:
    """Columns of the alias or table in front of the dot, or the tables of a schema."""
    block = place.context.block
    source = place.scopes.source_before(place.before, block) if block is not None else None
    if source is not None:
        fields: Iterable[Field] = place.scopes.fields(source)
    else:
        tables = place.scopes.tables_named(place.before)[:1]
        fields = [Field(c.name, c.quoted, c, table) for table in tables for c in table.columns]
    yield from _best_first((_column(place, field) for field in fields), place.typed)
    if source is None:
        yield from table_suggestions(place.scopes, place.before, place.typed, place.span, [])


def _given_names(place: Place) -> Iterator[Suggestion]:
    """Names of the select list, where they can be used."""
    block = place.context.block
    if block is None or place.context.clause not in _AFTER_ITEMS:
        return
    for item in block.items:
        if item.alias is not None:
            yield _column(place, Field(item.alias.text, not item.alias.word), "select list")


def _columns_in_scope(place: Place) -> Iterator[Suggestion]:
    """Columns of the sources here and around; with their source where they are ambiguous."""
    seen: set[str] = set()
    for block in place.context.block.outward() if place.context.block is not None else ():
        counts = Counter(
            name
            for source in block.sources
            for name in {field.name.casefold() for field in place.scopes.fields(source)}
        )
        for source in block.sources:
            for field in place.scopes.fields(source):
                name = field.name.casefold()
                is_plain = counts[name] == 1 and name not in seen
                yield _column(place, field, qualifier="" if is_plain else _label(place, source))
        seen |= counts.keys()


def _columns_of_target(place: Place) -> Iterator[Suggestion]:
    """Columns of the table that is changed; those already listed come no more."""
    listed = {
        token.text.casefold()
        for token, context in zip(
            place.look.reading.tokens.tokens, place.look.reading.contexts, strict=False
        )
        if context.clause is Clause.COLUMNS and context.block is place.context.block
    }
    for source in place.sources()[:1]:
        left = (
            _column(place, field)
            for field in place.scopes.fields(source)
            if field.name.casefold() not in listed - {place.typed.casefold()}
        )
        yield from _best_first(left, place.typed)


def _common_columns(place: Place) -> Iterator[Suggestion]:
    """Columns that the last source shares with one before it: for USING."""
    if not (sources := place.sources()):
        return
    *earlier, last = sources
    there = {field.name.casefold() for each in earlier for field in place.scopes.fields(each)}
    fields = place.scopes.fields(last)
    common = (_column(place, field) for field in fields if field.name.casefold() in there)
    yield from _best_first(common, place.typed)


def _labels(place: Place) -> Iterator[Suggestion]:
    """What the sources here and around are called by."""
    for block in place.context.block.outward() if place.context.block is not None else ():
        for source in block.sources:
            token = source.label
            if token is None or place.typed.casefold() not in token.text.casefold():
                continue
            tables = place.scopes.tables(source)
            what = tables[0].qualified_name if tables else "CTE" if source.path else "subquery"
            yield Suggestion(_label(place, source), "alias", place.span, what, label=token.text)


def _label(place: Place, source: Source) -> str:
    return label(source, place.look.dialect)


def _column(place: Place, field: Field, detail: str = "", qualifier: str = "") -> Suggestion:
    name = spelled(field.name, field.quoted, place.look.dialect)
    type_ = field.column.type if field.column is not None else ""
    origin = field.table.name if field.table is not None else ""
    comment = field.column.comment if field.column is not None else ""
    shown = f"{qualifier}.{field.name}" if qualifier else field.name
    text = f"{qualifier}.{name}" if qualifier else name
    said = detail or " ".join(filter(None, (type_, origin)))
    return Suggestion(text, "column", place.span, said, comment, label=shown)


def _best_first(found: Iterable[Suggestion], typed: str) -> Iterator[Suggestion]:
    """What holds the typed letters, the ones that begin so before the others."""
    folded = typed.casefold()
    fitting = [one for one in found if folded in one.shown.casefold() and one.text]
    for begins in (True, False):
        for one in fitting:
            name = one.shown.rpartition(".")[2] if "." not in typed else one.shown
            if name.casefold().startswith(folded) is begins:
                yield one
