"""What reading schema scripts costs, beside sqlglot's own parse of the same statements.

Times are the processor's, of the best of some rounds run in turn, with the program's own
settings of the garbage collector.
"""

from __future__ import annotations

import gc
import logging
import random
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import sqlglot
from sqlglot.errors import ErrorLevel

from sqlscribe.notation.document import Document
from sqlscribe.notation.statements import split
from sqlscribe.schema import ddl
from sqlscribe.schema_cache import SchemaCache

TABLES = 5_000
A_FILE = 10
ROUNDS = 3
WORDS = "invoice ledger shipment parcel route vendor contract asset budget claim policy".split()
TYPES = ["text", "int NOT NULL", "numeric(12, 2)", "timestamp DEFAULT now()", "varchar(40)"]
DEFINES = frozenset({"CREATE", "ALTER", "DROP", "COMMENT", "RENAME"})


@dataclass(frozen=True)
class Ratio:
    """Seconds over all scripts of a dialect: ours, and sqlglot's on the same statements."""

    ours: float
    parser: float
    whole: float
    """sqlglot's on every statement of the scripts, data too."""


def against_parser(texts: Sequence[str], dialect: str) -> Ratio:
    best = [[float("inf")] * 3 for _ in texts]
    for _ in range(ROUNDS):
        for number, text in enumerate(texts):
            cut = split(text, dialect)
            every = [each.span.of(text) for each in cut]
            defining = [each.span.of(text) for each in cut if each.keyword in DEFINES]
            document = Document("file:///script.sql", text)
            ways: list[Callable[[], object]] = [
                lambda document=document: ddl.read(document, Path("script.sql"), dialect),
                lambda some=defining: parse(some, dialect),
                lambda some=every: parse(some, dialect),
            ]
            for place, way in enumerate(ways):
                best[number][place] = min(best[number][place], seconds(way))
    return Ratio(*(sum(each[place] for each in best) for place in range(3)))


def parse(statements: Sequence[str], dialect: str) -> None:
    for statement in statements:
        try:
            sqlglot.parse_one(statement, read=dialect, error_level=ErrorLevel.IGNORE)
        except (sqlglot.errors.SqlglotError, RecursionError, ValueError, AttributeError):
            # What it cannot read has cost its time all the same.
            continue


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


@dataclass(frozen=True)
class Large:
    """Seconds for 5,000 tables in files of ten, and bytes for 1,000 tables."""

    first: float
    warm: float
    changed: float
    parser: float
    memory: int


def large() -> Large:
    pick = random.Random(5).choice
    statements = [_table(number, pick) for number in range(TABLES)]
    texts = ["".join(statements[n : n + A_FILE]) for n in range(0, TABLES, A_FILE)]
    documents = [Document(f"file:///{n:05}.sql", text) for n, text in enumerate(texts)]
    paths = [Path(f"{number:05}.sql") for number in range(len(texts))]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "kept"

        def load() -> list[ddl.DdlScript]:
            cache = SchemaCache(folder)
            pairs = zip(documents, paths, strict=True)
            scripts = [cache.read(document, path, "postgres") for document, path in pairs]
            cache.save(paths)
            ddl.replayed(scripts)
            return scripts

        first = seconds(load)
        warm = min(seconds(load) for _ in range(ROUNDS))
        scripts = load()
    return Large(
        first,
        warm,
        _changed(scripts, texts[7]),
        seconds(lambda: parse(statements, "postgres")),
        _memory(documents, paths),
    )


def _table(number: int, pick: Callable[[Sequence[str]], str]) -> str:
    columns = "".join(f",\n  {pick(WORDS)}_{pick(WORDS)}_{n} {pick(TYPES)}" for n in range(18))
    return (
        f"CREATE TABLE {pick(WORDS)}_{number} (\n  id bigint PRIMARY KEY{columns},\n"
        f"  other_id bigint REFERENCES {pick(WORDS)}_{number // 2} (id)\n);\n"
    )


def _changed(scripts: list[ddl.DdlScript], text: str) -> float:
    """One file is read again, and all are replayed."""
    before = ddl.replayed(scripts)
    scripts = list(scripts)

    def change() -> None:
        document = Document("file:///00007.sql", text + "-- changed\n")
        scripts[7] = ddl.read(document, scripts[7].path, "postgres")
        ddl.replayed(scripts, before)

    return min(seconds(change) for _ in range(ROUNDS))


def _memory(documents: Sequence[Document], paths: Sequence[Path]) -> int:
    """Bytes that the scripts and the schema take, for 1,000 tables."""
    some = 1_000 // A_FILE
    gc.collect()
    tracemalloc.start()
    pairs = zip(documents[:some], paths[:some], strict=True)
    scripts = [ddl.read(document, path, "postgres") for document, path in pairs]
    kept = scripts, ddl.replayed(scripts)
    gc.collect()
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    del kept
    return size


@dataclass(frozen=True)
class Speed:
    ratios: dict[str, Ratio]
    large: Large


def measured(scripts: dict[str, list[str]]) -> Speed:
    """All figures; ``scripts`` are texts by dialect."""
    logging.getLogger("sqlglot").setLevel(logging.CRITICAL)
    gc.set_threshold(50_000, 20, 100)
    ratios = {dialect: against_parser(texts, dialect) for dialect, texts in scripts.items()}
    return Speed(ratios, large())


def report(speed: Speed) -> None:
    print(f"\n{'read time':12} {'ours ms':>9} {'sqlglot ms':>11}  ratio {'all of it ms':>13}")
    for dialect, ratio in sorted(speed.ratios.items()):
        _report_ratio(dialect, ratio)
    every = speed.ratios.values()
    _report_ratio("all", Ratio(*(sum(getattr(r, n) for r in every) for n in _FIGURES)))
    found = speed.large
    print(
        f"\n{TABLES:,} tables in {TABLES // A_FILE} files: first read {found.first:.2f} s"
        f" ({found.first / found.parser:.2f} of sqlglot), warm start {found.warm:.2f} s"
        f" ({100 * found.warm / found.first:.1f} % of it), one changed file"
        f" {1000 * found.changed:.0f} ms; {found.memory / 1e6:.1f} MB for 1,000 tables"
    )


_FIGURES = ("ours", "parser", "whole")


def _report_ratio(title: str, ratio: Ratio) -> None:
    share = f"{ratio.ours / ratio.parser:6.2f}" if ratio.parser else "     -"
    print(
        f"{title:12} {1000 * ratio.ours:9.1f} {1000 * ratio.parser:11.1f} {share}"
        f" {1000 * ratio.whole:13.1f}"
    )
