"""Comments, examples and notes that speak to a model instead of about the data.

They go into prompts as data, between marks that they cannot close, and what a model answers is
checked; but a person should know of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from sqlscribe.knowledge.examples import Example
from sqlscribe.knowledge.notes import Section
from sqlscribe.knowledge.personal import looks_like_instruction
from sqlscribe.notation.document import Document, Position, Span
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.schema.model import Table

_MESSAGE = (
    "This reads like an instruction to a model, and may be sent to one as a part of {what}."
    " Leave it out unless it is what the data says."
)
# Nearly all texts are told from orders by this alone, which is quick.
_MAY_BE = re.compile(
    r"ignore|disregard|forget|overrid|bypass|skip|instruct|prompt|you |pretend|user|respond|reply"
    r"|instead|mode|system|assistant|inst\]|<\||prior|previous|above|from now|human|#{2}"
    r"|[\u3400-\u9fff\uff00-\uffef\u200b-\u200f\u2060\u00ad\U0001d400-\U0001d7ff]",
    re.IGNORECASE,
)
_SOUGHT = 40
"""Characters of a comment by which its place in the file is found."""


def is_order(text: str) -> bool:
    return bool(_MAY_BE.search(text)) and looks_like_instruction(text)


def in_tables(
    tables: Iterable[Table], documents: Mapping[Path, Document]
) -> dict[Path, tuple[Finding, ...]]:
    """Findings on the comments, values and names of tables, by the file that defines them."""
    found: dict[Path, list[Finding]] = {}
    for table in tables:
        if table.file is None:
            continue
        for text in filter(is_order, _texts(table)):
            span = _place(documents.get(table.file), table.line, text)
            found.setdefault(table.file, []).append(
                _finding("schema/instruction-like", "the schema", span)
            )
    return {file: tuple(findings) for file, findings in found.items()}


def in_examples(examples: Iterable[Example]) -> Iterator[Finding]:
    for example in examples:
        wrong = (text for pair in example.wrong for text in pair)
        if any(map(is_order, (example.question, example.sql, example.note, *wrong))):
            yield _finding("example/instruction-like", "an example", example.span)


def in_notes(sections: Iterable[Section], document: Document) -> Iterator[Finding]:
    for section in sections:
        if is_order(section.title) or is_order(section.text):
            span = _place(document, section.line, section.text)
            yield _finding("note/instruction-like", "a note", span)


def _texts(table: Table) -> Iterator[str]:
    yield table.name
    yield table.comment
    for column in table.columns:
        yield column.name
        yield column.comment
        yield from column.values


def _place(document: Document | None, line: int, text: str) -> Span:
    """Where the text stands from its line on; the line itself where it is written otherwise."""
    if document is None:
        return Span(0, 0)
    start = document.offset(Position(line, 0))
    first = text.strip().partition("\n")[0][:_SOUGHT]
    at = document.text.find(first, start) if first else -1
    where = document.line_span(document.line_of(at if at >= 0 else start))
    return Span(max(at, where.start), max(where.end, where.start))


def _finding(code: str, what: str, span: Span) -> Finding:
    return Finding(code, Severity.WARNING, _MESSAGE.format(what=what), span)
