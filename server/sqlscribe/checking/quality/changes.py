"""Statements that change data, and more of it than was meant."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from sqlscribe.checking.quality.look import Look, finding
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding

_TOP = re.compile(r"\b(?:UPDATE|DELETE)\s+TOP\s*\(", re.IGNORECASE)


def check_changes(look: Look) -> Iterator[Finding]:
    """UPDATE and DELETE of all rows."""
    for tree in look.view.parse.trees:
        if isinstance(tree, exp.Update | exp.Delete):
            yield from _all_rows(look, tree)


def _all_rows(look: Look, tree: exp.Expression) -> Iterator[Finding]:
    narrowed = ("where", "limit", "using", "from_", "joins", "cluster")
    if any(tree.args.get(name) for name in narrowed) or tree.find(exp.Join):
        return
    if _TOP.search(look.view.parse.sql):
        return
    word = "UPDATE" if isinstance(tree, exp.Update) else "DELETE"
    token = next((t for t in look.view.tokens if t.text.upper() == word), None)
    if token is not None:
        verb = "changes" if word == "UPDATE" else "deletes"
        message = f"without WHERE this {verb} every row of the table"
        yield from finding("quality/no-where", message, Span(token.start, token.end + 1))
