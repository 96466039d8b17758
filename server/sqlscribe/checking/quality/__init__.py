"""Habits that give wrong answers without an error, where the DDL or the text makes it sure.

Each rule would rather miss a mistake than call good SQL wrong: what is not known is not said.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from sqlscribe.checking.dialects.quoting import check_names_for_text
from sqlscribe.checking.dialects.view import View
from sqlscribe.checking.names.misses import Walk
from sqlscribe.checking.parsing import Parsed
from sqlscribe.checking.quality.changes import check_changes
from sqlscribe.checking.quality.conditions import check_conditions
from sqlscribe.checking.quality.cross import check_joins
from sqlscribe.checking.quality.dates import check_dates
from sqlscribe.checking.quality.fan_out import check_fan_out
from sqlscribe.checking.quality.grouping import check_grouping
from sqlscribe.checking.quality.look import Look, Values
from sqlscribe.checking.quality.months import check_months
from sqlscribe.checking.quality.nulls import check_nulls
from sqlscribe.checking.quality.numbers import check_numbers
from sqlscribe.checking.quality.operands import check_operands
from sqlscribe.checking.quality.rows import check_rows
from sqlscribe.checking.quality.values import check_values
from sqlscribe.checking.quality.years import check_years
from sqlscribe.checking.quality.zones import check_zones
from sqlscribe.notation.findings import Finding

__all__ = ["check_quality"]


def check_quality(
    parse: Parsed,
    walk: Walk,
    values: Values | None = None,
    today: date | None = None,
    functions: frozenset[str] = frozenset(),
) -> Iterator[Finding]:
    """Remarks on a parsed text whose names were followed.

    ``values`` are the values that columns are known to hold, by the case-folded names of table
    (with its schema) and column; those of ENUM and CHECK are known from the schema.
    ``today`` is given for an answer to a question about it, such as that of last month.
    ``functions`` are the case-folded names of those that the engine does not bring.
    """
    look = Look(View(parse), walk, values or {}, functions)
    yield from check_dates(look)
    yield from check_nulls(look)
    yield from check_months(look)
    yield from check_zones(look)
    yield from check_fan_out(look)
    yield from check_joins(look)
    yield from check_grouping(look)
    yield from check_values(look)
    yield from check_operands(look)
    yield from check_conditions(look)
    yield from check_numbers(look)
    yield from check_changes(look)
    yield from check_rows(look)
    yield from check_years(look, today)
    yield from check_names_for_text(parse, walk.misses)
