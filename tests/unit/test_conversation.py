"""The talk with a model: lookups, several candidates, and what goes back for which reason."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from answering import SPENT, FakeChat, HangingChat, fenced, snapshot
from sqlscribe.answer import Answer, answer
from sqlscribe.errors import DatabaseError, RateLimited
from sqlscribe.knowledge.examples import Example
from sqlscribe.knowledge.profiles import Profile
from sqlscribe.knowledge.retrieval import Hit
from sqlscribe.models.chat import ChatModel, Message, Reply, ReplyForm, Usage
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.prompting.context import Request
from sqlscribe.schema.database.running import Rows, Value
from sqlscribe.schema.model import Column, Schema, Table

SHOP = Schema(
    (
        Table("orders", (Column("region", "text"), Column("total", "numeric"))),
        Table("people", (Column("email", "text"), Column("city", "text"))),
        Table("areas", (Column("area", "text"),), kind="view"),
    )
)
ASKED = Request("total of the orders in East China")
LOOKUP = "LOOKUP: SELECT DISTINCT region FROM orders"
GOOD = "SELECT sum(total) FROM orders WHERE region = 'East China'"
GUESS = "SELECT sum(total) FROM orders WHERE region = 'east china'"
OTHER = "SELECT total FROM orders WHERE region = 'East China'"


@dataclass
class Database:
    """Gives the rows that a test names for a query, and notes what it was asked to run."""

    rows: dict[str, Sequence[tuple[Value, ...]]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    error: DatabaseError | None = None

    def __call__(self, sql: str, most: int) -> Rows:
        self.asked.append(sql)
        if self.error is not None:
            raise self.error
        rows = tuple(self.rows.get(sql, ((1,),)))
        return Rows(("x",), rows[:most], len(rows) > most)


REGIONS = Database({"SELECT DISTINCT region FROM orders": [("East China",), ("North",), (None,)]})


async def ask(
    *replies: str | Reply | Exception, request: Request = ASKED, **more: Any
) -> tuple[Answer, FakeChat]:
    model = FakeChat(*replies)
    return await answer(request, snapshot(model, schema=SHOP, **more)), model


def allowed(database: Database | None = None, **more: Any) -> dict[str, Any]:
    database = database or Database(dict(REGIONS.rows))
    return {"run": database, "send_rows": True, "send_profiles": True, **more}


# -- lookups -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "form"),
    [
        (LOOKUP, "sql"),
        (f"```\n{LOOKUP}\n```", "sql"),
        ("**LOOKUP:**\n```sql\nSELECT DISTINCT region FROM orders;\n```", "sql"),
        ('{"tables": ["orders"], "lookup": "SELECT DISTINCT region FROM orders", "sql": ""}',
         "slots"),
    ],
)  # fmt: skip
async def test_values_that_the_model_asks_for_are_looked_up_and_it_answers_then(
    reply: str, form: str
) -> None:
    found, model = await ask(reply, fenced(GOOD), reply=form, **allowed())
    assert (found.outcome, found.sql, found.calls) == ("sql", GOOD, 2)
    assert found.usage == Usage(200, 20)
    said, values = model.asked[1][-2:]
    assert (said.role, said.content, values.role) == ("assistant", reply, "user")
    assert "orders.region: East China | North" in values.content
    assert found.warnings == ("the model was sent 2 values of orders.region",)


async def test_the_prompt_offers_a_lookup_only_where_one_would_be_run() -> None:
    for more, offered in (
        (allowed(), True),
        (allowed(send_rows=False), False),
        ({"send_rows": True}, False),
    ):
        for form in ("sql", "slots"):
            _, model = await ask(fenced(GOOD), reply=form, **more)
            text = model.asked[0][0].content
            assert ("SELECT DISTINCT column FROM table" in text) == offered
            sent = model.forms[0]
            assert ("lookup" in sent.schema["properties"] if sent else offered) == offered


@pytest.mark.parametrize(
    ("more", "reply", "said"),
    [
        ({}, LOOKUP, "the values of orders.region: name some in the question, or set database.url"),
        (allowed(send_rows=False), LOOKUP, 'privacy.values = "samples"'),
        (allowed(masks=("*.region",)), LOOKUP, "orders.region, which privacy.mask keeps"),
        (allowed(masks=("orders.region",)), "LOOKUP: SELECT DISTINCT area FROM areas",
         "areas.area, a column of a view, which may be one that privacy.mask keeps"),
        (allowed(), "LOOKUP: SELECT DISTINCT email FROM people", "people.email, which holds"),
        (allowed(), "LOOKUP: SELECT DISTINCT region FROM orders WHERE total > 5",
         "wants to run a query before it answers: SELECT DISTINCT region"),
        (allowed(Database(error=DatabaseError("it is away", kind="unreachable"))), LOOKUP,
         "orders.region; it is away"),
    ],
)  # fmt: skip
async def test_else_the_person_is_told_which_values_are_wanted(
    more: dict[str, Any], reply: str, said: str
) -> None:
    found, model = await ask(reply, fenced(GOOD), **more)
    assert (found.outcome, found.sql, len(model.asked)) == ("insufficient", "", 1)
    assert said in found.message


async def test_values_that_look_like_personal_data_are_not_sent() -> None:
    database = Database({"SELECT DISTINCT city FROM people": [("ann@b.example",), ("bo@c.de",)]})
    found, model = await ask("LOOKUP: SELECT DISTINCT city FROM people", **allowed(database))
    assert (found.outcome, len(model.asked)) == ("insufficient", 1)
    assert "personal data" in found.message


async def test_a_model_that_only_looks_up_is_stopped() -> None:
    found, model = await ask(LOOKUP, **allowed())
    assert (found.outcome, len(model.asked)) == ("insufficient", 3)
    assert "looked up 2 times" in found.message


async def test_many_values_are_cut_and_the_model_is_told_so() -> None:
    many = [(f"region {number}",) for number in range(80)]
    database = Database({"SELECT DISTINCT region FROM orders": many})
    _, model = await ask(LOOKUP, fenced(GOOD), **allowed(database))
    told = model.asked[1][-1].content
    assert ("region 49" in told, "region 50" in told, "more values" in told) == (True, False, True)


# -- what goes back, and why ---------------------------------------------------------------


class Refusing:
    name = "PostgreSQL"
    remark = ""

    def explain(self, sql: str) -> tuple[Finding, ...]:
        if sql != GUESS:
            return ()
        return (Finding("engine/error", Severity.ERROR, "no such collation", Span(0, 6)),)


async def test_what_only_the_engine_refuses_has_words_of_its_own() -> None:
    found, model = await ask(fenced(GUESS), fenced(GOOD), engine=Refusing())
    assert found.sql == GOOD
    told = model.asked[1][-1].content
    assert told.startswith("The names of your query are right, but the database")
    assert "The database says: no such collation" in told


TOP = Request("top 3 regions by revenue")
ALL = "SELECT region FROM orders ORDER BY total DESC"
THREE = f"{ALL} LIMIT 3"


async def test_a_result_of_the_wrong_shape_goes_back_once_with_the_question() -> None:
    found, model = await ask(fenced(ALL), fenced(THREE), request=TOP)
    assert (found.sql, found.calls, found.warnings) == (THREE, 2, ())
    assert "“top 3”" in model.asked[1][-1].content
    assert TOP.question in model.asked[1][-1].content
    stays, model = await ask(
        fenced(ALL), fenced(f"{ALL}, region"), fenced(THREE), request=TOP, max_repairs=5
    )
    assert (stays.sql, stays.calls) == (ALL, 2)
    assert "nothing limits" in stays.warnings[0]


@pytest.mark.parametrize("again", [fenced(ALL), "I am sure.", fenced("SELECT nme FROM orders")])
async def test_a_doubt_never_costs_a_query_that_runs(again: str) -> None:
    found, _ = await ask(fenced(ALL), again, request=TOP)
    assert (found.outcome, found.sql) == ("sql", ALL)
    assert found.is_clean


async def test_without_repairs_nothing_is_doubted_or_run() -> None:
    database = Database({ALL: []})
    found, model = await ask(fenced(ALL), request=TOP, max_repairs=0, run=database)
    assert (found.sql, len(model.asked), database.asked) == (ALL, 1, [])


@pytest.mark.parametrize("rows", [[], [(None,)]])
async def test_a_query_that_gives_nothing_goes_back_once(rows: list[tuple[Value, ...]]) -> None:
    database = Database({GUESS: rows})
    profile = Profile("orders", "region", ("East China", "North"))
    found, model = await ask(
        fenced(GUESS), fenced(GOOD), run=database, profiles=(profile,), send_profiles=True
    )
    assert (found.sql, found.calls, found.warnings) == (GOOD, 2, ())
    told = model.asked[1][-1].content
    assert ("no rows" if not rows else "only NULL") in told
    assert "orders.region: East China | North" in told


async def test_a_query_that_still_gives_nothing_is_shown_with_a_word_about_it() -> None:
    found, model = await ask(fenced(GUESS), run=Database({GUESS: []}))
    assert (found.sql, len(model.asked)) == (GUESS, 2)
    assert found.warnings == ("the query gives no rows",)


async def test_values_stay_here_where_they_may_not_leave() -> None:
    profile = Profile("orders", "region", ("North Sea",))
    database = Database({GUESS: []})
    _, model = await ask(fenced(GUESS), fenced(OTHER), run=database, profiles=(profile,))
    assert "North Sea" not in "".join(m.content for m in model.asked[1])


@pytest.mark.parametrize(
    "database",
    [Database(error=DatabaseError("slow", kind="timed_out")), Database({GUESS: [("East",)]})],
)
async def test_only_a_result_without_rows_is_doubted(database: Database) -> None:
    found, model = await ask(fenced(GUESS), run=database)
    assert (found.sql, len(model.asked), found.warnings) == (GUESS, 1, ())


async def test_where_no_condition_could_be_wrong_the_query_is_not_run() -> None:
    database = Database()
    await ask(fenced("SELECT region FROM orders"), run=database)
    assert database.asked == []


async def test_a_draft_that_stays_wrong_is_marked() -> None:
    found, _ = await ask(fenced("SELECT nme, x FROM orders"))
    assert (found.outcome, found.is_clean) == ("sql", False)
    assert found.message.startswith("a draft that would not run after 1 repair: ")
    assert found.message.endswith("(and 1 more)")
    assert found.findings[0].message in found.message


# -- examples for a draft ------------------------------------------------------------------

COUNT = Example("how many regions?", "SELECT region, count(*) FROM orders GROUP BY region")
PLAIN = Example("names of towns", "SELECT city FROM people")


async def test_a_repair_shows_further_examples_of_the_drafts_shape() -> None:
    def search(text: str, kind: str, limit: int) -> list[Hit]:
        hits = [Hit(example.key, 1.0, ("words 1",)) for example in (PLAIN, COUNT)]
        return hits if kind == "example" else []

    draft = "SELECT qqq, count(*) FROM orders GROUP BY qqq"
    shown = {"search": search, "examples": (PLAIN, COUNT)}
    _, model = await ask(fenced(draft), fenced(GOOD), example_limit=1, **shown)
    asked, again = model.asked
    first = "\n".join(message.content for message in asked)
    second = "\n".join(message.content for message in again[len(asked) :])
    assert (PLAIN.question in first, COUNT.question in first) == (True, False)
    assert (PLAIN.question in second, COUNT.question in second) == (False, True)
    # What is to be changed is a draft, too.
    request = Request("and by region", "refine", sql=COUNT.sql)
    _, model = await ask(fenced(GOOD), request=request, example_limit=1, **shown)
    assert any(COUNT.question in message.content for message in model.asked[0])


# -- several candidates --------------------------------------------------------------------


class WarmChat(FakeChat):
    """Notes how warm each call was."""

    def __init__(self, *replies: str | Reply | Exception) -> None:
        super().__init__(*replies)
        self.warm: list[float] = []

    def at_temperature(self, least: float) -> ChatModel:
        return Warmed(self, least)


class Warmed:
    name = "fake/model"

    def __init__(self, inner: WarmChat, temperature: float) -> None:
        self.inner, self.temperature = inner, temperature

    async def complete(self, messages: Sequence[Message], form: ReplyForm | None = None) -> Reply:
        self.inner.warm.append(self.temperature)
        return await self.inner.complete(messages, form)


async def candidates(*replies: str | Exception, **more: Any) -> tuple[Answer, WarmChat]:
    model = WarmChat(*replies)
    values = {"schema": SHOP, "candidates": 3, "max_repairs": 0, **more}
    return await answer(ASKED, snapshot(model, **values)), model


@pytest.mark.parametrize(
    ("replies", "sql", "told"),
    [
        ([fenced(GOOD), fenced(OTHER), fenced(OTHER)], OTHER, ["vote (2 of 3 by form)"]),
        ([fenced(GOOD), fenced(OTHER), fenced(GUESS)], GOOD, ["vote (1 of 3 by form)"]),
        ([fenced(GOOD), fenced(GOOD.lower().replace("east china", "East China")), fenced(OTHER)],
         GOOD, ["vote (2 of 3 by form)"]),
        ([fenced("SELECT nme FROM orders"), fenced(OTHER), "Well."], OTHER,
         ["vote (1 of 3 by form)"]),
    ],
)  # fmt: skip
async def test_most_of_the_candidates_decide_and_of_equals_the_first(
    replies: list[str], sql: str, told: list[str]
) -> None:
    found, model = await candidates(*replies)
    assert (found.outcome, found.sql, found.calls) == ("sql", sql, 3)
    assert found.usage == Usage(300, 30)
    assert [said for said in found.checked if said.startswith("vote")] == told
    assert model.warm == [0.7, 0.7]


async def test_candidates_are_counted_by_their_rows_where_queries_may_be_run() -> None:
    database = Database({GOOD: [(5.0,)], GUESS: [(7,)], OTHER: [(7.0000000001,)]})
    found, _ = await candidates(fenced(GOOD), fenced(GUESS), fenced(OTHER), run=database)
    assert (found.sql, found.alternates) == (GUESS, (GOOD, OTHER))
    assert "vote (2 of 3 by rows)" in found.checked


async def test_a_database_that_is_away_leaves_the_forms_to_count() -> None:
    database = Database(error=DatabaseError("away", kind="unreachable"))
    found, _ = await candidates(fenced(GOOD), fenced(OTHER), fenced(OTHER), run=database)
    assert found.sql == OTHER


async def test_most_may_say_that_something_is_missing() -> None:
    missing = "INSUFFICIENT: no revenue"
    found, _ = await candidates(fenced(GOOD), missing, missing)
    assert (found.outcome, found.message) == ("insufficient", "no revenue")


async def test_a_winner_that_cannot_run_is_repaired() -> None:
    wrong = fenced("SELECT nme FROM orders")
    found, model = await candidates(wrong, wrong, wrong, fenced(GOOD), max_repairs=2)
    assert (found.sql, found.calls, len(model.asked)) == (GOOD, 4, 4)


async def test_candidates_that_fail_are_told_and_cost_nothing_else() -> None:
    found, _ = await candidates(fenced(GOOD), RateLimited("slow down"), fenced(GOOD))
    assert (found.sql, found.calls) == (GOOD, 2)
    assert found.warnings == ("1 of 3 candidates failed: slow down",)
    none, _ = await candidates(RateLimited("slow down"))
    assert (none.outcome, none.error) == ("failed", "rate_limited")


async def test_cancelling_reaches_every_candidate() -> None:
    waiting: list[HangingChat] = []

    class Many(HangingChat):
        def at_temperature(self, least: float) -> ChatModel:
            return self

        async def complete(
            self, messages: Sequence[Message], form: ReplyForm | None = None
        ) -> Reply:
            waiting.append(HangingChat())
            return await waiting[-1].complete(messages, form)

    task = asyncio.create_task(answer(ASKED, snapshot(Many(), candidates=3)))
    async with asyncio.timeout(10):
        while len(waiting) < 3:
            await asyncio.sleep(0)
        for each in waiting:
            await each.asked.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [each.cancelled for each in waiting] == [True, True, True]


async def test_a_model_whose_temperature_cannot_be_changed_is_asked_as_it_is() -> None:
    model = FakeChat(fenced(GOOD))
    found = await answer(ASKED, snapshot(model, schema=SHOP, candidates=2))
    assert (found.sql, found.calls, found.usage) == (GOOD, 2, SPENT.plus(SPENT))


# -- stages --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("replies", "more", "stages"),
    [
        ([LOOKUP, fenced(GOOD)], allowed,
         ["asking fake/model", "checking", "looking up values", "checking"]),
        ([fenced(GOOD)], lambda: {"candidates": 2},
         ["asking fake/model for 2 candidates", "checking"]),
    ],
)  # fmt: skip
async def test_the_stages_are_told(
    replies: list[str], more: Callable[[], dict[str, Any]], stages: list[str]
) -> None:
    told: list[str] = []
    made = snapshot(FakeChat(*replies), schema=SHOP, **more())
    await answer(ASKED, made, report=told.append)
    assert told == ["retrieving", *stages]
