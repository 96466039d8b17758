"""What the YAML files of a dbt project name, and which of it the project does not have."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from sqlscribe.knowledge.located import Node, closest, renamed
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding, Fix, Severity
from sqlscribe.notation.jinja_sql import references
from sqlscribe.schema.model import Schema

_MOST_COMPARED = 20
"""Unknown names that are compared with all known ones, which takes a while."""
_NESTED = 4
"""Levels of a test in which the table that it refers to may stand."""


@dataclass(frozen=True)
class Named:
    """A name in a YAML file.

    ``key`` is what ``ref`` calls the model or seed, ``column`` one of its columns. What ``ref``
    in a test calls has no ``node`` of its own, only a place.
    """

    kind: Literal["model", "column", "ref"]
    key: str
    span: Span
    column: str = ""
    node: Node | None = None


def names_in(roots: Iterable[Node]) -> tuple[Named, ...]:
    """All names of models, of their columns, and in the references of their tests."""
    return tuple(named for root in roots for named in _names_in(root))


def _names_in(root: Node) -> Iterator[Named]:
    for subject in ("models", "seeds"):
        listed = root.get(subject)
        for item in listed.items if listed is not None else ():
            name = item.get("name")
            if name is None or not name.text.strip():
                continue
            key = name.text.strip()
            yield from _references(item, 0)
            # Which version has which columns is the versions' own matter.
            if item.get("versions") is not None:
                continue
            if subject == "models":
                yield Named("model", key, name.span, node=name)
            columns = item.get("columns")
            for column in columns.items if columns is not None else ():
                named = column.get("name")
                if named is not None and named.text.strip():
                    text = named.text.strip()
                    yield Named("column", key, named.span, text, named)


def _references(node: Node, depth: int) -> Iterator[Named]:
    if depth > 2 * _NESTED:
        return
    for item in node.items:
        yield from _references(item, depth + 1)
    for key, value in node.pairs:
        if key.text == "to" and value.kind == "text":
            # Of another package, and of versions, nothing is known here.
            found = references(value.text)
            plain = "," not in value.text
            if plain and found and found[0].kind == "ref":
                yield Named("ref", found[0].key, value.span)
        else:
            yield from _references(value, depth + 1)


def unknown_names(
    named: Iterable[Named],
    models: Collection[str],
    keys: Collection[str],
    tables: dict[str, str],
    schema: Schema,
) -> Iterator[Finding]:
    """What is named and not there.

    ``models`` are those that have a file, ``keys`` all that a reference may call, ``tables`` the
    names in SQL of those whose columns are to be compared with the schema.
    """
    unknown = 0
    for each in named:
        if each.kind == "model" and models and each.key not in models:
            unknown += 1
            near = closest(each.key, models) if unknown <= _MOST_COMPARED else ""
            message = f"the project has no file of a model {each.key}"
            yield _finding("dbt/unknown-model", message, each, near)
        elif each.kind == "ref" and each.key not in keys:
            unknown += 1
            # It may be in a package that is not here, unless it is spelled nearly as one that is.
            near = closest(each.key, keys) if unknown <= _MOST_COMPARED else ""
            if near:
                message = f"there is no model {each.key}"
                yield _finding("dbt/unknown-model", message, each, near)
        elif each.kind == "column" and each.key in tables:
            yield from _unknown_column(each, tables[each.key], schema)


def _unknown_column(named: Named, table: str, schema: Schema) -> Iterator[Finding]:
    found = schema.named(table)
    if len(found) != 1 or found[0].partly_understood or not found[0].columns:
        return
    column = named.column.strip("\"'`[]")
    if found[0].column(column) is None:
        near = closest(column, [each.name for each in found[0].columns])
        message = f"{named.key} has no column {column}"
        yield _finding("dbt/unknown-column", message, named, near)


def _finding(code: str, message: str, named: Named, near: str) -> Finding:
    fixes: tuple[Fix, ...] = ()
    if near and named.node is not None:
        fixes = (renamed(named.node, near),)
    message = f"{message}; did you mean {near}?" if near else message
    return Finding(code, Severity.WARNING, message, named.span, fixes)
