"""dbt: the tables of a project, from its properties, its manifest and its SQL models.

    *.yml, manifest.json, catalog.json, seeds ─► DbtPart ─┐
    models/**/*.sql ─ names_in_sql, read_models ─► ModelScript ─ replayed ─► Schema
    DDL scripts ─ ddl.read ─► DdlScript ─────────────────┘

Columns come from where all of them are known: a contract, a catalogue, a seed's header, the
query of a model, DDL. What only documents some of them never makes another column wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sqlscribe.notation.document import Span
from sqlscribe.schema import ddl
from sqlscribe.schema.dbt.facts import DbtPart, Link, Relation
from sqlscribe.schema.dbt.manifest import is_manifest, read_catalog, read_manifest
from sqlscribe.schema.dbt.models import (
    FileKind,
    Model,
    ModelScript,
    Project,
    read_models,
    read_project,
    read_seed,
)
from sqlscribe.schema.dbt.named import unknown_names
from sqlscribe.schema.dbt.properties import is_dbt_yaml, read_docs, read_properties, with_docs
from sqlscribe.schema.ddl.changes import CreateTable
from sqlscribe.schema.ddl.cursor import Name
from sqlscribe.schema.ddl.queries import UNKNOWN
from sqlscribe.schema.identifiers import DEFAULT_SCHEMAS, spelled
from sqlscribe.schema.model import Column, ForeignKey, Schema, Table

__all__ = [
    "DbtPart",
    "FileKind",
    "ModelScript",
    "Project",
    "Relation",
    "combined",
    "is_dbt_yaml",
    "is_manifest",
    "names_in_sql",
    "read_catalog",
    "read_docs",
    "read_manifest",
    "read_models",
    "read_project",
    "read_properties",
    "read_seed",
    "replayed",
    "unknown_names",
]


def combined(parts: Iterable[DbtPart]) -> tuple[Relation, ...]:
    """Every table of a project once for each key, from all that is said of it.

    Of two parts that say the same the first counts, so the files that people write come
    first: properties, then the manifest, the catalogue and the seeds.
    """
    parts = tuple(parts)
    docs = {name: text for part in reversed(parts) for name, text in part.docs.items()}
    found: dict[str, Relation] = {}
    for part in parts:
        for relation in part.relations:
            known = found.get(relation.key)
            found[relation.key] = _both(known, relation) if known else relation
    return tuple(_documented(relation, docs) for relation in found.values())


def names_in_sql(relations: Iterable[Relation], dialect: str) -> dict[str, str]:
    """What the tables are called for which the key of a reference is not the name.

    For :func:`sqlscribe.notation.jinja_sql.neutral` and :func:`read_models`.
    """
    relations = tuple(relations)
    schemas: dict[str, set[str]] = {}
    for each in relations:
        schemas.setdefault(each.table.name.casefold(), set()).add(each.table.schema.casefold())
    names: dict[str, str] = {}
    for each in relations:
        table = each.table
        alone = len(schemas[table.name.casefold()]) == 1 and each.kind != "source"
        parts = [*(() if alone else table.schema.split(".")), table.name]
        written = [spelled(part, False, dialect) for part in parts[:-1] if part]
        name = ".".join([*written, spelled(table.name, table.quoted, dialect)])
        if name != each.key:
            names[each.key] = name
    return names


def replayed(
    scripts: Sequence[ddl.DdlScript],
    relations: Iterable[Relation],
    models: Iterable[ModelScript] = (),
) -> ddl.Replayed:
    """The schema of the DDL scripts and of a dbt project together.

    Columns come from DDL where there is some, then from what dbt knows completely, then from
    the queries of the models; descriptions and tests come from dbt.
    """
    relations = tuple(relations)
    defined = _Defined.by(scripts)
    known = _Known.of(relations)
    made = [_as_script(script, known, defined) for script in _each_once(models)]
    taken = {
        _identity(change.table.name, change.table.schema)
        for script in made
        for change in script.changes
        if isinstance(change, CreateTable)
    }
    dialect = next((script.dialect for script in (*scripts, *made)), "")
    for relation in relations:
        table = relation.table
        identity = _identity(table.name, table.schema)
        if identity not in taken and not defined.has(table.name, table.schema):
            taken.add(identity)
            made.append(_definition(table, dialect))
    result = ddl.replayed((*scripts, *made))
    tables = _with_facts(result.schema.tables, relations)
    return ddl.Replayed(Schema(tables, result.schema.functions), result.findings)


def _each_once(models: Iterable[ModelScript]) -> Iterator[ModelScript]:
    """The scripts; a model that several files make has columns that nobody knows.

    Which of them counts is the project's settings' to say, often by the engine in use.
    """
    models = tuple(models)
    files = Counter(model.key for script in models for model in script.models)
    for script in models:
        if any(files[model.key] > 1 for model in script.models):
            yield replace(script, models=tuple(map(_open_ended, script.models)))
        else:
            yield script


def _open_ended(model: Model) -> Model:
    return replace(model, change=replace(model.change, columns=(), query=UNKNOWN))


def _as_script(script: ModelScript, known: _Known, defined: _Defined) -> ddl.DdlScript:
    """The models of a file whose columns nothing else knows."""
    changes: list[CreateTable] = []
    for model in script.models:
        change = model.change
        relation = known.made_by(model)
        kind = change.kind or "view"
        if relation is not None:
            table = relation.table
            if not table.partly_understood:
                continue
            name = Name(table.name, table.schema, table.quoted)
            change = replace(change, table=name)
            kind = change.kind or table.kind
        if not defined.has(change.table.name, change.table.schema):
            changes.append(replace(change, kind=kind))
    return ddl.DdlScript(script.path, script.dialect, tuple(changes), ())


# -- one relation from several parts -----------------------------------------------------


def _both(first: Relation, other: Relation) -> Relation:
    links = (*first.links, *(link for link in other.links if link not in first.links))
    # A model's schema depends on where it runs, which only dbt itself knows.
    named = first.table if first.table.schema or not other.table.schema else other.table
    table = replace(
        _filled(first.table, other.table),
        name=named.name,
        schema=named.schema,
        kind=named.kind,
        quoted=named.quoted,
    )
    return Relation(first.key, first.kind, table, links, first.file or other.file)


def _filled(first: Table, other: Table) -> Table:
    """``first`` with what ``other`` knows besides; the columns of the one that knows all."""
    complete = first if not first.partly_understood else other
    columns = complete.columns
    if complete.partly_understood:
        known = {column.name.casefold() for column in first.columns}
        extra = (column for column in other.columns if column.name.casefold() not in known)
        columns = (*first.columns, *extra)
    return replace(
        first,
        columns=tuple(
            _column(column, first.column(column.name), other.column(column.name))
            for column in columns
        ),
        primary_key=first.primary_key or other.primary_key,
        unique=(*first.unique, *(each for each in other.unique if each not in first.unique)),
        comment=first.comment or other.comment,
        partly_understood=complete.partly_understood,
    )


def _column(base: Column, first: Column | None, other: Column | None) -> Column:
    found = [column for column in (first, other) if column is not None]
    return replace(
        base,
        type=next((column.type for column in found if column.type), ""),
        comment=next((column.comment for column in found if column.comment), ""),
        values=next((column.values for column in found if column.values), ()),
        fields=next((column.fields for column in found if column.fields), ()),
        nullable=all(column.nullable for column in found),
    )


def _documented(relation: Relation, docs: dict[str, str]) -> Relation:
    table = relation.table
    if "{{" not in table.comment and not any("{{" in column.comment for column in table.columns):
        return relation
    columns = tuple(
        replace(column, comment=with_docs(column.comment, docs)) for column in table.columns
    )
    comment = with_docs(table.comment, docs)
    return replace(relation, table=replace(table, comment=comment, columns=columns))


# -- relations and other tables ----------------------------------------------------------


def _identity(name: str, schema: str) -> tuple[str, str]:
    folded = schema.casefold()
    return name.casefold(), "" if folded in DEFAULT_SCHEMAS else folded


@dataclass(frozen=True)
class _Known:
    """The relations by key, and those that dbt makes by the names of their tables."""

    by_file: Mapping[str, Relation]
    by_key: Mapping[str, Relation]
    by_name: Mapping[str, Relation]

    @classmethod
    def of(cls, relations: Sequence[Relation]) -> _Known:
        made = [relation for relation in reversed(relations) if relation.kind != "source"]
        return cls(
            {relation.file: relation for relation in made if relation.file},
            {relation.key: relation for relation in relations},
            {relation.table.name.casefold(): relation for relation in made},
        )

    def made_by(self, model: Model) -> Relation | None:
        """What a model's file makes; that of a version has the name of its table."""
        found = self.by_file.get(model.key) or self.by_key.get(model.key)
        return found or self.by_name.get(model.change.table.name.casefold())


def _alike(one: str, other: str) -> bool:
    """Whether two schemas may be the same one, where either may be left out or be shorter."""
    left, right = _identity("", one)[1], _identity("", other)[1]
    if not left or not right:
        return left == right or one == "" or (other == "" and left == "")
    have, wanted = left.split("."), right.split(".")
    shorter = min(len(have), len(wanted))
    return have[-shorter:] == wanted[-shorter:]


@dataclass(frozen=True)
class _Defined:
    """The schemas, by the name of a table, in which scripts define it."""

    schemas: Mapping[str, Sequence[str]]

    @classmethod
    def by(cls, scripts: Iterable[ddl.DdlScript]) -> _Defined:
        schemas: dict[str, list[str]] = {}
        for script in scripts:
            for change in script.changes:
                if isinstance(change, CreateTable):
                    name = change.table.name.casefold()
                    schemas.setdefault(name, []).append(change.table.schema)
        return cls(schemas)

    def has(self, name: str, schema: str) -> bool:
        return any(_alike(known, schema) for known in self.schemas.get(name.casefold(), ()))


def _definition(table: Table, dialect: str) -> ddl.DdlScript:
    change = CreateTable(
        table=Name(table.name, table.schema, table.quoted),
        span=Span(0, 0),
        line=table.line,
        kind=table.kind,
        columns=table.columns,
        comment=table.comment,
        partly_understood=table.partly_understood,
        keep_existing=True,
    )
    return ddl.DdlScript(table.file or Path(), dialect, (change,), ())


def _with_facts(tables: Iterable[Table], relations: Sequence[Relation]) -> tuple[Table, ...]:
    """The tables with the descriptions, values, keys and links that dbt knows of them."""
    by_name: dict[str, list[Relation]] = {}
    by_key = {relation.key: relation.table for relation in relations}
    for relation in relations:
        by_name.setdefault(relation.table.name.casefold(), []).append(relation)
    result: list[Table] = []
    for table in tables:
        for relation in by_name.get(table.name.casefold(), ()):
            if _alike(table.schema, relation.table.schema):
                table = _with_fact(table, relation, by_key)
                break
        result.append(table)
    return tuple(result)


def _with_fact(table: Table, relation: Relation, by_key: Mapping[str, Table]) -> Table:
    said = relation.table
    filled = _filled(table, said)
    # Somebody wrote these for people; a comment in DDL is more often generated.
    columns = tuple(
        replace(column, comment=described.comment)
        if (described := said.column(column.name)) is not None and described.comment
        else column
        for column in filled.columns
    )
    known = {key.columns for key in table.foreign_keys}
    links = [_foreign_key(link, by_key) for link in relation.links if link.columns not in known]
    return replace(
        filled,
        columns=columns,
        comment=said.comment or filled.comment,
        foreign_keys=(*table.foreign_keys, *links),
    )


def _foreign_key(link: Link, by_key: Mapping[str, Table]) -> ForeignKey:
    target = by_key.get(link.key)
    name = link.key.rpartition(".")[2] if target is None else target.name
    return ForeignKey(link.columns, name, target.schema if target else "", link.to_columns)
