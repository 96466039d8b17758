"""How much of real schema scripts is understood, measured against the engines themselves.

    python tests/bench/schema_scripts.py [--ddl DIR] [--json] [--list]

``DIR`` holds ``manifest.csv`` (name, dialect, create_table, and maybe kind) and the scripts as
``<dialect>/<name>.sql``, or a folder ``<dialect>/<name>/`` of migrations. Tables are counted
against the manifest; columns are compared with the catalogue of the engine that the script was
loaded into. Then the time of reading is set against sqlglot's own on the same statements.
"""

from __future__ import annotations

import argparse
import csv
import importlib
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path

import pytest
import schema_catalogues
import schema_speed
from schema_catalogues import Catalogue, EngineColumn

from sqlscribe.notation.document import Document, decode
from sqlscribe.schema import ddl
from sqlscribe.schema.ddl.changes import CreateTable
from sqlscribe.schema.identifiers import fold, folds
from sqlscribe.schema.model import Column, Schema, Table

OWN = Path(__file__).parent / "ddl"
# What a person's tools do before the engine sees a script: parts that undo are left out, names
# of schemas put in, databases chosen.
_RENDERED = re.compile(
    r"^--\s*(?:\+goose|\+migrate|migrate:)\s*down\b[\s\S]*"
    r"|(?<![\w@])@\w+\.|\{\{[^{}\n]*\}\}\.|^\\c(?:onnect)?\b.*",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True)
class Script:
    """A row of the manifest with its files, in the order in which they are run."""

    name: str
    dialect: str
    expected: int
    migrations: bool
    files: tuple[Path, ...]

    def texts(self) -> list[str]:
        return [decode(path.read_bytes(), "cp1252").text for path in self.files]


def scripts_of(folder: Path) -> list[Script]:
    found = []
    with (folder / "manifest.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            place = folder / row["dialect"] / row["name"]
            files = list(place.rglob("*.sql")) if place.is_dir() else [place.with_suffix(".sql")]
            migrations = place.is_dir() or "migration" in row["name"]
            ordered = tuple(ddl.migration_order(files))
            expected = int(row["create_table"])
            found.append(Script(row["name"], row["dialect"], expected, migrations, ordered))
    return found


def read(script: Script) -> list[ddl.DdlScript]:
    pairs = zip(script.texts(), script.files, strict=True)
    return [ddl.read(Document(path.as_uri(), text), path, script.dialect) for text, path in pairs]


# -- tables ------------------------------------------------------------------------------


@dataclass
class Tables:
    scripts: int = 0
    expected: int = 0
    found: int = 0
    partly: int = 0


def count_tables(read_scripts: dict[Script, list[ddl.DdlScript]]) -> dict[str, Tables]:
    by_dialect: dict[str, Tables] = {}
    for script, parts in read_scripts.items():
        made = [change for part in parts for change in part.changes]
        tables = [c for c in made if isinstance(c, CreateTable) and not c.kind.endswith("view")]
        row = by_dialect.setdefault(script.dialect, Tables())
        row.scripts += 1
        row.expected += script.expected
        # What procedures hold and the manifest does not count must not make up for a loss.
        row.found += min(len(tables), script.expected)
        row.partly += sum(table.partly_understood for table in tables)
    return by_dialect


# -- columns -----------------------------------------------------------------------------


@dataclass
class Columns:
    """Of one script: the engine's columns, those found, and what differs."""

    script: str
    dialect: str
    migrations: bool
    tables: int = 0
    columns: int = 0
    found: int = 0
    types: int = 0
    nullability: int = 0
    unsure: int = 0
    differs: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)
    not_in_engine: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def compare(script: Script, schema: Schema, catalogue: Catalogue) -> Columns:
    result = Columns(script.name, script.dialect, script.migrations, len(catalogue.tables))
    result.errors = list(catalogue.errors)
    used: set[int] = set()
    for (where, name), columns in catalogue.tables.items():
        result.columns += len(columns)
        table = _table(schema, where, name, script.dialect)
        if table is None:
            result.missing.append(f"{where}.{name}.*".lstrip("."))
            continue
        used.add(id(table))
        result.unsure += len(columns) * table.partly_understood
        _compare_table(table, columns, script.dialect, result)
    result.not_in_engine = [t.qualified_name for t in schema.tables if id(t) not in used]
    return result


def _table(schema: Schema, where: str, name: str, dialect: str) -> Table | None:
    same = [table for table in schema.tables if _spelled(table, dialect) == _key(name, dialect)]
    exact = [table for table in same if _schema(table, dialect) == where.casefold()]
    unqualified = [table for table in same if not table.schema]
    return next(iter([*exact, *unqualified]), None)


def _schema(table: Table, dialect: str) -> str:
    last = table.schema.rpartition(".")[2].casefold()
    return "" if last in ("public", "main", "temp") else last


def _compare_table(
    table: Table, columns: Sequence[EngineColumn], dialect: str, result: Columns
) -> None:
    ours = {_spelled(column, dialect): column for column in table.columns}
    for column in columns:
        own = ours.pop(_key(column.name, dialect), None)
        if own is None:
            result.missing.append(f"{table.qualified_name}.{column.name}")
            continue
        result.found += 1
        nullability = own.nullable == column.nullable
        type_ = same_type(own.type, column.type, dialect)
        result.nullability += nullability
        result.types += type_
        if not (nullability and type_):
            result.differs.append(f"{table.qualified_name}.{column.name}: {own} / {column}")
    result.extra += [f"{table.qualified_name}.{column.name}" for column in ours.values()]


def _spelled(named: Table | Column, dialect: str) -> str:
    name = named.name if named.quoted or not folds(dialect) else fold(named.name, dialect)
    return _key(name, dialect)


def _key(name: str, dialect: str) -> str:
    if dialect == "postgres":
        # PostgreSQL cuts longer names.
        return name.encode()[:63].decode(errors="ignore")
    return name if folds(dialect) else name.casefold()


def same_type(ours: str, theirs: str, dialect: str) -> bool:
    """Whether two spellings of a type mean one, as sqlglot understands them."""
    import sqlglot
    from sqlglot import exp

    def plain(text: str) -> str:
        text = re.sub(r"(?i)\b(big|small)?serial\b", r"\1int", text)
        if dialect == "mysql":
            text = re.sub(r"(?i)(int|integer)\s*\(\d+\)", r"\1", text)
        try:
            return exp.DataType.build(text, dialect=dialect).sql(dialect).lower()
        except (sqlglot.errors.SqlglotError, ValueError):
            return " ".join(text.lower().split())

    return bool(theirs) is bool(ours) and plain(ours or "x") == plain(theirs or "x")


Load = Callable[[Sequence[str]], Catalogue]


def loaders(stack: ExitStack, wanted: set[str]) -> Iterator[tuple[str, Load | None, str]]:
    """For each dialect with an engine: how to load, or why it cannot be done here."""
    for dialect, module in (("sqlite", "apsw"), ("duckdb", "duckdb")):
        if dialect in wanted and importlib.util.find_spec(module) is None:
            yield dialect, None, f"{module} is not installed"
        elif dialect in wanted:
            yield dialect, getattr(schema_catalogues, dialect), ""
    sys.path.append(str(Path(__file__).parents[1]))
    engines = importlib.import_module("engines")
    servers = (
        ("postgres", engines.postgres_server, schema_catalogues.postgres),
        ("mysql", engines.mariadb_server, schema_catalogues.mariadb),
    )
    for dialect, server, load in servers:
        if dialect not in wanted:
            continue
        try:
            url = stack.enter_context(server())
        except (pytest.skip.Exception, AssertionError, OSError) as error:
            yield dialect, None, str(error) or type(error).__name__
            continue
        yield dialect, partial(load, url=url), ""


def compare_columns(
    read_scripts: dict[Script, list[ddl.DdlScript]],
) -> tuple[list[Columns], list[str]]:
    found: list[Columns] = []
    skipped: list[str] = []
    with ExitStack() as stack:
        for dialect, load, why in loaders(stack, {script.dialect for script in read_scripts}):
            mine = [script for script in read_scripts if script.dialect == dialect]
            if load is None:
                skipped.append(f"skipped: columns of {len(mine)} {dialect} scripts: {why}")
                continue
            for script in mine:
                texts = [_RENDERED.sub("", text) for text in script.texts()]
                schema = ddl.replay(read_scripts[script])
                found.append(compare(script, schema, load(texts)))
    return found, skipped


# -- report ------------------------------------------------------------------------------


def report_tables(tables: dict[str, Tables]) -> None:
    print(f"{'dialect':12} {'scripts':>8} {'expected':>9} {'found':>7} {'partly':>7}      %")
    rows = {**dict(sorted(tables.items())), "all": _sum(tables.values())}
    for dialect, row in rows.items():
        share = _percent(row.found, row.expected)
        print(f"{dialect:12} {row.scripts:8} {row.expected:9} {row.found:7} {row.partly:7} {share}")


def _sum(rows: Sequence[Tables]) -> Tables:
    total = Tables()
    for row in rows:
        for name, value in asdict(row).items():
            setattr(total, name, getattr(total, name) + value)
    return total


def report_columns(compared: Sequence[Columns], details: bool) -> None:
    print(
        f"\n{'script':30} {'tables':>7} {'columns':>8} {'found':>7} {'extra':>6} {'unsure':>7}"
        f" {'types':>7} {'null':>7} {'errors':>7}      %"
    )
    for each in compared:
        _report_row(f"{each.dialect} {each.script}", [each])
        shown = [*(f"missing {n}" for n in each.missing), *(f"extra {n}" for n in each.extra)]
        if details:
            shown += [f"not in the engine: {name}" for name in each.not_in_engine]
            shown += [f"engine: {error}" for error in each.errors]
            shown += [f"differs: {line}" for line in each.differs]
        for line in shown if details else shown[:10]:
            print(f"    {line}")
    for title, migrations in (("all dumps", False), ("all migrations", True)):
        rows = [each for each in compared if each.migrations is migrations]
        if rows:
            _report_row(title, rows)


def _report_row(title: str, rows: Sequence[Columns]) -> None:
    def total(name: str) -> int:
        values = [getattr(row, name) for row in rows]
        return sum(value if isinstance(value, int) else len(value) for value in values)

    found, columns = total("found"), total("columns")
    print(
        f"{title:30} {total('tables'):7} {columns:8} {found:7} {total('extra'):6}"
        f" {total('unsure'):7} {_percent(total('types'), found):>7}"
        f" {_percent(total('nullability'), found):>7} {total('errors'):7}"
        f" {_percent(found, columns)}"
    )


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:6.2f}" if whole else "     -"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ddl", type=Path, default=OWN, help="folder with manifest.csv")
    parser.add_argument("--only", default="", help="scripts whose name or dialect holds this")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--list", action="store_true", help="all that is missing, and errors")
    parser.add_argument("--no-speed", action="store_true")
    given = parser.parse_args(arguments)
    scripts = [s for s in scripts_of(given.ddl) if given.only in f"{s.dialect} {s.name}"]
    read_scripts = {script: read(script) for script in scripts}
    tables = count_tables(read_scripts)
    compared, skipped = compare_columns(read_scripts)
    texts: dict[str, list[str]] = {}
    for script in scripts:
        texts.setdefault(script.dialect, []).extend(script.texts())
    speed = None if given.no_speed else schema_speed.measured(texts)
    if given.json:
        figures = {
            "tables": {dialect: asdict(row) for dialect, row in tables.items()},
            "columns": [asdict(row) for row in compared],
            "skipped": skipped,
            "speed": asdict(speed) if speed else None,
        }
        print(json.dumps(figures, indent=1, ensure_ascii=False))
        return 0
    report_tables(tables)
    report_columns(compared, given.list)
    for line in skipped:
        print(line)
    if speed is not None:
        schema_speed.report(speed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
