"""What is kept about answers, and what of it has changed since."""

from dataclasses import replace
from pathlib import Path

import pytest

from sqlscribe.knowledge.examples import Example
from sqlscribe.loading import Loaded
from sqlscribe.notation import asks
from sqlscribe.notation.asks import Script
from sqlscribe.notation.document import Document
from sqlscribe.notation.stamps import read_facts, stamp, write_facts
from sqlscribe.origins import Origins, stale
from sqlscribe.provenance import Record, facts_of, key_of, origin_of, record_of, sql_fingerprint
from sqlscribe.schema.model import Column, Schema, Table
from sqlscribe.settings import ModelSettings, Settings
from sqlscribe.settings.fields import CheckSettings

ORDERS = Table("orders", (Column("id", "int"), Column("total", "numeric")))
TOWNS = Table("towns", (Column("id", "int"),), schema="my sales")
LYON = Example("how many in Lyon?", "SELECT 1")
LOADED = Loaded(dialect="postgres", schema=Schema((ORDERS, TOWNS)), examples=(LYON,), rules="Net.")
SQL = "SELECT total FROM orders"
TEXT = f"-- ask: all totals\n{SQL};\n"


def read(text: str) -> Script:
    return asks.read(Document("file:///a.sql", text), "postgres")


def record(text: str = TEXT, used: tuple[str, ...] = ("orders",)) -> Record:
    script = read(text)
    question = script.questions[0]
    sql = script.sql_of(question)
    known = Origins(None).known(LOADED)
    origin = origin_of(used, [LYON], known, "openai/x", "2026-01-31")
    return Record(key_of(question), sql_fingerprint(sql, "postgres"), origin)


def other_orders() -> Loaded:
    return replace(LOADED, schema=Schema((replace(ORDERS, comment="net"), TOWNS)))


def no_orders() -> Loaded:
    return replace(LOADED, schema=Schema((TOWNS,)))


@pytest.fixture(params=["kept on disk", "kept in memory", "stamped"])
def origins(request: pytest.FixtureRequest, tmp_path: Path) -> Origins:
    made = Origins(None if request.param == "kept in memory" else tmp_path / ".sqlscribe" / "o")
    if request.param != "stamped":
        made.put(record())
    return made


@pytest.fixture
def text(request: pytest.FixtureRequest) -> str:
    stamped = "stamped" in request.node.callspec.id
    return f"{TEXT}{stamp(facts_of(record()))}\n" if stamped else TEXT


def test_an_answer_is_stale_once_what_it_was_made_from_changes(origins: Origins, text: str) -> None:
    script = read(text)
    assert stale(script, origins, LOADED) == ()
    [hint] = stale(script, origins, other_orders())
    assert (hint.code, hint.span) == ("ask/stale", script.questions[0].span)
    assert hint.message == "the answer may be out of date: orders changed"
    [hint] = stale(script, origins, replace(no_orders(), rules="Gross.", examples=()))
    assert "orders is gone, 1 example of its prompt is gone, the rules changed" in hint.message


def test_another_model_makes_ones_own_answers_stale_and_none_that_are_shared(
    tmp_path: Path,
) -> None:
    settings = Settings(
        model=ModelSettings(name="openai/y"), models={"old": ModelSettings(name="openai/x")}
    )
    now = replace(LOADED, settings=settings)
    own = Origins(tmp_path / "o")
    own.put(record())
    script = read(TEXT)
    [hint] = stale(script, own, now)
    assert hint.message == "the answer may be out of date: the model is openai/y now"
    assert stale(read(TEXT.replace("ask:", "ask[model=old]:")), own, now) == ()
    shared = read(f"{TEXT}{stamp(facts_of(record()))}\n")
    assert stale(shared, Origins(None), now) == ()
    own.accept(script, script.questions[0], now)
    assert stale(script, own, now) == ()


def test_edits_above_formatting_and_other_files_change_nothing(origins: Origins, text: str) -> None:
    moved = text.replace("all totals", "All  totals?").replace("SELECT total", "select\n  total ")
    script = read(f"SELECT 1;\n\n/* more */\n{moved}")
    standing = origins.standing(script, script.questions[0], other_orders())
    assert standing.changes == ("orders changed",)
    assert not standing.edited


def test_sql_that_a_person_edited_keeps_its_record(origins: Origins, text: str) -> None:
    script = read(text.replace("SELECT total", "SELECT id"))
    standing = origins.standing(script, script.questions[0], LOADED)
    assert (standing.edited, standing.changes) == (True, ())
    assert origins.standing(script, script.questions[0], other_orders()).changes
    script = read(text.replace("FROM orders", "FROM towns"))
    assert origins.standing(script, script.questions[0], other_orders()).changes == ()


def test_what_is_accepted_is_not_stale_any_more(origins: Origins, text: str) -> None:
    script = read(text.replace("SELECT total", "SELECT id"))
    accepted = origins.accept(script, script.questions[0], other_orders())
    assert accepted is not None
    assert accepted.origin.tables.keys() == {"orders"}
    again = read(f"{TEXT.replace('SELECT total', 'SELECT id')}{stamp(facts_of(accepted))}")
    for each in (again, read(TEXT.replace("SELECT total", "SELECT id"))):
        standing = origins.standing(each, each.questions[0], other_orders())
        assert (standing.changes, standing.edited) == ((), False)


def test_a_question_that_was_changed_makes_its_answer_stale(origins: Origins, text: str) -> None:
    script = read(text.replace("all totals", "all totals of 2024"))
    [hint] = stale(script, origins, LOADED)
    assert hint.message == "the answer may be out of date: the question changed"
    assert origins.accept(script, script.questions[0], LOADED)
    if "sqlscribe:" not in text:
        assert stale(script, origins, LOADED) == ()


def test_a_copy_of_an_answer_under_another_question_is_not_taken_for_a_change() -> None:
    origins = Origins(None)
    origins.put(record())
    assert stale(read(f"{TEXT}\n-- ask: the sums\n{SQL};\n"), origins, LOADED) == ()


def test_the_hint_can_be_switched_off() -> None:
    origins = Origins(None)
    origins.put(record())
    settings = Settings(checks=CheckSettings(ignore=("ask/*",)))
    assert stale(read(TEXT), origins, replace(other_orders(), settings=settings)) == ()
    script = read(f"-- sqlscribe: ignore-file[ask/stale]\n\n{TEXT}")
    assert stale(script, origins, other_orders()) == ()


@pytest.mark.parametrize(
    "text", ["-- ask: all totals\n", f"{SQL};\n", f"-- ask: new\n{SQL};\n-- refine: x\n"]
)
def test_where_nothing_is_known_nothing_is_said(text: str) -> None:
    script = read(text)
    origins = Origins(None)
    assert stale(script, origins, no_orders()) == ()
    for question in script.questions:
        assert origins.accept(script, question, LOADED) is None


def test_an_answer_that_is_an_example_is_verified() -> None:
    loaded = replace(LOADED, examples=(Example("All totals?", f"{SQL};", "postgres"),))
    script = read(TEXT)
    assert Origins(None).standing(script, script.questions[0], loaded).verified is not None
    other = read(TEXT.replace("total FROM", "id FROM"))
    assert Origins(None).standing(other, other.questions[0], loaded).verified is None


def test_a_record_is_read_as_it_was_written() -> None:
    made = record(used=("orders", "my sales.towns"))
    assert record_of(read_facts(write_facts(facts_of(made)))) == made
    assert record_of(read_facts("verified_by=Ada verified_at=2026-01-31")) is None


def test_two_files_may_answer_one_question_with_other_sql(tmp_path: Path) -> None:
    origins = Origins(tmp_path / ".sqlscribe" / "origins")
    other = TEXT.replace("total FROM orders", "id FROM towns")
    origins.put(record())
    origins.put(record(other, ("my sales.towns",)))
    again = Origins(tmp_path / ".sqlscribe" / "origins")
    for text, changed in ((TEXT, ("orders is gone",)), (other, ())):
        script = read(text)
        assert again.standing(script, script.questions[0], no_orders()).changes == changed
    assert again.find(script.questions[0], "select ID from TOWNS") is not None


def test_a_folder_that_cannot_be_written_is_told_and_records_live_on(tmp_path: Path) -> None:
    (tmp_path / ".sqlscribe").write_text("a file is in the way")
    origins = Origins(tmp_path / ".sqlscribe" / "origins")
    origins.put(record())
    assert "not kept" in origins.remark
    assert len(stale(read(TEXT), origins, no_orders())) == 1


def test_names_in_a_stamp_reach_no_file_outside(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x")
    origins = Origins(tmp_path / ".sqlscribe" / "origins")
    script = read(f"{TEXT}-- sqlscribe: question=../../secret sql=../x table=orders:0\n")
    assert origins.standing(script, script.questions[0], LOADED).changes
    origins.put(Record("../../secret", "../../secret", record().origin))
    assert (tmp_path / "secret").read_text() == "x"
