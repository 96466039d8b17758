"""What the tests of navigation share: a small shop, and texts with a cursor in them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from sqlscribe.knowledge.examples import Example
from sqlscribe.knowledge.profiles import Profile
from sqlscribe.navigation.finding import Hit, find
from sqlscribe.notation import asks
from sqlscribe.notation.document import Document
from sqlscribe.notation.question import Script
from sqlscribe.schema import ddl
from sqlscribe.schema.model import Schema

DDL = """\
CREATE TABLE customers (
  customer_id integer PRIMARY KEY,
  full_name text NOT NULL, -- as on the invoice
  city text
);
CREATE TABLE orders (
  order_id integer PRIMARY KEY,
  customer_id integer NOT NULL REFERENCES customers (customer_id),
  status text CHECK (status IN ('open', 'paid')),
  total numeric(10,2),
  placed_at timestamp
);
COMMENT ON TABLE orders IS 'One row for each order';
CREATE SCHEMA sales;
CREATE TABLE sales.targets (month date, "Target Value" numeric);
CREATE VIEW big_orders AS SELECT order_id, total AS amount FROM orders WHERE total > 100;
ALTER TABLE orders ADD COLUMN channel text;
"""
FILE = Path("/shop/db/shop.sql")


def schema_of(text: str, dialect: str = "postgres", file: Path = FILE) -> Schema:
    return ddl.replayed([ddl.read(Document(file.as_uri(), text), file, dialect)]).schema


SHOP = schema_of(DDL)


@dataclass(frozen=True)
class Shop:
    """As much of what a folder knows as navigation uses."""

    schema: Schema = SHOP
    dialect: str = "postgres"
    relations: dict[str, str] = field(default_factory=dict)
    examples: tuple[Example, ...] = ()
    profiles: tuple[Profile, ...] = ()


def at_cursor(text: str) -> tuple[Document, int]:
    """The text without its ``|``, and where that stood."""
    before, bar, after = text.partition("|")
    assert bar, "no cursor"
    return Document("file:///shop/q.sql", before + after), len(before)


def scripted(text: str, dialect: str = "postgres") -> tuple[Script, int]:
    document, offset = at_cursor(text)
    return asks.read(document, dialect), offset


def found(text: str, shop: Shop | None = None) -> Hit | None:
    """What stands at the cursor."""
    shop = shop or Shop()
    script, offset = scripted(text, shop.dialect)
    return find(script, offset, shop)
