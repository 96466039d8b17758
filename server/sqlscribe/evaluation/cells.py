"""Values of a database as plain data that every engine's rows can be compared in."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Sequence
from decimal import Decimal

Cell = None | int | float | str
"""NULL, a number, or text. Text holds what is neither: dates, bytes, lists."""

LONGEST_CELL = 100_000
"""Characters. The rest of a longer text is told by its length."""


def cell(value: object) -> Cell:
    """A value as an engine's driver gives it.

    True is 1. A date is its ISO text, and a time at midnight is its date, so that an engine
    with dates and one that keeps them as text give the same.
    """
    match value:
        case None:
            return None
        case bool() | int():
            return int(value)
        case float():
            return value if math.isfinite(value) else str(value)
        case Decimal():
            return _decimal(value)
        case datetime.date() | datetime.time():
            return _moment(value.isoformat())
        case datetime.timedelta():
            return value.total_seconds()
        case bytes() | bytearray() | memoryview():
            return _bounded(f"x'{bytes(value[:LONGEST_CELL]).hex()}'")
        case str():
            return _moment(_bounded(value))
    return _bounded(str(value))


def shown(row: Sequence[Cell]) -> list[Cell]:
    """A row for a report: long texts cut."""
    return [
        text if not isinstance(text, str) or len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
        for text in row
    ]


_SHOWN = 200

_MIDNIGHT = re.compile(r"(\d{4}-\d\d-\d\d)[T ]00:00(?::00(?:\.0+)?)?")
_INSTANT = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:(\.\d*?)0*)?(Z|[+-]\d\d(?::\d\d)?)?"
)


def _moment(text: str) -> str:
    """A date or a time in one spelling; any other text as it is."""
    if len(text) < len("2024-01-31 00:00") or not text[0].isdecimal():
        return text
    if midnight := _MIDNIGHT.fullmatch(text):
        return midnight[1]
    if instant := _INSTANT.fullmatch(text):
        fraction = instant[3] if instant[3] not in (None, ".") else ""
        zone = "+00:00" if instant[4] in ("Z", "+00") else instant[4] or ""
        return f"{instant[1]} {instant[2]}{fraction}{zone}"
    return text


def _decimal(value: Decimal) -> Cell:
    if not value.is_finite():
        return str(value).lower()
    if value == value.to_integral_value() and value.adjusted() < 40:
        return int(value)
    return float(value)


def _bounded(text: str) -> str:
    if len(text) <= LONGEST_CELL:
        return text
    return f"{text[:LONGEST_CELL]}… ({len(text):,} characters)"
