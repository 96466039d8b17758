"""A live database on the command line: its schema, its word, its values."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest
from test_command_line import run, run_json

from loopback import LoopbackModel, Say
from shop import use_model, write


def make(path: Path, statements: Iterable[str]) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        for statement in statements:
            database.execute(statement)


@pytest.fixture
def live(tmp_path: Path) -> Path:
    """A workspace that knows its tables from a SQLite database alone."""
    make(
        tmp_path / "shop.db",
        [
            "CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT, email TEXT)",
            "CREATE TABLE orders (id INTEGER PRIMARY KEY, status TEXT, placed_on DATE,"
            " customer_id INTEGER REFERENCES customers (id))",
            "INSERT INTO customers VALUES (1, 'Oslo', 'a@b.example'), (2, 'Rome', 'c@d.example')",
            "INSERT INTO orders VALUES (1, 'open', '2024-01-31', 1), (2, 'paid', '2024-02-01', 2)",
        ],
    )
    write(tmp_path, {"sqlscribe.toml": '[database]\nurl = "sqlite:///shop.db"\n'})
    return tmp_path


def test_the_database_is_a_schema_and_is_kept_as_a_script(live: Path) -> None:
    found = run_json("schema", cwd=live)
    assert [table["name"] for table in found["tables"]] == ["customers", "orders"]
    assert found["tables"][1]["foreign_keys"][0]["to_table"] == "customers"
    assert "CREATE TABLE orders" in (live / ".sqlscribe/database.sql").read_text("utf-8")
    before = (live / "shop.db").read_bytes()
    assert run("schema", cwd=live).returncode == 0
    assert (live / "shop.db").read_bytes() == before


def test_a_database_that_is_not_there_is_told_and_costs_nothing_else(shop: Path) -> None:
    write(shop, {"sqlscribe.toml": '[database]\nurl = "sqlite:///none.db"\n'})
    done = run("schema", cwd=shop)
    assert "customers (" in done.stdout
    assert "none.db" in done.stderr
    assert not (shop / "none.db").exists()


def test_pull_writes_scripts_and_values_for_git(live: Path) -> None:
    done = run("schema", "pull", "--into", "ddl", "--profiles", cwd=live)
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in (live / "ddl").iterdir()) == ["customers.sql", "orders.sql"]
    values = (live / "profiles/values.yaml").read_text("utf-8")
    assert "status: [open, paid]" in values
    # An address of a person is no value to choose from.
    assert "example" not in values
    again = run("schema", "pull", "--into", "ddl", cwd=live)
    assert "0 scripts written, 0 removed" in again.stdout
    assert "no values were read" in again.stderr


def test_pull_without_a_database_is_a_clear_sentence(shop: Path) -> None:
    done = run("schema", "pull", cwd=shop)
    assert done.returncode == 2
    assert "no database is named" in done.stderr


def test_a_mistake_in_the_settings_is_told_instead_of_a_missing_database(live: Path) -> None:
    path = live / "sqlscribe.toml"
    path.write_text(path.read_text("utf-8") + "patience = 3\n", "utf-8")
    pulled = run("schema", "pull", cwd=live)
    assert pulled.returncode == 2
    assert "sqlscribe.toml is not in force, for line 3: unknown key 'patience'" in pulled.stderr
    shown = run("schema", cwd=live)
    assert shown.returncode == 1
    assert "config/unknown-key" in shown.stdout


def test_profiles_from_scripts_keep_what_people_wrote(shop: Path) -> None:
    write(
        shop,
        {
            "db/rows.sql": "INSERT INTO customers VALUES (1, 'Ada L', 'Oslo'), (2, 'Bo', 'Rome');",
            "profiles/p.yaml": "customers:\n  full_name: []  # on purpose\n",
        },
    )
    assert "city: [Oslo, Rome]" in run("profiles", cwd=shop).stdout
    done = run("profiles", "--into", "profiles/p.yaml", cwd=shop)
    assert done.returncode == 0, done.stderr
    text = (shop / "profiles/p.yaml").read_text("utf-8")
    assert text.startswith("customers:\n  full_name: []  # on purpose\n")
    assert "city: [Oslo, Rome]" in text


@pytest.mark.parametrize(("checks", "found"), [("explain", ["engine/error"]), ("off", [])])
def test_the_engine_has_its_word_on_an_answer(live: Path, checks: str, found: list[str]) -> None:
    # No name is wrong here; only the engine knows how many arguments its function takes.
    sql = "SELECT quote(city, 1) FROM customers"
    with LoopbackModel(Say(f"```sql\n{sql}\n```")) as model:
        use_model(
            live,
            model.api_base,
            more=f'max_repairs = 0\n[database]\nurl = "sqlite:///shop.db"\nchecks = "{checks}"\n',
        )
        text = (live / "sqlscribe.toml").read_text("utf-8")
        write(live, {"sqlscribe.toml": text.replace('"postgres"', '"sqlite"')})
        told = run_json("ask", "cities", cwd=live, code=len(found), TEST_MODEL_KEY="FAKE-1")
    assert [finding["code"] for finding in told["findings"]] == found


def test_the_database_is_asked_again_by_who_wants_to_see_it(live: Path) -> None:
    # No copy was made yet.
    assert "status: [open, paid]" in run("profiles", "--database", cwd=live).stdout
    make(live / "shop.db", ["DROP TABLE orders", "CREATE TABLE parcels (state TEXT)"])
    assert [t["name"] for t in run_json("schema", cwd=live)["tables"]] == ["customers", "parcels"]
    done = run("profiles", "--database", cwd=live)
    assert "orders" not in done.stdout + done.stderr


def test_where_nothing_can_be_written_it_is_one_sentence(live: Path) -> None:
    (live / "taken").write_text("a file", "utf-8")
    for words in (
        ("schema", "pull", "--into", "taken/db"),
        ("profiles", "--database", "--into", "taken/values.yaml"),
    ):
        done = run(*words, cwd=live)
        assert done.returncode == 2
        assert "is not written" in done.stderr
        assert "Traceback" not in done.stderr


def test_a_database_without_tables_removes_no_script(live: Path) -> None:
    run("schema", "pull", "--into", "ddl", cwd=live)
    make(live / "empty.db", ["CREATE TABLE gone (a INTEGER)", "DROP TABLE gone"])
    done = run("schema", "pull", "--into", "ddl", "--url", "sqlite:///empty.db", cwd=live)
    assert done.returncode == 2
    assert "left as it is" in done.stderr
    assert (live / "ddl/orders.sql").exists()


def test_a_check_without_its_database_gives_what_the_files_tell(live: Path) -> None:
    run("schema", cwd=live)
    (live / "shop.db").unlink()
    write(live, {"q.sql": "SELECT cty FROM customers;\n"})
    found = run("check", "--database", cwd=live)
    assert found.returncode == 1
    assert "unknown column cty" in found.stdout
    assert "The database was not asked" in found.stderr
    # What was to be done and was not is no clean result.
    write(live, {"q.sql": "SELECT city FROM customers;\n"})
    clean = run("check", "--database", cwd=live)
    assert (clean.returncode, clean.stdout) == (2, "")
    assert run("check", cwd=live).returncode == 0


def test_a_check_with_no_database_at_all_says_so(shop: Path) -> None:
    done = run("check", "--database", cwd=shop)
    assert done.returncode == 2
    assert "none is configured" in done.stderr
