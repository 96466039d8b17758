"""Some rows of many, in no order."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from sqlscribe.checking.quality.look import Look, finding
from sqlscribe.notation.findings import Finding, Severity


def check_rows(look: Look) -> Iterator[Finding]:
    """LIMIT without ORDER BY, in a query that means certain rows."""
    for tree in look.view.parse.trees:
        if not isinstance(tree, exp.Select) or tree.args.get("order") or not tree.args.get("from_"):
            continue
        limit = tree.args.get("limit")
        # Who looks at a whole table, or at all rows, wants a sample.
        sample = any(item.is_star for item in tree.expressions) or not tree.args.get("group")
        if limit is None or sample:
            continue
        place = look.span(limit)
        message = "LIMIT without ORDER BY: which of the groups are shown is left to chance"
        yield from finding("quality/limit-without-order", message, place, severity=Severity.HINT)
