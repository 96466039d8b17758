"""Names of tables, as a query writes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from sqlscribe.completion.suggestion import Suggestion
from sqlscribe.navigation.reading import Path
from sqlscribe.navigation.scopes import Scopes
from sqlscribe.notation.document import Span
from sqlscribe.schema.graph import joins_of
from sqlscribe.schema.identifiers import DEFAULT_SCHEMAS, spelled
from sqlscribe.schema.model import Table


def table_suggestions(
    scopes: Scopes, before: Path, typed: str, span: Span, joined: Sequence[Table]
) -> Iterator[Suggestion]:
    """Tables whose name holds what is typed; first those that join what is there already.

    ``before`` is a schema in front of the cursor: then its tables come without it.
    """
    inside = [token.text.casefold() for token in before]
    folded = typed.casefold()
    joining = (join.other(table) for table in joined for join in joins_of(scopes.schema, table))
    neighbours = {id(other): other for other in joining}

    def may_stand(table: Table) -> bool:
        return not table.parent and (not inside or _is_in(table, inside))

    near = [one for one in neighbours.values() if folded in one.qualified_name.casefold()]
    # Of thousands few are left, and fewer are shown.
    named = [each for each in scopes.schema.folded if folded in each[0]]
    begin = (table for _, name, table in named if name.startswith(folded))
    rest = (table for _, name, table in named if not name.startswith(folded))
    others = (table for table in chain(begin, rest) if id(table) not in neighbours)
    for table in chain(scopes.made.tables, filter(may_stand, chain(near, others))):
        name = spelled(table.name, table.quoted, scopes.dialect)
        plain = name if inside else _qualified(table, name, scopes)
        shown = table.name if inside else table.qualified_name
        joins = "joins by a foreign key" if id(table) in neighbours else ""
        detail = ", ".join(filter(None, (table.kind, joins)))
        yield Suggestion(plain, "table", span, detail, table.comment, _label(plain, shown))


def _is_in(table: Table, inside: list[str]) -> bool:
    return table.schema.casefold().split(".")[-len(inside) :] == inside


def _qualified(table: Table, name: str, scopes: Scopes) -> str:
    """With its schema, where that does not go without saying."""
    if not table.schema:
        return name
    is_default = table.schema.casefold() in DEFAULT_SCHEMAS
    if is_default and len(scopes.schema.named(table.name)) == 1:
        return name
    parts = [spelled(part, False, scopes.dialect) for part in table.schema.split(".") if part]
    return ".".join([*parts, name])


def _label(text: str, name: str) -> str:
    """The name without quotes, where it is written with them."""
    return name if text != name and text.casefold().strip('"`[]') != name.casefold() else ""
