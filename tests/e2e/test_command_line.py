"""The command line as scripts and CI see it: output, JSON shapes, exit codes."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from loopback import LoopbackModel, Say
from shop import use_model, write
from sqlscribe import files
from sqlscribe.loading import Loader
from sqlscribe.notation import asks
from sqlscribe.notation.document import Document
from sqlscribe.notation.stamps import stamp
from sqlscribe.provenance import Known, Record, facts_of, key_of, origin_of, sql_fingerprint
from sqlscribe.settings import ClientSettings


def run(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.endswith("_KEY")}
    return subprocess.run(
        [sys.executable, "-m", "sqlscribe", *arguments],
        cwd=cwd,
        env={**kept, **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )


def run_json(*arguments: str, cwd: Path, code: int = 0, **environment: str) -> Any:
    done = run(*arguments, "--json", cwd=cwd, **environment)
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


def test_ask_prints_sql_that_a_shell_can_pass_on(shop: Path) -> None:
    done = run("ask", "How many customers live in 'Rome'?", cwd=shop)
    assert done.returncode == 0
    assert done.stdout == "SELECT count(*) FROM customers WHERE city = 'Rome'\n"


@pytest.mark.parametrize(
    ("piped", "code"),
    [
        (b"how many customers live in 'Lyon'?\n", 0),
        (b"\xef\xbb\xbfhow many customers\r\nlive in 'Lyon'?\r\n", 0),
        (b" \n", 2),
    ],
)
def test_a_question_may_come_through_a_pipe(shop: Path, piped: bytes, code: int) -> None:
    command = [sys.executable, "-m", "sqlscribe", "ask", "-"]
    done = subprocess.run(
        command, cwd=shop, input=piped, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == code
    assert (b"'Lyon'" in done.stdout) == (code == 0)


def test_ask_as_json_has_the_contracts_shape(shop: Path) -> None:
    sql = "SELECT full_name FROM customers"
    with LoopbackModel(Say(f"```sql\n{sql}\n```", prompt_tokens=700)) as model:
        use_model(shop, model.api_base)
        found = run_json("ask", "names", cwd=shop, TEST_MODEL_KEY="FAKE-key-1")
    assert {"outcome", "sql", "findings", "model", "usage", "provenance"} <= found.keys()
    assert (found["outcome"], found["sql"], found["model"]) == ("sql", sql, "openai/test")
    assert found["usage"]["prompt_tokens"] == 700
    assert found["provenance"]["tables"] == ["customers", "orders"]


def test_a_question_that_is_not_answered_is_one(shop: Path) -> None:
    found = run_json("ask", "the weather", cwd=shop, code=1)
    assert found["outcome"] == "insufficient"
    assert found["sql"] is None


def test_ask_for_a_question_in_a_file(shop: Path) -> None:
    write(shop, {"q.sql": "SELECT 1;\n\n-- ask: how many customers\n-- live in 'Oslo'?\n"})
    done = run("ask", "--file", "q.sql", "--line", "4", cwd=shop)
    assert (
        "no question stands on line 1"
        in run("ask", "--file", "q.sql", "--line", "1", cwd=shop).stderr
    )
    assert done.returncode == 0, done.stderr
    assert "city = 'Oslo'" in done.stdout


def test_a_file_is_read_as_the_folder_reads_its_own(shop: Path) -> None:
    (shop / "q.sql").write_bytes("-- ask: 每个城市\n".encode("gbk"))
    write(shop, {"sqlscribe.toml": 'encoding = "gbk"\n'})
    done = run("prompt", "--file", "q.sql", "--line", "1", cwd=shop)
    assert done.stdout.endswith("Question: 每个城市\n")
    assert "q.sql: not UTF-8; read as gbk" in done.stderr
    write(shop, {"sqlscribe.toml": "limits.schema_file_megabytes = 0.001\n"})
    (shop / "q.sql").write_bytes(b"-- ask: names\n" + b"SELECT 1;\n" * 200)
    done = run("ask", "--file", "q.sql", "--line", "1", cwd=shop)
    assert (done.returncode, done.stdout) == (2, "")
    assert "more than the limit" in done.stderr


def test_a_mistake_in_the_configuration_is_told_with_each_answer(shop: Path) -> None:
    write(shop, {"sqlscribe.toml": "[model]\nmax_repairs = -1\n"})
    for command in ("ask", "prompt"):
        said = run(command, "the weather", cwd=shop).stderr
        assert "-- sqlscribe.toml, line 2: max_repairs must be at least 0" in said


def test_prompt_as_json_has_the_contracts_shape(shop: Path) -> None:
    found = run_json("prompt", "orders with total < 5 & name = 'O''Brien'", cwd=shop)
    assert {
        "messages", "tokens", "sections", "tables", "examples", "left_out", "values_sent",
    } <= found.keys()  # fmt: skip
    # Examples stand between them, as turns.
    roles = [message["role"] for message in found["messages"]]
    assert (roles[0], roles[-1]) == ("system", "user")
    assert set(roles[1:-1]) <= {"user", "assistant"}
    assert found["messages"][-1]["content"].endswith("orders with total < 5 & name = 'O''Brien'")
    assert {table["name"] for table in found["tables"]} == {"customers", "orders"}


def test_schema_as_json_has_the_contracts_shape(shop: Path) -> None:
    found = run_json("schema", cwd=shop)
    customers, orders = found["tables"]
    assert customers["columns"][1] == {
        "name": "full_name",
        "type": "text",
        "nullable": False,
        "comment": "as on the invoice",
        "values": [],
        "fields": [],
    }
    assert orders["foreign_keys"][0]["to_table"] == "customers"
    assert (orders["primary_key"], orders["line"]) == (["order_id"], 6)
    assert found["diagnostics"] == []


def test_check_names_file_line_and_fix(shop: Path) -> None:
    write(shop, {"q.sql": "-- who\nSELECT nme FROM customers;\n"})
    [found] = run_json("check", "q.sql", cwd=shop, code=1)["diagnostics"]
    assert found["file"] == str(shop / "q.sql")
    assert (found["line"], found["column"], found["end_line"], found["end_column"]) == (
        2,
        8,
        2,
        11,
    )
    assert (found["code"], found["severity"]) == ("name/unknown-column", "error")
    assert found["fixes"][0]["edits"][0]["text"]
    done = run("check", "q.sql", cwd=shop)
    assert done.stdout.startswith(f"{shop / 'q.sql'}:2:8: error: ")


def test_check_of_a_folder_checks_all_files_in_it(shop: Path) -> None:
    wrong = "SELECT nme FROM customers;\n"
    write(shop, {"reports/a.sql": wrong, "reports/old/b.sql": wrong, "c.sql": wrong})
    for folder, names in {"reports": ["a.sql", "b.sql"], ".": ["a.sql", "b.sql", "c.sql"]}.items():
        found = run_json("check", folder, cwd=shop, code=1)["diagnostics"]
        assert sorted(Path(each["file"]).name for each in found) == names
    # The configuration is that of the folder's own workspace, wherever one stands.
    found = run_json("check", str(shop / "reports"), cwd=shop.parent, code=1)["diagnostics"]
    assert [each["code"] for each in found] == ["name/unknown-column"] * 2


def test_check_of_a_clean_workspace_is_silent(shop: Path) -> None:
    done = run("check", cwd=shop)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout


def test_check_covers_configuration_examples_and_templates(shop: Path) -> None:
    write(
        shop,
        {
            "sqlscribe.toml": 'dialect = "postgres"\ndialekt = 1\n',
            "training/more.jsonl": '{"question": "cities", "sql": "SELECT FROM"}\n{oops\n',
            "prompts/ask/user.j2": "{% if %}",
        },
    )
    found = run_json("check", cwd=shop, code=1)["diagnostics"]
    by_file = {Path(item["file"]).name for item in found}
    assert by_file == {"sqlscribe.toml", "more.jsonl", "user.j2"}


def test_check_of_one_file_tells_that_the_configuration_is_broken(shop: Path) -> None:
    write(shop, {"q.sql": "SELECT 1;\n", "sqlscribe.toml": "dialect = \n"})
    for named in (["q.sql"], ["q.sql", "sqlscribe.toml"]):
        [found] = run_json("check", *named, cwd=shop, code=1)["diagnostics"]
        assert (Path(found["file"]).name, found["code"]) == ("sqlscribe.toml", "config/syntax")


def test_index_builds_and_doctor_tells_keys_by_name_only(shop: Path) -> None:
    assert "1 examples" in run("index", cwd=shop).stdout
    assert (shop / ".sqlscribe" / "index.db").exists()
    assert (shop / ".sqlscribe" / ".gitignore").read_text() == "*\n"
    secret = "sk-FAKE-abc123456789"
    done = run("doctor", cwd=shop, OPENAI_API_KEY=secret)
    assert done.returncode == 0, done.stderr
    assert "OPENAI_API_KEY" in done.stdout
    assert secret not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["ask"], "question"),
        (["ask", " "], "empty"),
        (["ask", "x", "--model", "nobody"], "nobody"),
        (["ask", "x", "--as-of", "soon"], "as-of"),
        (["ask", "x", "--as-of", "20240131"], "as-of"),
        (["demo", "--svg", "none/x.svg"], "no such folder"),
        (["serve", "--tcp", "127.0.0.1:99999"], "usage"),
        (["ask", "x", "--dialect", "postgress"], "postgress"),
        (["nonsense"], "nonsense"),
        (["ask", "--file", "none.sql", "--line", "1"], "none.sql"),
    ],
)
def test_bad_usage_is_two_and_one_clear_sentence(
    shop: Path, arguments: list[str], words: str
) -> None:
    done = run(*arguments, cwd=shop)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_demo_answers_in_english_and_chinese(tmp_path: Path) -> None:
    done = run("demo", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "销售额最高的3个商品" in done.stdout
    assert "LIMIT 3" in done.stdout
    assert "checked:" in done.stdout
    assert "tokens" in done.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_every_letter_can_be_printed_whatever_the_code_page(shop: Path, encoding: str) -> None:
    write(shop, {"training/x.sql": "-- ask: 客户?\nSELECT '客户😀' FROM customers;\n"})
    done = run("ask", "客户?", cwd=shop, PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stdout) == (0, "SELECT '客户😀' FROM customers\n"), done.stderr


def test_a_dialect_may_be_named_as_people_name_it(shop: Path) -> None:
    assert run("prompt", "x", "--dialect", "PostgreSQL", cwd=shop).returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="a folder in use cannot be removed there")
def test_a_current_folder_that_is_gone_is_told(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    program = "import os, sys; os.rmdir(os.getcwd()); os.execv(sys.executable, sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", program, sys.executable, "-m", "sqlscribe", "check"],
        cwd=gone,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    assert done.returncode == 2
    assert done.stderr == ("sqlscribe: the current folder is gone; name one with --workspace\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_that_cannot_be_written_is_told(shop: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "sqlscribe", "schema"],
            cwd=shop,
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
            timeout=60,
        )
    assert done.returncode == 2
    assert done.stderr.startswith("sqlscribe: the output was not written: ")


def test_check_writes_what_ci_services_read(shop: Path) -> None:
    write(shop, {"q.sql": "SELECT nme FROM customers;\n"})
    done = run("check", "q.sql", "--format", "github", cwd=shop)
    assert done.returncode == 1
    assert done.stdout.startswith("::error file=q.sql,line=1,endLine=1,col=8,endColumn=11,")
    log = json.loads(run("check", "q.sql", "--format", "sarif", cwd=shop).stdout)
    [result] = log["runs"][0]["results"]
    assert result["ruleId"] == "name/unknown-column"


def test_a_comment_or_the_configuration_switches_a_finding_off(shop: Path) -> None:
    wrong = "SELECT nme FROM customers;"
    write(shop, {"q.sql": f"{wrong} -- sqlscribe: ignore[name/unknown-column]\n"})
    assert run("check", "q.sql", cwd=shop).returncode == 0
    write(shop, {"q.sql": f"{wrong}\n"})
    assert run("check", "q.sql", cwd=shop).returncode == 1
    write(shop, {"sqlscribe.toml": '[checks]\nignore = ["name/*"]\n'})
    assert run("check", "q.sql", cwd=shop).returncode == 0


def test_check_tells_which_stamped_answers_are_out_of_date(shop: Path) -> None:
    asked, sql = "-- ask: people in Lyon\n", "SELECT 1 FROM customers WHERE city = 'Lyon'"
    loaded = Loader().load(files.walk(shop), {}, ClientSettings())
    known = Known(loaded.schema, loaded.examples, loaded.rules, loaded.templates)
    [question] = asks.read(Document("q.sql", asked), "postgres").questions
    origin = origin_of(["customers"], (), known, "verified", "2024-01-31")
    record = Record(key_of(question), sql_fingerprint(sql, "postgres"), origin)
    text = f"{asked}{sql};\n{stamp(facts_of(record))}\n"
    write(shop, {"q.sql": text})
    assert run_json("check", "q.sql", cwd=shop)["diagnostics"] == []
    ddl = (shop / "db/shop.sql").read_text("utf-8")
    write(shop, {"db/shop.sql": ddl.replace("city text", "city varchar(80)")})
    [found] = run_json("check", "q.sql", cwd=shop)["diagnostics"]
    assert (found["code"], found["severity"], found["line"]) == ("ask/stale", "hint", 1)
    assert "customers changed" in found["message"]
    write(shop, {"q.sql": f"-- sqlscribe: ignore-file[ask/stale]\n{text}"})
    assert run_json("check", "q.sql", cwd=shop)["diagnostics"] == []
