"""The arguments of a call by their names, however the call is written."""

from __future__ import annotations

import re

from sqlglot.tokens import TokenType

from sqlscribe.checking.dialects.filling import amount, is_unit
from sqlscribe.checking.dialects.foreign import Foreign
from sqlscribe.checking.dialects.view import View

_INTERVAL = re.compile(r"interval\s+'?\s*([+-]?\d+)\s*'?\s*'?([a-z]+)'?", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?\d+")
_ORDERED = re.compile(r"\border\s+by\b", re.IGNORECASE)
_SEPARATED = re.compile(r"(.*\S)\s+separator\s+('(?:[^']|'')*')", re.IGNORECASE | re.DOTALL)
# EXTRACT(unit FROM value) and POSITION(part IN text).
_WORDED = {"extract": ("FROM", "unit", "value"), "position": ("IN", "part", "text")}


def named(view: View, index: int, foreign: Foreign) -> dict[str, str] | None:
    """The arguments of the call at ``index``; ``None`` where they are not the usual ones."""
    found = view.arguments(index + 1)
    if found is None:
        return None
    name = view.tokens[index].text.casefold()
    if name in _WORDED:
        return _worded(view, found, *_WORDED[name])
    values = [view.text(*part) for part in found]
    if foreign.forms == (("arguments",),):
        return {"arguments": ", ".join(values)}
    if name == "group_concat" and len(values) == 1:
        separated = _SEPARATED.fullmatch(values[0])
        values = list(separated.groups()) if separated else [values[0], "','"]
    form = next((form for form in foreign.forms if len(form) == len(values)), None)
    if form is None or any(_ORDERED.search(value) for value in values):
        return None
    return usual({**foreign.given, **dict(zip(form, _unit_first(values), strict=True))})


def _unit_first(values: list[str]) -> list[str]:
    """BigQuery's order of unit and values, turned into that of the other engines."""
    if len(values) not in (2, 3) or not is_unit(values[-1]):
        return values
    return [values[-1], *values[-2::-1]]


def _worded(
    view: View, found: list[tuple[int, int]], word: str, first: str, second: str
) -> dict[str, str] | None:
    if len(found) != 1:
        return None
    start, end = found[0]
    middle = next((i for i in view.at_depth(start, end) if view.word(i) == word), None)
    if middle is None or not start < middle < end:
        return None
    return {first: view.text(start, middle - 1), second: view.text(middle + 1, end)}


def usual(values: dict[str, str]) -> dict[str, str] | None:
    """Formats behind values, and numbers of units as intervals."""
    if "format" in values and not values["format"].startswith("'"):
        values["format"], values["value"] = values["value"], values["format"]
    if values.get("value", "").casefold() == "'now'":
        return None
    if "less" in values:
        less = _INTERVAL.fullmatch(values.pop("less"))
        if less is None:
            return None
        number = less[1].removeprefix("-") if less[1].startswith("-") else f"-{less[1]}"
        values["amount"] = amount(less[2], number)
    if "number" in values and "unit" in values and _NUMBER.fullmatch(values["number"]):
        values["amount"] = amount(values["unit"].strip("'"), values["number"])
    return values


def count(view: View, index: int) -> int | None:
    """How many arguments the call at ``index`` has."""
    found = view.arguments(index + 1)
    if found is None or view.kind(index + 2) is TokenType.SELECT:
        return None
    return len(found)
