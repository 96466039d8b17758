"""Dates said in words, English and Chinese, as ranges of days: "last month", 上个月, "Q1 2024".

Weeks begin on Monday. A month, quarter or day without a year is the latest one that has begun.
"The last 7 days" is no range here: whether today counts is anybody's guess.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from sqlscribe.notation.document import Span

Grain = Literal["day", "week", "month", "quarter", "year", "to date"]
Day = datetime.date
_ONE = datetime.timedelta(days=1)


class DateRange(NamedTuple):
    """The days from ``start`` up to ``end``, which is not among them."""

    start: Day
    end: Day
    grain: Grain


class Phrase(NamedTuple):
    """A range said in words. ``span`` takes in its preposition.

    ``is_open`` is the range that only begins: "since March". ``is_fixed`` is one that means the
    same days whenever it is said. ``named`` are the parts of its first day that the words give.
    """

    span: Span
    range: DateRange
    is_fixed: bool
    is_open: bool
    named: tuple[str, ...] = ()


def phrases(question: str, today: Day | None) -> tuple[Phrase, ...]:
    """The ranges that a question names, from left to right. Without ``today`` the fixed ones."""
    found: list[Phrase] = []
    if _HINT.search(question) is None:
        return ()
    is_ascii = question.isascii()
    # One mark for each character: a text of nothing but dates has thousands of them.
    taken = bytearray(len(question))
    for pattern, read in _PATTERNS:
        if is_ascii and not pattern.pattern.isascii():
            continue
        for match in pattern.finditer(question):
            start, end = match.span()
            if taken.find(1, start, end) < 0 and (phrase := _phrase(match, read, today)):
                found.append(phrase)
                taken[start:end] = b"\1" * (end - start)
    return tuple(sorted(found, key=lambda phrase: phrase.span))


def range_of(grain: Grain, day: Day) -> DateRange:
    """The day, week, month, quarter or year in which ``day`` is."""
    match grain:
        case "week":
            start = day - datetime.timedelta(days=day.weekday())
        case "month":
            start = day.replace(day=1)
        case "quarter":
            start = Day(day.year, 3 * ((day.month - 1) // 3) + 1, 1)
        case "year":
            start = Day(day.year, 1, 1)
        case _:
            start = day
    return DateRange(start, _end(start, grain), grain)


class _Said(NamedTuple):
    range: DateRange
    is_fixed: bool = False
    named: tuple[str, ...] = ()


_Read = Callable[[dict[str, str], Day | None], _Said | None]


def _phrase(match: re.Match[str], read: _Read, today: Day | None) -> Phrase | None:
    parts = {name: text.casefold() for name, text in match.groupdict(default="").items()}
    try:
        said = read(parts, today)
    except (ValueError, OverflowError):
        # There is no 30th of February, and no year 0.
        return None
    if said is None:
        return None
    is_open = bool(parts.get("since") or parts.get("sincezh"))
    return Phrase(Span(*match.span()), said.range, said.is_fixed, is_open, said.named)


def _end(start: Day, grain: Grain) -> Day:
    match grain:
        case "week":
            return start + 7 * _ONE
        case "month":
            return _months_later(start, 1)
        case "quarter":
            return _months_later(start, 3)
        case "year":
            return Day(start.year + 1, 1, 1)
        case _:
            return start + _ONE


def _months_later(first: Day, months: int) -> Day:
    index = first.year * 12 + first.month - 1 + months
    return Day(index // 12, index % 12 + 1, 1)


def _moved(grain: Grain, today: Day, steps: int) -> DateRange:
    """The unit that is ``steps`` later than the one in which today is."""
    now = range_of(grain, today)
    match grain:
        case "day" | "week":
            start = now.start + steps * (now.end - now.start)
        case "year":
            start = Day(now.start.year + steps, 1, 1)
        case _:
            start = _months_later(now.start, steps * (3 if grain == "quarter" else 1))
    return range_of(grain, start)


# What the parts of a match mean.


def _relative(parts: dict[str, str], today: Day | None) -> _Said | None:
    if today is None:
        return None
    steps = next(steps for pattern, steps in _STEPS if re.fullmatch(pattern, parts["which"]))
    grain = next(grain for pattern, grain in _UNITS if re.fullmatch(pattern, parts["unit"]))
    return _Said(_moved(grain, today, steps))


def _day_word(parts: dict[str, str], today: Day | None) -> _Said | None:
    if today is None:
        return None
    return _Said(range_of("day", today + _DAY_WORDS[parts["word"]] * _ONE))


def _year_word(parts: dict[str, str], today: Day | None) -> int | None:
    """The year that is named, by its number or in relation to today."""
    if parts.get("year"):
        return int(parts["year"])
    word = parts.get("yearword")
    return today.year + _YEAR_WORDS[word] if today and word else None


def _calendar(parts: dict[str, str], today: Day | None) -> _Said | None:
    """A year, quarter, month or day, whichever is named, maybe without its year."""
    year = _year_word(parts, today)
    month, quarter, day = (_number(parts.get(name, "")) for name in ("month", "quarter", "day"))
    if year is None and (today is None or not (month or quarter)):
        return None
    if quarter:
        month = 3 * quarter - 2
    grain: Grain = "day" if day else "quarter" if quarter else "month" if month else "year"
    named = year if year is not None else today.year if today else 0
    start = Day(named, month or 1, day or 1)
    if year is None and today and start > today:
        start = start.replace(year=named - 1)
    parts_named = tuple(name for name, number in (("month", month), ("day", day)) if number)
    return _Said(range_of(grain, start), bool(parts.get("year")), parts_named)


def _to_date(parts: dict[str, str], today: Day | None) -> _Said | None:
    if today is None:
        return None
    return _Said(DateRange(Day(today.year, 1, 1), today + _ONE, "to date"))


def _number(text: str) -> int:
    if not text:
        return 0
    if text.isdecimal():
        return int(text)
    return _MONTHS.get(text[:3]) or _IN_WORDS.get(text, 0)


_MONTHS = {
    name: number
    for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)
}
_IN_WORDS = {
    word: number
    for words in ("first second third fourth", "一 二 三 四 五 六 七 八 九 十 十一 十二")
    for number, word in enumerate(words.split(), 1)
}
_DAY_WORDS = {
    "today": 0,
    "yesterday": -1,
    "tomorrow": 1,
    "今天": 0,
    "今日": 0,
    "昨天": -1,
    "昨日": -1,
    "前天": -2,
    "明天": 1,
}
_YEAR_WORDS = {"今年": 0, "本年": 0, "去年": -1, "上年": -1, "明年": 1, "前年": -2}
_YEAR_WORDS |= {"this year": 0, "last year": -1, "next year": 1}
_STEPS = (
    (r"this|current|本|这|这个|当|今", 0),
    (r"last|previous|上|上个|去", -1),
    (r"next|下|下个|明", 1),
)
_UNITS: tuple[tuple[str, Grain], ...] = (
    (r"week|周|星期|礼拜", "week"),
    (r"month|月", "month"),
    (r"quarter|季度|季", "quarter"),
    (r"year|年", "year"),
)

_IN = r"(?:(?P<since>since)\s+|(?:in|on|for|during|of)\s+)"
_THE = r"(?:the\s+)?"
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_YEAR = r"(?P<year>(?:19|20)\d\d)(?!\d|[-/.]\d|,\d{3})"
_OF = r"(?:\s*,\s*|\s+(?:of\s+)?(?:the\s+)?)"
_DAY = r"(?P<day>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?\b"
_QUARTER = r"(?:q(?P<quarter>[1-4])\b|(?P<nth>first|second|third|fourth)\s+quarter\b)"
_WHICH_YEAR = rf"(?:{_YEAR}|(?P<yearword>(?:this|last|next)\s+year\b))"
_YEAR_ZH = r"(?:(?P<year>(?:19|20)\d\d)\s*年|(?P<yearword>今年|本年|去年|上年|明年|前年))"
_FROM_ZH, _SINCE_ZH = r"(?:自从?|从)?\s*", r"\s*(?P<sincezh>以来|至今|之后|起)?"
_BARE_MONTH_ZH = r"(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])\s*月份?"
_MONTH_ZH = rf"{_BARE_MONTH_ZH}(?![\d个饼])"
_DAY_ZH = r"(?P<day>3[01]|[12]\d|0?[1-9])\s*[日号]"
_QUARTER_ZH = r"第?\s*(?P<quarter>[1-4一二三四])\s*季度"


def _quarter(parts: dict[str, str], today: Day | None) -> _Said | None:
    return _calendar({**parts, "quarter": parts["quarter"] or parts["nth"]}, today)


def _patterns() -> Iterator[tuple[re.Pattern[str], _Read]]:
    """The longest ways of saying it first: what is taken by one is not looked at again."""
    spelled: tuple[tuple[str, _Read], ...] = (
        (
            r"\b(?:year[\s-]to[\s-]date|ytd|(?:so\s+far\s+)this\s+year|this\s+year\s+so\s+far)\b",
            _to_date,
        ),
        (r"(?:年初至今|今年以来|今年至今|年初到现在)", _to_date),
        (rf"\b{_IN}?{_MONTH}\s+{_DAY}{_OF}{_YEAR}", _calendar),
        (rf"\b{_IN}?{_THE}{_DAY}\s+(?:of\s+)?{_MONTH}{_OF}{_YEAR}", _calendar),
        (
            rf"(?<![\d-])\b{_IN}?(?P<year>(?:19|20)\d\d)-(?P<month>0[1-9]|1[0-2])"
            r"-(?P<day>\d\d)(?![\d-])(?![T ]\d)",
            _calendar,
        ),
        (rf"\b{_IN}?{_THE}{_QUARTER}{_OF}{_WHICH_YEAR}", _quarter),
        (rf"\b{_IN}?{_YEAR}[\s-]+{_QUARTER}", _quarter),
        (rf"\b{_IN}?{_MONTH}{_OF}{_WHICH_YEAR}", _calendar),
        (rf"{_FROM_ZH}{_YEAR_ZH}\s*的?\s*{_BARE_MONTH_ZH}\s*{_DAY_ZH}{_SINCE_ZH}", _calendar),
        (rf"{_FROM_ZH}{_YEAR_ZH}\s*的?\s*{_QUARTER_ZH}{_SINCE_ZH}", _calendar),
        (rf"{_FROM_ZH}{_YEAR_ZH}\s*的?\s*{_MONTH_ZH}{_SINCE_ZH}", _calendar),
        (
            rf"\b{_IN}?{_THE}(?P<which>this|current|last|previous|next)\s+(?P<unit>week|month|quarter|year)\b",
            _relative,
        ),
        (
            r"(?P<which>上个|上|本|这个|这|当|下个|下)(?P<unit>周|星期|礼拜|月份?(?![\d])|季度)(?!末|均|报|岗)",
            _relative,
        ),
        (rf"\b{_IN}{_MONTH}\s+{_DAY}(?!\s*,?\s*\d)", _calendar),
        (rf"\b{_IN}?{_THE}{_QUARTER}", _quarter),
        (rf"\b{_IN}{_MONTH}(?!\s*\d)", _calendar),
        (rf"\b{_IN}{_THE}(?:year\s+)?{_YEAR}", _calendar),
        (rf"{_FROM_ZH}{_YEAR_ZH}{_SINCE_ZH}", _calendar),
        (rf"{_QUARTER_ZH}", _calendar),
        (rf"(?<![\d.]){_BARE_MONTH_ZH}\s*{_DAY_ZH}", _calendar),
        (rf"(?<![\d.个]){_MONTH_ZH}", _calendar),
        (rf"\b(?:{_IN})?(?P<word>today|yesterday|tomorrow)\b", _day_word),
        (r"(?P<word>今天|今日|昨天|昨日|前天|明天)", _day_word),
    )
    for pattern, read in spelled:
        yield re.compile(pattern, re.IGNORECASE), read


_PATTERNS = tuple(_patterns())
_HINT = re.compile(
    r"(?:19|20)\d\d|[年月周天日季]|星期|礼拜|\b(?:to.?day|yester|tomorrow|week|month|quarter|year|ytd"
    r"|q[1-4]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)",
    re.IGNORECASE,
)
"""Without any of these no pattern matches: most questions have none."""
