"""The cells of open notebooks, in order: each is a document, and knows those around it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlscribe.notation.asks import Script
from sqlscribe.notation.document import Document, Span
from sqlscribe.notation.embedded import Embedded
from sqlscribe.notation.findings import Finding
from sqlscribe.notation.statements import Statement

_SKETCH = re.compile(r"\.\.\.|…|<\w+>")
"""What stands in SQL that is only shown, and that nobody means to be complete."""
_FILLED = re.compile(r"(?<!\{)\{[^{}]*\}(?!\})|\$\w|\?\w")
"""Places that a notebook's tools fill before an engine reads the SQL."""
_NAME = re.compile(r"[^\W\d][\w$]*")


@dataclass(frozen=True)
class Around:
    """What stands around a piece of SQL and bears on it.

    ``before`` are the cells above it that hold SQL, ``others`` the texts of all other cells.
    """

    before: tuple[Script, ...] = ()
    others: tuple[str, ...] = ()

    def mentions(self, name: str) -> bool:
        """Whether another cell has a word, so that it may well make a table of that name."""
        word = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])", re.IGNORECASE)
        return any(word.search(text) for text in self.others)


NOTHING_AROUND = Around()


class Notebooks:
    """The order of cells, by the URI of their notebook."""

    def __init__(self) -> None:
        self._cells: dict[str, tuple[str, ...]] = {}

    def open(self, notebook: str, cells: Sequence[str]) -> None:
        self._cells[notebook] = tuple(cells)

    def splice(self, notebook: str, start: int, deleted: int, cells: Sequence[str]) -> None:
        """Put cells in place of ``deleted`` others."""
        known = self._cells.get(notebook, ())
        self._cells[notebook] = (*known[:start], *cells, *known[start + deleted :])

    def close(self, notebook: str) -> None:
        self._cells.pop(notebook, None)

    def notebook_of(self, cell: str) -> str | None:
        return next((uri for uri, cells in self._cells.items() if cell in cells), None)

    def cells_around(self, cell: str) -> tuple[str, ...]:
        """All cells of the notebook that a cell is in, in order; none where it is in none."""
        notebook = self.notebook_of(cell)
        return () if notebook is None else self._cells[notebook]


def is_checked(document: Document, statement: Statement, dialect: str) -> bool:
    """Whether a statement of an embedded text can be checked as it stands."""
    if not isinstance(document, Embedded):
        return True
    region = document.region_at(statement.span.start)
    if region is not None and region.dialect not in ("", dialect):
        return False
    sql = statement.span.of(document.text)
    filled = document.kind == "cell" or (region is not None and region.runs)
    return not (_SKETCH.search(sql) or (filled and _FILLED.search(sql)))


def is_told(document: Document, finding: Finding, script: Script, around: Around) -> bool:
    """Whether a finding on an embedded text is sure enough to be told.

    A table that the schema lacks may have been made by another cell, in any language, or the
    SQL of a text may tell of another database, unless it answers a question.
    """
    if finding.code != "name/unknown-table":
        return True
    if isinstance(document, Embedded) and document.kind == "cell":
        # Python beside the SQL may make it as well.
        around = replace(around, others=(*around.others, document.beside))
    if any(around.mentions(name) for name in _NAME.findall(finding.span.of(document.text))):
        return False
    region = document.region_at(finding.span.start) if isinstance(document, Embedded) else None
    if region is None or region.runs:
        return True
    asked = any(_answers(question.answer, finding) for question in script.questions)
    return asked or any(fix.preferred for fix in finding.fixes)


def _answers(answer: Span | None, finding: Finding) -> bool:
    return answer is not None and answer.start <= finding.span.start < answer.end
