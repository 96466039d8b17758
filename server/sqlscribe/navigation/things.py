"""What stands at a place of a statement: a table, a column, an alias, a named query."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from sqlscribe.checking.names.places import Places, places
from sqlscribe.checking.names.scopes import Known
from sqlscribe.navigation.ddl_names import ddl_name
from sqlscribe.navigation.reading import Clause, Cte, Path, Reading, Source, is_dot, is_name
from sqlscribe.navigation.scopes import Field, Found, Scopes
from sqlscribe.navigation.vocabulary import KEYWORDS
from sqlscribe.navigation.walk import read
from sqlscribe.notation.document import Span
from sqlscribe.schema.ddl.tokens import Token
from sqlscribe.schema.model import Column, Schema, Table

_NOTHING = Schema()
_BEFORE_STAR = frozenset({"SELECT", "DISTINCT", "ALL"})

Kind = Literal["table", "column", "alias", "cte", "name", "star"]


@dataclass(frozen=True)
class Thing:
    """Something that has a name. Spans are in the statement.

    ``declared`` is where the statement gives that name: of an ``alias``, of a ``cte``, and of
    a ``name`` given to a column. ``tables`` are those meant, or behind it; ``column`` is the
    one meant, or behind a name. ``source`` is what an alias or a CTE stands for in FROM.
    ``fields`` are what a ``star`` of a select list stands for.
    """

    kind: Kind
    name: str
    span: Span
    tables: tuple[Table, ...] = ()
    column: Column | None = None
    declared: Span | None = None
    source: Source | None = None
    cte: Cte | None = None
    fields: tuple[Field, ...] = ()


class _Role(NamedTuple):
    """What a token was read as."""

    kind: Literal["source", "alias", "cte", "name"]
    source: Source | None = None
    cte: Cte | None = None


@dataclass(frozen=True, eq=False)
class Look:
    """A statement to look around in. ``made`` are tables that earlier statements made.

    ``made_at`` are the places of those statements in the text, by the case-folded names of
    the tables. Where ``parses`` is false the parser is not asked, which is quicker and knows
    less.
    """

    sql: str
    dialect: str
    schema: Schema
    made: Schema = _NOTHING
    made_at: Mapping[str, Span] = field(default_factory=dict)
    parses: bool = True

    @cached_property
    def reading(self) -> Reading:
        return read(self.sql, self.dialect)

    @cached_property
    def scopes(self) -> Scopes:
        return Scopes(self.schema, self.dialect, self.made)

    @cached_property
    def places(self) -> Places:
        """The word of the checker, where the statement parses."""
        if not self.parses:
            return Places(complete=False)
        return places(self.sql, self.schema, self.dialect, self.made.tables)

    @cached_property
    def _roles(self) -> Mapping[int, _Role]:
        """The tokens in FROM and WITH by their places, and what they are there."""
        roles: dict[int, _Role] = {}
        for cte in self.reading.ctes:
            roles[cte.name.start] = _Role("cte", cte=cte)
            roles |= {name.start: _Role("name") for name in cte.columns}
        for block in self.reading.blocks:
            for source in block.sources:
                roles |= {part.start: _Role("source", source) for part in source.path}
                if source.alias is not None:
                    roles[source.alias.start] = _Role("alias", source)
                roles |= {name.start: _Role("name") for name in source.columns}
            for item in block.items:
                if item.alias is not None:
                    roles[item.alias.start] = _Role("name")
        return roles

    def at(self, offset: int) -> Thing | None:
        """What an offset touches; ``None`` where that means nothing that is known."""
        index = self.reading.index_at(offset)
        return self.thing(index) if index is not None else None

    def star_at(self, offset: int) -> Thing | None:
        """The ``*`` or ``o.*`` of a select list at an offset, if its columns are known."""
        index = self.reading.index_at(offset)
        tokens = self.reading.tokens.tokens
        if index is None or index == 0 or tokens[index].text != "*":
            return None
        block, previous = self.reading.contexts[index].block, tokens[index - 1]
        if block is None or not any(item.star for item in block.items):
            return None
        sources, first = block.sources, index
        if is_dot(previous):
            first, path = self.reading.path_around(index - 2)
            named = self.scopes.source_before(path, block)
            sources = [named] if named is not None else []
        elif previous.text != "," and previous.word not in _BEFORE_STAR:
            return None
        fields = tuple(each for source in sources for each in self.scopes.fields(source))
        span = Span(tokens[first].start, tokens[index].end)
        return Thing("star", span.of(self.sql), span, fields=fields) if fields else None

    def things(self, word: str = "") -> Iterator[Thing]:
        """All that the statement names, in order; only what is written ``word`` where given."""
        folded = word.casefold()
        for index, token in enumerate(self.reading.tokens.tokens):
            if is_name(token) and (not word or token.text.casefold() == folded):
                thing = self.thing(index)
                if thing is not None and thing.span == _span(token):
                    yield thing

    def thing(self, index: int) -> Thing | None:
        """What a token names."""
        token = self.reading.tokens.tokens[index]
        if not is_name(token):
            return None
        role = self._roles.get(token.start)
        if role is not None:
            return self._of_role(token, role)
        if self.reading.contexts[index].block is None:
            return self._in_ddl(index)
        first, path = self.reading.path_around(index)
        at = path.index(token) if token in path else len(path) - 1
        context = self.reading.contexts[first]
        if at < len(path) - 1:
            return self._qualifier(path, at, first)
        found = self.scopes.columns(path, context)
        if len(path) > 1 and len(found) == 1 and _is_of_table(found[0]):
            # The parser, which takes its time, could tell no more of ``o.total``.
            return self._found(token, found, computed=False)
        known = self.places.bound.get(token.start)
        if known is None and self._is_no_name(index, len(path)):
            return None
        if known is not None and known.column is not None and known.table is not None:
            return self._column(token, found, known)
        if found:
            return self._found(token, found, computed=known is not None)
        if len(path) == 1 and context.clause is not Clause.COLUMNS:
            return self._qualifier(path, 0, first)
        return self._named_table(token)

    def _is_no_name(self, index: int, parts: int) -> bool:
        """Whether a token is a function's name, or a word of SQL."""
        tokens = self.reading.tokens.tokens
        behind = [token.text for token in tokens[index + 1 : index + 3]]
        calls = behind[:1] == ["("] and behind[1:] != ["+"]
        return calls or (parts == 1 and tokens[index].word in KEYWORDS)

    # Names in FROM and WITH.

    def _of_role(self, token: Token, role: _Role) -> Thing | None:
        span = _span(token)
        if role.kind == "cte":
            return Thing("cte", token.text, span, declared=span, cte=role.cte)
        if role.kind == "name":
            return self._given(token)
        source = role.source
        assert source is not None
        if role.kind == "alias":
            return self._alias(token, source)
        return self._source(token, source)

    def _alias(self, token: Token, source: Source) -> Thing:
        assert source.alias is not None
        tables, cte = self.scopes.tables(source), self.scopes.cte(source)
        declared = _span(source.alias)
        return Thing("alias", source.alias.text, _span(token), tables, None, declared, source, cte)

    def _source(self, token: Token, source: Source) -> Thing | None:
        """A table or a CTE by its own name; in front of it stands the schema's."""
        last = source.path[-1]
        if (cte := self.scopes.cte(source)) is not None:
            declared = _span(cte.name)
            return Thing("cte", cte.name.text, _span(token), (), None, declared, source, cte)
        tables = self.scopes.tables(source)
        if not tables:
            return None
        return Thing("table", tables[0].name, _span(last), tables, source=source)

    @cached_property
    def _given_fields(self) -> Mapping[int, Field]:
        """What the select lists give names to, by the places of these names."""
        return {
            given.token.start: given
            for block in self.reading.blocks
            for given in self.scopes.fields_of([block])
            if given.token is not None
        }

    def _given(self, token: Token) -> Thing:
        """A name that the select list or a list of columns gives."""
        span = _span(token)
        means = self._given_fields.get(token.start)
        if means is None:
            return Thing("name", token.text, span, declared=span)
        tables = (means.table,) if means.table is not None else ()
        return Thing("name", token.text, span, tables, means.column, span)

    # Names in expressions.

    def _qualifier(self, path: Path, at: int, first: int) -> Thing | None:
        """What stands before a dot, or a row by the name of its source."""
        token = path[at]
        context = self.reading.contexts[first]
        if context.block is None:
            return None
        for end in range(at + 1, max(len(path), at + 2)):
            source = self.scopes.source_named(path[:end], context.block)
            if source is None:
                continue
            if end > at + 1 or source.alias is None:
                return self._source_used(path[end - 1], source)
            return self._alias(token, source)
        if at == len(path) - 1:
            return None
        found = self.scopes.columns(path[: at + 1], context)
        return self._found(token, found, computed=False) if found else None

    def _source_used(self, token: Token, source: Source) -> Thing | None:
        thing = self._source(token, source) if source.path else None
        if thing is None:
            return None
        return Thing(
            thing.kind, thing.name, _span(token), thing.tables, None, thing.declared, source,
            thing.cte,
        )  # fmt: skip

    def _column(self, token: Token, found: list[Found], known: Known) -> Thing:
        """A column as the checker knows it; the name may be one that the statement gave."""
        assert known.table is not None
        given = next((one.field.token for one in found if one.field.token is not None), None)
        if given is not None:
            declared = _span(given)
            kind: Kind = "name"
        else:
            declared, kind = None, "column"
        name = given.text if given is not None else known.column.name if known.column else ""
        source = found[0].source if found else None
        return Thing(kind, name, _span(token), (known.table,), known.column, declared, source)

    def _found(self, token: Token, found: list[Found], *, computed: bool) -> Thing | None:
        means, source = found[0]
        tables = tuple(one.field.table for one in found if one.field.table is not None)
        if means.token is not None:
            declared = _span(means.token)
            return Thing("name", means.name, _span(token), tables, means.column, declared, source)
        if means.column is None or computed:
            return None
        return Thing("column", means.column.name, _span(token), tables, means.column, None, source)

    def _named_table(self, token: Token) -> Thing | None:
        path = next((path for path in self.reading.tables if token in path), ())
        tables = self.scopes.tables_named(path)
        if not tables or path[-1] is not token:
            return None
        return Thing("table", tables[0].name, _span(token), tables)

    # Names in DDL.

    def _in_ddl(self, index: int) -> Thing | None:
        token = self.reading.tokens.tokens[index]
        named = ddl_name(self.reading, index)
        if named is None:
            return None
        tables = self.scopes.tables_named(named.table)
        if tables and not named.is_column:
            return Thing("table", tables[0].name, _span(named.table[-1]), tables)
        for table in tables:
            if (column := table.column(token.text)) is not None:
                return Thing("column", column.name, _span(token), (table,), column)
        return None


def _is_of_table(found: Found) -> bool:
    """Whether a name means a column as the table in FROM has it."""
    field, source = found
    is_plain = source is not None and not (source.blocks or source.is_call or source.columns)
    return is_plain and field.token is None and field.column is not None


def _span(token: Token) -> Span:
    return Span(token.start, token.end)
