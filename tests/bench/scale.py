"""How the search index grows: time, size and recall up to 100,000 tables or examples.

    python tests/bench/scale.py [--sizes 1000,10000,100000] [--questions 200] [--json FILE]

Made-up tables (with words in common, as real ones have) and made-up questions about them are
searched by sqlite-vec with exact vectors, with vectors of bytes, and with vectors of bits whose
best are compared again exactly; by FTS5; and by the whole of our index. ``agreed`` is the share
of the exact ten nearest that a way finds; ``found`` is the share of questions whose own table is
among the first sixty, which is what the prompt's context is chosen from. Times are medians and
95th percentiles of single searches in milliseconds, in one run.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import apsw
import sqlite_vec
from retrieval import AREAS, COLUMNS, ENDINGS, THINGS

from sqlscribe.knowledge.embedders import WordLlamaEmbedder
from sqlscribe.knowledge.index import Entry, Index
from sqlscribe.knowledge.retrieval import card
from sqlscribe.schema.model import Column, Table

DIMENSION = WordLlamaEmbedder.dimension
NEAREST, DEPTH = 10, 60
RESCORED = 4
"""How many times the wanted number the bits bring in, to be compared exactly."""
FORMS = (
    "how many {thing} {ending} were there by {column}",
    "average {column} of each {thing} in the {area} {ending}",
    "list the latest {ending} of a {thing} with its {column}",
    "which {thing} has the highest {column} in {area}",
)


class Made(NamedTuple):
    key: str
    text: str
    question: str


def made_up(number: int) -> Iterator[Made]:
    """Tables as the index reads them, each with a question that speaks of it."""
    pick = random.Random(11)
    names = [(area, thing, ending) for area in AREAS for thing in THINGS for ending in ENDINGS]
    pick.shuffle(names)
    for place in range(number):
        area, thing, ending = names[place % len(names)]
        copy = place // len(names)
        columns = pick.sample(COLUMNS, 5)
        marked = f"{pick.choice(THINGS)}_{pick.choice(COLUMNS)}"
        name = f"{area}_{thing}_{ending}" + (f"_{copy}" if copy else "")
        table = Table(name, tuple(Column(each, "TEXT") for each in (*columns, marked)))
        question = pick.choice(FORMS).format(
            area=area, thing=thing, ending=ending, column=marked.replace("_", " ")
        )
        yield Made(name, card(table), question)


class Figures(NamedTuple):
    way: str
    size: int
    p50_ms: float
    p95_ms: float
    agreed: float
    found: float
    megabytes: float


def vectors_of(texts: Sequence[str]) -> list[bytes]:
    embedder = WordLlamaEmbedder()
    return [
        vector.tobytes()
        for start in range(0, len(texts), 1000)
        for vector in embedder.embed(texts[start : start + 1000])
    ]


def database(made: Sequence[Made], vectors: Sequence[bytes]) -> apsw.Connection:
    """One table for each way of keeping the same vectors, and one of words."""
    connection = apsw.Connection(":memory:")
    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    connection.execute(
        f"""CREATE VIRTUAL TABLE exact USING vec0(v float[{DIMENSION}] distance_metric=cosine);
        CREATE VIRTUAL TABLE bytes USING vec0(v int8[{DIMENSION}] distance_metric=cosine);
        CREATE VIRTUAL TABLE bits USING vec0(v bit[{DIMENSION}], +whole BLOB);
        CREATE VIRTUAL TABLE words USING fts5(text, tokenize='porter unicode61')"""
    )
    with connection:
        for number, (one, vector) in enumerate(zip(made, vectors, strict=True)):
            connection.execute("INSERT INTO exact(rowid, v) VALUES (?, ?)", (number, vector))
            connection.execute(
                "INSERT INTO bytes(rowid, v) VALUES (?, vec_quantize_int8(?, 'unit'))",
                (number, vector),
            )
            connection.execute(
                "INSERT INTO bits(rowid, v, whole) VALUES (?, vec_quantize_binary(?), ?)",
                (number, vector, vector),
            )
            connection.execute("INSERT INTO words(rowid, text) VALUES (?, ?)", (number, one.text))
    return connection


def ways(connection: apsw.Connection) -> dict[str, Callable[[str, bytes], list[int]]]:
    def numbers(sql: str, *values: object) -> list[int]:
        return [int(row[0]) for row in connection.execute(sql, values)]  # type: ignore[arg-type]

    def by_words(question: str, _: bytes) -> list[int]:
        asked = " OR ".join(f'"{word}"' for word in question.split())
        ranked = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?"
        return numbers(ranked, asked, DEPTH)

    return {
        "vectors, exact": lambda _, v: numbers(
            "SELECT rowid FROM exact WHERE v MATCH ? AND k = ?", v, DEPTH
        ),
        "vectors, bytes": lambda _, v: numbers(
            "SELECT rowid FROM bytes WHERE v MATCH vec_quantize_int8(?, 'unit') AND k = ?", v, DEPTH
        ),
        "vectors, bits, best compared exactly": lambda _, v: numbers(
            "SELECT rowid FROM (SELECT rowid, whole FROM bits"
            " WHERE v MATCH vec_quantize_binary(?) AND k = ?)"
            " ORDER BY vec_distance_cosine(whole, ?) LIMIT ?",
            v,
            DEPTH * RESCORED,
            v,
            DEPTH,
        ),
        "words (FTS5)": by_words,
    }


SHADOWS = {
    "vectors, exact": "exact", "vectors, bytes": "bytes", "words (FTS5)": "words",
    "vectors, bits, best compared exactly": "bits",
}  # fmt: skip


def megabytes(connection: apsw.Connection, name: str) -> float:
    rows = connection.execute("SELECT sum(pgsize) FROM dbstat WHERE name LIKE ?", (f"{name}%",))
    return float(next(iter(rows))[0] or 0) / 1e6


def timed(action: Callable[[], Any], times: list[float]) -> Any:
    start = time.perf_counter()
    result = action()
    times.append(time.perf_counter() - start)
    return result


def measured(size: int, number: int) -> list[Figures]:
    made = list(made_up(size))
    asked = random.Random(3).sample(range(size), min(number, size))
    questions = [made[place].question for place in asked]
    connection = database(made, vectors_of([one.text for one in made]))
    wanted = vectors_of(questions)
    searches = ways(connection)
    times: dict[str, list[float]] = {way: [] for way in searches}
    agreed: dict[str, list[float]] = {way: [] for way in searches}
    found: dict[str, list[bool]] = {way: [] for way in searches}
    for place, question, vector in zip(asked, questions, wanted, strict=True):
        # In turn, so that a busy moment falls on all of them.
        results = {
            way: timed(lambda s=search, q=question, v=vector: s(q, v), times[way])
            for way, search in searches.items()
        }
        nearest = set(results["vectors, exact"][:NEAREST])
        for way, result in results.items():
            agreed[way].append(len(nearest & set(result[:NEAREST])) / NEAREST)
            found[way].append(place in result)
    rows = [
        _figures(way, size, times[way], agreed[way], found[way], megabytes(connection, shadow))
        for way, shadow in SHADOWS.items()
    ]
    connection.close()
    return [*rows, whole_index(made, asked, questions)]


def whole_index(made: Sequence[Made], asked: Sequence[int], questions: Sequence[str]) -> Figures:
    """Our own index on disk: words, pieces of words and vectors, fused."""
    times: list[float] = []
    found: list[bool] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "index.db"
        index = Index.open(path, WordLlamaEmbedder())
        start = time.perf_counter()
        index.sync("table", [Entry("table", one.key, one.text) for one in made])
        print(f"  first index of {len(made):,}: {time.perf_counter() - start:.1f} s")
        for place, question in zip(asked, questions, strict=True):
            hits = timed(lambda q=question: index.search(q, "table", DEPTH), times)
            found.append(made[place].key in {hit.key for hit in hits})
        index.close()
        size = sum(os.path.getsize(each) for each in Path(folder).iterdir()) / 1e6
    return _figures("the whole of our index", len(made), times, [], found, size)


def _figures(
    way: str,
    size: int,
    times: list[float],
    agreed: list[float],
    found: list[bool],
    megabytes: float,
) -> Figures:
    steps = statistics.quantiles(times, n=20)
    share = statistics.mean(agreed) if agreed else float("nan")
    return Figures(
        way, size, statistics.median(times) * 1000, steps[18] * 1000,
        share, statistics.mean(found), megabytes,
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows: list[Figures] = []
    for size in map(int, options.sizes.split(",")):
        print(f"\n{size:,} tables")
        for row in measured(size, options.questions):
            rows.append(row)
            share = "" if row.agreed != row.agreed else f", agreed {row.agreed:.3f}"
            print(
                f"  {row.way:38} p50 {row.p50_ms:7.1f} ms, p95 {row.p95_ms:7.1f} ms{share},"
                f" found {row.found:.3f}, {row.megabytes:.1f} MB"
            )
    if options.json:
        options.json.write_text(json.dumps([row._asdict() for row in rows], indent=2), "utf-8")


if __name__ == "__main__":
    main()
