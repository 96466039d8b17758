"""Statements that engines with strict types take or refuse, as ``unit/checking/operands`` has them.

A file begins with the DDL. The paragraphs behind it are statements; the last line of one that is
refused has it with the first fix applied, where there is a fix.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from sqlscribe.notation.document import Document
from sqlscribe.schema import ddl
from sqlscribe.schema.model import Schema

FOLDER = Path(__file__).parent / "unit" / "checking" / "operands"
DIALECTS = sorted(path.stem for path in FOLDER.glob("*.sql"))
_TAKEN = "\n\n-- Taken:\n\n"
_REFUSED = "\n\n-- Refused, with the first fix:\n\n"
_ARROW = "\n-- -> "


class Cases(NamedTuple):
    """``refused`` are pairs of a statement and the same with its fix, or ``""``."""

    ddl: str
    taken: tuple[str, ...]
    refused: tuple[tuple[str, str], ...]


@cache
def cases(dialect: str) -> Cases:
    text = (FOLDER / f"{dialect}.sql").read_text(encoding="utf-8").rstrip()
    head, _, statements = text.partition(_TAKEN)
    taken, _, refused = statements.partition(_REFUSED)
    pairs = (paragraph.partition(_ARROW) for paragraph in refused.split("\n\n"))
    return Cases(
        head, tuple(taken.split("\n\n")), tuple((wrong, right) for wrong, _, right in pairs)
    )


@cache
def schema_of(text: str, dialect: str) -> Schema:
    path = Path("schema.sql")
    return ddl.replay([ddl.read(Document(path.name, text), path, dialect)])
