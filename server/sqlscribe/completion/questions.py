"""Inside a question: mentions of tables and columns, options, and questions asked before.

Also the options in the head of a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from sqlscribe.completion.suggestion import Suggestion
from sqlscribe.identity_cache import identity_cache
from sqlscribe.knowledge.examples import Example
from sqlscribe.notation.document import Document, Span
from sqlscribe.notation.lexicon import DIALECTS
from sqlscribe.notation.marked_comments import OPTIONS, file_options
from sqlscribe.schema.model import Schema, Table

MOST = 200
"""Suggestions at once. Typing on narrows them down."""
_MOST_QUESTIONS = 20

_MENTION = re.compile(r"[@＠]((?:[^\W]|[.$])*+)\Z")
_BRACKET = re.compile(r"(?i:ask|refine|error)\s*+\[([^\]\r\n]*+)\Z")
_ASKED = re.compile(r"(?i:ask)\s*+(?:\[[^\]\r\n]*+\])?\s*+[:：][ \t]*+(.*)\Z")


def in_line_comment(document: Document, offset: int) -> bool:
    """Whether an offset is in a line that is all comment, where no names of SQL are wanted."""
    line = document.line_span(document.line_of(offset))
    return document.text[line.start : offset].lstrip().startswith("--")


def in_question(
    document: Document,
    offset: int,
    schema: Schema,
    examples: Sequence[Example],
    models: Iterable[str],
) -> list[Suggestion]:
    """Suggestions at an offset within a question comment; none where no question is."""
    line = document.line_span(document.line_of(offset))
    before = document.text[line.start : offset]
    if mention := _MENTION.search(before):
        start = line.start + mention.start(1)
        return list(islice(_names(mention[1], Span(start, offset), schema), MOST))
    if bracket := _BRACKET.search(before):
        start = line.start + bracket.start(1)
        return list(_options(bracket[1], start, models))
    if asked := _ASKED.search(before):
        closed = document.text.find("*/", offset, line.end)
        # A comment that ends on the line has its blank before the mark.
        end = line.end if closed < 0 else max(offset, closed - (document.text[closed - 1] == " "))
        span = Span(line.start + asked.start(1), end)
        return list(_questions(asked[1], span, examples))
    for name, _, span in file_options(document.text):
        if name == "dialect" and span.start <= offset <= span.end:
            return [Suggestion(each, "value", span) for each in DIALECTS if each]
    return []


def _names(typed: str, span: Span, schema: Schema) -> Iterator[Suggestion]:
    """Columns behind a table and a dot, else tables, those that begin as typed first."""
    owner, dot, last = typed.rpartition(".")
    if dot:
        qualifier, _, name = owner.rpartition(".")
        for table in schema.named(name, qualifier):
            yield from _columns(table, Span(span.end - len(last), span.end), last)
    folded = typed.casefold()
    begin = (each for each in schema.folded if each[1].startswith(folded))
    others = (
        each for each in schema.folded if folded in each[0] and not each[1].startswith(folded)
    )
    for _, _, table in chain(begin, others):
        several = len(schema.named(table.name)) > 1
        name = table.qualified_name if several or dot else table.name
        yield Suggestion(name, "table", span, table.kind, table.comment)


def _columns(table: Table, span: Span, typed: str) -> Iterator[Suggestion]:
    folded = typed.casefold()
    for column in table.columns:
        if folded in column.name.casefold():
            detail = " ".join(filter(None, (column.type, table.name)))
            yield Suggestion(column.name, "column", span, detail, column.comment)


def _options(typed: str, start: int, models: Iterable[str]) -> Iterator[Suggestion]:
    entry = typed.rpartition(",")[2]
    name, equals, value = entry.partition("=")
    end = start + len(typed)
    if not equals:
        written = entry.lstrip()
        given = {part.partition("=")[0].strip() for part in typed.split(",")[:-1]}
        for option in OPTIONS:
            if option not in given:
                yield Suggestion(f"{option}=", "option", Span(end - len(written), end))
        return
    span = Span(end - len(value.lstrip()), end)
    known = {"dialect": DIALECTS, "model": tuple(models)}.get(name.strip().lower(), ())
    for choice in known:
        if choice:
            yield Suggestion(choice, "value", span)


@identity_cache(maxsize=2)
def _folded(examples: Sequence[Example]) -> list[tuple[str, Example]]:
    """Each example with its question in the form that words are looked for in."""
    return [(" ".join(each.question.casefold().split()), each) for each in examples]


def _questions(typed: str, span: Span, examples: Sequence[Example]) -> Iterator[Suggestion]:
    """Questions with verified answers that hold every word typed so far."""
    # Word by word over all of them, since there may be thousands.
    left: Iterable[tuple[str, Example]] = _folded(examples)
    for word in typed.casefold().split():
        left = [each for each in left if word in each[0]]
    for _, example in islice(left, _MOST_QUESTIONS):
        question = " ".join(example.question.split())
        by = f"verified by {example.verified_by}" if example.verified_by else "verified"
        yield Suggestion(question, "question", span, by, example.sql)
