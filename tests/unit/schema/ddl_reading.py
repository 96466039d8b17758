"""Scripts given as text, and schemas as text that is easy to compare."""

from pathlib import Path

from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import Finding
from sqlscribe.schema import ddl
from sqlscribe.schema.model import Column, Schema, Table


def script(text: str, dialect: str, name: str = "schema.sql") -> ddl.DdlScript:
    return ddl.read(Document(f"file:///{name}", text), Path(name), dialect)


def schema(dialect: str, *texts: str) -> Schema:
    return ddl.replay(script(text, dialect, f"{n}.sql") for n, text in enumerate(texts))


def table(dialect: str, *texts: str) -> Table:
    """The last table that the scripts define."""
    return schema(dialect, *texts).tables[-1]


def findings(dialect: str, text: str) -> list[tuple[Finding, str]]:
    """The findings on one script with the text that each is about."""
    read = script(text, dialect)
    return [(finding, finding.span.of(text)) for finding in read.findings]


def lines(found: Schema) -> list[str]:
    """One line a table: ``sales.orders(id int!, note text)``, ``!`` for NOT NULL."""
    return [line(table) for table in found.tables]


def line(found: Table) -> str:
    text = f"{found.qualified_name}({', '.join(map(_column, found.columns))})"
    return text + " ?" if found.partly_understood else text


def _column(column: Column) -> str:
    text = f"{column.name} {column.type}".rstrip()
    return text if column.nullable else text + "!"


def comments(found: Table) -> dict[str, str]:
    """Comments by column, that of the table under ``""``."""
    said = {column.name: column.comment for column in found.columns}
    return {name: text for name, text in {"": found.comment, **said}.items() if text}
