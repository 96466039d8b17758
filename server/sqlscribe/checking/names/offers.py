"""A wrong name as a finding: where it stands, and the right names as fixes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlglot import exp

from sqlscribe.checking.parsing import Parsed
from sqlscribe.notation.document import Span, TextEdit
from sqlscribe.notation.findings import Finding, Fix, Severity
from sqlscribe.schema.identifiers import spelled

MOST_FIXES = 3


def place_of_name(name: exp.Identifier, parse: Parsed) -> Span:
    """Where an identifier stands; for one that the parser lost, its first mention."""
    start, end = name.meta.get("start"), name.meta.get("end")
    if start is None or end is None:
        found = next((token for token in parse.tokens if name.name in token.text), None)
        if found is None:
            return Span(0, len(parse.sql))
        start, end = found.start, found.end
    span = Span(start, end + 1)
    text = span.of(parse.sql)
    inside = text.rfind(name.name)
    if "." in text and inside >= 0 and len(text) > len(name.name) + 2:
        # One pair of backticks around all of `project.dataset.table`.
        return Span(start + inside, start + inside + len(name.name))
    return span


@dataclass(frozen=True)
class Offer:
    """A right name: how a message shows it, and the text that takes the place of a span."""

    shown: str
    text: str
    span: Span


def finding_on_name(
    code: str,
    message: str,
    span: Span,
    offers: Iterable[Offer] = (),
    *,
    clear: bool = False,
    severity: Severity = Severity.ERROR,
) -> Finding:
    fixes = tuple(
        Fix(f"Change to {offer.shown}", (TextEdit(offer.span, offer.text),), clear and not index)
        for index, offer in enumerate(list(offers)[:MOST_FIXES])
    )
    return Finding(code, severity, message, span, fixes)


def meant(names: Iterable[str]) -> str:
    right = list(dict.fromkeys(names))[:2]
    return f"; did you mean {' or '.join(right)}?" if right else ""


def rightly(name: str, quoted: bool, span: Span, parse: Parsed) -> str:
    """A name as the query must write it at a place, which may lie inside backticks."""
    around = parse.sql[span.start - 1 : span.start] + parse.sql[span.end : span.end + 1]
    if "`" in around and "`" not in span.of(parse.sql):
        return name
    return spelled(name, quoted, parse.dialect)
