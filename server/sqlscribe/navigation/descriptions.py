"""What a person reads about a name: its definition, what is said of it, and who uses it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from sqlscribe.knowledge.examples import Example
from sqlscribe.knowledge.profiles import Profile
from sqlscribe.navigation.finding import Hit
from sqlscribe.navigation.scopes import Field
from sqlscribe.navigation.things import Look, Thing
from sqlscribe.navigation.users import Known, users_of
from sqlscribe.schema.graph import joins_of
from sqlscribe.schema.identifiers import spelled
from sqlscribe.schema.model import Column, Schema, Table

_COLUMNS = 40
_VALUES = 20
_NAMED = 3
_WIDTH = 120


class Informed(Known, Protocol):
    """What a folder knows, profiles included."""

    @property
    def profiles(self) -> tuple[Profile, ...]: ...


@dataclass(frozen=True)
class Description:
    """Text for a person. ``sql`` looks like DDL, ``remarks`` are plain lines.

    ``file`` and ``line`` are where it is defined, the line zero-based.
    """

    sql: str
    remarks: tuple[str, ...] = ()
    file: Path | None = None
    line: int = 0


def describe(hit: Hit, known: Informed) -> Description | None:
    """What is known of what was found; ``None`` where nothing is."""
    thing = hit.thing
    label = _label(thing) if thing is not None else ""
    if not hit.tables:
        if thing is None or hit.look is None:
            return None
        if thing.kind in ("cte", "alias", "star"):
            return _query(thing, hit.look)
        return Description(f"-- {thing.name}: a name that this statement gives")
    table, *others = hit.tables
    column = table.column(hit.column) if hit.column else None
    if column is not None:
        return _column(table, column, known, label, others)
    return _table(table, known, label, others)


def _label(thing: Thing) -> str:
    """What is said first where the name is not the thing's own."""
    if thing.kind == "alias" and thing.tables:
        return f"{thing.name} is {thing.tables[0].qualified_name}"
    if thing.kind == "name" and thing.column is not None:
        return f"{thing.name} is {thing.tables[0].name}.{thing.column.name}"
    return ""


def _table(table: Table, known: Informed, label: str, others: Sequence[Table]) -> Description:
    remarks = [
        label,
        _cut(table.comment),
        _not_understood(table),
        *(f"also defined: {other.qualified_name}" for other in others[:_NAMED]),
        *_known_values(table, known),
        *_references(table, known.schema),
        *_users(users_of(table, known)),
    ]
    sql = "\n".join(_definition(table, known.dialect))
    return Description(sql, tuple(filter(None, remarks)), table.file, table.line)


def _column(
    table: Table, column: Column, known: Informed, label: str, others: Sequence[Table]
) -> Description:
    keys = [
        f"references {join.right.qualified_name} ({', '.join(right for _, right in join.pairs)})"
        for join in joins_of(known.schema, table)
        if join.left is table and any(left == column.name for left, _ in join.pairs)
    ]
    remarks = [
        label,
        _cut(column.comment),
        "part of the primary key" if column.name in table.primary_key else "",
        *keys,
        *(f"or {other.qualified_name}.{column.name}" for other in others[:_NAMED]),
        *_values(table, column, known),
        *_users(users_of(table, known, column.name)),
    ]
    sql = f"{_name(table, known.dialect)}.{_written(column, known.dialect)}"
    return Description(sql, tuple(filter(None, remarks)), table.file, table.line)


def _query(thing: Thing, look: Look) -> Description:
    """A CTE, the alias of a subquery, or a star: its columns."""
    if thing.fields:
        return Description(_listing(thing.name, thing.fields), (_counted(len(thing.fields)),))
    blocks = thing.cte.blocks if thing.cte else thing.source.blocks if thing.source else []
    fields = look.scopes.fields_of(blocks)
    if thing.source is not None:
        fields = list(look.scopes.fields(thing.source))
    said = "a query named by WITH" if thing.kind == "cte" or thing.cte else "a subquery"
    return Description(_listing(thing.name, fields), (said,))


def _listing(name: str, fields: Sequence[Field]) -> str:
    lines = [f"{name} ("]
    for field in fields[:_COLUMNS]:
        origin = ""
        if field.table is not None and field.column is not None:
            origin = f" -- {field.table.name}.{field.column.name}"
        type_ = f" {field.column.type}" if field.column is not None and field.column.type else ""
        lines.append(f"  {field.name}{type_},{origin}")
    return "\n".join([*lines, *_more(len(fields)), ")"])


def _counted(count: int) -> str:
    return f"{count} columns" if count > 1 else "1 column"


def _definition(table: Table, dialect: str) -> Iterator[str]:
    yield f"CREATE {table.kind.upper()} {_name(table, dialect)} ("
    columns = [(_written(column, dialect), column.comment) for column in table.columns[:_COLUMNS]]
    more = _more(len(table.columns))
    lines = [*columns, *((key, "") for key in _keys(table))]
    for at, (line, comment) in enumerate(lines):
        if at == len(columns):
            yield from more
        comma = "," if at < len(lines) - 1 else ""
        yield f"  {line}{comma}{f' -- {_cut(comment)}' if comment else ''}"
    if len(lines) == len(columns):
        yield from more
    yield ")"


def _keys(table: Table) -> Iterator[str]:
    if table.primary_key:
        yield f"PRIMARY KEY ({', '.join(table.primary_key)})"
    for columns in table.unique[:_NAMED]:
        yield f"UNIQUE ({', '.join(columns)})"
    for key in table.foreign_keys[:_VALUES]:
        target = ".".join(filter(None, (key.to_schema, key.to_table)))
        to = f" ({', '.join(key.to_columns)})" if key.to_columns else ""
        yield f"FOREIGN KEY ({', '.join(key.columns)}) REFERENCES {target}{to}"


def _more(count: int) -> list[str]:
    return [f"  -- … {count - _COLUMNS} more columns"] if count > _COLUMNS else []


def _written(column: Column, dialect: str) -> str:
    parts = [spelled(column.name, column.quoted, dialect), _cut(column.type)]
    parts += [] if column.nullable else ["NOT NULL"]
    return " ".join(filter(None, parts))


def _name(table: Table, dialect: str) -> str:
    parts = [spelled(part, False, dialect) for part in table.schema.split(".") if part]
    return ".".join([*parts, spelled(table.name, table.quoted, dialect)])


def _not_understood(table: Table) -> str:
    if not table.partly_understood:
        return ""
    return "Its definition was only partly understood: it may have more columns."


def _known_values(table: Table, known: Informed) -> Iterator[str]:
    for column in table.columns[:_COLUMNS]:
        for said in _values(table, column, known):
            yield f"{column.name}, {said}"


def _values(table: Table, column: Column, known: Informed) -> Iterator[str]:
    """The values that the DDL or a profile gives, the range, and what is noted."""
    if column.values:
        yield _listed("allowed", column.values)
    for profile in known.profiles:
        if profile.column.casefold() != column.name.casefold():
            continue
        owner, _, name = profile.table.rpartition(".")
        if not any(same is table for same in known.schema.named(name, owner)):
            continue
        if profile.values:
            yield _listed("values", profile.values)
        if profile.minimum or profile.maximum:
            yield f"from {profile.minimum or '…'} to {profile.maximum or '…'}"
        if profile.note:
            yield _cut(profile.note)


def _references(table: Table, schema: Schema) -> Iterator[str]:
    to_it = [join.left.qualified_name for join in joins_of(schema, table) if join.right is table]
    if to_it:
        yield _listed("referenced by", tuple(dict.fromkeys(to_it)), _NAMED * 2)


def _users(examples: Sequence[Example]) -> Iterator[str]:
    if examples:
        count = f"{len(examples)} example{'s' if len(examples) > 1 else ''}"
        questions = (_cut(" ".join(example.question.split())) for example in examples[:_NAMED])
        yield f"used by {count}: {'; '.join(questions)}"
    else:
        yield "used by no example"


def _listed(title: str, values: Sequence[str], most: int = _VALUES) -> str:
    shown = ", ".join(_cut(value) for value in values[:most])
    more = f" and {len(values) - most} more" if len(values) > most else ""
    return f"{title}: {shown}{more}"


def _cut(text: str) -> str:
    """One line that fits."""
    line = " ".join(text[: 4 * _WIDTH].split())
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…"
