"""What is worked out from all that a folder knows."""

from dataclasses import replace
from pathlib import Path

import pytest

from sqlscribe import learned as learned_module
from sqlscribe.knowledge.examples import Example
from sqlscribe.knowledge.profiles import Profile
from sqlscribe.learned import Learned
from sqlscribe.loading import Loaded
from sqlscribe.notation.document import Document
from sqlscribe.schema.model import Column, Schema, Table

SCHEMA = Schema(
    (Table("orders", (Column("id", "int"), Column("status", "text", values=("open", "paid")))),)
)
FILE = Path("/w/training/a.sql")


def learned(**more: object) -> Learned:
    return Learned(Loaded(dialect="postgres", schema=SCHEMA, **more))  # type: ignore[arg-type]


def test_values_come_from_profiles_and_from_the_ddl() -> None:
    found = learned(profiles=(Profile("customers", "city", ("Rome", "open")),)).values
    assert found == {
        "Rome": ["customers.city"],
        "open": ["customers.city", "orders.status"],
        "paid": ["orders.status"],
    }


def test_the_mask_takes_known_values_out() -> None:
    mask = learned().mask
    assert mask("orders that are paid").key == mask("orders that are open").key
    assert mask("orders that are late").key != mask("orders that are open").key


def test_rules_say_what_words_mean() -> None:
    [synonym] = learned(rules="- 订单 means orders\n- be kind\n").synonyms
    assert synonym.meant == ("orders",)


def test_examples_whose_names_are_gone_do_not_fit_and_say_where() -> None:
    text = "-- ask: a\nSELECT id FROM orders;\n\n-- ask: b\nSELECT nme FROM orders;\n"
    good = Example("a", "SELECT id FROM orders", file=FILE)
    bad = Example("b", "SELECT nme FROM orders", file=FILE)
    document = Document(FILE.as_uri(), text)
    known = learned(examples=(good, bad), example_files={FILE: document})
    assert (known.fits(good), known.fits(bad)) == (True, False)
    [file] = known.unfit
    assert file.document is document
    assert [finding.code for finding in file.findings] == ["example/does-not-fit"]
    assert "nme" in file.findings[0].message


def test_an_example_in_another_dialect_is_read_in_its_own() -> None:
    quoted = Example("a", "SELECT `id` FROM `orders`", dialect="mysql", file=FILE)
    assert learned().fits(quoted)


def test_what_is_known_of_examples_stays_while_their_tables_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    checked: list[str] = []
    check = learned_module.check

    def counted(sql: str, *given: object) -> object:
        checked.append(sql)
        return check(sql, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(learned_module, "check", counted)
    regions = Table("regions", (Column("name"),))
    examples = (
        Example("a", "SELECT id FROM orders", file=FILE),
        Example("b", "SELECT name FROM regions", file=FILE),
        Example("c", "SELECT nme FROM regions", file=FILE),
    )
    first = Loaded(schema=Schema((*SCHEMA.tables, regions)), examples=examples)
    before = Learned(first)
    assert before.unfit == ()
    assert len(checked) == 3
    checked.clear()
    narrower = Table("orders", (Column("status"),))
    now = Learned(replace(first, schema=Schema((narrower, regions))), before)
    assert [now.fits(example) for example in examples] == [False, True, False]
    # What was wrong may be right now, whatever it names.
    assert checked == ["SELECT id FROM orders", "SELECT nme FROM regions"]


def test_nothing_is_kept_of_an_example_that_was_typed_on() -> None:
    typed = [f"SELECT id FROM orders WHERE id = {number}" for number in range(20)]
    known = None
    for sql in typed:
        known = Learned(Loaded(schema=SCHEMA, examples=(Example("a", sql, file=FILE),)), known)
        assert known.unfit == ()
    assert known is not None
    assert len(known._fits) == 1
