"""The one range of dates in a SQL text, and the text with another range in its place.

Understood are two literals (half-open, or with both ends inside), one day, one month, and a year
with or without its month or quarter. Everything else, a second date included, is not touched:
nobody can tell whether it would have to move too.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from sqlscribe.models.date_words import DateRange, Day, Grain, range_of
from sqlscribe.notation.lexicon import Kind, Piece, scan

_MONTH_NAMES = (
    "january february march april may june july august september october november december"
).split()
_ONE = datetime.timedelta(days=1)


@dataclass(frozen=True)
class Written:
    """A range as a SQL text has it. ``grains`` are those that another one may have.

    ``end`` is ``None`` where the range only begins.
    """

    sql: str
    start: Day
    end: Day | None
    grains: frozenset[Grain]
    places: tuple[_Place, ...]

    def filled(self, other: DateRange, is_open: bool) -> str | None:
        """The text with another range, ``None`` where that cannot be written in its way."""
        if is_open != (self.end is None) or other.grain not in self.grains:
            return None
        if other.start != self.start and self._is_named_elsewhere():
            return None
        return self._with(lambda place: place.render(other))

    def _is_named_elsewhere(self) -> bool:
        """True where an alias or a label has the year or month too, and would become wrong."""
        rest = self._with(lambda place: "")
        name = _MONTH_NAMES[self.start.month - 1]
        return bool(re.search(rf"(?<!\d){self.start.year}(?!\d)|\b{name}\b", rest, re.IGNORECASE))

    def _with(self, text_of: Callable[[_Place], str]) -> str:
        pieces, done = [], 0
        for place in sorted(self.places, key=lambda place: place.start):
            pieces += [self.sql[done : place.start], text_of(place)]
            done = place.end
        return "".join([*pieces, self.sql[done:]])


class _Place(NamedTuple):
    start: int
    end: int
    render: Callable[[DateRange], str]


def written_range(sql: str, dialect: str) -> Written | None:
    """The range of dates in a SQL text, ``None`` where there is none, or not surely one."""
    marks = _marks(sql, list(scan(sql, dialect)))
    if marks is None or not marks or len(marks) > _MOST:
        return None
    sizes = [mark.size for mark in marks]
    operators = tuple(mark.operator for mark in marks)
    if sizes == ["day", "day"]:
        return _between(sql, marks[0], marks[1], operators)
    if sizes == ["day"]:
        return _of_one_day(sql, marks[0])
    if sizes == ["month"] and operators[0] in _EQUAL:
        return _of_unit(sql, "month", marks)
    if sizes == ["year"] and operators[0] in _EQUAL:
        return _of_year(sql, marks)
    return None


_MOST = 2
_ANY_GRAIN: frozenset[Grain] = frozenset(("day", "week", "month", "quarter", "year", "to date"))
_EQUAL = ("=", "LIKE")


class _Mark(NamedTuple):
    """A date in a SQL text: where its digits are, and what stands before and behind them."""

    size: str
    start: int
    end: int
    day: Day
    separator: str
    rest: str
    operator: str


_DAY = re.compile(
    r"(?P<year>\d{4})(?P<separator>[-/]?)(?P<month>\d\d)(?P=separator)(?P<day>\d\d)"
    r"(?P<rest>(?:[ T](?:00:00(?::00(?:\.0+)?)?|23:59:59(?:\.9+)?)Z?)?%?)"
)
_MONTH = re.compile(r"(?P<year>\d{4})(?P<separator>[-/])(?P<month>\d\d)(?P<rest>(?:-?%)?)")
_YEAR = re.compile(r"(?P<year>(?:19|20)\d\d)(?P<rest>(?:-?%)?)")
_SOME_DATE = re.compile(r"\b(?:19|20)\d\d(?:[-/]\d|\d{4}\b)")
_NUMBER = re.compile(r"(?<![\w$@:.?])(?:19|20)\d\d(?:\d{4})?(?![\w.])")
_OPERATOR = re.compile(
    r"(?P<operator>>=|<=|<>|!=|=|<|>|\bBETWEEN\b|\bAND\b|\b(?:NOT\s+)?I?LIKE\b)"
    r"\s*(?:\b(?:DATE|TIMESTAMP|DATETIME|TO_DATE|TO_TIMESTAMP|CAST|N)\b\s*\(?\s*)*$",
    re.IGNORECASE,
)
_LAST_CODE = 80
"""Characters before a literal in which its operator stands."""


def _marks(sql: str, pieces: Sequence[Piece]) -> list[_Mark] | None:
    """All dates in a text, in order; ``None`` where one is written in another way."""
    marks: list[_Mark] = []
    for piece in pieces:
        text = sql[piece.start : piece.end]
        if piece.kind is Kind.STRING:
            inside = text[1:-1]
            mark = _mark(sql, inside, piece.start + 1, piece.start)
            if mark:
                marks.append(mark)
            elif _SOME_DATE.search(inside):
                return None
        elif piece.kind is Kind.CODE:
            for match in _NUMBER.finditer(sql, piece.start, piece.end):
                mark = _mark(sql, match.group(), match.start(), match.start())
                if mark is None or mark.operator != "=":
                    return None
                marks.append(mark)
    return marks


def _mark(sql: str, text: str, start: int, before: int) -> _Mark | None:
    for size, pattern in (("day", _DAY), ("month", _MONTH), ("year", _YEAR)):
        match = pattern.fullmatch(text)
        if match is None:
            continue
        parts = match.groupdict(default="")
        try:
            day = Day(int(parts["year"]), int(parts.get("month", 1)), int(parts.get("day", 1)))
        except ValueError:
            return None
        operator = _OPERATOR.search(sql[max(before - _LAST_CODE, 0) : before])
        return _Mark(
            size,
            start,
            start + len(text),
            day,
            parts.get("separator", ""),
            parts["rest"],
            " ".join(operator["operator"].upper().split()) if operator else "",
        )
    return None


def _between(sql: str, first: _Mark, last: _Mark, operators: tuple[str, ...]) -> Written | None:
    late = "23:59" in last.rest
    if operators == (">=", "<") and first.day < last.day and not late:
        end, inside = last.day, datetime.timedelta(0)
    elif operators in ((">=", "<="), ("BETWEEN", "AND")) and first.day <= last.day:
        if last.rest and not late:
            # Up to midnight at the beginning of the last day: is that day meant or not?
            return None
        end, inside = last.day + _ONE, _ONE
    else:
        return None
    if "23:59" in first.rest or "%" in first.rest + last.rest:
        return None
    places = (
        _Place(first.start, first.end, lambda other: _day(other.start, first)),
        _Place(last.start, last.end, lambda other: _day(other.end - inside, last)),
    )
    return Written(sql, first.day, end, _ANY_GRAIN, places)


_TRUNCATED = re.compile(
    r"\b(?:date_trunc|datetime_trunc|timestamp_trunc|trunc)\s*\([^()]*"
    r"(?:'|\b)(?P<grain>week|month|quarter|year)\b",
    re.IGNORECASE,
)
_TRUNCATING = re.compile(r"\b\w*trunc\w*\s*\(", re.IGNORECASE)


def _of_one_day(sql: str, mark: _Mark) -> Written | None:
    places = (_Place(mark.start, mark.end, lambda other: _day(other.start, mark)),)
    if mark.operator == ">=" and not mark.rest:
        return Written(sql, mark.day, None, _ANY_GRAIN - {"to date"}, places)
    if mark.operator not in _EQUAL:
        return None
    truncated = [match["grain"].casefold() for match in _TRUNCATED.finditer(sql)]
    if len(truncated) != len(_TRUNCATING.findall(sql)) or len(set(truncated)) > 1:
        return None
    for grain in ("week", "month", "quarter", "year"):
        if truncated[:1] == [grain]:
            if range_of(grain, mark.day).start != mark.day:
                return None
            return _of_unit(sql, grain, [mark])
    return Written(sql, mark.day, mark.day + _ONE, frozenset(("day",)), places)


def _of_unit(sql: str, grain: Grain, marks: Sequence[_Mark]) -> Written:
    """A range that one date stands for: the month of a day, a year."""
    place = range_of(grain, marks[0].day)
    places = tuple(_Place(m.start, m.end, _renderer(m)) for m in marks)
    return Written(sql, place.start, place.end, frozenset((grain,)), places)


def _renderer(mark: _Mark) -> Callable[[DateRange], str]:
    return lambda other: _day(other.start, mark)


def _day(day: Day, mark: _Mark) -> str:
    """A day as long, and with the marks, as another one is written."""
    parts = [f"{day.year:04}", f"{day.month:02}", f"{day.day:02}"]
    length = {"year": 1, "month": 2}.get(mark.size, 3)
    return mark.separator.join(parts[:length]) + mark.rest


_COLUMN = r"[\w.\"`\[\]]+(?:::\w+)?"


def _part(name: str, sign: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?:\bextract\s*\(\s*{name}\s+from\s+{_COLUMN}\s*\)|\b{name}\s*\(\s*{_COLUMN}\s*\)"
        rf"|\bdate_part\s*\(\s*'{name}'\s*,\s*{_COLUMN}\s*\)"
        rf"|\bstrftime\s*\(\s*'{sign}'\s*,\s*{_COLUMN}\s*\))"
        r"(?:::\w+)?\s*=\s*'?(?P<number>\d{1,2})\b'?",
        re.IGNORECASE,
    )


_MONTH_PART, _QUARTER_PART = _part("month", "%m"), _part("quarter", "%q")


def _of_year(sql: str, marks: Sequence[_Mark]) -> Written | None:
    """A year, alone or with the month or quarter that stands beside it."""
    year = _of_unit(sql, "year", marks)
    months, quarters = list(_MONTH_PART.finditer(sql)), list(_QUARTER_PART.finditer(sql))
    if not months and not quarters:
        # A month that is told in another way would stay behind.
        told = re.search(r"(?:month|quarter|week|day)\w*\W{0,3}\s*=", sql, re.IGNORECASE)
        return None if told else year
    if len(months) + len(quarters) > 1:
        return None
    grain: Grain = "month" if months else "quarter"
    match = (months or quarters)[0]
    number = int(match["number"])
    month = number if months else 3 * number - 2
    if not 1 <= month <= 12:
        return None
    start, end = match.span("number")

    def render(other: DateRange) -> str:
        new = other.start.month if months else (other.start.month + 2) // 3
        return f"{new:0{end - start}}"

    meant = range_of(grain, Day(year.start.year, month, 1))
    return replace(
        year,
        start=meant.start,
        end=meant.end,
        grains=frozenset((grain,)),
        places=(*year.places, _Place(start, end, render)),
    )
