"""From a piece of a reply to the statements in it: whole, or buried in sentences.

What a statement is, is decided by parsing. A search for words only says where to try.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from sqlscribe.checking.extraction.cleaning import cleaned
from sqlscribe.checking.extraction.grades import Grade, code_of, graded, is_sentence, looks_cut
from sqlscribe.checking.extraction.prose import (
    OR,
    begins_prose,
    is_last_word,
    is_prose,
    starts_paragraph,
)
from sqlscribe.checking.parsing import parsed
from sqlscribe.notation.document import Span
from sqlscribe.notation.statements import split

MAX_QUERY = 50_000
"""Longer pieces of a reply are not searched for a query."""


@dataclass(frozen=True)
class Reading:
    """What was found. ``sql`` is the answer: one query, or all statements as they stand.

    ``start`` and ``end`` are where in the searched text. ``cut``: the end is missing.
    """

    sql: str
    grade: Grade
    statements: tuple[str, ...] = ()
    alternates: tuple[str, ...] = ()
    start: int = 0
    end: int = 0
    cut: bool = False


NOTHING = Reading("", Grade.NONE)


def read_whole(text: str, dialect: str) -> Reading:
    """The text taken as it is, nothing but SQL: one statement, or several with semicolons."""
    # In T-SQL many write a semicolon before WITH.
    text = text.strip().lstrip(";").lstrip()
    if not text or len(text) > MAX_QUERY:
        return NOTHING
    text = _without_name(text)
    best = NOTHING
    for candidate in dict.fromkeys((cleaned(text, dialect), text)):
        reading = _statements(candidate, dialect)
        if reading.grade > best.grade and not is_sentence(reading.sql, dialect):
            best = reading
    return best


def read_marked(text: str, dialect: str) -> Reading:
    """The statements of a block that is set apart from the prose, but may hold some itself."""
    whole = read_whole(text, dialect)
    if whole.grade >= Grade.WRITE:
        return whole
    text = _without_name(text.strip())
    inside = read_prose(text, dialect)
    if whole.grade is Grade.BROKEN:
        return inside if inside.grade >= Grade.WRITE and inside.start == 0 else whole
    if inside.grade or len(text) > MAX_QUERY:
        return inside
    words = {word.lower() for word in _CLAUSE.findall(code_of(text, dialect))}
    return Reading(text, Grade.BROKEN, (text,)) if len(words) > 1 else NOTHING


_OR_START = re.compile(rf"{OR}[ \t]*[:：,，]?\s+(?=select\b|with\b)", re.IGNORECASE)
_CLAUSE = re.compile(r"\b(?:select|from|where|join|group\s+by|order\s+by)\b", re.IGNORECASE)

# A language's name on a line of its own, left over from a fence, and a chat window's button.
_NAME_LINE = re.compile(
    r"(?:sql|postgresql|mysql|sqlite|tsql|bigquery)?[ \t\r\n]{0,9}"
    r"copy(?:[ \t]?code|[ \t]?edit)?[ \t]*\r?\n(?=\s*(?:select|with)\b)"
    r"|(?:sql|postgresql|mysql|sqlite|tsql|bigquery)[ \t]*\r?\n",
    re.IGNORECASE,
)
_NOTATION = re.compile(
    r"\s*(?:--|#)[ \t]*(?:ask|refine|error|dialect|as of)\b[^\n]*(?:\n|\Z)", re.I
)


def _without_name(text: str) -> str:
    name = _NAME_LINE.match(text)
    return text[name.end() :].lstrip() if name else text


def _statements(text: str, dialect: str) -> Reading:
    found = split(text, dialect)
    if not found:
        return NOTHING
    if len(found) == 1:
        sql = _without_last_line(_trimmed(text, found[0].span, dialect), dialect)
        grade = graded(sql, dialect)
        return Reading(sql, grade, (sql,), end=len(text)) if grade else NOTHING
    texts = tuple(
        _without_last_line(_OR_START.sub("", statement.span.of(text)), dialect)
        for statement in found
    )
    grades = [graded(sql, dialect) for sql in texts]
    # Prose behind a semicolon is no statement, whatever the splitter thinks.
    while grades and grades[-1] is Grade.NONE:
        grades.pop()
    texts = texts[: len(grades)]
    if not grades or Grade.NONE in grades:
        return NOTHING
    all_of_it = text[found[0].span.start : found[len(texts) - 1].span.end]
    return replace(_combined(texts, grades, all_of_it, dialect), end=len(text))


def _combined(texts: tuple[str, ...], grades: list[Grade], all_of_it: str, dialect: str) -> Reading:
    """Several queries are alternatives, the first one counts. Else they stay together."""
    if min(grades) is Grade.QUERY or len(texts) == 1:
        others = tuple(
            sql
            for sql in dict.fromkeys(texts)
            if sql != texts[0] and not is_sentence(sql, dialect, a_too=False)
        )
        return Reading(texts[0], grades[0], texts, others)
    return Reading(all_of_it, min(grades), texts)


def _trimmed(text: str, statement: Span, dialect: str) -> str:
    """One statement with the comments around it, without terminators and our own notation."""
    rest = text[statement.end :]
    sql = text[: statement.end] + ("" if code_of(rest, dialect).strip() else rest)
    while notation := _NOTATION.match(sql):
        sql = sql[notation.end() :]
    return sql.strip()


_TRY = re.compile(
    r"(?<![\w@#$.])(?:with|select|values|insert\s+into|update|delete\s+from|merge\s+into"
    r"|create|alter|drop|truncate|explain|describe|show|pragma|call|exec|grant|copy|from)\b"
    r"|\(\s*(?=(?:select|with)\b|\(\s*select\b)",
    re.IGNORECASE,
)
_MAX_STATEMENTS = 50

# What no sentence begins with: where such a statement does not parse, its parts are no answer.
_NAME = r"[\w\"`\[\].]+"
_HEAD = re.compile(
    rf"with\s+(?:recursive\s+)?{_NAME}\s*(?:\([^()]*\)\s*)?as\s*(?:(?:not\s+)?materialized\s*)?\("
    rf"|insert\s+into\s+{_NAME}\s*(?:\(|select\b|with\b|values\b)"
    rf"|update\s+{_NAME}\s+(?:(?:as\s+)?\w+\s+)?set\b"
    rf"|delete\s+from\s+{_NAME}\s+(?:where|using)\b"
    rf"|merge\s+into\s+{_NAME}\s+(?:(?:as\s+)?\w+\s+)?using\b"
    r"|create\s+(?:[a-z]+\s+){0,5}(?:table|view)\s+(?:if\s+not\s+exists\s+)?"
    rf"{_NAME}\s*(?:\(|as\b)"
    r"|copy\s*\(",
    re.IGNORECASE,
)
# A query behind one of these is a part of another one.
_PART = re.compile(
    r"(?:\b(?:in|exists|from|join|lateral|apply|any|some)|[=<>,(])\s*\(\s*\Z"
    r"|\b(?:union|except|intersect|minus)(?:\s+(?:all|distinct))?\s*(?:\(\s*)?\Z",
    re.IGNORECASE,
)


@dataclass
class _Budget:
    """Characters that may still be parsed, so that no reply takes seconds."""

    left: int = 200_000

    def grade(self, sql: str, dialect: str) -> Grade:
        self.left -= len(sql) + 500
        return graded(sql, dialect) if self.left > 0 else Grade.NONE


# Signs that a statement may start here, although sentences stand before it on the line.
_BEFORE = re.compile(
    r"(?:^|[:：.。!?\n;>*=\"'`“‘(]|--[^\n]*\n)[ \t]*(?:[-*•>]|\d{1,2}[.)])?[ \t]*\Z"
)
_QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "「": "」"}


def read_prose(text: str, dialect: str) -> Reading:
    """The last run of statements in a text of sentences; statements in one run are siblings."""
    best = broken = NOTHING
    earlier: tuple[str, ...] = ()
    budget = _Budget()
    position = 0
    while budget.left > 0 and (start := _TRY.search(text, position)):
        position = start.end()
        inside_broken = start.start() < broken.end and text[: start.start()].endswith("(")
        is_part = inside_broken or _is_part(text, start)
        if is_part or not _may_start(text, start, dialect):
            continue
        found = _run(text, start.start(), dialect, budget)
        if found.cut:
            return replace(found, alternates=tuple(dict.fromkeys(earlier)))
        if found.grade >= Grade.WRITE:
            position = max(found.end, position)
            if found.grade >= best.grade:
                best = found
            if found.grade is Grade.QUERY:
                earlier = (*earlier, found.sql, *found.alternates)
        else:
            if _HEAD.match(text, start.start()):
                position = max(_end_of_code(text, start.start(), found.end), position)
            if found.grade is Grade.BROKEN and not broken.grade:
                broken = found
    if not best.grade:
        return broken
    others = tuple(sql for sql in dict.fromkeys((*best.alternates, *earlier)) if sql != best.sql)
    return replace(best, alternates=others)


def _is_part(text: str, start: re.Match[str]) -> bool:
    """Whether a query begins here that belongs to the one around it or before it."""
    before = start.end() if start[0].startswith("(") else start.start()
    return _PART.search(text[max(before - 60, 0) : before]) is not None


def _end_of_code(text: str, start: int, end: int) -> int:
    """Where a statement that does not parse ends, at the latest where prose begins."""
    position = start
    while (gap := text.find("\n\n", position, end)) >= 0:
        position = gap + 2
        if starts_paragraph(text[gap : min(end, gap + 300)]):
            return gap
    return end


def _may_start(text: str, start: re.Match[str], dialect: str) -> bool:
    if start[0].lower() == "from" and dialect not in ("duckdb", "clickhouse"):
        return False
    if start[0].isupper() and start[0][:4] in ("WITH", "SELE", "INSE", "UPDA", "DELE", "DROP"):
        return True
    line = text.rfind("\n", 0, start.start()) + 1
    return _BEFORE.search(text[max(line, start.start() - 60) : start.start()]) is not None


def _run(text: str, start: int, dialect: str, budget: _Budget) -> Reading:
    """The statement that starts here, and those behind it with nothing but comments between."""
    texts: list[str] = []
    grades: list[Grade] = []
    end = position = start
    while len(texts) < _MAX_STATEMENTS:
        sql, grade, end_of_it = _one(text, position, dialect, budget)
        if grade and _goes_on_too_long(text, position, end_of_it):
            # Its beginning may parse, and mean something else without the conditions that follow.
            return Reading("", Grade.NONE, start=start, end=len(text), cut=True)
        if grade < Grade.WRITE:
            if not texts:
                return Reading(sql, grade, (sql,), start=start, end=end_of_it)
            break
        texts.append(sql)
        grades.append(grade)
        end = end_of_it
        rest = _next_code(text, end, dialect)
        if rest is None or _TRY.match(text, rest) is None:
            break
        position = rest
    found = _combined(tuple(texts), grades, text[start:end], dialect)
    return replace(found, start=start, end=end)


def _goes_on_too_long(text: str, start: int, end: int) -> bool:
    """Whether a statement was read as far as one is read, and not to its end."""
    limit = start + MAX_QUERY
    return bool(text[limit:].strip()) and not text[end:limit].strip()


# Between two queries that are offered as alternatives.
_BETWEEN = re.compile(
    rf"[\s;；]*(?:{OR}[ \t]*[:：,，]?\s+)?",
    re.IGNORECASE,
)


def _next_code(text: str, position: int, dialect: str) -> int | None:
    """Where the code goes on behind a statement, its semicolon, blanks and comments."""
    rest = code_of(text[position : position + 2000], dialect)
    code = _BETWEEN.match(rest)
    return position + code.end() if code and code.end() < len(rest) else None


# Where a statement ends at the latest: what follows can only be a sentence or a label.
_HARD_END = re.compile(
    r"(?<!&[gl]t)(?<!&amp)(?<!&#\d\d)(?<!&quot)(?<!&apos)(?<!&nbsp)[;；]|[.。！](?=\s|\Z|[^\x00-\x7f])|[.。](?=[\"'`*)]?(?:\s|\Z))"
    r"|\n(?=[ \t]*(?:#{1,6} |```|~~~|\*\*|</))"
    r"|\n(?=[ \t]*[A-Za-z][A-Za-z ]{1,20}:(?!:)(?:[ \t]|\n|\Z))"
    r"|,? +(?=which [a-z]+s\b)"
    r"| +(?=\((?:the|this|that|which|note|because|since|assuming) [a-z]+ [a-z])"
    r"| +(?=[-–—] (?:the|this|that|it|which|now) [a-z']+ [a-z])"
)


def _one(text: str, start: int, dialect: str, budget: _Budget) -> tuple[str, Grade, int]:
    """The longest statement from here that parses, its grade and where it ends."""
    limit = min(len(text), start + MAX_QUERY)
    quoted = _quoted(text, start, dialect)
    if quoted is not None:
        return quoted
    code = code_of(text[start:limit], dialect)
    hard = _HARD_END.search(code)
    end = start + hard.start() if hard else limit
    best = _longest(text[start:end].rstrip(), dialect, budget)
    if best is not None:
        sql, taken, grade = best
        return sql, grade, start + taken
    sql = cleaned(text[start:end].strip(), dialect)
    believable = re.match(r"[(\s]*(?:SELECT|WITH)\b", sql) is not None and "FROM" in sql
    believable = believable or (sql[:4].lower() == "with" and _HEAD.match(sql) is not None)
    believable = believable and not is_sentence(sql, dialect, a_too=False)
    return sql, Grade.BROKEN if believable else Grade.NONE, end


def _quoted(text: str, start: int, dialect: str) -> tuple[str, Grade, int] | None:
    """A statement inside quotes or inline code, with escaped quotes undone."""
    opening = text[start - 1 : start]
    closing = _QUOTES.get(opening)
    if closing is None:
        return None
    line_end = text.find("\n\n", start)
    stretch = text[start : line_end if line_end >= 0 else len(text)][:MAX_QUERY]
    ends = [mark.start() for mark in re.finditer(rf"(?<!\\){re.escape(closing)}", stretch)]
    for end in dict.fromkeys((*ends[:1], *ends[-1:])):
        sql = cleaned(stretch[:end].replace("\\" + closing, closing), dialect)
        sql = sql.strip().removesuffix(";").rstrip()
        grade = graded(sql, dialect)
        if grade >= Grade.WRITE and not is_sentence(sql, dialect):
            return sql, grade, start + end + 1
    return None


def _longest(text: str, dialect: str, budget: _Budget) -> tuple[str, int, Grade] | None:
    """The text less the prose at its end: shortened until it parses, or not at all.

    Only what reads as prose or as the next statement is ever cut, never a part of the query.
    """
    end = len(text)
    while end > 0 and budget.left > 0:
        sql = cleaned(text[:end].rstrip(), dialect)
        grade = budget.grade(sql, dialect)
        if grade >= Grade.WRITE:
            if is_sentence(sql, dialect):
                return None
            same_line = end < len(text) and text[end] != "\n"
            return _without_tail(sql, dialect, same_line), end, grade
        end = _shorter(text, end, sql, dialect)
    return None


def _shorter(text: str, end: int, sql: str, dialect: str) -> int:
    """Where to cut next: at the error, if prose stands there, else at a line before it."""
    problem = parsed(sql, dialect).problem
    at = end if problem is None else min(problem.span.start, end)
    if at < end and text[at - 1] == " " and is_prose(text[at : min(end, at + 300)]):
        return at
    while (line := text.rfind("\n", 0, at)) > 0:
        if begins_prose(text, line, end):
            return line
        at = line
    return 0


def _without_tail(sql: str, dialect: str, same_line: bool) -> str:
    """Without comments at the end and without a last word of prose that passes as an alias."""
    sql = _without_last_line(sql[: len(code_of(sql, dialect).rstrip())], dialect)
    head, _, tail = sql.rpartition(" ")
    if len(code_of(sql, dialect).rstrip()) < len(sql):
        # The last word is one of a comment.
        return sql
    if same_line and re.fullmatch(r"[a-z]+", tail) and graded(head, dialect) >= Grade.WRITE:
        return head.rstrip()
    return sql


def _without_last_line(sql: str, dialect: str) -> str:
    """Without a last line of prose, which the parser takes for an alias and the like."""
    line = sql.rfind("\n")
    if line < 0 or looks_cut(sql[:line], dialect):
        return sql
    if not is_last_word(sql[line + 1 :]):
        return sql
    return sql[:line].rstrip() if graded(sql[:line], dialect) >= Grade.WRITE else sql
