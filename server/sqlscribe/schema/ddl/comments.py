"""Which column or table a comment beside it speaks of."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from sqlscribe.schema.ddl.cursor import Cursor
from sqlscribe.schema.ddl.tokens import Comment, Tokens, line_start

_LINE_MARKS = re.compile(r"^(?:-{2,}|#+|/{2,})[-=#*~\s]*")
_STAR = re.compile(r"^\s*\*+(?!/)", re.MULTILINE)
_RULER = re.compile(r"[-=*#~_/\s]*\Z")
_SPACE = re.compile(r"\s+")
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n|\r[ \t]*\r")
_ON_THIS_LINE = re.compile(r"[ \t]*(--[^\r\n]*|/\*[^\r\n]*?\*/)")

# What tools write above a table, SQLScribe's own notation, and statements that were put away.
_NOT_ABOUT_A_TABLE = re.compile(
    r"""(?ix)
    \s*(?:
      (?:temporary\s+)?(?:table|view)(?:\s+structure)?(?:\s+for(?:\s+(?:table|view))?)?
        [\s:]+[`"\[]?[\w$.`"\[\]]+\s*\Z
    | (?:create|drop|alter|insert|grant|select|hint|ddl\ for|dumping)\b
    | create(?:table|enum|index)\b
    | name:\s.*type:
    | object:
    | \+\s?(?:goose|migrate|micrate)
    | migrate:(?:up|down) | (?:up|down)\s+migration
    | !ups | !downs
    | >\s?statement-breakpoint
    | (?:ask|refine|error|dialect|as\ of|name)\b[^:\n]{0,80}:
    | (?:changeset|comment|preconditions|rollback)\b[^:\n]{0,80}:
    | changeset\s | liquibase\s
    | (?:noqa|sqlfluff|prettier-ignore|@formatter)
    )"""
)


def clean(comment: Comment) -> str:
    """What a comment says, on one line, without its marks and rulers."""
    if comment.line:
        text = _LINE_MARKS.sub("", comment.text.strip())
    else:
        text = comment.text.removeprefix("/*").removesuffix("*/")
        text = _STAR.sub("", text)
    text = _SPACE.sub(" ", text).strip(" -=*#~")
    return "" if _RULER.match(text) else text


def above(tokens: Tokens, start: int) -> str:
    """The comments on the lines directly above ``start``, if they speak of what comes there."""
    found: list[str] = []
    text, below = tokens.text, start
    for comment in tokens.comments_above(start):
        end = comment.start + len(comment.text.rstrip())
        between = text[end:below]
        if (between and not between.isspace()) or _BLANK_LINE.search(between):
            break
        if text[line_start(text, comment.start) : comment.start].strip():
            # It stands behind code, and speaks of that.
            break
        found.append(clean(comment))
        below = comment.start
    said = [line for line in reversed(found) if line]
    if any(_NOT_ABOUT_A_TABLE.match(line) for line in said):
        said = [line for line in said if not _NOT_ABOUT_A_TABLE.match(line)]
    return " ".join(said)


def behind(text: str, end: int) -> str:
    """The comment on the same line behind a statement's end."""
    found = _ON_THIS_LINE.match(text, end)
    if found is None:
        return ""
    said = clean(Comment(found.group(1), found.start(1), found.end(1), found[1][0] == "-"))
    return "" if _NOT_ABOUT_A_TABLE.match(said) else said


def inside_head(tokens: Tokens, start: int, opening: int) -> str:
    """Comments between ``CREATE`` and the list, or behind its bracket on the same line."""
    bracket = tokens.tokens[opening]
    following = tokens.tokens[opening + 1].start if opening + 1 < len(tokens.tokens) else None
    said = [clean(comment) for comment in tokens.comments_between(start, bracket.start)]
    for comment in tokens.comments_between(bracket.end, len(tokens.text))[:1]:
        last = comment.line or _newline(tokens.text[comment.end : following])
        if last and not _line_ends(tokens.text, bracket.end, comment):
            said.append(clean(comment))
    return " ".join(line for line in said if line)


def beside(tokens: Tokens, items: Sequence[Cursor], opening: int) -> dict[int, str]:
    """Comments of the items of a list that opens at token ``opening``, by the item's index."""
    said: dict[int, list[str]] = {}
    if not tokens.comments or not items:
        return {}
    last = items[-1].end
    until = tokens.tokens[last].start if last < len(tokens.tokens) else len(tokens.text)
    starts = [item.at for item in items]
    trailing: tuple[int, int, int] | None = None
    for comment in tokens.comments_between(tokens.tokens[opening].end, until):
        before = tokens.index_before(comment.start)
        column = comment.start - line_start(tokens.text, comment.start)
        if trailing and trailing[:2] == (before, column):
            # A comment behind a column goes on right below itself.
            owner: int | None = trailing[2]
        else:
            owner = _owner(tokens, items, starts, comment, before)
            same_line = not _line_ends(tokens.text, tokens.tokens[before].end, comment)
            trailing = (before, column, owner) if same_line and owner is not None else None
        line = clean(comment)
        # A comment that ends like a column's line is a column that was put away.
        if owner is not None and line and not line.endswith(","):
            said.setdefault(owner, []).append(line)
    return {index: " ".join(lines) for index, lines in said.items()}


def _owner(
    tokens: Tokens, items: Sequence[Cursor], starts: list[int], comment: Comment, before: int
) -> int | None:
    """Index of the item that a comment behind token ``before`` belongs to."""
    # The first item whose comma, or whose end, is at or behind that token.
    index = max(bisect_right(starts, before) - 1, 0)
    item = items[index]
    text, token = tokens.text, tokens.tokens[before]
    at_start = before < starts[0]
    at_comma = before == item.end
    following = index if at_start else index + 1
    if not _line_ends(text, token.end, comment):
        next_ = tokens.tokens[before + 1] if before + 1 < len(tokens.tokens) else None
        leads = (
            not comment.line and next_ is not None and not _newline(text[comment.end : next_.start])
        )
        if at_start:
            return 0 if leads else None
        if at_comma and leads:
            return following if following < len(items) else None
        return None if _nested(item, before, comment) else index
    if at_start or at_comma or before == item.end - 1:
        blank = _blank_below(tokens, comment, before)
        return following if following < len(items) and not blank else None
    return None if _nested(item, before, comment) else index


def _blank_below(tokens: Tokens, comment: Comment, before: int) -> bool:
    """A comment with an empty line below it heads a section, not a column."""
    if before + 1 >= len(tokens.tokens):
        return False
    end = comment.start + len(comment.text.rstrip())
    below = tokens.text[end : tokens.tokens[before + 1].start]
    found = _BLANK_LINE.search(below)
    return found is not None and not below[: found.start()].strip()


def _nested(item: Cursor, before: int, comment: Comment) -> bool:
    """Whether the comment is inside brackets of the item."""
    tokens, closing = item.tokens.tokens, item.tokens.closing
    pairs = (closing.get(opening) for opening in range(item.at, before + 1))
    return any(closed and tokens[closed].start > comment.start for closed in pairs)


def _line_ends(text: str, start: int, comment: Comment) -> bool:
    return _newline(text[start : comment.start])


def _newline(text: str) -> bool:
    return "\n" in text or "\r" in text
