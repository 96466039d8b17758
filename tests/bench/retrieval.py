"""How often a question gets the tables and examples that it needs; no model is asked.

    python tests/bench/retrieval.py [--questions FILE] [--schemas DIR] [--pairs FILE]
        [--unanswerable FILE] [--tables N] [--list]

``--schemas`` holds DDL scripts, which become one workspace, alone and among ``--tables`` made-up
tables. ``--questions`` is JSONL with ``question``, ``tables`` and ``db_id``. Recall is over the
tables that a question needs: those pinned, found or on a join path, at the prompt's budget.
``--pairs`` is JSONL with ``question`` and ``sql``: they are the examples at hand. Without any of
these only the project's own paraphrases are measured. Of ``--unanswerable`` it is counted how
many are turned away by their words alone, and how many of the other questions wrongly are.
"""

from __future__ import annotations

import argparse
import datetime
import json
import random
import resource
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from sqlscribe.knowledge.embedders import WordLlamaEmbedder, likeness
from sqlscribe.knowledge.examples import Example
from sqlscribe.knowledge.index import Entry, Index
from sqlscribe.knowledge.retrieval import card, choose_examples, choose_tables
from sqlscribe.knowledge.unrelated import strange_words
from sqlscribe.models import verified
from sqlscribe.notation.document import Document
from sqlscribe.prompting.context import Limits, Material, Request, assemble
from sqlscribe.schema import ddl
from sqlscribe.schema.model import Column, ForeignKey, Schema, Table

OWN = Path(__file__).parent.parent / "unit" / "knowledge" / "paraphrases.yaml"
TODAY = datetime.date(2026, 1, 15)

AREAS = "crm hr fin wms mes gl ap ar pos web app mkt log srv iot edu med geo ins leg".split()
THINGS = (
    "customer order product employee student course teacher station trip weather account payment"
    " invoice shipment supplier contract ticket device sensor alert campaign lead session page"
    " event asset budget claim policy patient doctor room building vehicle route driver branch"
    " loan card user role permission message comment review rating category price discount coupon"
    " refund return warehouse stock batch recipe machine shift absence salary grade exam school"
    " city country region address contact phone email singer album concert show channel movie"
    " player team match score venue author journal paper keyword domain restaurant dish booking"
    " flight airport passenger hotel guest pet owner visit test result sample molecule atom bond"
).split()
ENDINGS = (
    "history log archive stage detail summary daily map attribute type audit snapshot note"
    " setting import export queue error link rule version balance total forecast"
).split()
COLUMNS = (
    "name code status type created_at updated_at created_by amount quantity price total date year"
    " city country title description note email phone address is_active parent_id sort_order"
    " start_date end_date score rating capacity age weight height comment source url language"
).split()


@dataclass(frozen=True)
class Asked:
    """A question with the tables, or the known question, that it should find."""

    question: str
    wanted: frozenset[str]
    language: str


def load(folder: Path) -> Schema:
    """The scripts of ``folder`` as one schema; a name that comes twice gets its file's name."""
    tables: list[tuple[str, Table]] = []
    for path in sorted(folder.glob("*.sql")):
        document = Document(path.as_uri(), path.read_text("utf-8"))
        read = ddl.replayed((ddl.read(document, path, "sqlite"),)).schema
        tables += [(path.stem, table) for table in read.tables]
    names = [table.name.casefold() for _, table in tables]
    return Schema(
        tuple(
            replace(table, schema=stem) if names.count(table.name.casefold()) > 1 else table
            for stem, table in tables
        )
    )


def distractors(number: int) -> Iterator[Table]:
    """Made-up tables that share their words with real ones; those of one area join."""
    pick = random.Random(7)
    combinations = [
        f"{area}_{thing}_{ending}" for area in AREAS for thing in THINGS for ending in ENDINGS
    ]
    pick.shuffle(combinations)
    for name in combinations[:number]:
        area, thing, _ = name.split("_")
        columns = [Column(f"{name}_id", "INTEGER"), Column(f"{thing}_id", "INTEGER")]
        columns += [Column(one, "TEXT") for one in pick.sample(COLUMNS, 6)]
        columns += [Column(f"{pick.choice(THINGS)}_{pick.choice(COLUMNS)}", "TEXT")]
        other = pick.choice(combinations[:number])
        keys = (ForeignKey((f"{thing}_id",), other, "", (f"{other}_id",)),)
        yield Table(
            name,
            tuple(columns),
            primary_key=(f"{name}_id",),
            foreign_keys=keys if other.startswith(area) else (),
        )


def recall_of_tables(
    title: str, schema: Schema, asked: Sequence[Asked], limits: Limits, listed: bool
) -> None:
    index = Index.open(None, WordLlamaEmbedder())
    tables = {table.qualified_name: table for table in schema.tables}
    start = time.perf_counter()
    index.sync("table", [Entry("table", name, card(t)) for name, t in tables.items()])
    indexing = time.perf_counter() - start
    found: list[tuple[Asked, frozenset[str], int]] = []
    times: list[float] = []
    for one in asked:
        start = time.perf_counter()
        hits = index.search(one.question, "table", 60)
        chosen = choose_tables(one.question, tables, hits)
        material = Material(schema, "sqlite", TODAY, tables=chosen)
        context = assemble(Request(one.question), material, limits)
        times.append(time.perf_counter() - start)
        names = {scored.item.qualified_name.casefold() for scored in context.tables}
        found.append((one, one.wanted - names, len(names)))
    index.close()
    print(f"\n{title}: {len(schema.tables)} tables, {limits.tokens} tokens")
    for language in ("en", "zh", ""):
        part = [each for each in found if each[0].language.startswith(language)]
        if not part:
            continue
        needed = sum(len(one.wanted) for one, _, _ in part)
        missed = sum(len(missing) for _, missing, _ in part)
        complete = sum(not missing for _, missing, _ in part)
        print(
            f"  {language or 'all':4} recall {1 - missed / needed:.3f} of {needed} tables,"
            f" complete {complete}/{len(part)} = {complete / len(part):.3f},"
            f" {statistics.mean(size for _, _, size in part):.0f} tables in a prompt"
        )
    print(f"  first index {indexing:.1f} s, choosing p95 {_p95(times) * 1000:.0f} ms")
    if listed:
        for one, missing, _ in found:
            if missing:
                print(f"    {sorted(missing)} for {one.question}")


def recall_of_examples(
    title: str, asked: Sequence[Asked], known: Sequence[str], listed: bool
) -> None:
    """The share of questions whose known question is first, and among the first five."""
    examples = [Example(question, f"SELECT {n}") for n, question in enumerate(known)]
    index = Index.open(None, WordLlamaEmbedder())
    index.sync("example", [Entry("example", e.key, e.question) for e in examples])
    print(f"\n{title}: {len(known)} known questions")
    for language in ("en", "zh"):
        ranks = []
        for one in (each for each in asked if each.language == language):
            hits = index.search(one.question, "example", 40)
            chosen = choose_examples(one.question, examples, hits, 5)
            names = [scored.item.question for scored in chosen]
            rank = next((n for n, name in enumerate(names) if name in one.wanted), 9)
            ranks.append(rank)
            if listed and rank == 9:
                print(f"    {one.question} | wanted {sorted(one.wanted)} | {names[:5]}")
        if ranks:
            first, five = (sum(rank < most for rank in ranks) / len(ranks) for most in (1, 5))
            print(f"  {language} {len(ranks)} paraphrases: first {first:.3f}, of five {five:.3f}")
    index.close()


def precision_of_verified(asked: Sequence[Asked], known: Sequence[str]) -> None:
    """How many paraphrases the built-in model answers, and how many of these with the right SQL."""
    examples = [Example(question, f"SELECT {n}") for n, question in enumerate(known)]
    answered = right = 0
    for one in asked:
        found = verified.answer(one.question, examples)
        if isinstance(found, verified.VerifiedAnswer):
            answered += 1
            right += found.example.question in one.wanted
    itself = sum(
        isinstance(found := verified.answer(question, examples), verified.VerifiedAnswer)
        and found.example.question == question
        for question in known
    )
    print(f"\nverified: {right} of {answered} answers right, {len(asked)} paraphrases;")
    print(f"  of the known questions themselves {itself} of {len(known)}")


def turned_away(title: str, rows: Sequence[dict[str, Any]], folder: Path, listed: bool) -> None:
    """How many questions are said to be about something else than their database."""
    schemas: dict[str, Schema] = {}
    away = 0
    for row in rows:
        if row["db_id"] not in schemas:
            path = folder / f"{row['db_id']}.sql"
            document = Document(path.as_uri(), path.read_text("utf-8"))
            schemas[row["db_id"]] = ddl.replayed((ddl.read(document, path, "sqlite"),)).schema
        strange = strange_words(row["question"], schemas[row["db_id"]].tables, likeness)
        away += bool(strange)
        if listed and strange:
            print(f"    {', '.join(strange)} | {row['question']}")
    print(f"turned away, {title}: {away} of {len(rows)}")


def _paraphrases(path: Path) -> tuple[list[str], list[Asked]]:
    rows = yaml.safe_load(path.read_text("utf-8"))
    asked = [
        Asked(other, frozenset({known}), "en" if other.isascii() else "zh")
        for known, *others in rows
        for other in others
    ]
    return [known for known, *_ in rows], asked


def _p95(times: Sequence[float]) -> float:
    return sorted(times)[int(len(times) * 0.95)] if times else 0.0


def _jsonl(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def _asked(rows: Sequence[dict[str, Any]], schema: Schema) -> list[Asked]:
    names: dict[tuple[str, str], str] = {}
    for table in schema.tables:
        stem = table.schema or (table.file.stem if table.file else "")
        names[table.name.casefold(), stem] = table.qualified_name.casefold()
    return [
        Asked(
            row["question"],
            frozenset(
                names.get((table.casefold(), row["db_id"]), table.casefold())
                for table in row["tables"]
                if any(table.casefold() == name for name, _ in names)
            ),
            row["lang"],
        )
        for row in rows
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--schemas", type=Path)
    parser.add_argument("--pairs", type=Path)
    parser.add_argument("--unanswerable", type=Path)
    parser.add_argument("--tables", type=int, default=5000)
    parser.add_argument("--list", action="store_true", help="name what was missed")
    chosen = parser.parse_args()
    known, asked = _paraphrases(OWN)
    recall_of_examples("own paraphrases", asked, known, chosen.list)
    precision_of_verified(asked, known)
    if chosen.schemas:
        print()
        for title in ("unanswerable", "questions", "pairs"):
            if path := getattr(chosen, title):
                turned_away(title, _jsonl(path), chosen.schemas, chosen.list)
    if chosen.pairs:
        more = [row["question"] for row in _jsonl(chosen.pairs)]
        recall_of_examples("among pairs", asked, [*more, *known], chosen.list)
    if chosen.questions and chosen.schemas:
        schema = load(chosen.schemas)
        wanted = _asked(_jsonl(chosen.questions), schema)
        recall_of_tables("one workspace", schema, wanted, Limits(), False)
        small = Limits(4_000, whole_schema=0)
        recall_of_tables("one workspace, chosen", schema, wanted, small, chosen.list)
        extra = tuple(distractors(chosen.tables - len(schema.tables)))
        large = Schema((*schema.tables, *extra))
        recall_of_tables("among made-up tables", large, wanted, Limits(), chosen.list)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\npeak memory {peak:.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
