"""Examples of other tools, on the command line."""

import json
from pathlib import Path

from test_command_line import run, run_json

from loopback import LoopbackModel, Say
from shop import use_model, write

KEY = {"TEST_MODEL_KEY": "FAKE-abc123"}
PAIRS = [
    {"question": "cities of customers", "content": "SELECT DISTINCT city FROM customers"},
    {"training_data_type": "sql", "content": "SELECT count(*) FROM customers"},
    {"question": "broken", "sql": "SELECT FROM"},
]


def test_an_import_is_checked_written_and_used(shop: Path) -> None:
    write(shop, {"pairs.json": json.dumps(PAIRS), "training/pairs.sql": "-- ask: one\nSELECT 1"})
    done = run("examples", "import", "pairs.json", cwd=shop)
    assert done.returncode == 1
    assert "1 examples added" in done.stdout
    assert "pairs.json:1: it has no question" in done.stderr
    assert "does not parse" in done.stderr
    text = (shop / "training/pairs.sql").read_text("utf-8")
    assert text == (
        "-- ask: one\nSELECT 1;\n\n-- ask: cities of customers\n"
        "SELECT DISTINCT city FROM customers;\n"
    )
    answered = run("ask", "Cities of customers", cwd=shop)
    assert answered.stdout == "SELECT DISTINCT city FROM customers\n"
    again = run_json("examples", "import", "pairs.json", cwd=shop, code=1)
    assert (again["added"], again["known"]) == (0, 1)
    assert (shop / "training/pairs.sql").read_text("utf-8") == text


def test_the_model_finds_a_question_only_where_that_is_wanted(shop: Path) -> None:
    write(shop, {"pairs.json": json.dumps(PAIRS[1:2])})
    with LoopbackModel(Say("How many customers are there?")) as model:
        use_model(shop, model.api_base)
        assert run_json("examples", "import", "pairs.json", cwd=shop, code=1)["added"] == 0
        assert not model.exchanges
        found = run_json("examples", "import", "pairs.json", "--ask-model", cwd=shop, **KEY)
    assert found["added"] == 1
    text = (shop / "training/pairs.sql").read_text("utf-8")
    assert text.startswith("-- ask: How many customers are there?\nSELECT count(*)")


def test_a_set_on_several_databases_wants_one_named(shop: Path) -> None:
    items = [{"db_id": name, "question": f"all of {name}", "query": "SELECT 1"} for name in "ab"]
    write(shop, {"dev.json": json.dumps(items)})
    done = run("examples", "import", "dev.json", cwd=shop)
    assert (done.returncode, "the file has a, b" in done.stderr) == (2, True)
    found = run_json("examples", "import", "dev.json", "--only", "b", cwd=shop)
    assert found["added"] == 1
    outside = run("examples", "import", "dev.json", "--only", "a", "--into", "a.sql", cwd=shop)
    assert "not among the files of the training setting" in outside.stderr
