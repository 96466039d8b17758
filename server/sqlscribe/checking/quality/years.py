"""Years that a question about today cannot mean."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from sqlglot.tokens import TokenType

from sqlscribe.checking.quality.look import Look, finding
from sqlscribe.notation.findings import Finding

_DAY = re.compile(r"((?:19|20)\d\d)-(?:0[1-9]|1[0-2])(?:-\d\d(?:[ T].*)?)?", re.DOTALL)
_YEAR = re.compile(r"(?:19|20)\d\d")
_NAMES_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|['’]\d\d\b|\bFY ?\d\d|\d\d年")
_RELATIVE = re.compile(
    r"\b(?:last|past|previous|this|current|recent|today|yesterday|ago|since yesterday|so far|ytd"
    r"|mtd|to date|now)\b|今|昨|上个?[周月季年]|本[周月季年]|去年|最近"
    r"|近\s*[\d一二三四五六七八九十几]",
    re.IGNORECASE,
)
_COMPARED = frozenset(
    {TokenType.EQ, TokenType.GT, TokenType.GTE, TokenType.LT, TokenType.LTE, TokenType.BETWEEN}
)


def is_about_today(question: str) -> bool:
    """Whether a question counts from today and names no year of its own: ``last month``."""
    return _RELATIVE.search(question) is not None and _NAMES_YEAR.search(question) is None


def check_years(look: Look, today: date | None) -> Iterator[Finding]:
    """Literals of another year than this, the last or the next; none without ``today``."""
    if today is None:
        return
    view = look.view
    for index, token in enumerate(view.tokens):
        year = None
        if token.token_type is TokenType.STRING and (day := _DAY.fullmatch(token.text)):
            year = int(day[1])
        elif token.token_type is TokenType.NUMBER and _YEAR.fullmatch(token.text):
            of_year = "year" in view.text(max(index - 8, 0), index).casefold()
            year = int(token.text) if view.kind(index - 1) in _COMPARED and of_year else None
        # The end of this year is the start of the next.
        if year is not None and not today.year - 1 <= year <= today.year + 1:
            message = (
                f"{token.text} is in another year than this or the last one: today is"
                f" {today.isoformat()}, and the question names no year"
            )
            yield from finding("quality/other-year", message, view.span(index, index))
