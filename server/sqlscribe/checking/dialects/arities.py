"""Functions that two engines call alike and use otherwise: number and order of arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from sqlglot.tokens import TokenType

from sqlscribe.checking.dialects import ways
from sqlscribe.checking.dialects.arguments import count, usual
from sqlscribe.checking.dialects.feature import engine_of, rewrite, same
from sqlscribe.checking.dialects.filling import filled, shown
from sqlscribe.checking.dialects.view import View
from sqlscribe.checking.dialects.ways import Ways
from sqlscribe.notation.findings import Finding, Fix, Severity


class _Use(NamedTuple):
    """How many arguments an engine wants, and what another number of them was to do."""

    counts: tuple[int, ...]
    ways: Ways = ways.NONE
    form: str = ""
    soft: str = ""


_UNIT = "unit earlier later"
_USES: dict[tuple[str, str], _Use] = {
    ("mysql", "datediff"): _Use((2,), ways.DIFFERENCE, _UNIT),
    ("tsql", "datediff"): _Use((3,), ways.DIFFERENCE, "later earlier"),
    ("snowflake", "datediff"): _Use((3,), ways.DIFFERENCE, "later earlier"),
    ("redshift", "datediff"): _Use((3,), ways.DIFFERENCE, "later earlier"),
    ("duckdb", "datediff"): _Use((3,), ways.DIFFERENCE, "later earlier"),
    ("duckdb", "date_diff"): _Use((3,), ways.DIFFERENCE, "later earlier"),
    ("trino", "date_diff"): _Use((3,), ways.DIFFERENCE, "later earlier"),
    ("bigquery", "date_diff"): _Use((3,), ways.DIFFERENCE, "later earlier"),
    ("mysql", "date_add"): _Use((2,), ways.SHIFTED, "unit number value"),
    ("bigquery", "date_add"): _Use((2,), ways.SHIFTED, "unit number value"),
    ("postgres", "date_add"): _Use((2,), ways.SHIFTED, "unit number value"),
    ("duckdb", "date_add"): _Use((2,), ways.SHIFTED, "unit number value"),
    ("duckdb", "date_sub"): _Use((3,), ways.SHIFTED, "value less"),
    ("trino", "date_add"): _Use((3,), ways.SHIFTED, "value amount"),
    ("tsql", "isnull"): _Use((2,), ways.IS_NULL, "value"),
    ("mysql", "isnull"): _Use((1,), ways.DEFAULT, "a b"),
    ("spark", "isnull"): _Use((1,), ways.DEFAULT, "a b"),
    ("postgres", "decode"): _Use((2,), ways.DECODED),
    ("mysql", "decode"): _Use((2,), ways.DECODED),
    ("duckdb", "decode"): _Use((1,), ways.DECODED),
    ("postgres", "date"): _Use((1,), ways.NONE),
    ("mysql", "date"): _Use((1,), ways.NONE),
    ("postgres", "convert"): _Use((3,), ways.CONVERTED),
    ("postgres", "string_agg"): _Use((2,), ways.JOINED, "value"),
    ("tsql", "string_agg"): _Use((2,), ways.JOINED, "value"),
    ("tsql", "round"): _Use((2, 3), same("ROUND({value}, 0)", "tsql"), "value"),
    ("oracle", "concat"): _Use((2,), same("~a || b", "oracle"), "", "before version 23ai"),
}
_UNITS = frozenset("year quarter month week day hour minute second isoweek isoyear".split())
_UNIT_FIRST = frozenset(
    {"postgres", "redshift", "snowflake", "duckdb", "spark", "trino", "clickhouse"}
)
_TYPES = frozenset(
    "int integer bigint smallint varchar nvarchar char nchar date datetime datetime2 time decimal"
    " numeric float real bit money".split()
)
_ONLY_MARKS = re.compile(r"'[^\w']+'")
_NO_EPOCH = frozenset({"mysql", "oracle", "bigquery", "trino", "spark"})
_POSTGRES_UNITS = frozenset("dow isodow doy century decade millennium".split())
_NO_POSTGRES_UNITS = frozenset({"mysql", "oracle", "bigquery"})
_BARE_UNIT_CALLS = frozenset(
    "datediff dateadd datename date_diff datepart date_part datetrunc datesub".split()
)
_QUOTED_UNITS = frozenset({"duckdb", "trino", "postgres"})
_ONE_DISTINCT = frozenset({"sqlite", "postgres", "tsql", "oracle", "bigquery", "duckdb", "trino"})
_DATE_MARKS = re.compile(r"'[^'%]*(?:yy|MM|dd|YY|DD)[^'%]*'")
_NUMBERS_TRUNCATED = frozenset({"sqlite", "postgres", "mysql", "duckdb", "bigquery"})
_COMMAS_ONLY = frozenset({"sqlite", "tsql", "oracle", "bigquery"})


def wrong_arguments(view: View, index: int) -> Iterator[Finding]:
    """A function that the engine has, called as another engine has it."""
    name = view.tokens[index].text.casefold()
    if name in _BARE_UNIT_CALLS:
        yield from _bare_unit(view, index)
    if name in _READERS:
        yield from _READERS[name](view, index)
    else:
        yield from _number(view, index, name)


def _finding(
    view: View, index: int, says: str, text: str | None, *, severity: Severity = Severity.ERROR
) -> Finding:
    fixes: tuple[Fix, ...] = ()
    if text is not None:
        place = view.span(index, view.pairs[index + 1])
        fixes = (rewrite(f"Change to {' '.join(text.split())[:60]}", (place, text)),)
    message = f"{view.dialect} {says}"
    return Finding("dialect/arguments", severity, message, view.span(index, index), fixes)


def _number(view: View, index: int, name: str) -> Iterator[Finding]:
    engine = engine_of(view.dialect)
    use = _USES.get((engine, name))
    given = count(view, index) if use is not None else None
    if use is None or given is None or given in use.counts:
        return
    wanted = " or ".join(str(number) for number in use.counts)
    plural = "" if wanted == "1" else "s"
    says = f"wants {wanted} argument{plural} in {view.tokens[index].text}()"
    says += f" {use.soft}" if use.soft else ""
    way = use.ways.get(engine, "")
    says += f"; use {shown(way)}" if way else ""
    parts = view.arguments(index + 1) or []
    names = use.form.split()
    text = None
    if way and len(names) == len(parts):
        values = dict(zip(names, (view.text(*part) for part in parts), strict=True))
        read = usual({"separator": "','", "unit": "day"} | values)
        text = filled(way, read) if read is not None else None
    severity = Severity.WARNING if use.soft else Severity.ERROR
    yield _finding(view, index, says, text, severity=severity)


def _is_unit(text: str) -> bool:
    return text[:1] == "'" and text.strip("'").casefold() in _UNITS


def _unit_order(view: View, index: int) -> Iterator[Finding]:
    """``DATE_TRUNC('month', value)``, and in BigQuery ``DATE_TRUNC(value, MONTH)``."""
    parts = view.arguments(index + 1) or []
    if len(parts) != 2:
        return
    one, two = (view.text(*part) for part in parts)
    name = view.tokens[index].text
    engine = engine_of(view.dialect)
    quoted = _is_unit(one)
    if engine == "bigquery" and quoted:
        says = f"wants the unit behind the value in {name}(), without quotes"
        yield _finding(view, index, says, f"{name}({two}, {one.strip(chr(39)).upper()})")
    # Behind its unit stands a value: a column may be called like a unit.
    elif engine in _UNIT_FIRST and not quoted and two.casefold() in _UNITS:
        says = f"wants the unit in quotes before the value in {name}()"
        yield _finding(view, index, says, f"{name}('{two.lower()}', {one})")


def _bare_unit(view: View, index: int) -> Iterator[Finding]:
    """``DATEDIFF(day, …)``, where the unit is a text."""
    parts = view.arguments(index + 1) or []
    if len(parts) < 2:
        return
    name, (first, last) = view.tokens[index].text, parts[0]
    rest = ", ".join(view.text(*part) for part in parts[1:])
    if engine_of(view.dialect) == "tsql" and view.kind(first) is TokenType.STRING and first == last:
        unit = view.tokens[first].text
        yield _finding(view, index, f"wants no quotes in {name}()", f"{name}({unit}, {rest})")
    if engine_of(view.dialect) not in _QUOTED_UNITS:
        return
    if first == last and view.word(first).casefold() in _UNITS:
        says = f"wants the unit in quotes in {name}()"
        yield _finding(view, index, says, f"{name}('{view.word(first).lower()}', {rest})")
    elif len(parts) == 3 and view.word(parts[2][0]).casefold() in _UNITS:
        one, two, unit = (view.text(*part) for part in parts)
        if _is_unit(one):
            return
        says = f"wants the unit first and in quotes in {name}()"
        yield _finding(view, index, says, f"{name}('{unit.lower()}', {two}, {one})")


def _unit_of_part(view: View, index: int) -> Iterator[Finding]:
    """``EXTRACT(EPOCH FROM value)``."""
    if index + 2 >= len(view.tokens):
        return
    engine = engine_of(view.dialect)
    unit = view.tokens[index + 2].text.casefold()
    if unit in _POSTGRES_UNITS and engine in _NO_POSTGRES_UNITS:
        yield _finding(view, index, f"does not have the unit {unit.upper()}", None)
        return
    if unit != "epoch" or engine not in _NO_EPOCH:
        return
    way = ways.EPOCH.get(engine, "")
    closing = view.pairs.get(index + 1)
    text = None
    if closing is not None and index + 4 < closing:
        text = filled(way, {"value": view.text(index + 4, closing - 1)}) if way else None
    says = "does not have the unit EPOCH" + (f"; use {shown(way)}" if way else "")
    yield _finding(view, index, says, text)


def _several_distinct(view: View, index: int) -> Iterator[Finding]:
    """``COUNT(DISTINCT a, b)``."""
    parts = view.arguments(index + 1) or []
    engine = engine_of(view.dialect)
    if len(parts) < 2 or view.word(index + 2) != "DISTINCT" or engine not in _ONE_DISTINCT:
        return
    inside = ", ".join(view.text(*part) for part in parts).partition("DISTINCT")[2].strip()
    row = engine in ("postgres", "duckdb") and inside
    text = f"{view.tokens[index].text}(DISTINCT ({inside}))" if row else None
    says = "counts distinct values of one expression only"
    says += "; put them in parentheses" if row else "; count a subquery with DISTINCT"
    yield _finding(view, index, says, text)


def _date_format(view: View, index: int) -> Iterator[Finding]:
    """``FORMAT(value, 'yyyy-MM')`` of SQL Server."""
    parts = view.arguments(index + 1) or []
    engine = engine_of(view.dialect)
    if len(parts) != 2 or engine in ("tsql", "clickhouse", "snowflake", "oracle"):
        return
    value, form = (view.text(*part) for part in parts)
    if not value.startswith("'") and _DATE_MARKS.fullmatch(form):
        way = ways.FORMATTED.get(engine, "")
        text = filled(way, {"value": value, "format": form}) if way else None
        says = "does not format dates with FORMAT()" + (f"; use {shown(way)}" if way else "")
        yield _finding(view, index, says, text)


def _date_truncated(view: View, index: int) -> Iterator[Finding]:
    """``TRUNC(value, 'MM')`` of Oracle."""
    parts = view.arguments(index + 1) or []
    engine = engine_of(view.dialect)
    if len(parts) != 2 or engine not in _NUMBERS_TRUNCATED:
        return
    value, unit = (view.text(*part) for part in parts)
    if unit.startswith("'"):
        way = ways.TRUNCATED.get(engine, "")
        text = filled(way, {"value": value, "unit": unit}) if way else None
        says = "truncates no dates with TRUNC()" + (f"; use {shown(way)}" if way else "")
        yield _finding(view, index, says, text)


def _words_between(view: View, index: int) -> Iterator[Finding]:
    """``SUBSTRING(text FROM 1 FOR 3)`` and ``TRIM(BOTH 'x' FROM text)``."""
    engine = engine_of(view.dialect)
    name = view.word(index)
    parts = view.arguments(index + 1) or []
    if len(parts) != 1:
        yield from _number(view, index, name.casefold())
        return
    level = view.at_depth(*parts[0])
    words = {view.word(i): i for i in level}
    if "FROM" not in words or (name == "TRIM" and engine != "sqlite"):
        return
    start, end = parts[0]
    middle, last = words["FROM"], words.get("FOR", end + 1)
    if not start < middle < last - 1 or last == end:
        return
    if name != "TRIM" and engine in _COMMAS_ONLY:
        texts = [view.text(start, middle - 1), view.text(middle + 1, last - 1)]
        texts += [view.text(last + 1, end)] if last <= end else []
        says = f"wants commas between the arguments of {name}()"
        yield _finding(view, index, says, f"{view.tokens[index].text}({', '.join(texts)})")
    elif name == "TRIM":
        yield _finding(view, index, "wants TRIM(text, letters)", None)


def _converted(view: View, index: int) -> Iterator[Finding]:
    """``CONVERT(date, value)`` of SQL Server."""
    if engine_of(view.dialect) != "mysql":
        yield from _number(view, index, "convert")
        if engine_of(view.dialect) == "tsql":
            yield from _type_last(view, index)
        return
    parts = view.arguments(index + 1) or []
    first = view.tokens[index + 2].text.casefold() if parts else ""
    second = view.word(parts[1][0]).casefold() if len(parts) > 1 else ""
    if first in _TYPES and second not in _TYPES:
        yield _finding(view, index, "wants the type behind the value in CONVERT()", None)


def _type_last(view: View, index: int) -> Iterator[Finding]:
    """``CONVERT(value, CHAR)`` of MySQL."""
    parts = view.arguments(index + 1) or []
    last = view.word(parts[1][0]).casefold() if len(parts) == 2 else ""
    if last in _TYPES | {"signed", "unsigned"} and (
        view.word(parts[0][0]).casefold() not in _TYPES and parts[1][0] == parts[1][1]
    ):
        text = f"CONVERT({view.text(*parts[1])}, {view.text(*parts[0])})"
        yield _finding(view, index, "wants the type before the value in CONVERT()", text)


def _separator(view: View, index: int) -> Iterator[Finding]:
    """``GROUP_CONCAT(value, ',')`` puts a comma behind every value, and another between them."""
    parts = view.arguments(index + 1) or []
    literal = len(parts) == 2 and view.kind(parts[1][1]) is TokenType.STRING
    if not literal or engine_of(view.dialect) != "mysql":
        return
    one, two = (view.text(*part) for part in parts)
    if _ONLY_MARKS.fullmatch(two):
        says = f"joins {two} to every value; use SEPARATOR {two}"
        text = f"{view.tokens[index].text}({one} SEPARATOR {two})"
        yield _finding(view, index, says, text, severity=Severity.WARNING)


_READERS = {
    "date_trunc": _unit_order,
    "datetrunc": _unit_order,
    "extract": _unit_of_part,
    "date_part": _unit_of_part,
    "convert": _converted,
    "group_concat": _separator,
    "count": _several_distinct,
    "format": _date_format,
    "trunc": _date_truncated,
    "substring": _words_between,
    "substr": _words_between,
    "trim": _words_between,
}
