"""The page and the text of a run: whole, and never anything but text from what others wrote."""

import dataclasses
from html.parser import HTMLParser

from evaluating import made_run, made_trial
from sqlscribe.evaluation.arms import Arm
from sqlscribe.evaluation.as_json import run_json
from sqlscribe.evaluation.baseline import Change
from sqlscribe.evaluation.execution import Result
from sqlscribe.evaluation.report import html
from sqlscribe.evaluation.run import Gold, Run, Skipped
from sqlscribe.evaluation.summary import changed, summary, table
from sqlscribe.models.chat import Message
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding, Severity

NASTY = (
    "</pre></script><script>alert('x')</script><img src=x onerror=alert(1)>\" ' & \x00\u202e\ud800"
)


class Page(HTMLParser):
    """Checks that tags are closed in order, and keeps the tags and the text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] not in ("style", "script"):
            self.text += data


def nasty_run() -> Run:
    finding = Finding("name/unknown-column", Severity.ERROR, NASTY, Span(0, 1))
    trial = made_trial(NASTY, NASTY, "does not run", sql=NASTY, message=NASTY, error=NASTY,
                       findings=(finding,), warnings=(NASTY,), model=NASTY, source="model",
                       result=Result((NASTY,), ((NASTY,), (None,))), replies=(NASTY,),
                       sent=(Message("system", NASTY * 20), Message("user", NASTY)))  # fmt: skip
    question = dataclasses.replace(
        trial.question,
        question=NASTY,
        db_id=NASTY,
        evidence=NASTY,
        difficulty=NASTY,
        gold=(NASTY, "b"),
    )
    trial = dataclasses.replace(trial, question=question)
    other = dataclasses.replace(trial, question=dataclasses.replace(question, id="other"))
    gold = Gold("", ((NASTY, trial.result), ("b", trial.result)))
    arm = Arm(NASTY, description=NASTY)
    return Run((arm,), (trial, other), {NASTY: gold, "other": gold}, (Skipped(question, NASTY),))


def test_data_stays_text() -> None:
    text = html(nasty_run())
    page = Page(text)
    assert page.open == []
    assert [tag for tag, _ in page.tags if tag in ("script", "img", "link", "iframe")] == ["script"]
    assert not [name for _, attrs in page.tags for name in attrs if name.startswith("on")]
    assert "<script>alert('x')</script>" in page.text
    assert not {"\x00", "\u202e"} & set(text)
    text.encode("utf-8")


def test_the_page_needs_nothing_from_elsewhere() -> None:
    text = html(made_run(("ours", ["right"])))
    page = Page(text)
    assert not [attrs for _, attrs in page.tags if "src" in attrs]
    assert all((attrs.get("href") or "#").startswith("#") for _, attrs in page.tags)
    assert "default-src &#x27;none&#x27;" in text
    assert "http://" not in text.replace("http-equiv", "")


def test_the_page_tells_what_a_reader_wants_to_know() -> None:
    run = made_run(
        ("ours", ["right", "wrong rows"]), ("plain", ["does not run", "right"]),
        sql="SELECT nme", error="no such column: nme", sent=(Message("user", "How?"),),
        replies=("SELECT nme",),
    )  # fmt: skip
    text = Page(html(run)).text
    for words in ("ours: 1 of 2 right", "Differences on the same questions", "What is q1?",
                  "no such column: nme", "plain: does not run", "How?", "Expected"):  # fmt: skip
        assert words in text, words


def test_a_long_message_of_many_prompts_is_kept_once() -> None:
    long = "The schema. " * 100
    run = made_run(("ours", ["right"] * 5), sent=(Message("system", long),))
    text = html(run)
    assert text.count(long.strip()) == 1
    assert text.count('href="#m1"') == 5
    assert text.count('id="m1"') == 1


def test_the_summary_has_a_line_for_each_arm_and_difference() -> None:
    run = made_run(("ours", ["right", "right"]), ("plain", ["wrong rows", "right"]))
    lines = summary(run).splitlines()
    assert lines[0].split()[:3] == ["arm", "n", "right"]
    assert lines[1].split()[:4] == ["ours", "2", "2", "100.0"]
    assert any(
        line.startswith("plain  -50.0") or line.split()[:2] == ["plain", "-50.0"] for line in lines
    )
    assert any(line.split() == ["wrong", "rows", "0", "1"] for line in lines)


def test_columns_of_a_table_stand_below_one_another() -> None:
    lines = list(table(("name", "n", "empty"), [["客户", "1", ""], ["orders", "20", ""]]))
    assert lines == ["name     n", "客户     1", "orders  20"]


def test_changes_are_told_by_question() -> None:
    text = changed([Change("ours", 4, 0.75, 0.5, ("q2",), (), True)])
    assert text == (
        "ours: worse than the baseline on 4 questions: 75.0 % before, 50.0 % now\n  fails now: q2"
    )


def test_json_has_the_contracts_shape() -> None:
    data = run_json(made_run(("ours", ["right"]), ("plain", ["does not run"]), sql="SELECT 1"))
    assert data.keys() == {"arms", "pairs", "questions", "skipped"}
    arm = data["arms"][0]
    assert {"name", "n", "correct", "execution_accuracy", "valid_sql_rate", "repairs", "cost",
            "prompt_tokens", "completion_tokens", "seconds_median", "cached_share", "outcomes",
            "by_language", "by_database", "by_difficulty"} <= arm.keys()  # fmt: skip
    assert (arm["name"], arm["n"], arm["correct"]) == ("ours", 1, 1)
    assert data["pairs"][0]["only_reference_right"] == 1
    [question] = data["questions"]
    assert question["arms"]["plain"]["verdict"] == "does not run"
    assert question["gold"][0]["rows"] == [[1]]
