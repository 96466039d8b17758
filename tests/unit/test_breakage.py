"""What an edit of a definition broke, told where it was made."""

from __future__ import annotations

from pathlib import Path

import pytest

from sqlscribe.notation.document import Document
from sqlscribe.settings import ClientSettings
from sqlscribe.workspace import Workspace

ORDERS = "CREATE TABLE orders (\n  order_id integer,\n  total numeric\n);\n"
OTHER = "CREATE TABLE regions (region_id integer);\n"
EXAMPLE = "-- ask: turnover\nSELECT sum(total) FROM orders;\n"
QUESTION = "-- ask: big orders\nSELECT order_id FROM orders WHERE total > 10;\n"


class Desk:
    """A folder whose files are written and read again."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.space = Workspace(root, ClientSettings(), {})
        self.buffers: dict[Path, Document] = {}

    def write(self, **texts: str) -> None:
        for name, text in texts.items():
            file = self.root / f"{name.replace('__', '/')}.sql"
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, "utf-8")

    def type(self, name: str, text: str) -> None:
        path = self.root / f"{name}.sql"
        self.buffers[path] = Document(path.as_uri(), text, len(text))

    def broken(self) -> list[str]:
        """Each finding as ``file: text at its place: message``."""
        loaded = self.space.load(self.buffers)
        return [
            f"{file.document.uri.rpartition('/')[2]}:"
            f" {found.span.of(file.document.text)}: {found.message}"
            for file in self.space.broken(loaded, self.buffers)
            for found in file.findings
        ]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path)
    (tmp_path / "sqlscribe.toml").write_text('dialect = "postgres"\n', "utf-8")
    made.write(db=ORDERS, other=OTHER, training__a=EXAMPLE, q=QUESTION)
    assert made.broken() == []
    return made


def test_a_column_that_went_names_who_still_uses_it(desk: Desk) -> None:
    desk.write(db=ORDERS.replace("total", "amount"))
    assert desk.broken() == [
        "db.sql: orders: 1 example and 1 question use orders.total,"
        " which is no longer there: “turnover”, “big orders”"
    ]
    [file] = desk.space.broken(desk.space.load({}), {})
    places = [
        (other.document.uri.rpartition("/")[2], other.span.of(other.document.text))
        for other in file.findings[0].related
    ]
    assert places == [("a.sql", "-- ask: turnover"), ("q.sql", "-- ask: big orders")]


@pytest.mark.parametrize(
    "cure",
    [
        {"db": ORDERS},
        {
            "training__a": EXAMPLE.replace("total", "amount"),
            "q": QUESTION.replace("total", "amount"),
        },
        {"training__a": "", "q": ""},
    ],
    ids=["the column is back", "its users are changed", "its users are gone"],
)
def test_it_is_cured_on_either_side(desk: Desk, cure: dict[str, str]) -> None:
    desk.write(db=ORDERS.replace("total", "amount"))
    assert len(desk.broken()) == 1
    desk.write(**cure)
    assert desk.broken() == []


def test_it_is_said_while_somebody_types(desk: Desk) -> None:
    for typed in ("total num", "tota", "tot", "", "a numeric", "amoun numeric"):
        desk.type("db", ORDERS.replace("total numeric", typed))
        desk.broken()
    desk.type("db", ORDERS.replace("total", "amount"))
    assert len(desk.broken()) == 1
    # Names that were only half typed never counted as there.
    desk.type("q", QUESTION.replace("total", "amoun"))
    desk.write(training__a="")
    assert desk.broken() == []


def test_half_a_definition_does_not_make_it_forget(desk: Desk) -> None:
    for text in (ORDERS[:30], "CREATE TABL orders (", "", ORDERS.replace("total", "amount")):
        desk.type("db", text)
        found = desk.broken()
    assert found == [
        "db.sql: orders: 1 example and 1 question use orders.total,"
        " which is no longer there: “turnover”, “big orders”"
    ]


@pytest.mark.parametrize(
    ("statement", "place", "name"),
    [
        ("ALTER TABLE orders DROP COLUMN total;", "total", "orders.total"),
        ("ALTER TABLE orders RENAME COLUMN total TO amount;", "total", "orders.total"),
        ("DROP TABLE orders;", "orders", "orders"),
        ("ALTER TABLE orders RENAME TO purchases;", "orders", "orders"),
    ],
)
def test_a_later_script_is_where_it_was_taken_away(
    desk: Desk, statement: str, place: str, name: str
) -> None:
    desk.write(e=f"-- total of orders\nCREATE TABLE extra (a integer);\n{statement}\n")
    assert desk.broken() == [
        f"e.sql: {place}: 1 example and 1 question use {name},"
        " which is no longer there: “turnover”, “big orders”"
    ]


def test_a_query_of_its_own_counts_too(desk: Desk) -> None:
    desk.write(training__a="", q="SELECT o.total FROM orders o;\n")
    desk.broken()
    desk.write(db=ORDERS.replace("total", "amount"))
    assert desk.broken() == [
        "db.sql: orders: 1 query uses orders.total,"
        " which is no longer there: “SELECT o.total FROM orders o”"
    ]


def test_a_name_of_another_table_is_not_meant(desk: Desk) -> None:
    customers = "CREATE TABLE customers (customer_id integer);\n"
    desk.write(db=ORDERS + customers, training__a="", q="")
    desk.broken()
    desk.write(q="SELECT c.total, o.order_id FROM orders o, customers c;\n")
    assert desk.broken() == []
    desk.write(db=ORDERS.replace("total", "amount") + customers)
    assert desk.broken() == []


def test_a_slip_in_a_query_is_no_breakage(desk: Desk) -> None:
    desk.write(q="SELECT ttal FROM orders;\n")
    assert desk.broken() == []
    desk.write(db=ORDERS.replace("numeric", "integer"))
    assert desk.broken() == []


def test_nothing_is_forgotten_while_there_are_no_tables_at_all(desk: Desk) -> None:
    desk.write(db="", other="")
    assert desk.broken() == []
    desk.write(db=ORDERS.replace("total", "amount"), other=OTHER)
    assert len(desk.broken()) == 1


def test_it_can_be_switched_off(desk: Desk) -> None:
    configuration = 'dialect = "postgres"\n[checks]\nignore = ["schema/breaks"]\n'
    (desk.root / "sqlscribe.toml").write_text(configuration, "utf-8")
    desk.write(db=ORDERS.replace("total", "amount"))
    assert desk.broken() == []
