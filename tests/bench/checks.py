"""How often the checker is wrong: alarms on good SQL, and wrong SQL that it lets pass.

    python tests/bench/checks.py [--questions F.jsonl --schemas DIR] [--ddl DIR] [--json] [--list]

``F.jsonl`` has ``db_id``, ``dialect`` and ``gold_sql`` (and maybe ``gold_sql_postgres``) in every
line, ``DIR`` a script ``<db_id>.sql`` for each; beside it ``DIR_postgres`` is used for the other
form. ``--ddl`` names a folder ``<dialect>/<name>.sql`` of real scripts: all statements that hold
queries are checked against the script's own schema. Without arguments the example shop is used.

Alarms are findings on names, errors of syntax are counted beside them. Variants that SQLite
accepts after all are left out, so that only wrong ones count.
"""

from __future__ import annotations

import argparse
import json
import re
import sqlite3
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path

from mutants import Mutant, Query, mutants

from sqlscribe.checking.check import check
from sqlscribe.checking.names.parts import QUERIES, parts_of
from sqlscribe.checking.parsing import parsed
from sqlscribe.inspection import Inspector
from sqlscribe.notation import asks
from sqlscribe.notation.document import Document, decode
from sqlscribe.notation.findings import Finding
from sqlscribe.notation.statements import split
from sqlscribe.schema import ddl
from sqlscribe.schema.identifiers import quote
from sqlscribe.schema.model import Schema

SHOP = Path(__file__).resolve().parents[2] / "examples" / "shop"


@dataclass
class Alarms:
    """Findings on SQL that is taken to be right."""

    statements: int = 0
    names: list[str] = field(default_factory=list)
    syntax: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def per_thousand(self) -> float:
        return 1000 * len(self.names) / max(self.statements, 1)

    def add(self, where: str, findings: Iterable[Finding], text: str) -> None:
        for finding in findings:
            line = text.count("\n", 0, finding.span.start) + 1
            told = f"{where}:{line} {finding.code} {finding.message}"
            if finding.code.startswith("name/"):
                self.names.append(told)
            elif finding.code.startswith("syntax/"):
                self.syntax.append(told)


@dataclass
class Kind:
    """Variants of one kind: how many there are, were found, and had the right name first."""

    made: int = 0
    found: int = 0
    fixable: int = 0
    fixed: int = 0
    missed: list[str] = field(default_factory=list)
    not_first: list[str] = field(default_factory=list)


# Right queries.


@lru_cache(maxsize=64)
def schema_of(path: Path, dialect: str) -> Schema:
    text = decode(path.read_bytes(), "cp1252").text
    return ddl.replay([ddl.read(Document(path.name, text), path, dialect)])


def queries_of(questions: Path, schemas: Path) -> Iterator[Query]:
    for line in questions.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        forms = ((row["dialect"], "gold_sql", schemas),
                 ("postgres", "gold_sql_postgres", schemas.with_name(f"{schemas.name}_postgres")),
        )  # fmt: skip
        for dialect, key, folder in forms:
            path = folder / f"{row['db_id']}.sql"
            for sql in (row.get(key), *(row.get(f"{key}_alternatives") or ())):
                if sql and path.is_file():
                    yield Query(f"{row['id']} {dialect}", sql, dialect, schema_of(path, dialect))


def queries_of_shop() -> Iterator[Query]:
    scripts = sorted((SHOP / "db").glob("*.sql"))
    schema = ddl.replay(
        ddl.read(Document(path.name, path.read_text(encoding="utf-8")), path, "sqlite")
        for path in scripts
    )
    text = (SHOP / "training" / "revenue.sql").read_text(encoding="utf-8")
    for statement in split(text, "sqlite"):
        yield Query(statement.keyword, statement.span.of(text), "sqlite", schema)


def alarms_on_queries(queries: Iterable[Query]) -> Alarms:
    alarms = Alarms()
    start = time.perf_counter()
    for query in queries:
        alarms.statements += 1
        found = check(query.sql, query.schema, query.dialect).findings
        alarms.add(query.name, found, query.sql)
    alarms.seconds = time.perf_counter() - start
    return alarms


def alarms_on_scripts(folder: Path) -> dict[str, Alarms]:
    """Alarms on what the scripts ask and on what they load, apart: rows are easy to be right on.

    What was not checked is not counted: files that the inspector leaves alone, and parts that do
    not parse.
    """
    alarms = {"queries and routines": Alarms(), "changes of data": Alarms()}
    for path in sorted(folder.glob("*/*.sql")):
        dialect = path.parent.name
        text = decode(path.read_bytes(), "cp1252").text
        script = asks.read(Document(path.name, text), dialect)
        start = time.perf_counter()
        found = Inspector(schema_of(path, dialect)).inspect(script)
        seconds = time.perf_counter() - start
        left_alone = any(f.code == "check/not-checked" and f.span.end == 0 for f in found)
        if left_alone:
            print(f"not checked: {dialect}/{path.name}", file=sys.stderr)
            continue
        for statement in script.statements:
            changes = statement.keyword in _CHANGES
            kind = alarms["changes of data" if changes else "queries and routines"]
            kind.statements += _checked_in(statement.span.of(text), statement.keyword, dialect)
            inside = [f for f in found if statement.span.start <= f.span.start < statement.span.end]
            kind.add(f"{dialect}/{path.name}", inside, text)
        alarms["queries and routines"].seconds += seconds
    return alarms


_CHANGES = frozenset({"INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE"})


def _checked_in(sql: str, keyword: str, dialect: str) -> int:
    """How many queries and changes in a statement could be checked."""
    parts = parts_of(sql, dialect)
    texts = [sql] if parts is None and keyword in QUERIES else [part.sql for part in parts or ()]
    return sum(parsed(each, dialect).problem is None for each in texts)


# Wrong ones.


def kinds_of(queries: Iterable[Query]) -> dict[str, Kind]:
    kinds: dict[str, Kind] = defaultdict(Kind)
    for query in queries:
        for mutant in mutants(query):
            if not _is_valid_after_all(mutant):
                _count(mutant, kinds[mutant.kind])
    return dict(sorted(kinds.items()))


def _count(mutant: Mutant, kind: Kind) -> None:
    dialect = mutant.kind.startswith("dialect")
    wanted = ("dialect/", "syntax/", "name/") if dialect else ("name/",)
    kind.made += 1
    findings = check(mutant.sql, mutant.schema, mutant.dialect).findings
    found = [each for each in findings if each.code.startswith(wanted)]
    if not found:
        kind.missed.append(f"{mutant.origin}: {mutant.sql}")
        return
    kind.found += 1
    if not mutant.right:
        return
    kind.fixable += 1
    fixes = (each.fixes[0] for each in found if each.fixes)
    document = Document("q.sql", mutant.sql)
    if any(_plain(document.changed(fix.edits).text) == _plain(mutant.right) for fix in fixes):
        kind.fixed += 1
    else:
        kind.not_first.append(f"{mutant.origin}: {found[0].message} | {mutant.sql}")


def _plain(sql: str) -> str:
    return re.sub(r'["`\[\]]', "", sql).casefold()


def _is_valid_after_all(mutant: Mutant) -> bool:
    """What SQLite says of a variant. Of one on another schema it says nothing."""
    if mutant.dialect != "sqlite" or "dropped" in mutant.kind:
        return False
    try:
        _empty(mutant.schema).execute(f"EXPLAIN {mutant.sql}")
    except sqlite3.Error:
        return False
    return True


_DATABASES: dict[int, sqlite3.Connection] = {}


def _empty(schema: Schema) -> sqlite3.Connection:
    connection = _DATABASES.get(id(schema))
    if connection is None:
        connection = _DATABASES[id(schema)] = sqlite3.connect(":memory:")
        for table in schema.tables:
            columns = ", ".join(quote(column.name, "") for column in table.columns)
            connection.execute(f"CREATE TABLE {quote(table.name, '')} ({columns})")
    return connection


# The report.


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--schemas", type=Path)
    parser.add_argument("--ddl", type=Path)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--list", action="store_true", help="show what was missed, too")
    options = parser.parse_args(arguments)
    if options.questions and options.schemas:
        queries = list(queries_of(options.questions, options.schemas))
    else:
        queries = list(queries_of_shop())
    alarms = {"right queries": alarms_on_queries(queries)}
    if options.ddl:
        alarms |= alarms_on_scripts(options.ddl)
    kinds = kinds_of(queries)
    if options.json:
        told = {name: asdict(each) for name, each in (*alarms.items(), *kinds.items())}
        json.dump(told, sys.stdout, ensure_ascii=False, indent=1)
        return 0
    for name, each in alarms.items():
        _show_alarms(name, each)
    _show_kinds(kinds, missed=options.list)
    return 0


def _show_alarms(name: str, alarms: Alarms) -> None:
    print(
        f"{name}: {alarms.statements} statements in {alarms.seconds:.1f} s,"
        f" {len(alarms.names)} alarms on names ({alarms.per_thousand:.2f} in 1,000),"
        f" {len(alarms.syntax)} on syntax"
    )
    for told in (*alarms.names, *alarms.syntax):
        print(f"  {told}")


def _show_kinds(kinds: dict[str, Kind], *, missed: bool) -> None:
    print(f"\n{'kind':36}{'made':>7}{'found':>8}{'right name first':>19}")
    for name, kind in kinds.items():
        _show_kind(name, kind)
        for told in (*kind.missed, *kind.not_first) if missed else ():
            print(f"    {' '.join(told.split())}")
    print()
    for name, group in (("names", False), ("dialect", True)):
        chosen = [kind for key, kind in kinds.items() if key.startswith("dialect") is group]
        _show_kind(
            name,
            Kind(
                sum(kind.made for kind in chosen),
                sum(kind.found for kind in chosen),
                sum(kind.fixable for kind in chosen),
                sum(kind.fixed for kind in chosen),
            ),
        )


def _show_kind(name: str, kind: Kind) -> None:
    found = f"{100 * kind.found / kind.made:.1f} %" if kind.made else "-"
    fixed = f"{100 * kind.fixed / kind.fixable:.1f} %" if kind.fixable else ""
    print(f"{name:36}{kind.made:>7}{found:>8}{fixed:>19}")


if __name__ == "__main__":
    sys.exit(main())
