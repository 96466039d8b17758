"""A large workspace for measuring: tables, examples, and one long file of questions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

TABLES = 5_000
EXAMPLES = 5_000
QUESTIONS = 500
_LINES_OF_A_QUESTION = 20
_A_FILE = 100
"""Tables in one file of the schema."""


@dataclass(frozen=True)
class Generated:
    """The workspace, and the long file in it.

    Each question has the same lines: the comment, then a statement that ends on the line before
    the next one.
    """

    folder: Path
    file: Path
    text: str
    tables: int
    questions: int

    @property
    def uri(self) -> str:
        return self.file.as_uri()

    def line(self, question: int, below: int = 0) -> int:
        """The line of a question, or one below it."""
        return 1 + _LINES_OF_A_QUESTION * (question % self.questions) + below


def generate(
    folder: Path, tables: int = TABLES, examples: int = EXAMPLES, questions: int = QUESTIONS
) -> Generated:
    """Write a workspace of so many tables and examples, and so many questions in one file."""
    files: dict[str, str] = {
        "sqlscribe.toml": 'dialect = "postgres"\n[model]\nname = "verified"\n',
        "training/examples.sql": "".join(map(_example, range(examples))),
    }
    for first in range(0, tables, _A_FILE):
        some = range(first, min(first + _A_FILE, tables))
        files[f"db/{first:05}.sql"] = "".join(map(_table, some))
    text = "-- what is asked of everything\n" + "".join(map(_question, range(questions)))
    files["queries/long.sql"] = text
    for name, said in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(said, encoding="utf-8")
    return Generated(folder, folder / "queries/long.sql", text, tables, questions)


def columns(generated: Generated) -> list[tuple[str, list[tuple[str, str]]]]:
    """The tables of a workspace with their columns and types, for what reads no DDL."""
    return [
        (
            f"sales_{number}",
            [
                ("id", "int"),
                ("parent_id", "int"),
                (f"name_{number}", "text"),
                ("total", "decimal"),
                ("placed_at", "timestamp"),
            ],
        )
        for number in range(generated.tables)
    ]


def _table(number: int) -> str:
    refers = f" REFERENCES sales_{number - 1} (id)" if number % 10 else ""
    return (
        f"CREATE TABLE sales_{number} (\n"
        "  id integer PRIMARY KEY,\n"
        f"  parent_id integer{refers},\n"
        f"  name_{number} text NOT NULL, -- as on the invoice\n"
        "  total numeric(10, 2),\n"
        "  placed_at timestamp\n"
        ");\n"
    )


def _example(number: int) -> str:
    return (
        f"-- ask: number {number} of the things of sort {number * 7}\n"
        f"SELECT name_{number} FROM sales_{number} WHERE id = {number};\n\n"
    )


def _question(number: int) -> str:
    rows = [
        f"-- ask: the names of number {number} with @sales_{number}",
        f"SELECT s.name_{number}, s.total,",
        "  s.placed_at",
        f"FROM sales_{number} AS s",
        f"WHERE s.id = {number}",
        *(f"  AND s.total > {above}" for above in range(_LINES_OF_A_QUESTION - 7)),
        "ORDER BY s.total;",
        "",
    ]
    assert len(rows) == _LINES_OF_A_QUESTION
    return "\n".join(rows) + "\n"
