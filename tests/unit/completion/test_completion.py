"""What may be written at a place. ``|`` in a text is the cursor."""

import pytest

from answering import SHOP
from sqlscribe.completion.configuration import in_configuration
from sqlscribe.completion.questions import in_question
from sqlscribe.completion.suggestion import Suggestion
from sqlscribe.completion.templates import in_template
from sqlscribe.knowledge.examples import Example
from sqlscribe.loading import shipped_templates
from sqlscribe.notation.codes import CODES
from sqlscribe.notation.document import Document
from sqlscribe.notation.lexicon import DIALECTS
from sqlscribe.prompting.templates import Templates
from sqlscribe.schema.model import Column, Schema, Table

EXAMPLES = (
    Example("how many customers in Lyon?", "SELECT 1", verified_by="ana"),
    Example("revenue by month", "SELECT 2"),
)


def at_cursor(text: str) -> tuple[Document, int]:
    """The text without its cursor: ``~`` where a ``|`` stands in it."""
    before, _, after = text.partition("~" if "~" in text else "|")
    return Document("d", before + after), len(before)


def asked(text: str, schema: Schema = SHOP) -> list[Suggestion]:
    document, offset = at_cursor(text)
    return in_question(document, offset, schema, EXAMPLES, ("fast", "local"))


def written(text: str, chosen: str, found: list[Suggestion]) -> str:
    """The text after one of the suggestions was taken."""
    document, _ = at_cursor(text)
    one = next(each for each in found if each.text == chosen)
    return document.text[: one.span.start] + one.text + document.text[one.span.end :]


@pytest.mark.parametrize(
    ("text", "chosen", "after"),
    [
        ("-- ask: all @|", "orders", "-- ask: all @orders"),
        ("-- ask: all @cus| now", "customers", "-- ask: all @customers now"),
        ("-- ask: all @orders.| now", "total", "-- ask: all @orders.total now"),
        ("-- ask: all @ORDERS.to|", "total", "-- ask: all @ORDERS.total"),
        ("-- ask: 统计@|", "orders", "-- ask: 统计@orders"),
        ("-- ask[|]: x", "model=", "-- ask[model=]: x"),
        ("-- ask[dialect=mysql, m|]: x", "model=", "-- ask[dialect=mysql, model=]: x"),
        ("-- ask[model=|]: x", "fast", "-- ask[model=fast]: x"),
        ("-- ask[model=fast, dialect=post|]: x", "postgres",
         "-- ask[model=fast, dialect=postgres]: x"),
        ("-- ask: |", "revenue by month", "-- ask: revenue by month"),
        ("-- ask: lyon| x", "how many customers in Lyon?", "-- ask: how many customers in Lyon?"),
        ("/* ask[model=fast]: month|", "revenue by month", "/* ask[model=fast]: revenue by month"),
        ("/* ask: month| */ x", "revenue by month", "/* ask: revenue by month */ x"),
        ("/* ask: month|*/", "revenue by month", "/* ask: revenue by month*/"),
        ("-- ours\n-- dialect: |", "postgres", "-- ours\n-- dialect: postgres"),
        ("/* dialect: my|x */", "mysql", "/* dialect: mysql */"),
    ],
)  # fmt: skip
def test_in_a_question(text: str, chosen: str, after: str) -> None:
    assert written(text, chosen, asked(text)) == after


@pytest.mark.parametrize(
    "text",
    ["SELECT |", "-- a remark |", "-- refine: |", "-- ask: zzz|", "SELECT 1;\n-- dialect: |"],
)
def test_where_nothing_is_known_nothing_is_suggested(text: str) -> None:
    assert asked(text) == []


def test_tables_of_one_name_are_told_apart() -> None:
    two = Schema(tuple(Table("account", (Column("id"),), schema=name) for name in ("hr", "sales")))
    assert [each.text for each in asked("-- ask: @acc|", two)] == ["hr.account", "sales.account"]
    assert "id" in [each.text for each in asked("-- ask: @sales.account.|", two)]


def test_what_begins_as_typed_comes_first_and_the_list_stays_short() -> None:
    many = Schema((*(Table(f"t{n}_orders", ()) for n in range(500)), Table("orders", ())))
    found = asked("-- ask: @ord|", many)
    assert found[0].text == "orders"
    assert len(found) == 200


def test_options_that_are_given_are_not_suggested_again() -> None:
    found = [each.text for each in asked("-- ask[model=fast, |]: x")]
    assert found == ["dialect=", "as_of="]
    assert {each.text for each in asked("-- ask[dialect=|]: x")} == set(filter(None, DIALECTS))


def configured(text: str, schema: Schema = SHOP) -> list[Suggestion]:
    return in_configuration(*at_cursor(text), schema)


@pytest.mark.parametrize(
    ("text", "chosen", "after"),
    [
        ("dia|", "dialect", "dialect"),
        ("[model]\nti|", "timeout_seconds", "[model]\ntimeout_seconds"),
        ("[models.fast]\n|", "api_key_env", "[models.fast]\napi_key_env"),
        ("[pri|", "privacy", "[privacy"),
        ("[privacy]\nvalues = |", '"none"', '[privacy]\nvalues = "none"'),
        ('[privacy]\nvalues = "pro|"', "profiles", '[privacy]\nvalues = "profiles"'),
        ("[database]\nrun_queries = |", "true", "[database]\nrun_queries = true"),
        ('dialect = "|"', "postgres", 'dialect = "postgres"'),
        ('[checks]\nignore = ["|"]', "name/unknown-column",
         '[checks]\nignore = ["name/unknown-column"]'),
        ('[checks]\nignore = ["name/*", |]', '"quality/*"',
         '[checks]\nignore = ["name/*", "quality/*"]'),
        ('[checks]\nignore = [\n  "name/*", # not "these"\n  "qual|",\n]', "quality/*",
         '[checks]\nignore = [\n  "name/*", # not "these"\n  "quality/*",\n]'),
        ('[privacy]\nmask = ["|"]', "customers.full_name",
         '[privacy]\nmask = ["customers.full_name"]'),
        ("[privacy]\nmask = [\n  '*.ssn',\n  CUSTOMERS.f|", '"customers.full_name"',
         "[privacy]\nmask = [\n  '*.ssn',\n  \"customers.full_name\""),
        ('privacy.mask = ["*.full|"]', "*.full_name", 'privacy.mask = ["*.full_name"]'),
    ],
)  # fmt: skip
def test_in_the_configuration(text: str, chosen: str, after: str) -> None:
    assert written(text, chosen, configured(text)) == after


def test_keys_come_with_their_meaning() -> None:
    [found] = [each for each in configured("[limits]\n|") if each.text == "prompt_tokens"]
    assert found.detail == "whole number, default 12000"
    assert "largest prompt" in found.documentation
    assert {each.text for each in configured('[checks]\nignore = ["|"]')} > set(CODES)


def test_columns_to_mask_are_told_apart_by_their_tables() -> None:
    two = Schema(
        (
            *(Table("people", (Column("email"),), schema=name) for name in ("hr", "crm")),
            Table("mails", (Column("email"), Column("id")), schema="crm"),
        )
    )
    for typed, expected in {
        "": ["hr.people.email", "crm.people.email", "mails.email", "mails.id"],
        "mail": ["mails.email", "mails.id", "hr.people.email", "crm.people.email"],
        "crm.mails.i": ["crm.mails.id"],
        "*.e": ["*.email"],
        "zzz": [],
    }.items():
        found = configured(f'[privacy]\nmask = ["{typed}|"]', two)
        assert [each.text for each in found] == expected
    many = Schema(tuple(Table(f"t{n}", (Column("id"),)) for n in range(500)))
    assert len(configured('[privacy]\nmask = ["|"]', many)) == 200


@pytest.mark.parametrize(
    "text",
    [
        "# di|", "[model]\nname = |", "[nothing]\n|", "x = 1 = |",
        '[privacy]\nmask = ["a"] |', '[privacy]\nmask = [\n  # "|', 'schema = ["|"]',
    ],
)  # fmt: skip
def test_where_anything_may_stand_nothing_is_suggested(text: str) -> None:
    assert configured(text) == []


def template(text: str) -> list[Suggestion]:
    own = Templates(shipped_templates(), {"ask/user.j2": ""}, {"query_str": "question"})
    return in_template(*at_cursor(text), own)


@pytest.mark.parametrize(
    ("text", "chosen", "after"),
    [
        ("{{ ques| }}", "question", "{{ question }}"),
        ("{{ | }}", "query_str", "{{ query_str }}"),
        ("{% for t in | %}", "tables", "{% for t in tables %}"),
        ("{{ question |up~ }}", "upper", "{{ question |upper }}"),
        ("{{ question | ~ }}", "trim", "{{ question | trim }}"),
        ('{% include "parts/| %}', "parts/rules.j2", '{% include "parts/rules.j2 %}'),
        ("{% extends '|' %}", "shipped:ask/user.j2", "{% extends 'shipped:ask/user.j2' %}"),
    ],
)
def test_in_a_template(text: str, chosen: str, after: str) -> None:
    assert written(text, chosen, template(text)) == after


@pytest.mark.parametrize("text", ["words |", "{{ x }} |", "{{ table.| }}"])
def test_outside_of_a_templates_marks_nothing_is_suggested(text: str) -> None:
    assert template(text) == []
