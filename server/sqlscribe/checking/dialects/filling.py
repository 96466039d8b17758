"""An engine's own way to call a function, filled with the arguments of a call."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from sqlscribe.checking.dialects.formats import STYLES, converted

_PLACE = re.compile(r"\{(\w+)(?::(\w+))?\}")
_OPERATOR = re.compile(r"[-+*/%|<>=]|\b(?:and|or|is|in|like|between|not|case)\b", re.IGNORECASE)
_LITERAL = re.compile(r"'((?:[^']|'')*)'")
_UNITS = {
    "year": "year years yy yyyy y",
    "quarter": "quarter quarters qq q",
    "month": "month months mm mon",
    "week": "week weeks wk ww",
    "day": "day days dd d dayofmonth",
    "hour": "hour hours hh",
    "minute": "minute minutes mi n",
    "second": "second seconds ss s",
}
_UNIT_OF = {name: unit for unit, names in _UNITS.items() for name in names.split()}
_STRFTIME = {"year": "%Y", "month": "%m", "day": "%d", "hour": "%H", "minute": "%M", "second": "%S"}
_STARTS = {
    "mysql": {"year": "%Y-01-01", "month": "%Y-%m-01", "day": "%Y-%m-%d"},
    "sqlite": {"year": "start of year", "month": "start of month", "day": "start of day"},
    "oracle": {"year": "YYYY", "month": "MM", "day": "DD", "quarter": "Q", "week": "IW"},
}
_AMOUNT = re.compile(r"interval\s+'?\s*([+-]?\d+)\s*'?\s*'?([a-z]+)'?", re.IGNORECASE)


def shown(way: str) -> str:
    """A way as advice: ``DATE_FORMAT(value, format)``."""
    return _PLACE.sub(lambda place: _ADVICE.get(place[2], place[1]), way).lstrip("~")


_ADVICE = {
    "day": "",
    "number": "n",
    "unit": "unit",
    "unit_text": "'unit'",
    "amount_text": "'n'",
    "text_unit": "'n units'",
    "signed_unit": "'+n units'",
    "text": "'month'",
    "strftime_unit": "'%Y'",
    "trunc_mysql": "'%Y-%m-01'",
    "trunc_sqlite": "'start of month'",
    "trunc_oracle": "'MM'",
    "mysql": "'%Y-%m'",
    "strftime": "'%Y-%m'",
    "char": "'YYYY-MM'",
    "java": "'yyyy-MM'",
}


def filled(way: str, arguments: Mapping[str, str]) -> str | None:
    """A way with the arguments in their places; ``None`` where one of them does not fit."""
    if way.startswith("~"):
        return None
    parts: list[str] = []
    position = 0
    for place in _PLACE.finditer(way):
        value = arguments.get(place[1])
        formed = _formed(value, place[2]) if value is not None else None
        if formed is None:
            return None
        parts += (way[position : place.start()], _guarded(formed, way, place))
        position = place.end()
    text = "".join([*parts, way[position:]])
    return text if _stands_alone(shown(way)) else f"({text})"


def _stands_alone(way: str) -> bool:
    """True for one call, one word or a CASE, which no operator beside it can tear apart."""
    called = re.match(r"\w+\(", way)
    if called is None:
        return re.fullmatch(r"CASE .* END|\w+", way, re.DOTALL) is not None
    depth = 1
    end = called.end()
    while end < len(way) and depth:
        depth += (way[end] == "(") - (way[end] == ")")
        end += 1
    return end == len(way) or way.startswith(" WITHIN GROUP", end)


def _guarded(text: str, way: str, place: re.Match[str]) -> str:
    """An argument in parentheses, where the way puts it next to an operator."""
    before, after = way[: place.start()].rstrip()[-1:], way[place.end() :].lstrip()[:1]
    alone = before in "(," and after in "),"
    called = alone or place[2] is not None or not _OPERATOR.search(_LITERAL.sub("", text))
    words = re.match(r"\s*(?:THEN|ELSE|END|AS|SEPARATOR|FROM)\b", way[place.end() :])
    return text if called or words else f"({text})"


def _formed(value: str, form: str | None) -> str | None:
    if form is None:
        return value
    if form in STYLES:
        literal = _LITERAL.fullmatch(value)
        text = converted(literal[1], form) if literal else None
        return f"'{text}'" if text is not None else None
    return _FORMS[form](value)


def _unit(value: str) -> str | None:
    return _UNIT_OF.get(value.strip("'\"").casefold())


def is_unit(value: str) -> bool:
    """True for the bare name of a unit of time."""
    return value.casefold() in _UNITS


def _word(value: str) -> str | None:
    unit = _unit(value)
    return unit.upper() if unit else None


def _text(value: str) -> str | None:
    unit = _unit(value)
    return f"'{unit}'" if unit else None


def _only_day(value: str) -> str | None:
    return "" if _unit(value) == "day" else None


def _strftime(value: str) -> str | None:
    mark = _STRFTIME.get(_unit(value) or "")
    return f"'{mark}'" if mark else None


def _start(engine: str) -> Callable[[str], str | None]:
    def formed(value: str) -> str | None:
        mark = _STARTS[engine].get(_unit(value) or "")
        return f"'{mark}'" if mark else None

    return formed


def amount(unit: str, number: str) -> str:
    """The form in which a number of units is an argument: ``INTERVAL 7 day``."""
    return f"INTERVAL {number} {unit}"


def _amount(form: str) -> Callable[[str], str | None]:
    def formed(value: str) -> str | None:
        found = _AMOUNT.fullmatch(value)
        unit = _unit(found[2]) if found else None
        if found is None or unit is None:
            return None
        number = found[1].removeprefix("+")
        signed = number if number.startswith("-") else f"+{number}"
        if form == "signed_unit" and unit in ("week", "quarter"):
            return None
        return {
            "number": number,
            "unit": unit.upper(),
            "text": f"'{number}'",
            "unit_text": f"'{unit}'",
            "text_unit": f"'{number} {unit}'",
            "signed_unit": f"'{signed} {unit}'",
        }[form]

    return formed


_FORMS: dict[str, Callable[[str], str | None]] = {
    "bare": str,
    "word": _word,
    "day": _only_day,
    "strftime_unit": _strftime,
    "trunc_mysql": _start("mysql"),
    "trunc_sqlite": _start("sqlite"),
    "trunc_oracle": _start("oracle"),
    "unit_text": _amount("unit_text"),
    "unit": _amount("unit"),
    "number": _amount("number"),
    "text_unit": _amount("text_unit"),
    "signed_unit": _amount("signed_unit"),
    "amount_text": _amount("text"),
    "text": _text,
}
