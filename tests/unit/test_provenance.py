"""What an answer came from, and what of that changed."""

from dataclasses import replace

import pytest

from sqlscribe.knowledge.examples import Example
from sqlscribe.loading import shipped_templates
from sqlscribe.notation import asks
from sqlscribe.notation.document import Document
from sqlscribe.prompting.templates import Templates
from sqlscribe.provenance import (
    Known,
    Origin,
    Record,
    accepted,
    changes,
    facts_of,
    key_of,
    models_of,
    origin_of,
    record_of,
    sql_fingerprint,
)
from sqlscribe.schema.model import Column, Schema, Table
from sqlscribe.settings import ModelSettings, Settings

ORDERS = Table("orders", (Column("id", "int"), Column("total", "numeric")))
CUSTOMERS = Table("customers", (Column("id", "int"),), schema="sales")
LYON = Example("how many in Lyon?", "SELECT 1")
KNOWN = Known(
    Schema((ORDERS, CUSTOMERS)), (LYON,), "Revenue is net.", Templates(shipped_templates())
)
ORIGIN = origin_of(["orders"], [LYON], KNOWN, "openai/x", "2024-01-31")


def with_tables(*tables: Table) -> Known:
    return replace(KNOWN, schema=Schema(tables))


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (KNOWN, ()),
        (with_tables(replace(ORDERS, line=9), CUSTOMERS), ()),
        (with_tables(ORDERS), ()),
        (with_tables(CUSTOMERS), ("orders is gone",)),
        (with_tables(replace(ORDERS, columns=ORDERS.columns[:1])), ("orders changed",)),
        (with_tables(replace(ORDERS, comment="net of tax")), ("orders changed",)),
        (replace(KNOWN, rules=" Revenue  is\nnet. "), ()),
        (replace(KNOWN, rules="Revenue is gross."), ("the rules changed",)),
        (replace(KNOWN, examples=()), ("1 example of its prompt is gone",)),
        (
            replace(KNOWN, examples=(replace(LYON, sql="SELECT 2"),)),
            ("1 example of its prompt changed",),
        ),
        (
            replace(KNOWN, templates=Templates(shipped_templates(), {"ask/user.j2": "x"})),
            ("the prompt templates changed",),
        ),
        (replace(KNOWN, templates=Templates({"ask/user.j2": "of a newer version"})), ()),
    ],
)
def test_only_what_matters_to_the_answer_makes_it_stale(now: Known, said: tuple[str, ...]) -> None:
    assert changes(ORIGIN, now) == said


def test_what_comes_and_goes_is_a_change_too() -> None:
    mine = Templates({}, {"ask/user.j2": "x"})
    bare = replace(KNOWN, rules="", templates=Templates({}))
    filled = replace(KNOWN, rules="Net.", templates=mine)
    said = ("the rules changed", "the prompt templates changed")
    for before, now in ((bare, filled), (filled, bare)):
        origin = origin_of([], [], before, "m", "")
        assert changes(origin, before) == ()
        assert changes(origin, now) == said
        assert changes(accepted(origin, now), now) == ()
        # Kept and read again, it says the same.
        kept = record_of(facts_of(Record("q", "s", origin)))
        assert kept is not None
        assert changes(kept.origin, now) == said


def test_what_a_person_accepts_is_no_longer_stale() -> None:
    now = with_tables(replace(ORDERS, comment="net"), CUSTOMERS)
    now = replace(now, rules="other", examples=())
    assert len(changes(ORIGIN, now)) == 3
    taken = accepted(ORIGIN, now)
    assert changes(taken, now) == ()
    assert (taken.model, taken.at) == ("openai/x", "2024-01-31")


@pytest.mark.parametrize(
    ("models", "asks_for", "said"),
    [
        ({"": "openai/x"}, "", ()),
        ({"": "openai/y"}, "", ("the model is openai/y now",)),
        ({"": "openai/y", "fast": "openai/x"}, "fast", ()),
        ({"": "openai/x", "fast": "openai/z"}, "fast", ("the model is openai/z now",)),
        # Found out anew each time, or gone: nobody has said that it is another one.
        ({}, "", ()),
        ({"": "openai/y"}, "fast", ()),
    ],
)
def test_another_model_is_a_change_until_a_person_keeps_the_answer(
    models: dict[str, str], asks_for: str, said: tuple[str, ...]
) -> None:
    now = replace(KNOWN, models=models)
    assert changes(ORIGIN, now, asks_for) == said
    kept = accepted(ORIGIN, now, asks_for)
    assert kept.model == "openai/x"
    assert changes(kept, now, asks_for) == ()
    again = record_of(facts_of(Record("q", "s", kept)))
    assert again is not None
    assert again.origin == kept


def test_an_answer_of_no_model_is_not_stale_by_another_one() -> None:
    now = replace(KNOWN, models={"": "openai/y"})
    for model in ("", "verified"):
        assert changes(replace(ORIGIN, model=model), now) == ()


def test_only_models_that_settings_name_are_compared() -> None:
    assert models_of(Settings()) == {}
    named = Settings(
        model=ModelSettings(name="openai/x"),
        models={"fast": ModelSettings(name="openai/y"), "mine": ModelSettings(name="editor")},
    )
    assert models_of(named) == {"": "openai/x", "fast": "openai/y"}


def test_an_origin_that_knows_nothing_is_never_stale() -> None:
    assert changes(Origin(), KNOWN) == ()
    assert changes(accepted(Origin(), KNOWN), replace(KNOWN, rules="other")) == ()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("SELECT a FROM t;", "select  a\n  from T -- a remark\n", True),
        ("SELECT 'A'", "SELECT 'a'", False),
        ('SELECT "A"', 'SELECT "a"', False),
        ("SELECT a FROM t", "SELECT b FROM t", False),
        ("SELECT 'a  b'", "SELECT 'a b'", False),
    ],
)
def test_formatting_makes_no_other_sql(one: str, other: str, same: bool) -> None:
    assert (sql_fingerprint(one, "postgres") == sql_fingerprint(other, "postgres")) is same


def test_a_question_is_known_by_its_words_alone() -> None:
    def key(text: str) -> str:
        script = asks.read(Document("file:///a.sql", text), "postgres")
        return key_of(script.questions[-1])

    first = key("-- ask: orders by month\nSELECT 1;\n")
    assert key("SELECT 5;\n\n/* ask: orders\n by month */\n") == first
    assert key("-- ask: orders by day\n") != first
    refined = key("-- ask: orders by month\n-- refine: only 2024\nSELECT 1;\n")
    assert refined != first
