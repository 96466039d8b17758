"""The route of one question, with a model that says what the test queued."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from answering import SHOP, SPENT, FakeChat, HangingChat, fenced, snapshot
from sqlscribe.answer import Answer, answer, prepare
from sqlscribe.checking.check import check as check_sql
from sqlscribe.errors import ModelError, ModelFailed, RateLimited, TooLong, WrongKey
from sqlscribe.knowledge.embedders import likeness
from sqlscribe.knowledge.examples import Example
from sqlscribe.knowledge.notes import Section
from sqlscribe.knowledge.profiles import Profile
from sqlscribe.knowledge.retrieval import Hit
from sqlscribe.loading import shipped_templates
from sqlscribe.models.chat import Reply, Usage
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.prompting.context import Limits, Request
from sqlscribe.prompting.slots import SLOTS
from sqlscribe.prompting.templates import Templates
from sqlscribe.redaction import Redactor
from sqlscribe.schema.model import Column, Schema, Table
from sqlscribe.snapshot import Snapshot
from sqlscribe.stored_answers import AnswerFiles

ASKED = Request("all names")
GOOD = "SELECT full_name FROM customers"
WRONG = "SELECT nme FROM customers"
WORSE = "SELECT nme, cty FROM customers"
BROKEN = "SELECT full_name FROM customers WHERE WHERE 1 = 1"
LYON = Example(
    "how many customers in 'Lyon'?",
    "SELECT count(*) FROM customers WHERE full_name = 'Lyon'",
    verified_by="ann",
)


async def ask(
    *replies: str | Reply | Exception, request: Request = ASKED, **more: Any
) -> tuple[Answer, FakeChat]:
    model = FakeChat(*replies)
    return await answer(request, snapshot(model, **more)), model


async def check(replies: list[str], outcome: str, sql: str, calls: int, **more: Any) -> Answer:
    """Ask a model that gives these replies, and compare what comes of it."""
    found, model = await ask(*replies, **more)
    assert (found.outcome, found.sql, found.calls) == (outcome, sql, calls), found.message
    assert len(model.asked) == calls
    return found


def codes(found: Answer) -> list[str]:
    return [finding.code for finding in found.findings]


async def test_clean_sql_is_the_answer_after_one_call() -> None:
    found = await check([fenced(GOOD)], "sql", GOOD, 1)
    assert (found.source, found.model, found.usage) == ("model", "fake/model", SPENT)
    assert found.checked == ("names", "dialect", "read-only")
    assert not found.findings


async def test_a_repair_carries_the_reply_the_exact_findings_and_the_columns() -> None:
    found, model = await ask(fenced(WRONG), fenced(GOOD))
    assert (found.sql, found.calls) == (GOOD, 2)
    assert found.usage == Usage(200, 20)
    first, second = model.asked
    assert second[: len(first)] == first
    said, repair = second[len(first) :]
    assert (said.role, said.content) == ("assistant", fenced(WRONG))
    assert repair.role == "user"
    [finding] = check_sql(WRONG, SHOP, "postgres").findings
    for part in (finding.message, "full_name", "customer_id"):
        assert part in repair.content
    # Tables that the draft does not use are not repeated.
    assert "order_id" not in repair.content


@pytest.mark.parametrize("broken", [BROKEN, "SELECT TOP 5 full_name FROM customers"])
async def test_sql_that_does_not_parse_is_repaired_and_never_offered(broken: str) -> None:
    found, model = await ask(fenced(broken), fenced(GOOD))
    assert (found.outcome, found.sql, found.calls) == ("sql", GOOD, 2)
    [finding] = check_sql(broken, SHOP, "postgres").findings
    assert finding.message in model.asked[1][-1].content
    found, model = await ask(fenced(broken))
    assert (found.outcome, found.sql, found.calls) == ("refused", "", 2)
    assert "syntax error" in found.message


async def test_sql_that_writes_is_refused_without_a_repair() -> None:
    await check([fenced("DELETE FROM customers"), fenced(GOOD)], "refused", "", 1)


async def test_for_an_unknown_table_the_repair_shows_the_tables_that_there_are() -> None:
    _, model = await ask(fenced("SELECT x FROM clients"), fenced(GOOD))
    assert "customers" in model.asked[1][-1].content
    assert "orders" in model.asked[1][-1].content


@pytest.mark.parametrize("again", [WRONG, "SELECT  nme\nFROM customers", f"{WRONG};"])
async def test_the_loop_stops_when_the_model_repeats_itself(again: str) -> None:
    found = await check([fenced(WRONG), fenced(again)], "sql", WRONG, 2, max_repairs=5)
    assert codes(found) == ["name/unknown-column"]


async def test_an_earlier_draft_counts_as_repeated_too() -> None:
    other = "SELECT nam FROM customers"
    await check([fenced(WRONG), fenced(other), fenced(WRONG)], "sql", other, 3, max_repairs=5)


async def test_a_repair_of_the_letter_case_is_no_repetition() -> None:
    # The second name has no right one, so that nothing can be put right without asking.
    quoted, better = (
        'SELECT "Full_Name", age FROM customers',
        "SELECT full_name, age FROM customers",
    )
    await check([fenced(quoted), fenced(better), fenced(GOOD)], "sql", GOOD, 3)


async def test_names_that_the_model_cannot_repair_are_put_right_where_they_mean_one_thing() -> None:
    said = 'SELECT "Full_Name" FROM customers'
    replies = [fenced(said), fenced(said)]
    found = await check(replies, "sql", "SELECT full_name FROM customers", 2)
    assert found.warnings == ('names put right: "Full_Name" is now full_name',)
    await check(replies, "sql", said, 1, max_repairs=0)


async def test_a_small_model_is_not_asked_for_names_that_mean_one_thing() -> None:
    said = 'SELECT "Full_Name" FROM customers'
    one = await check(
        [fenced(said)], "sql", "SELECT full_name FROM customers", 1, puts_right_first=True
    )
    assert one.warnings == ('names put right: "Full_Name" is now full_name',)
    # What can mean nothing, or several things, still goes back.
    await check([fenced(WRONG), fenced(GOOD)], "sql", GOOD, 2, puts_right_first=True)
    await check([fenced(said)], "sql", said, 1, puts_right_first=True, max_repairs=0)


async def test_what_was_put_right_is_not_stored_as_the_models_answer() -> None:
    said = 'SELECT "Full_Name" FROM customers'
    model = FakeChat(*[fenced(said)] * 4)
    asked = snapshot(model)
    for calls in (2, 4):
        await answer(Request("who?"), asked)
        assert len(model.asked) == calls


async def test_a_question_about_something_else_is_turned_away_without_a_call() -> None:
    question = "What is the purpose of life?"
    model = FakeChat(fenced(GOOD))
    shop = snapshot(model, likeness=likeness)
    found = await answer(Request(question), shop)
    assert (found.outcome, found.calls, model.asked) == ("insufficient", 0, [])
    assert "“purpose”, “life”" in found.message
    mentioned = Request(f"{question} @customers", mentions=("customers",))
    assert (await answer(mentioned, shop)).outcome == "sql"
    assert (await answer(Request(question), shop, regenerate=True)).outcome == "sql"


async def test_words_that_the_query_leaves_out_are_told_with_the_answer(tmp_path: Path) -> None:
    asked = Request("customers with an outdoor swimming pool")
    model, stored = FakeChat(fenced(GOOD)), AnswerFiles(tmp_path)
    for source in ("model", "stored"):
        found = await answer(asked, snapshot(model, stored=stored))
        assert (found.outcome, found.source, found.sql) == ("sql", source, GOOD)
        assert "“outdoor”, “swimming”, “pool”" in found.warnings[-1]
    found, _ = await ask(fenced(GOOD), request=asked, rules="Outdoor swimming pools: full_name.")
    assert found.warnings == ()


@pytest.mark.parametrize("most", [0, 1, 3])
async def test_the_number_of_repairs_is_bounded(most: int) -> None:
    replies = [fenced(f"SELECT nme{number} FROM customers") for number in range(9)]
    last = f"SELECT nme{most} FROM customers"
    found = await check(replies, "sql", last, most + 1, max_repairs=most)
    assert codes(found) == ["name/unknown-column"]
    assert found.usage.prompt_tokens == 100 * (most + 1)


@pytest.mark.parametrize(
    ("drafts", "kept"),
    [
        ([WRONG, WORSE], WRONG),
        ([WORSE, WRONG], WRONG),
        ([WORSE, BROKEN], WORSE),
        (["SELECT nam FROM customers", WRONG], WRONG),
    ],
)
async def test_the_best_draft_is_kept(drafts: list[str], kept: str) -> None:
    replies = [fenced(draft) for draft in drafts]
    await check(replies, "sql", kept, len(drafts), max_repairs=len(drafts) - 1)


@pytest.mark.parametrize(
    "given_up",
    ["I am sorry.", "INSUFFICIENT: there are no names", fenced("DELETE FROM customers"), ""],
)
async def test_a_model_that_gives_up_on_the_repair_leaves_its_draft(given_up: str) -> None:
    found = await check([fenced(WRONG), given_up], "sql", WRONG, 2)
    assert codes(found) == ["name/unknown-column"]


@pytest.mark.parametrize(
    ("reply", "outcome", "said"),
    [
        (fenced("DELETE FROM customers"), "refused", "DELETE"),
        (fenced(f"{GOOD}; DROP TABLE customers"), "refused", "DROP"),
        ("```sql\nSELECT full_name FROM", "truncated", "cut off"),
        ("Good question! It depends.", "no_sql", "Good question! It depends."),
        ("", "no_sql", "empty"),
        ("CHOICE: by order date | by payment date", "needs_choice", "more than one way"),
        ("INSUFFICIENT: no table has prices", "insufficient", "no table has prices"),
    ],
)
async def test_other_outcomes_have_a_sentence_and_no_sql(
    reply: str, outcome: str, said: str
) -> None:
    found = await check([reply], outcome, "", 1)
    assert said in found.message
    assert found.source == "model"


async def test_the_readings_of_a_question_are_given_as_choices() -> None:
    found, _ = await ask("CHOICE: by order date | by payment date")
    assert found.choices == ("by order date", "by payment date")


async def test_a_reply_that_the_provider_cut_off_is_no_answer() -> None:
    found, _ = await ask(Reply("SELECT full_name FROM customers WHERE", cut_off=True))
    assert (found.outcome, found.sql) == ("truncated", "")


async def test_the_models_remarks_come_once() -> None:
    found, _ = await ask(
        Reply(fenced(WRONG), warnings=("old model",)), Reply(fenced(GOOD), warnings=("old model",))
    )
    assert found.warnings == ("old model",)


async def test_the_stages_are_told_in_order() -> None:
    stages: list[str] = []
    model = FakeChat(fenced(WRONG), fenced(GOOD))
    await answer(ASKED, snapshot(model), report=stages.append)
    assert stages == ["retrieving", "asking fake/model", "checking", "repairing 1/2", "checking"]


async def test_the_same_question_costs_nothing_twice_and_regenerate_asks_again() -> None:
    stored = AnswerFiles(None)
    await ask(fenced(GOOD), stored=stored)
    again, model = await ask(fenced(WRONG), stored=stored)
    assert (again.sql, again.source, again.calls, model.asked) == (GOOD, "stored", 0, [])
    assert again.checked == ("names", "dialect", "read-only")
    other = FakeChat(fenced("SELECT customer_id FROM customers"))
    anew = await answer(ASKED, snapshot(other, stored=stored), regenerate=True)
    assert (anew.source, len(other.asked)) == ("model", 1)
    latest, _ = await ask(fenced(WRONG), stored=stored)
    assert latest.sql == "SELECT customer_id FROM customers"


async def test_another_prompt_or_another_model_is_another_answer() -> None:
    stored = AnswerFiles(None)
    await ask(fenced(GOOD), stored=stored)
    _, other = await ask(fenced(GOOD), stored=stored, rules="Names are never null.")
    assert len(other.asked) == 1
    _, renamed = await ask(fenced(GOOD), stored=stored, model_name="fake/other")
    assert len(renamed.asked) == 1


@pytest.mark.parametrize("reply", [fenced(WRONG), fenced("DROP TABLE customers"), "Well."])
async def test_only_clean_sql_is_stored(reply: str) -> None:
    stored = AnswerFiles(None)
    await ask(reply, stored=stored)
    again, model = await ask(fenced(GOOD), stored=stored)
    assert (again.sql, len(model.asked)) == (GOOD, 1)


async def test_a_verified_example_comes_first_with_no_call() -> None:
    request = Request("How many customers in 'Rome'?")
    found, model = await ask(fenced(GOOD), request=request, examples=(LYON,))
    assert found.sql == LYON.sql.replace("Lyon", "Rome")
    assert (found.source, found.example, found.calls, model.asked) == ("verified", LYON, 0, [])
    assert "ann" in found.message


async def test_regenerate_asks_the_model_although_an_example_answers() -> None:
    model = FakeChat(fenced(GOOD))
    request = Request(LYON.question)
    found = await answer(request, snapshot(model, examples=(LYON,)), regenerate=True)
    assert (found.source, found.sql) == ("model", GOOD)


async def test_an_example_does_not_answer_a_refinement() -> None:
    request = Request(LYON.question, "refine", sql=GOOD)
    found, _ = await ask(fenced(GOOD), request=request, examples=(LYON,))
    assert found.source == "model"


async def test_known_values_are_slots() -> None:
    schema = Schema((Table("orders", (Column("status", "text", values=("open", "paid")),)),))
    example = Example("orders that are open", "SELECT * FROM orders WHERE status = 'open'")
    found, _ = await ask(
        "x",
        request=Request("orders that are paid"),
        schema=schema,
        examples=(example,),
        slot_values={"open": ["orders.status"], "paid": ["orders.status"]},
    )
    assert found.sql == "SELECT * FROM orders WHERE status = 'paid'"


@pytest.mark.parametrize(
    ("examples", "question", "said"),
    [
        ((LYON,), "how many customers near the sea?", LYON.question),
        ((LYON,), "zzz qqq", "no verified example answers this"),
        ((), "anything", "there are no verified examples"),
    ],
)
async def test_without_a_model_it_declines_and_names_the_nearest(
    examples: tuple[Example, ...], question: str, said: str
) -> None:
    found = await answer(Request(question), snapshot(examples=examples))
    assert (found.outcome, found.sql, found.source) == ("insufficient", "", "none")
    assert said in found.message
    assert found.model == "verified"


async def test_a_verified_example_that_no_longer_fits_the_schema_answers_nothing() -> None:
    stale = replace(LYON, sql=LYON.sql.replace("customers", "clients"))
    model = FakeChat(fenced("SELECT full_name FROM customers"))
    found = await answer(Request(LYON.question), snapshot(model, examples=(stale,)))
    assert (found.source, found.sql) == ("model", "SELECT full_name FROM customers")
    assert len(model.asked) == 1


async def test_regenerate_without_a_model_gives_the_verified_answer() -> None:
    request = Request(LYON.question)
    found = await answer(request, snapshot(examples=(LYON,)), regenerate=True)
    assert (found.source, found.sql) == ("verified", LYON.sql)


NOTES = tuple(Section(f"Note {number}", "word " * 200, Path("n.md"), number) for number in range(4))


def with_notes(model: FakeChat) -> Snapshot:
    def search(text: str, kind: str, limit: int) -> list[Hit]:
        return [Hit(note.key, 1.0, ("words 1",)) for note in NOTES] if kind == "note" else []

    return snapshot(model, notes=NOTES, search=search)


async def test_a_prompt_that_is_too_long_is_made_smaller_once_and_that_is_said() -> None:
    model = FakeChat(TooLong("the prompt is longer than 8192 tokens"), fenced(GOOD))
    found = await answer(ASKED, with_notes(model))
    assert (found.outcome, found.sql) == ("sql", GOOD)
    assert any("longer than 8192 tokens" in warning for warning in found.warnings)
    large, small = (sum(len(m.content) for m in asked) for asked in model.asked)
    assert small < large
    assert found.prompt is not None
    assert found.prompt.context.left_out


async def test_a_prompt_that_stays_too_long_fails() -> None:
    model = FakeChat(TooLong("too long"))
    found = await answer(ASKED, with_notes(model))
    assert (found.outcome, found.error, found.message) == ("failed", "too_long", "too long")
    assert len(model.asked) == 2


async def test_where_nothing_can_be_left_out_too_long_is_a_failure_at_once() -> None:
    request = Request("all names", mentions=("customers", "orders"))
    found, model = await ask(TooLong("too long"), request=request)
    assert (found.outcome, found.error, len(model.asked)) == ("failed", "too_long", 1)


@pytest.mark.parametrize("error", [WrongKey("no"), RateLimited("slow down"), ModelFailed("oh")])
async def test_an_error_of_the_model_is_a_failure_of_its_kind(error: ModelError) -> None:
    found, _ = await ask(error)
    assert (found.outcome, found.error, found.message) == ("failed", error.kind, str(error))
    assert found.model == "fake/model"


async def test_a_model_that_cannot_be_connected_is_a_failure() -> None:
    async def connect() -> None:
        raise WrongKey("no key")

    found = await answer(ASKED, snapshot(connect=connect))
    assert (found.outcome, found.error) == ("failed", "wrong_key")


async def test_a_draft_survives_an_error_during_its_repair() -> None:
    found, model = await ask(fenced(WRONG), RateLimited("slow down"))
    assert (found.outcome, found.sql, found.calls) == ("sql", WRONG, 1)
    assert found.warnings == ("the SQL was not repaired: slow down",)
    assert len(model.asked) == 2


def overriding(**templates: str) -> Templates:
    named = {name.replace("__", "/") + ".j2": text for name, text in templates.items()}
    return Templates(shipped_templates(), named)


async def test_a_broken_template_is_a_failure_with_its_place() -> None:
    found, model = await ask(fenced(GOOD), templates=overriding(ask__user="{{ nothing }}"))
    assert (found.outcome, found.error, model.asked) == ("failed", "template", [])
    assert "ask/user.j2" in found.message


async def test_a_broken_template_of_the_repair_leaves_the_draft() -> None:
    templates = overriding(repair__findings="{{ nothing }}")
    found, model = await ask(fenced(WRONG), fenced(GOOD), templates=templates)
    assert (found.outcome, found.sql, len(model.asked)) == ("sql", WRONG, 1)
    assert "repair/findings.j2" in found.warnings[0]


async def test_cancelling_reaches_the_model() -> None:
    model = HangingChat()
    task = asyncio.create_task(answer(ASKED, snapshot(model)))
    await asyncio.wait_for(model.asked.wait(), 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert model.cancelled


async def test_what_the_preview_shows_is_what_is_sent() -> None:
    model = FakeChat(fenced(GOOD))
    made = snapshot(model, rules="Never guess.", limits=Limits(5_000, 30_000))
    shown = prepare(ASKED, made)
    await answer(ASKED, made)
    assert tuple(model.asked[0]) == shown.messages


@pytest.mark.parametrize(("send", "sent"), [(True, {"customers.full_name": ["Ann"]}), (False, {})])
def test_values_leave_only_where_they_may(send: bool, sent: dict[str, list[str]]) -> None:
    profile = Profile("customers", "full_name", ("Ann",))
    prompt = prepare(ASKED, snapshot(schema=SHOP, profiles=(profile,), send_profiles=send))
    assert prompt.values_sent == sent
    assert any("Ann" in message.content for message in prompt.messages) == send


async def test_the_form_of_the_reply_goes_with_every_call() -> None:
    wrong, right = (
        '{"sql": "SELECT nme FROM customers"}',
        '{"sql": "SELECT full_name FROM customers"}',
    )
    model = FakeChat(wrong, right)
    told = await answer(Request("names"), snapshot(model, reply="slots"))
    assert (told.outcome, told.sql) == ("sql", "SELECT full_name FROM customers")
    assert model.forms == [SLOTS, SLOTS]
    assert "JSON object again" in model.asked[1][-1].content


class Refusing:
    """An engine that refuses what holds a word, in the words of a database."""

    name = "PostgreSQL"

    def __init__(self, word: str = "", remark: str = "") -> None:
        self.word = word
        self.remark = remark
        self.asked: list[str] = []

    def explain(self, sql: str) -> tuple[Finding, ...]:
        self.asked.append(sql)
        at = sql.find(self.word) if self.word else -1
        if at < 0:
            return ()
        message = "operator does not exist: text > integer"
        span = Span(at, at + len(self.word))
        return (Finding("engine/error", Severity.ERROR, message, span),)


TEXT_AS_NUMBER = "SELECT full_name FROM customers WHERE md5(full_name) > 5"


async def test_what_the_engine_refuses_goes_back_to_the_model_in_its_words() -> None:
    model = FakeChat(fenced(TEXT_AS_NUMBER), fenced("SELECT full_name FROM customers"))
    engine = Refusing("> 5")
    found = await answer(Request("names"), snapshot(model, engine=engine))
    assert (found.outcome, found.sql, found.calls) == ("sql", "SELECT full_name FROM customers", 2)
    assert "The database says: operator does not exist" in model.asked[1][-1].content
    assert "explain (PostgreSQL)" in found.checked


async def test_what_the_engine_still_refuses_is_shown_at_its_place() -> None:
    model = FakeChat(fenced(TEXT_AS_NUMBER))
    found = await answer(Request("names"), snapshot(model, engine=Refusing("> 5")))
    assert [(f.code, f.span.of(found.sql)) for f in found.findings] == [("engine/error", "> 5")]
    assert not found.is_clean


async def test_the_engine_is_not_asked_about_what_is_wrong_already() -> None:
    engine = Refusing()
    model = FakeChat(fenced("SELECT nme FROM customers"), fenced("SELECT full_name FROM customers"))
    await answer(Request("names"), snapshot(model, engine=engine))
    assert engine.asked == ["SELECT full_name FROM customers"]


async def test_an_engine_that_cannot_be_asked_is_told_and_blames_nothing() -> None:
    engine = Refusing(remark="the database does not answer")
    model = FakeChat(fenced("SELECT full_name FROM customers"))
    found = await answer(Request("names"), snapshot(model, engine=engine))
    assert (found.outcome, found.findings) == ("sql", ())
    assert "the database does not answer" in found.unchecked
    assert not any(said.startswith("explain") for said in found.checked)


async def test_findings_that_nobody_wants_are_not_shown() -> None:
    model = FakeChat(fenced("SELECT nme FROM customers"))
    found = await answer(Request("names"), snapshot(model, ignored=("name/*",)))
    assert (found.findings, found.calls) == ((), 1)


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ("I was given sk-own-key-12345.", "no_sql"),
        ("INSUFFICIENT: only sk-own-key-12345 is known", "insufficient"),
        ("CHOICE: sk-own-key-12345 | names", "needs_choice"),
        (fenced("SELECT sk-own-key-12345'"), "refused"),
        (fenced(f"{GOOD} -- sk-own-key-12345"), "refused"),
        (fenced("SELECT 'sk-own-key-12345' FROM customers"), "refused"),
        (fenced(GOOD) + "\n" + fenced("SELECT 'sk-own-key-12345'"), "refused"),
        (fenced("SELECT 'sk-own-key-12345'") + "\n" + fenced(GOOD), "sql"),
    ],
)
async def test_the_models_key_is_nowhere_in_an_answer(reply: str, outcome: str) -> None:
    hide = Redactor({"sk-own-key-12345"}).hide
    found, _ = await ask(reply, hide=hide, max_repairs=0)
    said = (found.sql, found.message, *found.choices, *found.alternates, *found.warnings)
    assert found.outcome == outcome
    assert not [text for text in said if "own-key" in text]


async def test_a_question_as_long_as_a_book_is_not_compared_with_examples() -> None:
    for text in ("今年" * 50_000, "@a." * 50_000):
        found = await answer(Request(text), snapshot(examples=(LYON,)))
        assert found.outcome == "insufficient"


@pytest.mark.parametrize(
    ("question", "more"),
    [("names", {"rules": "Never guess. " * 3_000}), ("names " * 4_000, {})],
)
async def test_what_must_not_be_cut_is_not_sent_beyond_the_limit(
    question: str, more: dict[str, Any]
) -> None:
    model = FakeChat(fenced(GOOD))
    found = await answer(Request(question), snapshot(model, limits=Limits(5_000), **more))
    assert (found.outcome, found.error, model.asked) == ("failed", "too_long", [])
    assert "limits.prompt_tokens allows 5,000" in found.message
    again = await answer(Request(question), snapshot(model, limits=Limits(50_000), **more))
    assert again.outcome == "sql"
