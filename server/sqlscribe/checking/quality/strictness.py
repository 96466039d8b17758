"""Which values engines with strict types take together, and in their functions.

What is said of PostgreSQL and DuckDB is tried on the engines by tests. BigQuery's are those of its
conversion rules (https://cloud.google.com/bigquery/docs/reference/standard-sql/conversion_rules),
Trino's those of its types (https://trino.io/docs/current/language/types.html), by which only
numbers, texts, and dates with timestamps are converted among themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlscribe.checking.quality.kinds import DAYS, NUMBERS, Kind

_NONE: frozenset[Kind] = frozenset()


@dataclass(frozen=True)
class Strictness:
    """What one engine refuses.

    ``groups``: values of one group can be compared with each other and be results of one CASE,
    those of two groups can not; a kind that is in no group is left alone. The other sets are the
    kinds that something does not take: LIKE and regular expressions (``pattern``), functions of
    texts, SUM and AVG, MIN and MAX (``extreme``), EXTRACT and DATE_TRUNC (``day``), a number that
    is added or subtracted, and comparisons with a quoted literal (``literal``).
    """

    groups: tuple[frozenset[Kind], ...] = ()
    pattern: frozenset[Kind] = _NONE
    text: frozenset[Kind] = _NONE
    total: frozenset[Kind] = _NONE
    extreme: frozenset[Kind] = _NONE
    day: frozenset[Kind] = _NONE
    number_added: frozenset[Kind] = _NONE
    literal: frozenset[Kind] = _NONE
    only_conditions: bool = False
    """Whether WHERE, AND, OR and NOT take booleans alone."""
    exact_digits: bool = False
    """Whether ROUND to some digits, and ``%``, take no floating-point number."""
    reads_literals: bool = False
    """Whether a quoted literal is read as what it stands beside, and refused if it is none."""

    def mixes(self, one: Kind | None, other: Kind | None) -> bool:
        """Whether two values can be compared, as far as that is known."""
        first, second = self._group(one), self._group(other)
        return first is None or second is None or first is second

    def _group(self, kind: Kind | None) -> frozenset[Kind] | None:
        return next((group for group in self.groups if kind in group), None)


_TEXT = frozenset({Kind.TEXT})
_BOOLEAN = frozenset({Kind.BOOLEAN})
_DATES = frozenset({Kind.DATE, Kind.TIMESTAMP})
_NO_TEXTS = NUMBERS | DAYS | {Kind.BOOLEAN, Kind.TIME, Kind.UUID}
_NOT_ADDED = frozenset({Kind.TEXT, Kind.BOOLEAN, Kind.DATE, Kind.TIMESTAMP})

STRICT: Mapping[str, Strictness] = {
    "postgres": Strictness(
        groups=(
            NUMBERS,
            _TEXT,
            _BOOLEAN,
            _DATES,
            frozenset({Kind.TIME, Kind.INTERVAL}),
            frozenset({Kind.UUID}),
            frozenset({Kind.JSON}),
            frozenset({Kind.ARRAY}),
        ),
        pattern=_NO_TEXTS | {Kind.INTERVAL, Kind.JSON, Kind.ARRAY},
        text=_NO_TEXTS | {Kind.JSON},
        total=_NOT_ADDED | {Kind.UUID, Kind.JSON},
        extreme=_BOOLEAN | {Kind.JSON},
        day=NUMBERS | {Kind.TEXT, Kind.BOOLEAN},
        number_added=frozenset({Kind.TEXT, Kind.BOOLEAN, Kind.TIMESTAMP, Kind.INTERVAL}),
        only_conditions=True,
        exact_digits=True,
        reads_literals=True,
    ),
    "duckdb": Strictness(
        pattern=_NO_TEXTS | {Kind.INTERVAL},
        text=_NO_TEXTS,
        total=frozenset({Kind.TEXT, Kind.UUID}),
        day=NUMBERS | {Kind.TEXT, Kind.BOOLEAN},
        number_added=frozenset({Kind.TEXT, Kind.BOOLEAN, Kind.TIMESTAMP, Kind.INTERVAL}),
    ),
    "bigquery": Strictness(
        groups=(
            NUMBERS,
            _TEXT,
            _BOOLEAN,
            frozenset({Kind.DATE, Kind.DATETIME}),
            frozenset({Kind.TIMESTAMP}),
            frozenset({Kind.TIME}),
        ),
        pattern=_NO_TEXTS,
        text=_NO_TEXTS,
        total=_NOT_ADDED | {Kind.DATETIME},
        day=NUMBERS | {Kind.TEXT, Kind.BOOLEAN},
        number_added=frozenset({Kind.TEXT, Kind.BOOLEAN, Kind.TIMESTAMP, Kind.DATETIME}),
        literal=NUMBERS | _BOOLEAN,
        only_conditions=True,
    ),
    "trino": Strictness(
        groups=(NUMBERS, _TEXT, _BOOLEAN, _DATES, frozenset({Kind.TIME}), frozenset({Kind.UUID})),
        pattern=_NO_TEXTS,
        text=_NO_TEXTS,
        total=_NOT_ADDED,
        day=NUMBERS | {Kind.TEXT, Kind.BOOLEAN},
        number_added=_NOT_ADDED,
        only_conditions=True,
    ),
    "tsql": Strictness(total=frozenset({Kind.TEXT, Kind.BOOLEAN, Kind.DATE, Kind.TIMESTAMP})),
}
"""By engine. What is not here is either lenient or not known well enough."""
