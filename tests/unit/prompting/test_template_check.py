"""Findings on templates, and further names of variables."""

import datetime

import pytest

from answering import SHOP
from sqlscribe.knowledge.examples import Example
from sqlscribe.knowledge.retrieval import Scored
from sqlscribe.loading import shipped_templates
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import Finding
from sqlscribe.prompting.aliases import aliased
from sqlscribe.prompting.context import Limits, Material, Request, assemble
from sqlscribe.prompting.meanings import FUNCTIONS, MEANINGS, ONLY_FOR_FINDINGS
from sqlscribe.prompting.template_check import check_template
from sqlscribe.prompting.templates import Templates, render
from sqlscribe.prompting.variables import SaidBack, of_turn_back, variables
from sqlscribe.schema.model import Column, ForeignKey, Schema, Table


def findings(text: str, name: str = "ask/user.j2", **aliases: str) -> tuple[Finding, ...]:
    together = Templates(shipped_templates(), {name: text}, aliases)
    return check_template(Document(name, text), together, name)


_NESTED = "{{ " + "(" * 3000 + "1" + ")" * 3000 + " }}"
_BLOCKS = "{% if 1 %}" * 1500 + "{% endif %}" * 1500


@pytest.mark.parametrize(
    ("text", "name", "code", "place", "said"),
    [
        ("a\n{{ quesion }}", "ask/user.j2", "template/unknown-variable", "quesion", "question?"),
        ("{{ findings }}", "ask/user.j2", "template/unknown-variable", "findings", "findings"),
        ("\n{% include 'parts/table.j2' %}", "ask/user.j2", "template/missing",
         "parts/table.j2", "did you mean parts/tables.j2?"),
        ("{% extends 'shipped:ask/systen.j2' %}", "ask/system.j2", "template/missing",
         "shipped:ask/systen.j2", "ask/system.j2?"),
        ("x\n{{ today }}", "ask/system.j2", "template/volatile", "today", "belongs into user.j2"),
        ("hello", "ask/usr.j2", "template/not-used", "hello", "did you mean ask/user.j2?"),
        ("fine\n{% if %}", "ask/user.j2", "template/syntax", "{% if %}", ""),
        ("a\n{{ rules | uper }}", "ask/user.j2", "template/syntax", "{{ rules | uper }}", "uper"),
        ("{{ rules is strin }}", "ask/user.j2", "template/syntax", "{{ rules is strin }}", "strin"),
        (_NESTED, "ask/user.j2", "template/syntax", _NESTED, "nested too deeply"),
        (_BLOCKS, "ask/user.j2", "template/syntax", _BLOCKS, "nested too deeply"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_at_its_place(
    text: str, name: str, code: str, place: str, said: str
) -> None:
    [finding] = findings(text, name)
    assert (finding.code, finding.span.of(text)) == (code, place)
    assert said in finding.message


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("{{ question }}{% for t in tables %}{{ t.name }}{% endfor %}", "ask/user.j2"),
        ("{% extends 'shipped:ask/system.j2' %}", "ask/system.j2"),
        ("{{ findings }}{{ tables_involved }}", "repair/findings.j2"),
        ("{{ findings }}", "parts/rules.j2"),
        ("Mind the cases.", "dialects/teradata.j2"),
        ("{% set a = 1 %}{{ a }}{{ range(3) }}", "ask/user.j2"),
        ("", "ask/user.j2"),
    ],
)
def test_a_sound_template_has_no_findings(text: str, name: str) -> None:
    assert findings(text, name) == ()


def test_a_part_of_ones_own_counts_where_it_is_included() -> None:
    own = {"ask/user.j2": "{% include 'parts/mine.j2' %}", "parts/mine.j2": "x"}
    together = Templates(shipped_templates(), own)
    assert check_template(Document("p", "x"), together, "parts/mine.j2") == ()


def test_a_further_name_is_known_and_as_volatile_as_what_it_stands_for() -> None:
    assert findings("{{ query_str }}", query_str="question") == ()
    [finding] = findings("{{ shots }}", "ask/system.j2", shots="few_shot()")
    assert finding.code == "template/volatile"
    assert findings("{{ ddl_text }}", "ask/system.j2", ddl_text="ddl()") == ()


def test_an_unknown_variable_gets_the_nearest_as_a_fix() -> None:
    [finding] = findings("{{ quesion }}")
    [edit] = finding.fixes[0].edits
    assert (edit.text, edit.span.of("{{ quesion }}")) == ("question", "quesion")


def shop_context(question: str = "how many?") -> dict[str, object]:
    keyed = Schema(
        (
            *SHOP.tables,
            Table(
                "lines",
                (Column("order_id", "int"),),
                foreign_keys=(ForeignKey(("order_id",), "orders", "", ("order_id",)),),
            ),
        )
    )
    material = Material(
        keyed,
        "postgres",
        datetime.date(2024, 1, 31),
        examples=(Scored(Example("how many orders?", "SELECT count(*) FROM orders"), "alike"),),
    )
    return dict(variables(assemble(Request(question), material, Limits())))


@pytest.mark.parametrize(
    ("meaning", "part"),
    [
        ("question", "how many?"),
        ("table_list()", "customers(customer_id, full_name)"),
        ("joins()", "lines(order_id) = orders(order_id)"),
        ("few_shot()", "Question: how many orders?\nSQL: SELECT count(*) FROM orders"),
        ("ddl()", "CREATE TABLE customers ("),
    ],
)
def test_what_a_further_name_stands_for(meaning: str, part: str) -> None:
    templates = Templates(shipped_templates(), {"t.j2": "[{{ theirs }}]"}, {"theirs": meaning})
    given = aliased(shop_context(), templates)  # type: ignore[arg-type]
    assert part in render(templates, "t.j2", given).text


def test_every_meaning_has_a_value() -> None:
    material = Material(SHOP, "postgres", datetime.date(2024, 1, 31))
    context = assemble(Request("how many?"), material, Limits())
    names = {f"n{number}": meaning for number, meaning in enumerate(sorted(MEANINGS))}
    templates = Templates(shipped_templates(), {}, names)
    given = aliased(of_turn_back(context, SaidBack()), templates)
    assert names.keys() <= given.keys()
    assert set(variables(context)) == MEANINGS - FUNCTIONS - ONLY_FOR_FINDINGS
