"""Answers with a database at hand: lookups, samples, empty results, and candidates."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_command_line import run, run_json
from test_database_commands import make

from editor import editor
from loopback import LoopbackModel, Say
from shop import write

GOOD = "SELECT sum(total) AS revenue FROM orders WHERE region = 'East China'"
GUESS = "SELECT sum(total) AS revenue FROM orders WHERE region = 'east china'"
QUESTION = "revenue in the east of China"


def fenced(sql: str) -> Say:
    return Say(f"```sql\n{sql}\n```")


def workspace(folder: Path, model: LoopbackModel, more: str) -> Path:
    make(
        folder / "shop.db",
        [
            "CREATE TABLE orders (id INTEGER PRIMARY KEY, region TEXT, total REAL, secret TEXT)",
            "INSERT INTO orders VALUES (1, 'East China', 5, 'hidden-1'),"
            " (2, 'North', 7, 'hidden-2')",
        ],
    )
    configuration = (
        f'[model]\nname = "openai/loopback"\napi_base = "{model.api_base}"\n{more}\n'
        '[database]\nurl = "sqlite:///shop.db"\n'
    )
    write(folder, {"sqlscribe.toml": configuration})
    return folder


SAMPLES = '[privacy]\nvalues = "samples"\nmask = ["*.secret"]'
RUN = "run_queries = true\n"


def allow(folder: Path) -> None:
    path = folder / "sqlscribe.toml"
    path.write_text(path.read_text("utf-8") + RUN, "utf-8")


def test_a_lookup_is_run_and_its_values_go_to_the_model(tmp_path: Path) -> None:
    with LoopbackModel(Say("LOOKUP: SELECT DISTINCT region FROM orders"), fenced(GOOD)) as model:
        folder = workspace(tmp_path, model, SAMPLES)
        allow(folder)
        found = run_json("ask", QUESTION, cwd=folder)
        sent = [exchange.json["messages"] for exchange in model.exchanges]
    assert (found["outcome"], found["sql"], found["usage"]["calls"]) == ("sql", GOOD, 2)
    assert "LOOKUP:" in sent[0][0]["content"]
    assert "orders.region: East China | North" in sent[1][-1]["content"]
    assert "the model was sent 2 values of orders.region" in found["warnings"]
    # Read for the prompt by themselves, too; never the masked ones.
    assert "East China" in str(sent[0])
    assert "hidden" not in str(sent)


def test_where_queries_are_not_run_the_person_is_told_which_values_are_wanted(
    tmp_path: Path,
) -> None:
    with LoopbackModel(Say("LOOKUP: SELECT DISTINCT region FROM orders")) as model:
        folder = workspace(tmp_path, model, "")
        found = run_json("ask", QUESTION, cwd=folder, code=1)
        sent = [exchange.json["messages"] for exchange in model.exchanges]
    assert (found["outcome"], found["sql"], len(sent)) == ("insufficient", None, 1)
    assert "orders.region" in found["message"]
    assert "run_queries" in found["message"]
    assert "East China" not in str(sent)
    assert "LOOKUP" not in str(sent)


async def test_a_query_that_gives_nothing_is_repaired_in_the_editor(tmp_path: Path) -> None:
    with LoopbackModel(fenced(GUESS), fenced(GOOD)) as model:
        folder = workspace(tmp_path, model, "")
        allow(folder)
        async with editor(folder) as ed:
            ed.open("q.sql", f"-- ask: {QUESTION}\n")
            document = ed.apply((await ed.resolved("q.sql", 0)).edit)
        again = model.exchanges[1].json["messages"][-1]["content"]
    assert GOOD in document.text
    assert "only NULL" in again


def test_candidates_are_asked_for_and_counted_by_their_rows(tmp_path: Path) -> None:
    same = "SELECT 5.0 AS revenue"
    with LoopbackModel(fenced(GUESS), fenced(GOOD), fenced(same)) as model:
        folder = workspace(tmp_path, model, "candidates = 3\nmax_repairs = 0")
        allow(folder)
        found = run_json("ask", QUESTION, cwd=folder)
        temperatures = sorted(exchange.json["temperature"] for exchange in model.exchanges)
    assert temperatures == [0.0, 0.7, 0.7]
    assert found["sql"] in (GOOD, same)
    assert "vote (2 of 3 by rows)" in found["checked"]
    assert found["usage"]["calls"] == 3
    assert found["usage"]["prompt_tokens"] == 300


@pytest.mark.parametrize("key", ["run_queries = true", 'values = "samples"'])
def test_without_a_database_a_finding_says_what_is_missing(shop: Path, key: str) -> None:
    table = "database" if key.startswith("run") else "privacy"
    write(shop, {"sqlscribe.toml": f"[{table}]\n{key}\n"})
    done = run("check", "sqlscribe.toml", cwd=shop)
    assert "has no effect without database.url" in done.stdout + done.stderr
