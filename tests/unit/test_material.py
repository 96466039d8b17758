"""What may go into a prompt."""

from answering import snapshot
from sqlscribe.answer import prepare
from sqlscribe.knowledge.examples import Example
from sqlscribe.knowledge.profiles import Profile
from sqlscribe.knowledge.retrieval import Hit
from sqlscribe.knowledge.synonyms import Synonym
from sqlscribe.material import gathered
from sqlscribe.prompting.context import Request
from sqlscribe.schema.model import Column, Schema, Table

CITIES = (Profile("customers", "full_name", ("BEIJING", "ROME")),)


def test_a_value_that_the_question_speaks_of_is_given_as_the_data_spells_it() -> None:
    prompt = prepare(Request("customers in Beijing"), snapshot(profiles=CITIES, send_profiles=True))
    assert "customers.full_name has 'BEIJING'" in prompt.messages[-1].content
    assert "BEIJING" in prompt.values_sent["customers.full_name"]


def test_no_value_of_the_data_leaves_unless_it_may() -> None:
    prompt = prepare(Request("customers in Beijing"), snapshot(profiles=CITIES))
    assert "BEIJING" not in str(prompt.messages)
    assert prompt.values_sent == {}


def test_what_the_ddl_allows_is_no_value_of_the_data() -> None:
    schema = Schema((Table("orders", (Column("status", "text", values=("open", "paid")),)),))
    prompt = prepare(Request("Open orders"), snapshot(schema=schema))
    assert "orders.status has 'open'" in prompt.messages[-1].content
    assert prompt.values_sent == {}


def test_words_of_the_team_are_searched_in_those_of_the_schema() -> None:
    searched: list[str] = []

    def search(text: str, kind: str, limit: int) -> tuple[Hit, ...]:
        searched.append(text)
        return ()

    gathered(
        Request("umsatz by month"),
        snapshot(search=search, synonyms=(Synonym("umsatz", ("orders.total",)),)),
    )
    assert all("orders.total" in text for text in searched)


def test_an_example_that_does_not_fit_makes_room_for_the_next() -> None:
    examples = tuple(Example(f"orders number {n}x", f"SELECT {n}") for n in range(4))

    def search(text: str, kind: str, limit: int) -> tuple[Hit, ...]:
        if kind != "example":
            return ()
        return tuple(Hit(e.key, 1.0 - n / 10, ("alike",)) for n, e in enumerate(examples))

    found = gathered(
        Request("orders"),
        snapshot(
            search=search, examples=examples, example_limit=2, fits=lambda e: e is not examples[0]
        ),
    )
    assert examples[0] not in [scored.item for scored in found.examples]
    assert len(found.examples) == 2
