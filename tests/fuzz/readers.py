"""A coverage-guided fuzzer of everything that reads SQL: no text may make it raise.

    make fuzz SECONDS=3600

Not among the tests: it needs atheris, and time. A crash is printed with its input, which belongs
into the unit tests as a kind.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["sqlscribe"]):
    from sqlscribe.checking.check import check
    from sqlscribe.checking.reads import classify
    from sqlscribe.inspection import Inspector
    from sqlscribe.notation import asks
    from sqlscribe.notation.document import Document
    from sqlscribe.notation.jinja_sql import neutral
    from sqlscribe.notation.lexicon import DIALECTS
    from sqlscribe.notation.statements import outline
    from sqlscribe.schema import ddl
    from sqlscribe.schema.ddl.codec import decode, encode
    from sqlscribe.schema.model import Column, Schema, Table

PATH = Path("fuzzed.sql")
SHOP = Schema((Table("orders", (Column("id", "int"), Column("total", "numeric"))),))
INSPECTOR = Inspector(SHOP)


def read(data: bytes) -> None:
    """One input: its first byte chooses the dialect, the rest is the text."""
    if len(data) < 2:
        return
    dialect = DIALECTS[data[0] % len(DIALECTS)]
    text = data[1:].decode("utf-8", "surrogateescape")
    document = Document("file:///fuzzed.sql", text)
    _splits(text, dialect)
    script = ddl.read(document, PATH, dialect)
    ddl.replay([script])
    encoded = encode(script)
    assert encoded is None or decode(encoded, PATH) == script
    assert len(neutral(text, dialect).text) == len(text)
    classify(text, dialect)
    check(text, SHOP, dialect)
    INSPECTOR.inspect(asks.read(document, dialect))


def _splits(text: str, dialect: str) -> None:
    """Statements stand in order, and none over another."""
    end = 0
    for statement in outline(text, dialect).statements:
        assert end <= statement.span.start <= statement.span.end <= statement.end <= len(text)
        end = statement.end


if __name__ == "__main__":
    atheris.Setup(sys.argv, read)
    atheris.Fuzz()
