"""Which values of a database are worth a profile, from whatever source they come.

    DDL, INSERT statements, rows that an edge has read ─► ColumnValues ─ profiled ─► Profile

A profile is kept in git and may go to a model. So it has the few values that people filter by
and the ranges of dates and numbers, and never what identifies somebody or something.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from typing import Protocol

from sqlscribe.knowledge.personal import looks_like_instruction, personal_column, personal_values
from sqlscribe.knowledge.profiles import Profile, is_masked
from sqlscribe.schema.model import Column, Schema, Table

MOST_VALUES = 50
"""Distinct values of one column; with more of them nobody would read the file."""
_LONGEST_VALUE = 60
_LONGEST_ON_AVERAGE = 30


class Observed(Protocol):
    """Values of a column as some source has found them; ``minimum`` is ``""`` where unknown.

    ``distinct_more`` is true where there are, or may be, more values than these.
    """

    @property
    def table(self) -> str: ...
    @property
    def column(self) -> str: ...
    @property
    def values(self) -> Sequence[str]: ...
    @property
    def minimum(self) -> str: ...
    @property
    def maximum(self) -> str: ...
    @property
    def distinct_more(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class ColumnValues:
    """Values of a column, as text; NULL is left out. See :class:`Observed`.

    ``table`` may be qualified. ``problem`` says why there is nothing.
    """

    table: str
    column: str
    values: tuple[str, ...] = ()
    minimum: str = ""
    maximum: str = ""
    distinct_more: bool = False
    problem: str = ""


def profiled(
    schema: Schema, observed: Iterable[Observed], masks: Iterable[str] = ()
) -> tuple[Profile, ...]:
    """The profiles of what was observed, and of what the DDL itself allows.

    In the schema's order. The values that the DDL lists are all there are; of two sources
    that have seen a column the first counts. Columns that the schema does not know, masked
    ones and those that may hold personal data are left out.
    """
    masks = tuple(masks)
    seen: dict[tuple[str, str], Observed] = {}
    for each in observed:
        table = _table_named(schema, each.table)
        if table is not None:
            name = (table.qualified_name, each.column.casefold())
            seen.setdefault(name, each)
    profiles: list[Profile] = []
    for table in schema.tables:
        for column in wanted_columns(table, masks):
            found = seen.get((table.qualified_name, column.name.casefold()))
            profile = _profile(table, column, found)
            if profile is not None:
                profiles.append(profile)
    return tuple(dict.fromkeys(profiles))


def sampled(
    table: Table, observed: Iterable[Observed], masks: Iterable[str] = ()
) -> tuple[Profile, ...]:
    """What of a table's observed values is worth a place in a prompt.

    All values of a column that has few, three of one that has many, the range of dates. The
    same columns stay out as in ``profiled``.
    """
    seen = {each.column.casefold(): each for each in observed}
    found: list[Profile] = []
    for column in wanted_columns(table, masks):
        values = seen.get(column.name.casefold())
        profile = _profile(table, column, values)
        if profile is None and values is not None and values.distinct_more:
            profile = _some_values(table, column, values)
        is_number = profile is not None and _number(profile.minimum) is not None
        # What the DDL allows stands in it, and ranges of numbers guide no literal.
        if profile is not None and not column.values and not is_number:
            found.append(profile)
    return tuple(found)


_SAMPLE = 3


def _some_values(table: Table, column: Column, found: Observed) -> Profile | None:
    values = [value for value in found.values if value.strip() and _is_short_code(value)]
    if _NO_VALUES.search(column.type) or _is_range(column, values):
        return None
    profile = _values_profile((table.qualified_name, column.name), values[:MOST_VALUES])
    return replace(profile, values=profile.values[:_SAMPLE], partial=True) if profile else None


def wanted_columns(table: Table, masks: Iterable[str] = ()) -> Iterator[Column]:
    """The columns of a table that are worth asking for their values, and that may be.

    A view may give a masked column under any name, so where there are masks it is not asked.
    """
    masks = tuple(masks)
    if masks and table.kind.endswith("view"):
        return
    keys = {name.casefold() for names in (table.primary_key, *table.unique) for name in names[1:]}
    keys |= {names[0].casefold() for names in (table.primary_key, *table.unique) if names}
    for column in table.columns:
        if is_masked(table.qualified_name, column.name, masks):
            continue
        if personal_column(column.name, table.name):
            continue
        if column.values or not (column.name.casefold() in keys or _names_a_key(column.name)):
            yield column


def _table_named(schema: Schema, name: str) -> Table | None:
    owner, _, last = name.rpartition(".")
    tables = schema.named(last, owner)
    return tables[0] if tables else None


# -- one column --------------------------------------------------------------------------

_KEY_WORDS = frozenset(
    "id ids uuid guid key pk fk rowid oid hash sha md5 checksum digest token etag url uri"
    " json xml html body content description comment comments note notes text message".split()
)
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+\d*|\d+")
_NUMERIC = re.compile(
    r"(?i)(?:tiny|small|medium|big|long|u|unsigned )?int(?:eger|\d+)?\b|serial|number|numeric"
    r"|decimal|float|double|real\b|money|bignumeric|hugeint"
)
_TEMPORAL = re.compile(r"(?i)date|time(?!\w*zone\b)|year\b")
_NO_VALUES = re.compile(r"(?i)bool|bit\b|blob|binary|bytea|json|xml|geo|array|struct|map\b|variant")
_HASH = re.compile(r"(?:[0-9a-fA-F]{16,}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})")
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?")


def _names_a_key(name: str) -> bool:
    words = [word.lower() for word in _WORDS.findall(name)]
    return bool(words) and (words[-1] in _KEY_WORDS or words[0] == "id")


def _profile(table: Table, column: Column, found: Observed | None) -> Profile | None:
    name = (table.qualified_name, column.name)
    if column.values:
        # The DDL's own order often means something.
        return _values_profile(name, column.values)
    if found is None or _NO_VALUES.search(column.type):
        return None
    values = [value for value in found.values if value.strip()]
    if _is_range(column, values):
        return _range(name, found, values)
    if found.distinct_more:
        return None
    return _values_profile(name, sorted(set(values)))


def _is_range(column: Column, values: Sequence[str]) -> bool:
    if column.type and (_NUMERIC.match(column.type) or _TEMPORAL.search(column.type)):
        return True
    looked_at = values[:MOST_VALUES]
    if not looked_at or (column.type and not _is_loose(column.type)):
        return bool(looked_at) and all(_ISO.fullmatch(value) for value in looked_at)
    return all(_number(v) is not None or _ISO.fullmatch(v) for v in looked_at)


def _is_loose(type_: str) -> bool:
    """SQLite's columns may hold numbers whatever they are called."""
    return not re.search(r"(?i)char|text|string|clob|enum|set\b", type_)


def _values_profile(name: tuple[str, str], values: Sequence[str]) -> Profile | None:
    table, column = name
    if not 0 < len(values) <= MOST_VALUES or not all(map(_is_short_code, values)):
        return None
    if sum(map(len, values)) > _LONGEST_ON_AVERAGE * len(values):
        return None
    personal = next(personal_values(column, values, table.rpartition(".")[2]), None)
    if personal is not None or any(map(looks_like_instruction, values)):
        return None
    return Profile(table, column, tuple(values))


def _is_short_code(value: str) -> bool:
    return len(value) <= _LONGEST_VALUE and value.isprintable() and not _HASH.fullmatch(value)


def _range(name: tuple[str, str], found: Observed, values: Sequence[str]) -> Profile | None:
    low, high = found.minimum.strip(), found.maximum.strip()
    if not (low and high):
        if not values or found.distinct_more:
            return None
        low, high = bounds(values)
    if low and high and low.isprintable() and high.isprintable():
        return Profile(*name, minimum=low[:_LONGEST_VALUE], maximum=high[:_LONGEST_VALUE])
    return None


def bounds(values: Iterable[str]) -> tuple[str, str]:
    """The smallest and the largest of numbers or ISO dates, ``""`` where they are mixed."""
    values = tuple(values)
    numbers = [(number, value) for value in values if (number := _number(value)) is not None]
    if values and len(numbers) == len(values):
        return min(numbers)[1], max(numbers)[1]
    if values and all(_ISO.fullmatch(value) for value in values):
        return min(values), max(values)
    return "", ""


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() and "_" not in text else None


# -- gathering ---------------------------------------------------------------------------


@dataclass
class Gathered:
    """Values of one column while rows are read; bounded, whatever the rows are."""

    rows: int = 0
    more: bool = False
    distinct: set[str] = field(default_factory=set)
    low: str = ""
    high: str = ""
    bounded: bool = True

    def add(self, value: str | None, known: bool) -> None:
        """One row's value: ``None`` for NULL, or for what is not known."""
        self.rows += 1
        self.more |= not known
        if value is None:
            return
        if len(self.distinct) <= MOST_VALUES:
            self.distinct.add(value[: _LONGEST_VALUE + 1])
        if self.bounded:
            low, high = bounds([each for each in (self.low, self.high, value) if each])
            self.low, self.high, self.bounded = low, high, bool(low)

    def values(self, table: str, column: str) -> ColumnValues:
        """What was gathered. Values that hardly repeat are worth it in small tables only."""
        distinct = len(self.distinct)
        unique = self.rows > MOST_VALUES and distinct * 2 > self.rows
        more = self.more or distinct > MOST_VALUES or unique
        bounds_ = (self.low, self.high) if self.bounded and not self.more else ("", "")
        return ColumnValues(table, column, tuple(sorted(self.distinct)), *bounds_, more)
