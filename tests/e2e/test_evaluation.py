"""``sqlscribe eval`` as people and CI run it: a real process that asks a real server."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evaluating import PETS, QUESTIONS, make_database, make_set
from loopback import Behaviour, Connection, Hang, LoopbackModel, Refuse, Say
from shop import write


class Answers:
    """Says the SQL for the question that ends the prompt; ``changed`` are other answers by id."""

    def __init__(self, **changed: str | Behaviour) -> None:
        self.changed = changed

    def __call__(self, connection: Connection) -> bool:
        asked = connection.exchange.json["messages"][-1]["content"]
        said: str | Behaviour = "INSUFFICIENT: nothing is known of that"
        for item in QUESTIONS:
            if asked.endswith(item["question"]):
                said = self.changed.get(item["id"], f"```sql\n{item['gold_sql']}\n```")
        behaviour = Say(said) if isinstance(said, str) else said
        return behaviour(connection)


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "sqlscribe", "eval", *arguments]


def run(*arguments: str, cwd: Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        command(*arguments),
        cwd=cwd,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=150,
    )
    assert done.returncode == code, done.stderr + done.stdout
    assert "Traceback" not in done.stderr
    return done


def run_json(*arguments: str, cwd: Path, code: int = 0) -> Any:
    return json.loads(run(*arguments, "--json", cwd=cwd, code=code).stdout)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_set(tmp_path / "set", (*QUESTIONS, {"id": "weather", "question": "What is the weather?"}))
    (tmp_path / "ws").mkdir()
    return tmp_path / "ws"


def model(server: LoopbackModel, *more: str) -> list[str]:
    given = ("model.name=openai/test", f"model.api_base={server.api_base}", *more)
    return [part for setting in given for part in ("--set", setting)]


def test_a_set_is_asked_run_and_compared(folder: Path) -> None:
    wrong = Answers(heavy="```sql\nSELECT name FROM pets\n```")
    with LoopbackModel(wrong) as server:
        found = run_json("../set/questions.jsonl", *model(server), cwd=folder)
        assert len(server.exchanges) == 4
    [arm] = found["arms"]
    assert (arm["n"], arm["correct"], arm["recognised"]) == (3, 2, 1)
    assert (arm["valid_sql_rate"], arm["prompt_tokens"]) == (1.0, 400)
    assert arm["by_language"]["zh"]["correct"] == 1
    verdicts = {q["id"]: q["arms"]["workspace"]["verdict"] for q in found["questions"]}
    assert verdicts == {
        "count": "right",
        "heavy": "wrong rows",
        "zh": "right",
        "weather": "recognised",
    }


def test_arms_side_by_side_with_a_report(folder: Path) -> None:
    arms = """
    [arms.ours]
    [arms.bare]
    examples = false
    checked = false
    templates = "bare"
    model.max_repairs = 0
    """
    write(
        folder,
        {"arms.toml": arms, "bare/ask/system.j2": "", "bare/ask/user.j2": "Just: {{ question }}"},
    )
    replies = Answers(count="```sql\nSELECT count(*) FROM pet\n```")
    with LoopbackModel(replies) as server:
        done = run("../set/questions.jsonl", "--arms", "arms.toml", "--html", "r.html",
                   *model(server), cwd=folder)  # fmt: skip
        sent = [exchange.json["messages"] for exchange in server.exchanges]
    bare = [messages for messages in sent if messages[-1]["content"].startswith("Just: ")]
    assert [len(messages) for messages in bare] == [1, 1, 1, 1]
    assert any("pet" in messages[-1]["content"] and len(messages) > 2 for messages in sent)
    assert "against ours" in done.stdout
    assert "no such table: pet" in (folder / "r.html").read_text("utf-8")


def test_a_run_that_was_killed_goes_on_where_it_was(folder: Path) -> None:
    arguments = ["../set/questions.jsonl", "--out", "out"]
    with LoopbackModel(Answers(zh=Hang())) as server:
        process = subprocess.Popen(
            command(*arguments, *model(server)), cwd=folder, stderr=subprocess.PIPE
        )
        assert server.wait_for(3, 100)
        process.send_signal(signal.SIGTERM if os.name == "nt" else signal.SIGKILL)
        process.wait(30)
        assert process.stderr is not None
        process.stderr.close()
        server.replace(Answers())
        before = len(server.exchanges)
        found = run_json(*arguments, *model(server), cwd=folder)
        assert len(server.exchanges) - before == 2
        assert found["arms"][0]["correct"] == 3
        run(*arguments, "--fresh", *model(server), cwd=folder)
        assert len(server.exchanges) - before == 6


def test_a_build_fails_for_what_passed_before(folder: Path) -> None:
    arguments = ["../set/questions.jsonl", "--fresh"]
    with LoopbackModel(Answers()) as server:
        run(*arguments, "--save-baseline", "base.json", *model(server), cwd=folder)
        server.replace(Answers(heavy="INSUFFICIENT: who knows"))
        done = run(*arguments, "--baseline", "base.json", *model(server), cwd=folder, code=1)
        assert "fails now: heavy" in done.stdout
        run(*arguments, "--baseline", "base.json", "--tolerance", "30", *model(server), cwd=folder)
    assert (
        json.loads((folder / "base.json").read_text("utf-8"))["arms"]["workspace"]["heavy"] is True
    )


def test_the_workspaces_own_examples_are_held_out(tmp_path: Path) -> None:
    make_database(tmp_path / "pets.db")
    write(
        tmp_path,
        {
            "sqlscribe.toml": 'dialect = "sqlite"\nschema = ["s.sql"]\n[database]\nurl = "sqlite:///pets.db"\n',
            "s.sql": PETS,
            "training/a.jsonl": "".join(
                json.dumps({"question": item["question"], "sql": item["gold_sql"]}) + "\n"
                for item in QUESTIONS
            ),
        },
    )
    with LoopbackModel(Answers()) as server:
        found = run_json("--held-out", *model(server), cwd=tmp_path)
        prompts = [exchange.json["messages"][-1]["content"] for exchange in server.exchanges]
    assert found["arms"][0]["correct"] == 3
    assert found["arms"][0]["sources"] == {"model": 3}
    for prompt in prompts:
        [asked] = [item for item in QUESTIONS if prompt.endswith(item["question"])]
        assert prompt.count(asked["question"]) == 1
        assert asked["gold_sql"] not in prompt


@pytest.mark.parametrize("status", [401, 404])
def test_a_model_that_cannot_be_asked_ends_the_run(folder: Path, status: int) -> None:
    with LoopbackModel(Refuse(status)) as server:
        done = run("../set/questions.jsonl", *model(server), cwd=folder, code=2)
        assert len(server.exchanges) == 1
    assert "arm workspace" in done.stderr


def test_a_question_whose_gold_query_does_not_run_is_not_counted(tmp_path: Path) -> None:
    file = make_set(
        tmp_path, (QUESTIONS[0], {"id": "bad", "question": "x", "gold_sql": "SELECT nme"})
    )
    with LoopbackModel(Answers()) as server:
        done = run(str(file), "--json", *model(server), cwd=tmp_path)
    assert "not counted: bad: " in done.stderr
    assert json.loads(done.stdout)["arms"][0]["n"] == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["none.jsonl"], "none.jsonl"),
        ([], "no examples"),
        (["q.jsonl", "--held-out"], "no SET"),
        (["q.jsonl", "--as-of", "soon"], "as-of"),
        (["q.jsonl", "--arm", "x"], "--arm needs --arms"),
        (["q.jsonl", "--tolerance", "3"], "--tolerance needs"),
        (["q.jsonl", "--html", "no/r.html"], "no such folder"),
        (["q.jsonl", "--set", "model.nme=x"], "nme"),
        (["q.jsonl", "--only", "nothing"], "leaves none over"),
        (["q.jsonl", "--baseline", "q.jsonl"], "no baseline"),
        (["broken.jsonl"], "broken.jsonl, line 1"),
        (["q.jsonl"], "no database"),
    ],
)
def test_bad_usage_is_two_and_one_clear_sentence(
    tmp_path: Path, arguments: list[str], words: str
) -> None:
    write(
        tmp_path, {"q.jsonl": '{"question": "x", "gold_sql": "SELECT 1"}\n', "broken.jsonl": "{\n"}
    )
    done = run(*arguments, cwd=tmp_path, code=2)
    assert words in done.stderr
    assert done.stdout == ""
