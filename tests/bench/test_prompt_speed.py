"""A prompt on a large workspace: 5,000 tables and 5,000 examples, as a hover renders it.

Run with ``make bench``. ``choosing`` is retrieval and selection, ``prompt`` all of it, and
``snapshot`` is what looking for changed files costs before it.
"""

import asyncio
import json
import random
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from sqlscribe import answer
from sqlscribe.answer import Snapshot
from sqlscribe.notation.document import Document
from sqlscribe.prompting.context import Request
from sqlscribe.session import Session

WORDS = (
    "invoice ledger shipment parcel route vendor contract asset budget claim policy device sensor"
    " reading alert ticket campaign lead session page event audit role customer order product"
).split()
REQUEST = Request("invoices per vendor with a price over 77")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("large")
    pick = random.Random(5).choice

    def table(number: int) -> str:
        columns = "".join(f",\n  {pick(WORDS)}_{pick(WORDS)}_{n} text" for n in range(19))
        return f"CREATE TABLE {pick(WORDS)}_{pick(WORDS)}_{number} (\n  id int{columns}\n);\n"

    (root / "schema.sql").write_text("".join(table(number) for number in range(5000)))
    (root / "training").mkdir()
    pairs = (
        {"question": f"{pick(WORDS)} per {pick(WORDS)} number {n}", "sql": f"SELECT {n} AS a"}
        for n in range(5000)
    )
    (root / "training" / "pairs.jsonl").write_text("\n".join(map(json.dumps, pairs)))
    (root / "sqlscribe.toml").write_text('dialect = "postgres"\n[model]\nname = "verified"\n')
    return root


def look(session: Session, root: Path) -> Snapshot:
    document = Document((root / "q.sql").as_uri(), "-- ask: x\n", 1)
    session.open(document, root / "q.sql")
    return asyncio.run(session.snapshot(document))


@pytest.mark.benchmark(group="a prompt over 5,000 tables and 5,000 examples")
def test_prompt(benchmark: BenchmarkFixture, workspace: Path) -> None:
    snapshot = look(Session({}), workspace)
    prompt = benchmark.pedantic(
        answer.prepare, args=(REQUEST, snapshot), rounds=20, warmup_rounds=1
    )
    assert prompt.tokens <= snapshot.limits.tokens


@pytest.mark.benchmark(group="a prompt over 5,000 tables and 5,000 examples")
def test_choosing(benchmark: BenchmarkFixture, workspace: Path) -> None:
    snapshot = look(Session({}), workspace)
    hits = benchmark.pedantic(
        snapshot.search, args=(REQUEST.question, "table", 60), rounds=20, warmup_rounds=1
    )
    assert hits


@pytest.mark.benchmark(group="a prompt over 5,000 tables and 5,000 examples")
def test_snapshot(benchmark: BenchmarkFixture, workspace: Path) -> None:
    session = Session({})
    look(session, workspace)
    assert benchmark.pedantic(look, args=(session, workspace), rounds=20).schema.tables
