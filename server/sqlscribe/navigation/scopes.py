"""What the names of a statement stand for: the tables of its sources, and their columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlscribe.checking.names.scopes import alias_key
from sqlscribe.navigation.reading import Block, Clause, Context, Cte, Path, Source
from sqlscribe.schema.ddl.tokens import Sort, Token
from sqlscribe.schema.identifiers import DEFAULT_SCHEMAS
from sqlscribe.schema.model import Column, Schema, Table

_NOTHING = Schema()
_ROWS = frozenset({"EXCLUDED", "INSERTED", "DELETED", "NEW", "OLD"})
_DEEPEST = 50
"""Subqueries within each other whose columns are followed."""


class Field(NamedTuple):
    """A column that a source gives. ``token`` is where the statement itself names it.

    ``column`` is the one of ``table`` that it is, ``None`` where it is computed.
    """

    name: str
    quoted: bool = False
    column: Column | None = None
    table: Table | None = None
    token: Token | None = None


class Found(NamedTuple):
    """What a column's name means. ``source`` is ``None`` for a name of the select list."""

    field: Field
    source: Source | None = None


@dataclass
class Scopes:
    """Looks names up for one statement. ``made`` are tables that earlier statements made."""

    schema: Schema
    dialect: str
    made: Schema = _NOTHING
    _fields: dict[int, tuple[Field, ...]] = field(default_factory=dict)
    _depth: int = 0

    # Tables.

    def tables_named(self, path: Sequence[Token]) -> tuple[Table, ...]:
        """The tables that a written name may mean, those of a default schema before others."""
        parts = [token.text for token in path]
        if self.dialect == "bigquery":
            parts = [piece for part in parts for piece in part.split(".")]
        if not parts or not parts[-1]:
            return ()
        *outer, name = parts
        inside = ".".join(outer)
        found = self.made.named(name, inside) or self.schema.named(name, inside)
        if len({table.schema.casefold() for table in found}) > 1:
            plain = tuple(t for t in found if t.schema.casefold() in DEFAULT_SCHEMAS)
            return plain or found
        return found

    def tables(self, source: Source) -> tuple[Table, ...]:
        """The tables that a source may be; none for a CTE, a subquery or a function."""
        if source.is_call or source.blocks or self.cte(source) is not None:
            return ()
        return self.tables_named(source.path)

    def cte(self, source: Source) -> Cte | None:
        """The named query that a source uses."""
        if len(source.path) != 1 or source.is_call:
            return None
        return self.cte_named(source.path[0], source.block.ctes)

    def cte_named(self, name: Token, ctes: Sequence[Cte]) -> Cte | None:
        key = self.key(name)
        return next((cte for cte in reversed(ctes) if self.key(cte.name) == key), None)

    def key(self, token: Token) -> str:
        """What the engine compares a name by that is given in a statement."""
        return alias_key(token.text, token.sort is Sort.NAME, self.dialect)

    # Columns.

    def fields(self, source: Source) -> tuple[Field, ...]:
        """The columns of a source, as far as they are known."""
        known = self._fields.get(id(source))
        if known is None:
            # A query that sees itself has no columns while they are looked for.
            self._fields[id(source)] = known = ()
            if self._depth < _DEEPEST:
                self._depth += 1
                known = self._fields[id(source)] = tuple(self._of_source(source))
                self._depth -= 1
        return known

    def _of_source(self, source: Source) -> Sequence[Field]:
        if (cte := self.cte(source)) is not None:
            given = _renamed(self.fields_of(cte.blocks), cte.columns)
        elif source.blocks:
            given = self.fields_of(source.blocks)
        else:
            given = [
                Field(column.name, column.quoted, column, table)
                for table in self.tables(source)[:1]
                for column in table.columns
            ]
        return _renamed(given, source.columns)

    def fields_of(self, blocks: Sequence[Block]) -> list[Field]:
        """The columns of a query: those of its first part."""
        return list(self._items(blocks[0])) if blocks else []

    def _items(self, block: Block) -> Iterator[Field]:
        for item in block.items:
            if item.star:
                sources = block.sources
                if item.path:
                    named = self.source_named(item.path, block)
                    sources = [named] if named is not None else []
                for source in sources:
                    yield from self.fields(source)
                continue
            means = Field("")
            if item.path:
                found = self._of_sources(item.path, block)
                means = found[0].field if found else means
            if item.alias is not None:
                yield _given(item.alias, means)
            elif item.path:
                last = item.path[-1]
                yield means._replace(name=last.text, quoted=_quoted(last))

    # Names in expressions.

    def source_named(self, path: Path, block: Block) -> Source | None:
        """The source that stands before a column: by its alias, or by its table's name."""
        key = self.key(path[-1])
        before = path[-2].text.casefold() if len(path) > 1 else ""
        for at in block.outward():
            for source in at.sources:
                label = source.label
                if label is None or self.key(label) != key:
                    continue
                if not before or self._is_in(source, before):
                    return source
        return None

    def source_before(self, path: Path, block: Block) -> Source | None:
        """The same; also the changed row by the names that engines give it."""
        source = self.source_named(path, block)
        if source is None and len(path) == 1 and path[0].word in _ROWS:
            changed = next((at for at in block.outward() if at.kind != "SELECT"), None)
            source = changed.sources[0] if changed is not None and changed.sources else None
        return source

    def _is_in(self, source: Source, schema: str) -> bool:
        return any(
            not table.schema or table.schema.casefold().split(".")[-1] == schema
            for table in self.tables(source)
        )

    def columns(self, path: Path, context: Context) -> list[Found]:
        """What a dotted name in an expression may mean; more than one where it is ambiguous."""
        block = context.block
        if block is None:
            return []
        if len(path) > 1:
            return self._of_sources(path, block)
        if context.clause is Clause.COLUMNS:
            return _named(path[0], block.sources[:1], self)
        given = [
            Found(_given(item.alias, Field("")))
            for item in block.items
            if item.alias is not None and self.key(item.alias) == self.key(path[0])
        ][:1]
        if context.clause is Clause.ORDER and given:
            return given
        return self._of_sources(path, block) or given

    def _of_sources(self, path: Path, block: Block) -> list[Found]:
        if len(path) > 1:
            source = self.source_before(path[:-1], block)
            return _named(path[-1], [source], self) if source is not None else []
        for at in block.outward():
            if found := _named(path[0], at.sources, self):
                return found
        return []


def _named(name: Token, sources: Sequence[Source], scopes: Scopes) -> list[Found]:
    found: list[Found] = []
    for source in sources:
        same = [f for f in scopes.fields(source) if f.name.casefold() == name.text.casefold()]
        exact = [f for f in same if f.name == name.text]
        found += [Found(each, source) for each in (exact or same)[:1]]
    return found


def _quoted(token: Token) -> bool:
    return token.sort is Sort.NAME


def _given(name: Token, means: Field) -> Field:
    return Field(name.text, _quoted(name), means.column, means.table, name)


def _renamed(fields: Sequence[Field], names: Sequence[Token]) -> list[Field]:
    """The columns of a source that gives them other names, from the first on."""
    rest = list(fields[len(names) :])
    first = list(fields[: len(names)])
    first += [Field("")] * (len(names) - len(first))
    return [_given(name, means) for name, means in zip(names, first, strict=True)] + rest
