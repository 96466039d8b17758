"""Whether a result can have the shape that a question asks for, as far as both are plain.

These are doubts and no findings: they send an answer back once, and a person reads those that
stay. Only what a question says in so many words counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from sqlscribe.checking.parsing import parsed

_UNITS = r"(?:second|minute|hour|day|week|weekend|month|quarter|year|decade)s?\b"
_TOP = re.compile(
    rf"\b(?:top|first|last)\s+(?P<first>\d{{1,5}})\b(?!\s*(?:%|percent|-|{_UNITS}))"
    r"|\b(?P<second>\d{1,5})\s+(?:most|least|largest|smallest|highest|lowest|biggest|best|worst"
    r"|newest|oldest|latest|cheapest|longest|shortest|busiest)\b"
    r"|前\s*(?P<third>\d{1,5})\s*(?:名|个|位|条|家|大)",
    re.IGNORECASE,
)
# An order is also what customers place: "ordered by Ann" and "an order from Rome" say nothing.
_ORDERED = re.compile(
    r"\b(?:sorted|ranked|sort)\s+by\b|[,;]\s*(?:and\s+)?order(?:ed)?\s+by\b"
    r"|\b(?:sort|order|rank)\s+(?:them|it|the\s+(?:results?|rows|list|output))\s+(?:by|in|from)\b"
    r"|\bin\s+(?:ascending|descending|alphabetical|chronological)\s+order\b"
    r"|\b(?:ascending|descending)\b|\b(?:highest|largest|newest|oldest|lowest)\s+first\b"
    r"|排序|降序|升序|从高到低|从低到高|从大到小|从小到大",
    re.IGNORECASE,
)
_EACH = re.compile(r"\b(?:each|every|per)\b|每[个位名家月天年周种类]|各[个类种]?", re.IGNORECASE)
_LIMITS = (exp.Limit, exp.Fetch, exp.RowNumber, exp.Qualify, exp.Window)


def doubts(question: str, sql: str, dialect: str) -> tuple[str, ...]:
    """Sentences on what the question asks for and the result cannot have. Never raises."""
    try:
        trees = parsed(sql, dialect).trees
        return tuple(_doubts(question, trees[0])) if len(trees) == 1 else ()
    except RecursionError:
        return ()


def _doubts(question: str, tree: exp.Expression) -> Iterator[str]:
    if not isinstance(tree, exp.Query):
        return
    if (top := _TOP.search(question)) is not None and not _is_limited(tree, top):
        yield f"The question asks for “{top[0]}”, and nothing limits the number of rows."
    if (said := _ORDERED.search(question)) is not None and tree.find(exp.Order) is None:
        yield f"The question says “{said[0]}”, and the result has no ORDER BY."
    if isinstance(tree, exp.Select) and (each := _EACH.search(question)) is not None:
        yield from _nameless_groups(tree, each[0])


def _is_limited(tree: exp.Expression, top: re.Match[str]) -> bool:
    """True where the number itself is in the query, too: the data may have ranks of its own."""
    number = str(int(top["first"] or top["second"] or top["third"]))
    if number == "1" or tree.find(*_LIMITS) is not None:
        return True
    return any(literal.name == number for literal in tree.find_all(exp.Literal))


def _nameless_groups(select: exp.Select, said: str) -> Iterator[str]:
    """Rows for groups with nothing that tells which group each is."""
    group = select.args.get("group")
    if group is None or not group.expressions or select.args.get("limit") is not None:
        return
    if all(_is_number_of_group(item.unalias()) for item in select.expressions):
        names = ", ".join(part.sql(comments=False) for part in group.expressions)
        yield (
            f"The question says “{said}”, and no column of the result tells which group a row is"
            f" about ({names})."
        )


def _is_number_of_group(item: exp.Expression) -> bool:
    """True for an aggregate and what is computed of nothing else."""
    if item.find(exp.AggFunc) is None or item.find(exp.Window) is not None:
        return False
    outside = (column for column in item.find_all(exp.Column))
    return all(column.find_ancestor(exp.AggFunc) is not None for column in outside)
