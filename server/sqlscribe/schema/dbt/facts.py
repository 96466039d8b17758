"""What dbt says of one table, gathered from its columns, tests and constraints."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from sqlscribe.notation.findings import Finding
from sqlscribe.notation.jinja_sql import references
from sqlscribe.schema.dbt.named import Named
from sqlscribe.schema.model import Column, Table

RelationKind = Literal["model", "seed", "snapshot", "source"]


@dataclass(frozen=True, slots=True)
class Link:
    """``columns`` refer to ``to_columns`` of the relation that ``ref`` or ``source`` calls key."""

    columns: tuple[str, ...]
    key: str
    to_columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Relation:
    """A table of a dbt project.

    ``key`` is what templates call it: ``orders``, ``orders.v2``, or ``raw.orders`` of a source.
    ``table`` is ``partly_understood`` unless all its columns are known. ``file`` is the stem of
    the model's file where it goes by another name.
    """

    key: str
    kind: RelationKind
    table: Table
    links: tuple[Link, ...] = ()
    file: str = ""


@dataclass(frozen=True)
class DbtPart:
    """What one file of a project says. ``docs`` are its blocks of text by name.

    ``named`` are the names in a YAML file, to be compared with what there is.
    """

    relations: tuple[Relation, ...] = ()
    findings: tuple[Finding, ...] = ()
    docs: Mapping[str, str] = field(default_factory=dict)
    named: tuple[Named, ...] = ()


_IDENTIFIER = re.compile(r"[^\W\d][\w$]*\Z")
_IN_QUOTES = re.compile(r"""(["`\[])(.*)["`\]]\Z""", re.DOTALL)
_FOREIGN = re.compile(
    r"\s*(?:references\s+)?(?P<table>[^\s(]+)\s*(?:\((?P<columns>[^()]*)\))?", re.IGNORECASE
)
_VALUES = ("values", "value_set")
_CALL = re.compile(r"(?:ref|source)\s*\(")


@dataclass
class Draft:
    """A table while what is said of it is read. Names are kept as they are written."""

    name: str
    schema: str = ""
    comment: str = ""
    kind: str = "table"
    columns: dict[str, Column] = field(default_factory=dict)
    primary_key: tuple[str, ...] = ()
    unique: list[tuple[str, ...]] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    complete: bool = False

    def add(self, name: str, type_: str = "", comment: str = "", *, quoted: bool = False) -> None:
        """A column; of one that is there twice the first counts."""
        plain = _IN_QUOTES.match(name)
        if plain is not None:
            name, quoted = plain[2], True
        self.columns.setdefault(
            name.casefold(), Column(name, type_, comment=comment, quoted=quoted)
        )

    def test(self, name: str, column: str, arguments: Mapping[str, object]) -> None:
        """A data test, with or without its package; what is not known says nothing.

        A test with a condition says nothing of the other rows, but a key stays a key.
        """
        settings = arguments.get("config")
        options = {**arguments, **(settings if isinstance(settings, Mapping) else {})}
        if str(options.get("enabled", "true")).lower() == "false":
            return
        column = column or _text(arguments.get("column_name"))
        package, _, kind = name.rpartition(".")
        conditional = bool(options.get("where") or options.get("row_condition"))
        if kind.startswith(("relationships", "foreign_key")):
            self._relationship(column, arguments)
        elif conditional:
            return
        elif kind in ("unique_combination_of_columns", "expect_compound_columns_to_be_unique"):
            named = arguments.get("combination_of_columns") or arguments.get("column_list")
            self.add_unique(_texts(named))
        elif kind == "primary_key" and package:
            self.primary_key = _texts(arguments.get("column_names")) or _texts(column)
        elif kind in ("not_null", "expect_column_values_to_not_be_null"):
            self.change(column, nullable=False)
        elif kind in ("unique", "expect_column_values_to_be_unique"):
            self.add_unique(_texts(column))
        elif kind in ("accepted_values", "expect_column_values_to_be_in_set"):
            found = next((arguments[key] for key in _VALUES if key in arguments), None)
            self.change(column, values=_texts(found))

    def _relationship(self, column: str, arguments: Mapping[str, object]) -> None:
        target = _text(arguments.get("to") or arguments.get("pk_table_name"))
        found = references(target)
        to_columns = _texts(arguments.get("field") or arguments.get("pk_column_names"))
        own = _texts(arguments.get("fk_column_names")) or _texts(column)
        if found and _are_names(own) and _are_names(to_columns):
            self.links.append(Link(own, found[0].key, to_columns))

    def constraint(self, given: Mapping[str, object], column: str = "") -> None:
        """A constraint of a contract, on a column or on the whole table."""
        columns = _texts(given.get("columns")) or _texts(column)
        match _text(given.get("type")).lower():
            case "not_null":
                for name in columns:
                    self.change(name, nullable=False)
            case "unique":
                self.add_unique(columns)
            case "primary_key" if columns:
                self.primary_key = columns
            case "foreign_key" if columns:
                self._foreign_key(columns, given)

    def _foreign_key(self, columns: tuple[str, ...], given: Mapping[str, object]) -> None:
        target = _text(given.get("to"))
        if target:
            found = references(target)
            key = found[0].key if found else _last_name(target)
            self.links.append(Link(columns, key, _texts(given.get("to_columns"))))
        elif written := _FOREIGN.match(_text(given.get("expression"))):
            found = references(_text(given.get("expression")))
            key = found[0].key if found else _last_name(written["table"])
            named = () if _CALL.match(written[0].lstrip(" {")) else _listed(written["columns"])
            self.links.append(Link(columns, key, named))

    def change(
        self, name: str, *, nullable: bool | None = None, values: tuple[str, ...] = ()
    ) -> None:
        column = self.columns.get(_bare(name).casefold())
        if column is not None:
            self.columns[column.name.casefold()] = replace(
                column,
                nullable=column.nullable if nullable is None else nullable,
                values=values or column.values,
            )

    def add_unique(self, columns: tuple[str, ...]) -> None:
        # What is unique may be an expression; that is no key.
        if columns and _are_names(columns) and columns not in self.unique:
            self.unique.append(tuple(_bare(name) for name in columns))

    def table(self, file: Path, line: int) -> Table:
        """The table. Where nothing else is its key, a unique column that is never null is."""
        columns = tuple(self.columns.values())
        required = {column.name.casefold() for column in columns if not column.nullable}
        inferred = (names for names in self.unique if {n.casefold() for n in names} <= required)
        key = tuple(map(_bare, self.primary_key)) or next(inferred, ())
        in_key = {name.casefold() for name in key}
        return Table(
            name=self.name,
            columns=tuple(
                replace(column, nullable=False) if column.name.casefold() in in_key else column
                for column in columns
            ),
            schema=self.schema,
            primary_key=key,
            unique=tuple(names for names in self.unique if names != key),
            comment=self.comment,
            kind=self.kind,
            file=file,
            line=line,
            partly_understood=not self.complete,
        )


def kind_of_table(materialized: str) -> str:
    """What a materialisation makes; dbt's own default is a view."""
    if materialized in ("", "view", "ephemeral"):
        return "view"
    return "materialized view" if materialized == "materialized_view" else "table"


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, str | int | float) else ""


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, list | tuple):
        return tuple(dict.fromkeys(text for item in value if (text := _text(item))))
    text = _text(value)
    return (text,) if text else ()


def _listed(columns: str | None) -> tuple[str, ...]:
    return tuple(_bare(name.strip()) for name in (columns or "").split(",") if name.strip())


def _bare(name: str) -> str:
    found = _IN_QUOTES.match(name)
    return found[2] if found else name


def _last_name(table: str) -> str:
    return _bare(table.rpartition(".")[2])


def _are_names(names: Iterable[str]) -> bool:
    return all(_IDENTIFIER.match(_bare(name)) for name in names)
