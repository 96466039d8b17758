"""The JSON form of replies, and the template that asks for it."""

import datetime
import json
import re

import pytest

from answering import SHOP
from sqlscribe.checking.extraction import extract
from sqlscribe.loading import shipped_templates
from sqlscribe.prompting.context import Limits, Material, Request, assemble
from sqlscribe.prompting.prompt import Prompt, build
from sqlscribe.prompting.slots import SLOTS, SLOTS_WITH_LOOKUP
from sqlscribe.prompting.templates import Templates


def prompt(reply: str, may_look_up: bool = False) -> Prompt:
    today = datetime.date(2024, 1, 31)
    material = Material(SHOP, "postgres", today, reply=reply, may_look_up=may_look_up)  # type: ignore[arg-type]
    context = assemble(Request("how many orders?"), material, Limits())
    return build(context, Templates(shipped_templates()), Limits())


@pytest.mark.parametrize("may_look_up", [False, True])
def test_the_template_names_every_field_in_the_order_of_the_form(may_look_up: bool) -> None:
    made = prompt("slots", may_look_up)
    assert made.form is (SLOTS_WITH_LOOKUP if may_look_up else SLOTS)
    [system] = [m.content for m in made.messages if m.role == "system"]
    asked = system[system.index("Reply with one JSON object") : system.index("- Only read")]
    named = re.findall(r'"(\w+)"', asked)
    inner = list(SLOTS.schema["properties"]["date_range"]["anyOf"][0]["properties"])
    fields = [name for name in named if name not in inner]
    assert fields == list(made.form.schema["properties"])
    assert [name for name in named if name in inner] == inner


def test_every_field_is_required_and_no_other_allowed() -> None:
    # What strict modes of providers want.
    assert SLOTS.schema["required"] == list(SLOTS.schema["properties"])
    assert SLOTS.schema["additionalProperties"] is False


def test_the_form_is_part_of_the_prompts_identity() -> None:
    assert prompt("sql").form is None
    assert prompt("slots").form is SLOTS
    assert prompt("sql").fingerprint("m") != prompt("slots").fingerprint("m")


def filled(**fields: object) -> str:
    empty = {name: [] for name in SLOTS.schema["properties"]} | {"date_range": None, "sql": ""}
    return json.dumps(empty | {"missing": ""} | fields)


def test_the_query_is_taken_from_its_field() -> None:
    reply = filled(
        tables=["orders"], filters=["total > 5"], sql="SELECT count(*) FROM orders WHERE total > 5"
    )
    found = extract(reply, "postgres")
    assert (found.outcome, found.sql) == ("sql", "SELECT count(*) FROM orders WHERE total > 5")
    assert extract(f"```json\n{reply}\n```", "postgres").sql == found.sql


def test_what_is_missing_and_what_may_be_meant_are_outcomes() -> None:
    lacking = extract(filled(missing="no table of refunds"), "postgres")
    assert (lacking.outcome, lacking.declined) == ("insufficient", "no table of refunds")
    two = extract(filled(readings=["net", "gross"]), "postgres")
    assert (two.outcome, two.choices) == ("needs_choice", ("net", "gross"))


def test_a_query_counts_though_the_other_fields_are_filled() -> None:
    found = extract(filled(missing="none", sql="SELECT 1"), "postgres")
    assert (found.outcome, found.sql) == ("sql", "SELECT 1")


@pytest.mark.parametrize(
    "reply", [filled(), '{"missing": 5}', '{"readings": ["one"]}', '{"sql": [']
)
def test_a_form_that_says_nothing_is_no_answer(reply: str) -> None:
    assert extract(reply, "postgres").outcome in ("no_sql", "truncated")
